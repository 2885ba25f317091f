"""Ranks over data sets: published vectors, other libraries, and laws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from askpoint.errors import InputError
from askpoint.value.ranking import (
    ModelRanking,
    RankedPair,
    iman_davenport,
    rank_models,
    shaffer_factors,
)

# Garcia and Herrera (2008), 30 data sets: C4.5, 1-NN, naive Bayes, Kernel, CN2
PUBLISHED = [63 / 30, 97.5 / 30, 66 / 30, 130 / 30, 93.5 / 30]


def test_the_published_f():
    test = iman_davenport(PUBLISHED, 30)
    assert test.statistic == pytest.approx(14.309, abs=5e-4)
    assert test.df == (4, 116)
    assert test.p_value == pytest.approx(1.593e-9, rel=1e-3)


def test_the_published_factors():
    assert shaffer_factors(5) == (10, 6, 6, 6, 6, 4, 4, 3, 2, 1)
    assert shaffer_factors(2) == (1,)
    assert shaffer_factors(3) == (3, 1, 1)  # Shaffer's own example


@pytest.mark.parametrize("k", range(2, 7))
def test_factors_are_the_most_pairs_that_can_be_equal_at_once(k):
    """By brute force over all ways to put k classifiers into groups of equals."""
    possible = {
        sum(a == b for a, b in itertools.combinations(groups, 2))
        for groups in itertools.product(range(k), repeat=k)
    }
    pairs = k * (k - 1) // 2
    assert shaffer_factors(k) == tuple(
        max(s for s in possible if s <= pairs - i) for i in range(pairs)
    )


def test_without_ties_the_statistic_is_scipys_friedman_corrected():
    scores = np.random.default_rng(0).normal(size=(20, 4)) + np.array([0.5, 0, 0.2, 0.9])
    chi2 = stats.friedmanchisquare(*scores.T).statistic
    expected = 19 * chi2 / (20 * 3 - chi2)
    ranking = rank_models(scores, list("abcd"))
    assert ranking.test.statistic == pytest.approx(expected)
    assert ranking.test.p_value == pytest.approx(stats.f.sf(expected, 3, 57))


SCORES = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=12)
)


@pytest.mark.no_cover
@settings(deadline=None, max_examples=150)
@given(SCORES, st.randoms())
def test_laws_of_a_ranking(scores, random):
    names = [f"m{j}" for j in range(len(scores[0]))]
    ranking = rank_models(scores, names)
    shuffled = random.sample(range(len(names)), len(names))
    again = rank_models(
        [[row[j] for j in shuffled] for row in scores], [names[j] for j in shuffled]
    )
    assert ranking.test.statistic == pytest.approx(again.test.statistic)
    assert sorted(ranking.mean_ranks) == pytest.approx(sorted(again.mean_ranks))
    mapped = rank_models(np.exp(scores), names)
    assert np.array_equal(mapped.mean_ranks, ranking.mean_ranks)
    # Shaffer rejects at least what Holm does and less than no correction
    raw = [pair.p_value for pair in ranking.pairs]
    holm = np.maximum.accumulate(np.minimum(1, np.array(raw) * np.arange(len(raw), 0, -1)))
    for pair, upper in zip(ranking.pairs, holm, strict=True):
        assert pair.p_value <= pair.adjusted <= upper + 1e-12
        assert pair.z >= 0
    adjusted = [pair.adjusted for pair in ranking.pairs]
    assert adjusted == sorted(adjusted)


def test_the_clearest_pair_by_hand():
    scores = np.tile([3.0, 2.0, 1.0], (12, 1))
    ranking = rank_models(scores, ["a", "b", "c"])
    assert ranking.test.statistic == np.inf
    assert ranking.test.p_value == 0
    first = ranking.pairs[0]
    assert (first.better, first.worse) == ("a", "c")
    assert first.z == pytest.approx(2 / np.sqrt(12 / 72))
    assert first.adjusted == pytest.approx(3 * 2 * stats.norm.sf(first.z))


def test_groups_are_the_largest_without_a_difference():
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(40, 5)) + np.array([3, 2.9, 0, 0.1, -4])
    ranking = rank_models(scores, list("abcde"))
    groups = ranking.groups()
    assert [set(group) for group in groups] == [{"a", "b"}, {"c", "d"}]
    significant = {frozenset(p[:2]) for p in ranking.pairs if p.adjusted <= 0.05}
    for group in groups:
        assert not any(frozenset(p) in significant for p in itertools.combinations(group, 2))
    alike = rank_models(rng.normal(size=(5, 3)), list("abc"))
    assert alike.groups(1e-9) == [alike.names]
    assert ranking.groups(1.0) == []


def test_groups_may_overlap():
    test = iman_davenport([1, 2, 3], 9)
    pairs = tuple(
        RankedPair(better, worse, 1.0, p, p)
        for better, worse, p in (("a", "c", 0.01), ("a", "b", 0.2), ("b", "c", 0.3))
    )
    ranking = ModelRanking(("a", "b", "c"), np.array([1.0, 2.0, 3.0]), 9, test, pairs)
    assert ranking.groups() == [("a", "b"), ("b", "c")]
    assert ranking.groups(0.2) == [("b", "c")]


@pytest.mark.parametrize(
    ("scores", "names", "message"),
    [
        ([[1, 2]], ["a", "b"], "2 data sets; got 2 on 1"),
        ([[1], [2]], ["a"], "at least 2 classifiers"),
        ([[1, 2], [2, 3]], ["a"], "one column for each"),
        ([[1, 2], [2, 3]], ["a", "a"], "different names"),
        ([1, 2], ["a", "b"], "shape"),
        ([[1, np.nan], [2, 3]], ["a", "b"], "missing"),
    ],
)
def test_bad_input(scores, names, message):
    with pytest.raises(InputError, match=message):
        rank_models(scores, names)


def test_ranks_that_are_none():
    with pytest.raises(InputError, match="sum to 3; these sum to 5"):
        iman_davenport([1, 4], 10)
    with pytest.raises(InputError, match="at least 2 classifiers; got 1"):
        shaffer_factors(1)


def test_round_off_splits_no_ties():
    found = rank_models([[0.1 + 0.2, 0.3, 0.2], [0.3, 0.1 + 0.2, 0.2]], ["a", "b", "c"])
    assert dict(zip(found.names, found.mean_ranks, strict=True)) == {"a": 1.5, "b": 1.5, "c": 3}
    with pytest.raises(InputError, match="missing or infinite"):
        rank_models([[0.1, np.inf], [0.2, 0.3]], ["a", "b"])


@given(st.integers(0, 2**32 - 1))
def test_ranks_are_scipys(seed):
    table = np.random.default_rng(seed).integers(-3, 4, (4, 5)) / 4
    found = rank_models(table, list("abcde"))
    ranks = stats.rankdata(-table, axis=1).mean(axis=0)
    assert dict(zip(found.names, found.mean_ranks, strict=True)) == dict(
        zip("abcde", ranks, strict=True)
    )
