"""Intervals behind unequal chances hold, or are refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from askpoint.errors import InputError
from askpoint.measures.intervals import binomial_interval
from askpoint.measures.weighted_shares import weighted_share


def sample(rng, n, island_rate, other_rate=0.5):
    """5% of the cases are an island, half of them wrong; of the others 2% are."""
    island = rng.random(n) < 0.05
    wrong = rng.random(n) < np.where(island, 0.5, 0.02)
    chance = np.where(island, island_rate, other_rate)
    seen = rng.random(n) < chance
    return wrong[seen], 1 / chance[seen]


@pytest.mark.parametrize(("n", "rate"), [(10_000, 0.02), (10_000, 0.1), (2000, 0.5)])
def test_intervals_hold_the_truth(n, rate):
    rng = np.random.default_rng(20261122)
    truth = 0.05 * 0.5 + 0.95 * 0.02
    given = held = 0
    for _ in range(400):
        interval = weighted_share(*sample(rng, n, rate)).interval
        if interval is not None:
            given += 1
            held += interval.lower <= truth <= interval.upper
    assert given > 100
    assert held >= stats.binom.ppf(0.001, given, 0.95)


def test_a_heavy_stratum_of_few_labels_is_refused():
    wrong = [False] * 500 + [True] * 4
    found = weighted_share(wrong, [2.0] * 500 + [50.0] * 4)
    assert found.interval is None
    assert found.heavy_labels == 4
    assert found.estimate == pytest.approx(200 / 1200)
    assert weighted_share(wrong * 3, ([2.0] * 500 + [50.0] * 4) * 3).interval is not None


def test_equal_weights_give_no_less_than_the_exact_interval():
    rng = np.random.default_rng(7)
    wrong = rng.random(400) < 0.1
    found = weighted_share(wrong, np.full(400, 7.0))
    plain = binomial_interval(int(wrong.sum()), 400)
    assert found.interval.lower == pytest.approx(plain.lower, rel=0.02)
    assert found.interval.upper >= plain.upper * 0.99
    assert weighted_share([True], [3.0]).interval.upper == 1


def test_scaling_weights_and_swapping_outcomes():
    rng = np.random.default_rng(7)
    wrong, weights = sample(rng, 5000, 0.2)
    first, scaled = weighted_share(wrong, weights), weighted_share(wrong, 9 * weights)
    assert first.interval == pytest.approx(scaled.interval)
    assert weighted_share(~wrong, weights).estimate == pytest.approx(1 - first.estimate)


@pytest.mark.parametrize("wrong", [[False] * 40, [True] * 40])
def test_nothing_seen_is_no_proof_of_absence(wrong):
    weights = [1.0] * 20 + [10.0] * 20
    found = weighted_share(wrong, weights)
    assert found.interval.lower <= found.estimate <= found.interval.upper
    assert found.interval.upper - found.interval.lower > 0.05


def test_odd_input_is_refused():
    with pytest.raises(InputError, match="one entry per item"):
        weighted_share([1, 0], [1.0])
    with pytest.raises(InputError, match="weights must be positive"):
        weighted_share([1, 0], [1.0, 0.0])


def test_weights_that_do_not_sum_evenly_leave_all_and_none_as_they_are():
    rng = np.random.default_rng(1)
    for _ in range(50):
        weights = 1 / rng.uniform(0.05, 1, 200)
        for happened in (True, False):
            found = weighted_share(np.full(200, happened), np.sort(weights)[::-1].clip(max=3))
            assert found.estimate == happened
            assert 0 <= found.interval.lower <= found.interval.upper <= 1


@pytest.mark.parametrize("unit", [1 / 8, 0.1, 1 / 3, 1e-5])
@pytest.mark.parametrize("k", [2, 5, 40])
def test_clusters_of_one_composition_count_as_clusters_whatever_round_off_leaves(k, unit):
    # eighths are exact: the variance is 0, and the size that of k equal clusters
    weights = np.array([1, 9, 3, 10, 10, 10, 10, 10, 10, 10, 10, 10]) * unit
    wrong = np.array([0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1.0])
    found = weighted_share(np.tile(wrong, k), np.tile(weights, k), cluster=np.repeat(range(k), 12))
    exact = binomial_interval(found.estimate * k, k)
    assert found.interval is not None
    assert found.interval.lower <= exact.lower + 1e-9
    assert found.interval.upper >= exact.upper - 1e-9
    assert 0 <= found.interval.lower < found.estimate < found.interval.upper <= 1
