"""The next day's load: its chances by another library, and kept as often as it says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from askpoint.errors import InputError, NotEstimableError, UnmetError
from askpoint.value.daily_capacity import daily_load, threshold_for_days


def days_of(rng, n_days, cases=100, shape=10.0):
    """Days that differ: their numbers of cases are negative binomial."""
    sizes = rng.negative_binomial(shape, shape / (shape + cases), n_days)
    return rng.random(sizes.sum()), np.repeat(np.arange(n_days), sizes)


def test_chances_are_those_of_a_beta_negative_binomial_where_the_shape_is_known():
    rng = np.random.default_rng(1)
    load = daily_load(*days_of(rng, 30), 0.3)
    best = int(load.shape_weights.argmax())
    r = np.geomspace(0.5, 2e4, 16)[best]
    fixed = np.zeros(16)
    fixed[best] = 1
    alone = type(load)(load.counts, fixed, load.chances)
    total = load.counts.sum() + 0.5
    k = np.arange(46)
    log_pmf = special.betaln(31 * r, total + k) - special.betaln(30 * r, total)
    log_pmf += special.gammaln(r + k) - special.gammaln(r) - special.gammaln(k + 1)
    below = np.cumsum(np.exp(log_pmf))
    for capacity in (20, 30, 45):
        assert alone.chance_above(capacity) == pytest.approx(1 - below[capacity], abs=5e-3)


@pytest.mark.parametrize("shape", [4.0, 40.0, 1e6])
def test_the_threshold_keeps_the_capacity_as_often_as_it_says(shape):
    rng = np.random.default_rng([3, int(shape)])
    runs, above = 40, []
    for _ in range(runs):
        confidence, day = days_of(rng, 25, shape=shape)
        found = threshold_for_days(confidence, day, 40, kept=0.9)
        load = rng.negative_binomial(shape, shape / (shape + 100), 20)
        above.append((rng.binomial(load, min(found.threshold, 1)) > 40).mean())
    assert np.mean(above) == pytest.approx(0.1, abs=0.05)


def test_days_that_differ_leave_less_to_ask():
    rng = np.random.default_rng(5)
    even, uneven = (threshold_for_days(*days_of(rng, 60, shape=s), 30) for s in (1e6, 3))
    assert uneven.threshold < even.threshold
    assert uneven.load.mean < even.load.mean


def test_interval_and_chance_say_the_same():
    rng = np.random.default_rng(6)
    load = daily_load(*days_of(rng, 20), 0.5)
    assert load.low < load.mean < load.high
    assert load.chance_above(load.high) <= 0.025 < load.chance_above(load.high - 1)
    assert load.chance_above(load.low - 1) > 0.975 >= load.chance_above(load.low)
    assert load.chance_above(-1) == 1


def test_a_capacity_above_all_asks_everybody():
    confidence, day = days_of(np.random.default_rng(7), 20)
    assert threshold_for_days(confidence, day, 100_000).threshold == np.inf


def test_days_may_be_dates():
    confidence, day = days_of(np.random.default_rng(8), 10)
    dates = np.datetime64("2026-01-01") + day
    assert threshold_for_days(confidence, dates, 30) is not None
    assert (
        daily_load(confidence, dates, 0.4).counts == daily_load(confidence, day, 0.4).counts
    ).all()


def test_what_cannot_be_said_is_refused():
    with pytest.raises(NotEstimableError, match="at least 5 whole days"):
        daily_load([0.1, 0.2], [1, 2], 0.5)
    with pytest.raises(InputError, match="day"):
        daily_load([0.1, 0.2], [1], 0.5)
    confidence, day = days_of(np.random.default_rng(9), 6)
    with pytest.raises(InputError, match="capacity"):
        threshold_for_days(confidence, day, -1)
    with pytest.raises(InputError, match="capacity"):
        threshold_for_days(confidence, day, np.nan)
    with pytest.raises(UnmetError, match="6 days are too few"):
        threshold_for_days(confidence, day, 0, kept=0.999)
