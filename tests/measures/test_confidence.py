"""The five confidence measures against their formulas, numpy and scipy."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from askpoint.errors import InputError
from askpoint.measures.confidence import confidence_range, confidence_scores
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES

MEASURES = list(CONFIDENCE_MEASURES)


def simplex(n_classes: int, n_items: int = 12) -> st.SearchStrategy[np.ndarray]:
    """Probabilities with many ties: multiples of 1/k! and of awkward fractions."""
    counts = st.lists(st.integers(0, 6), min_size=n_classes, max_size=n_classes).filter(any)
    rows = st.lists(counts, min_size=1, max_size=n_items)
    return rows.map(lambda table: np.array(table) / np.sum(table, axis=1, keepdims=True))


PROBABILITIES = st.integers(2, 6).flatmap(simplex)


def by_the_paper(measure: str, p: list[float]) -> float:
    """Equations 4 to 8."""
    second, first = sorted(p)[-2:]
    return {
        "max_probability": first,
        "margin": first - second,
        "negative_entropy": -float(stats.entropy(p)),
        "standard_deviation": float(np.std(p, ddof=1)),
        "euclidean_distance": math.dist(
            (first / (first + second), second / (first + second)), (0.5, 0.5)
        ),
    }[measure]


@pytest.mark.no_cover
@pytest.mark.parametrize("measure", MEASURES)
@settings(deadline=None, max_examples=40)
@given(p=PROBABILITIES)
def test_measures_are_those_of_the_paper(measure, p):
    expected = [by_the_paper(measure, row.tolist()) for row in p]
    assert confidence_scores(p, measure) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("measure", MEASURES)
@settings(deadline=None, max_examples=40)
@given(p=PROBABILITIES, data=st.data())
def test_vectors_that_differ_only_in_order_tie_bit_for_bit(measure, p, data):
    scores = confidence_scores(p, measure)
    shuffled = np.array([data.draw(st.permutations(row.tolist())) for row in p])
    assert (confidence_scores(shuffled, measure) == scores).all()
    # and the items keep their scores in any order
    assert (confidence_scores(p[::-1], measure)[::-1] == scores).all()


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("k", [2, 5, 20, 200])
def test_an_item_has_one_score_in_any_company_and_memory_layout(measure, k):
    p = np.random.default_rng(k).dirichlet(np.ones(k), size=100)
    scores = confidence_scores(p, measure)
    assert (confidence_scores(np.asfortranarray(p), measure) == scores).all()
    assert (confidence_scores(np.repeat(p, 2, axis=0)[::2], measure) == scores).all()
    assert [confidence_scores(row[None], measure)[0] for row in p] == scores.tolist()


@pytest.mark.parametrize("measure", MEASURES)
@settings(deadline=None, max_examples=40)
@given(p=PROBABILITIES)
def test_scores_stay_in_their_range(measure, p):
    lowest, highest = confidence_range(measure, p.shape[1])
    scores = confidence_scores(p, measure)
    assert scores.min() >= lowest - 1e-12
    assert scores.max() <= highest + 1e-12


@pytest.mark.parametrize("k", [2, 3, 10, 40])
def test_ranges_are_those_of_the_paper(k):
    ranges = {
        "max_probability": (1 / k, 1),
        "margin": (0, 1),
        "negative_entropy": (-math.log(k), 0),
        "standard_deviation": (0, 1 / math.sqrt(k)),
        "euclidean_distance": (0, 1 / math.sqrt(2)),
    }
    assert set(ranges) == set(MEASURES)
    for measure, expected in ranges.items():
        assert confidence_range(measure, k) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("one", "other"), list(itertools.pairwise(MEASURES)))
def test_two_classes_are_ordered_alike_by_all_measures(one, other):
    p = np.random.default_rng(1).random(500)
    p[::5] = p[0]
    ranks = [stats.rankdata(confidence_scores(p, m, decimals=12)) for m in (one, other)]
    assert (ranks[0] == ranks[1]).all()


def test_three_classes_are_not():
    p = [[0.6, 0.4, 0.0], [0.5, 0.25, 0.25]]
    first, second = confidence_scores(p, "max_probability"), confidence_scores(p, "margin")
    assert first[0] > first[1]
    assert second[0] < second[1]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("k", [2, 3, 31, 32, 40])
def test_float32_stays_float32_and_wide_rows_agree_with_narrow_ones(measure, k):
    p = np.random.default_rng(k).dirichlet(np.full(k, 0.3), size=50)
    double = confidence_scores(p, measure)
    single = confidence_scores(p.astype(np.float32), measure)
    assert double.dtype == np.float64
    assert single.dtype == np.float32
    assert single == pytest.approx(double, abs=1e-5)
    # classes that nobody predicts change neither the largest nor the second
    if measure in ("max_probability", "margin", "euclidean_distance", "negative_entropy"):
        wide = np.hstack([p, np.zeros((50, 40))])
        assert confidence_scores(wide, measure) == pytest.approx(double, abs=1e-12)


def test_rounding_ties_what_differs_by_round_off():
    p = [[0.1 + 0.2, 0.7], [0.3, 0.7]]
    assert np.ptp(confidence_scores(p, "margin")) > 0
    assert np.ptp(confidence_scores(p, "margin", decimals=12)) == 0


def test_a_measure_may_be_a_function():
    assert confidence_scores([[0.25, 0.75]], lambda p: p[:, 0]).tolist() == [0.25]
    assert confidence_scores([0.25, 0.5], lambda p: p[:, 1], decimals=1).tolist() == [0.2, 0.5]


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (lambda _: [0.5], "a confidence measure must return one number per row; got 1 for 2 rows"),
        (lambda p: p, "confidence must have 1 dimension; got 2 x 2"),
        (lambda p: p[:, 0] / np.array([np.inf, np.nan]), "confidence holds 1 missing or infinite"),
        ("entropy", "confidence must be one of max_probability, margin, negative_entropy, .*; got"),
    ],
)
def test_a_measure_gives_one_finite_number_a_row(measure, message):
    with pytest.raises(InputError, match=message):
        confidence_scores([[0.25, 0.75], [0.5, 0.5]], measure)


def test_scores_need_probabilities():
    with pytest.raises(InputError, match=r"row 0 sums to 1\.5"):
        confidence_scores([[0.75, 0.75]])


def test_ranges_need_a_measure_and_two_classes():
    with pytest.raises(InputError, match=r"confidence must be one of .*; got 'entropy'"):
        confidence_range("entropy", 2)
    with pytest.raises(
        InputError, match="a classifier decides between at least two classes; got 1"
    ):
        confidence_range("margin", 1)
