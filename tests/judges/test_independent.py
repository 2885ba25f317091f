"""The independent evaluator: exact where judges are, covering where they are drawn, never NaN."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.judges.methods.identification import BetterThanChance, PrevalenceRange
from askpoint.judges.methods.independent import evaluate_independent
from askpoint.judges.sketch.vote_sketch import VoteSketch
from judges.cases import ADULT_A, ADULT_B, drawn_votes, exact_counts, sketch_of, truth_of

ADULT = [a + b for a, b in zip(ADULT_A, ADULT_B, strict=True)]


def generated(rng):
    """An exactly independent test: counts are whole because sizes are products."""
    counts, accuracy = [0] * 8, []
    sizes = []
    for label in (0, 1):
        parts = rng.integers(2, 12, 3)
        size = int(parts.prod() * rng.integers(1, 4))
        right = [int(rng.integers(part // 2 + 1, part + 1)) * size // int(part) for part in parts]
        counts = [n + int(m) for n, m in zip(counts, exact_counts(size, right, label), strict=True)]
        sizes.append(size)
        accuracy.append([Fraction(r, size) for r in right])
    return counts, Fraction(sizes[0], sum(sizes)), accuracy


@pytest.mark.no_cover
@pytest.mark.parametrize("n_tests", [1_000, pytest.param(10_000, marks=pytest.mark.soak)])
def test_independent_tests_give_the_truth_in_exact_fractions(n_tests, rng):
    for _ in range(n_tests):
        counts, p, (of_a, of_b) = generated(rng)
        evaluation = evaluate_independent(sketch_of(counts))
        assert evaluation.outcome == "inside"
        assert evaluation.is_resolved
        chosen = evaluation.chosen
        assert chosen.prevalence["a"] == p
        assert [chosen.accuracy[judge] for judge in evaluation.judges] == [
            {"a": a, "b": b} for a, b in zip(of_a, of_b, strict=True)
        ]
        assert type(chosen.prevalence["a"]) is Fraction


def test_integer_consistency_holds_where_judges_are_independent(rng):
    for _ in range(200):
        assert evaluate_independent(sketch_of(generated(rng)[0])).is_integer_consistent


def test_a_resolved_root_is_no_proof():
    # two adjacent empty cells always resolve the root
    evaluation = evaluate_independent(sketch_of([7, 3, 0, 0, 2, 5, 1, 11]))
    assert evaluation.is_resolved
    assert evaluation.is_integer_consistent is False


def test_the_golden_case():
    evaluation = evaluate_independent(sketch_of(ADULT))
    assert (evaluation.outcome, evaluation.is_resolved) == ("inside", False)
    assert evaluation.is_integer_consistent is False
    assert round(evaluation.chosen.prevalence["a"], 5) == 0.16711
    assert evaluation.reason == "most judges are better than chance"
    assert {round(point.prevalence["a"], 5) for point in evaluation.points} == {0.16711, 0.83289}


@pytest.mark.parametrize(
    ("counts", "outcome"),
    [
        ([5, 0, 0, 0, 0, 0, 0, 0], "positive-dimensional"),  # constant judges
        ([4, 4, 4, 4, 4, 4, 4, 4], "positive-dimensional"),  # blind judges
        ([4, 4, 0, 0, 0, 0, 4, 4], "positive-dimensional"),  # only two see anything
        ([5, 0, 0, 0, 0, 0, 0, 6], "inside"),  # all equal: all perfect
        ([0, 1, 1, 1, 1, 1, 1, 0], "complex"),
        ([0, 0, 0, 1, 0, 1, 1, 0], "empty"),
        ([0, 0, 0, 1, 1, 1, 1, 0], "empty"),
    ],
)
def test_degenerate_votes_have_an_outcome_and_a_reason(counts, outcome):
    evaluation = evaluate_independent(sketch_of(counts))
    assert evaluation.outcome == outcome
    assert evaluation.reason
    if outcome != "inside":
        assert evaluation.points == ()
        assert evaluation.chosen is None
        assert evaluation.is_resolved is False
        assert evaluation.is_integer_consistent is False
        assert evaluation.interval() is None
        assert evaluation.sensitivity() is None
    else:
        assert evaluation.chosen.accuracy["cid"] == {"a": 1, "b": 1}
        assert evaluation.interval().prevalence["a"] == pytest.approx((5 / 11, 5 / 11))


@given(st.lists(st.integers(0, 9), min_size=8, max_size=8).filter(any))
@settings(max_examples=300)
def test_no_number_is_ever_nan(counts):
    evaluation = evaluate_independent(sketch_of(counts))
    found = [evaluation.interval(), evaluation.sensitivity(), *evaluation.points]
    for part in filter(None, found):
        numbers = [*part.prevalence.values()]
        numbers += [x for of in part.accuracy.values() for x in of.values()]
        assert np.isfinite(np.array(numbers, dtype=float)).all()
    assert (evaluation.interval() is None) == (
        evaluation.chosen is None or evaluation.outcome != "inside"
    )


@pytest.mark.parametrize(
    ("root", "p"),
    [
        ("better-than-chance", 0.16711),
        (BetterThanChance(), 0.16711),
        (PrevalenceRange(0.5, 1), 0.83289),
        (PrevalenceRange(0, 0.5, "b"), 0.83289),
        ([BetterThanChance(), PrevalenceRange(0, 0.3)], 0.16711),
        ([BetterThanChance(), PrevalenceRange(0.5, 1)], None),
        (PrevalenceRange(0, 1), None),
    ],
)
def test_the_root_is_chosen_as_told_and_never_in_silence(root, p):
    evaluation = evaluate_independent(sketch_of(ADULT), root=root)
    if p is None:
        assert evaluation.chosen is None
        assert "point" in evaluation.reason
    else:
        assert round(evaluation.chosen.prevalence["a"], 5) == p


def test_policies_are_checked():
    for root in ("best", [], ["x"], 3):
        with pytest.raises((InputError, TypeError)):
            evaluate_independent(sketch_of(ADULT), root=root)
    with pytest.raises(InputError, match="low <= high"):
        PrevalenceRange(0.5, 0.2)
    with pytest.raises(InputError, match="no label 'c'"):
        evaluate_independent(sketch_of(ADULT), root=PrevalenceRange(0, 1, "c"))


def test_a_point_outside_has_no_interval():
    rng = np.random.default_rng(1)
    for _ in range(500):
        evaluation = evaluate_independent(sketch_of(rng.integers(1, 30, 8)))
        if evaluation.outcome == "outside" and evaluation.chosen:
            assert evaluation.interval() is None
            assert evaluation.sensitivity() is not None
            return
    pytest.fail("no case was outside")


@pytest.mark.parametrize("n_items", [1000, 5000])
def test_intervals_cover_the_truth(n_items, rng):
    accuracy = np.array([[0.85, 0.8], [0.75, 0.9], [0.8, 0.7]])
    hits = []
    for _ in range(400):
        truth, votes = drawn_votes(rng, n_items, 0.35, accuracy)
        sketch = VoteSketch(3, ["a", "b"])
        sketch.update_codes(votes)
        intervals = evaluate_independent(sketch).interval(0.95)
        p, right = truth_of(truth, votes)
        found = [
            intervals.prevalence["a"],
            *(i for of in intervals.accuracy.values() for i in of.values()),
        ]
        hits.append(
            [low <= x <= high for (low, high), x in zip(found, [p, *right.ravel()], strict=True)]
        )
    coverage = np.mean(hits)
    # 2,800 intervals, dependent inside a test: four standard errors of 400 tests
    assert 0.93 - 0.02 < coverage < 0.97 + 0.02
    assert abs(np.mean(hits, axis=0) - 0.95).max() < 4 * math.sqrt(0.05 * 0.95 / 400) + 0.01


def test_small_correlations_stay_in_the_band(rng):
    """The votes of two judges are shared on a few items: the first-order band holds the truth."""
    accuracy = np.array([[0.9, 0.85], [0.85, 0.9], [0.9, 0.9]])
    truth, votes = drawn_votes(rng, 200_000, 0.4, accuracy)
    share = rng.random(len(truth)) < 0.1
    votes[share, 1] = votes[share, 0]
    sketch = VoteSketch(3, ["a", "b"])
    sketch.update_codes(votes)
    p, right = truth_of(truth, votes)
    gamma = max(
        abs(np.cov((votes[truth == label] == label).T, bias=True)[np.triu_indices(3, 1)]).max()
        for label in (0, 1)
    )
    evaluation = evaluate_independent(sketch)
    band, noise = evaluation.sensitivity(gamma), 0.01
    low, high = band.prevalence["a"]
    assert low - noise < p < high + noise
    for of, truths in zip(band.accuracy.values(), right, strict=True):
        for (low, high), x in zip(of.values(), truths, strict=True):
            assert low - noise < x < high + noise
    assert evaluation.sensitivity(0).prevalence["a"].lower == evaluation.chosen.prevalence["a"]
    with pytest.raises(InputError, match=r"between 0 and 0\.25"):
        evaluation.sensitivity(0.3)


def test_items_that_not_all_three_judged_are_counted_apart():
    sketch = sketch_of(ADULT)
    sketch.update_codes([[0, -1, 1], [-1, -1, -1]], [7, 2])
    evaluation = evaluate_independent(sketch)
    assert (evaluation.n_items, evaluation.n_incomplete) == (sum(ADULT), 9)
    assert evaluation.points == evaluate_independent(sketch_of(ADULT)).points


@pytest.mark.parametrize(
    ("judges", "labels"), [(2, "ab"), (4, "ab"), (3, "abc")], ids=["two", "four", "labels"]
)
def test_three_judges_and_two_labels_are_needed(judges, labels):
    with pytest.raises(InputError, match="three judges and two labels"):
        evaluate_independent(VoteSketch(judges, list(labels)))


def test_a_judge_who_never_votes_leaves_nothing_to_evaluate():
    sketch = VoteSketch(3, ["a", "b"])
    sketch.update_many([["a", "b", None], ["b", "b", None]])
    with pytest.raises(InputError, match="2 lack one or more"):
        evaluate_independent(sketch)
