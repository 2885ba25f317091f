"""Intervals against other libraries, their exact coverage, and naive versions of themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from askpoint.errors import InputError
from askpoint.measures.intervals import (
    Interval,
    binomial_interval,
    dkw_half_width,
)

LEVELS = st.sampled_from([0.5, 0.9, 0.95, 0.999999])
COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
UNIT_VALUES = st.lists(
    st.sampled_from([0.0, 1.0, 0.5, 0.25, 1 / 3]) | st.floats(0, 1), min_size=1, max_size=30
)


def contains(interval: Interval, value: float, slack: float = 1e-12) -> bool:
    return interval.lower - slack <= value <= interval.upper + slack


def within(inner: Interval, outer: Interval, slack: float = 1e-9) -> bool:
    return outer.lower - slack <= inner.lower and inner.upper <= outer.upper + slack


# -------------------------------------------------------------------------------- binomial


@pytest.mark.parametrize(("ours", "theirs"), [("clopper-pearson", "exact"), ("wilson", "wilson")])
@settings(deadline=None, max_examples=100)
@given(counts=COUNTS, level=LEVELS)
def test_binomial_interval_is_that_of_scipy(ours, theirs, counts, level):
    expected = stats.binomtest(*counts).proportion_ci(level, method=theirs)
    found = binomial_interval(*counts, level=level, method=ours)
    assert found == pytest.approx((expected.low, expected.high), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    ("successes", "n", "lower", "upper"),
    [  # bisection of the binomial tail sums in 50 digits (mpmath), level 0.999999
        (1, 10**9, 5.00000125000041542e-16, 1.74222148694750331e-8),
        (3, 10**6, 1.44747761955383191e-8, 2.21482092724534351e-5),
        (40, 10**9, 1.62787121526564451e-8, 8.02725194764924172e-8),
    ],
)
def test_clopper_pearson_keeps_its_digits_for_rare_events(successes, n, lower, upper):
    found = binomial_interval(successes, n, level=0.999999)
    assert found == pytest.approx((lower, upper), rel=1e-8, abs=0)
    mirrored = binomial_interval(n - successes, n, level=0.999999)
    assert mirrored == pytest.approx((1 - upper, 1 - lower), abs=1e-15)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_clopper_pearson_covers_every_rate_at_least_as_often_as_it_says(n, level):
    rates = np.linspace(0, 1, 401)
    chance = stats.binom.pmf(np.arange(n + 1)[:, None], n, rates)
    bounds = np.array([binomial_interval(s, n, level=level) for s in range(n + 1)])
    covered = (bounds[:, :1] <= rates) & (rates <= bounds[:, 1:])
    assert (chance * covered).sum(axis=0).min() >= level - 1e-12


def test_wilson_covers_as_often_as_it_says_on_average():
    n, rates = 30, np.linspace(0.0005, 0.9995, 1000)
    chance = stats.binom.pmf(np.arange(n + 1)[:, None], n, rates)
    bounds = np.array([binomial_interval(s, n, method="wilson") for s in range(n + 1)])
    covered = (bounds[:, :1] <= rates) & (rates <= bounds[:, 1:])
    assert abs((chance * covered).sum(axis=0).mean() - 0.95) < 0.01


@pytest.mark.parametrize(
    "interval",
    [
        binomial_interval,
        lambda s, n, level: binomial_interval(s, n, level=level, method="wilson"),
    ],
    ids=["clopper-pearson", "wilson"],
)
@settings(deadline=None, max_examples=60)
@given(counts=COUNTS, level=LEVELS)
def test_intervals_of_counts_keep_their_laws(interval, counts, level):
    successes, n = counts
    found = interval(successes, n, level=level)
    assert 0 <= found.lower < found.upper <= 1
    assert contains(found, successes / n)
    assert (found.lower == 0) == (successes == 0)
    assert (found.upper == 1) == (successes == n)
    # success and failure change their names
    mirrored = interval(n - successes, n, level=level)
    assert mirrored == pytest.approx((1 - found.upper, 1 - found.lower), abs=1e-9)
    # a surer interval is wider
    assert within(found, interval(successes, n, level=(1 + level) / 2))
    # of the same rate in ten times as many items, narrower
    assert within(interval(10 * successes, 10 * n, level=level), found)


@settings(deadline=None, max_examples=60)
@given(st.floats(0, 1), st.floats(1e-3, 1e9), st.sampled_from(["clopper-pearson", "wilson"]))
def test_an_effective_size_may_be_any_real_number(rate, n, method):
    found = binomial_interval(min(rate * n, n), n, method=method)
    assert contains(found, rate, 1e-9)
    assert 0 <= found.lower <= found.upper <= 1


def test_no_items_tell_nothing():
    assert binomial_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("successes", "n"), [(3, 2), (-1, 2), (0, -1), (math.nan, 2), (1, math.nan), (1, math.inf)]
)
def test_impossible_counts_are_refused(successes, n):
    with pytest.raises(InputError, match=r"successes must be between 0 and n: got .* of "):
        binomial_interval(successes, n)


def test_an_unknown_method_is_refused():
    with pytest.raises(
        InputError, match=r"method must be one of clopper-pearson, wilson; got 'wald'"
    ):
        binomial_interval(1, 2, method="wald")


@pytest.mark.parametrize("level", [0, 1, -0.1, 95, math.nan])
def test_a_level_lies_strictly_between_0_and_1(level):
    with pytest.raises(InputError, match=r"level must be strictly between 0 and 1; got "):
        binomial_interval(1, 2, level=level)


# ------------------------------------------------------------------------------------- DKW


@pytest.mark.parametrize("delta", [0.001, 0.05, 0.3])
@pytest.mark.parametrize("n", [1, 5, 50, 1000, 10**5])
@pytest.mark.parametrize("n_curves", [1, 2, 10])
def test_the_dkw_band_fails_no_more_often_than_it_says(n, delta, n_curves):
    # the exact law of the Kolmogorov-Smirnov distance
    width = dkw_half_width(n, delta=delta, n_curves=n_curves)
    assert n_curves * stats.kstwo.sf(width, n) <= delta


def test_the_dkw_band_is_tight_for_many_items():
    assert stats.kstwo.sf(dkw_half_width(10**5), 10**5) > 0.049


@pytest.mark.parametrize(("n", "n_curves"), [(0, 1), (5, 0), (math.nan, 1)])
def test_a_band_needs_items_and_curves(n, n_curves):
    message = f"a band needs at least one item and one curve; got {n} and {n_curves}"
    with pytest.raises(InputError, match=message):
        dkw_half_width(n, n_curves=n_curves)


def test_a_band_needs_a_delta():
    with pytest.raises(InputError, match=r"delta must be strictly between 0 and 1; got 1"):
        dkw_half_width(5, delta=1)
