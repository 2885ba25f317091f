"""Intervals against other libraries, their exact coverage, and naive versions of themselves."""

from __future__ import annotations

import itertools
import math
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from scipy import stats

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.intervals import (
    Interval,
    beta_mixture_interval,
    betting_interval,
    binomial_interval,
    dkw_half_width,
    empirical_bernstein_interval,
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
        beta_mixture_interval,
    ],
    ids=["clopper-pearson", "wilson", "beta-mixture"],
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


@pytest.mark.parametrize("interval", [binomial_interval, beta_mixture_interval])
def test_no_items_tell_nothing(interval):
    assert interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("interval", [binomial_interval, beta_mixture_interval])
@pytest.mark.parametrize(
    ("successes", "n"), [(3, 2), (-1, 2), (0, -1), (math.nan, 2), (1, math.nan), (1, math.inf)]
)
def test_impossible_counts_are_refused(interval, successes, n):
    with pytest.raises(InputError, match=r"successes must lie between 0 and n: got .* of "):
        interval(successes, n)


def test_an_unknown_method_is_refused():
    with pytest.raises(
        InputError, match=r"method must be one of clopper-pearson, wilson; got 'wald'"
    ):
        binomial_interval(1, 2, method="wald")


@pytest.mark.parametrize("level", [0, 1, -0.1, 95, math.nan])
@pytest.mark.parametrize(
    "interval",
    [
        lambda level: binomial_interval(1, 2, level=level),
        lambda level: beta_mixture_interval(1, 2, level=level),
        lambda level: betting_interval([0.5], level=level),
        lambda level: empirical_bernstein_interval([0.5, 0.5], level=level),
    ],
)
def test_a_level_lies_strictly_between_0_and_1(interval, level):
    with pytest.raises(InputError, match=r"level must lie strictly between 0 and 1, got "):
        interval(level)


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
    message = f"a band needs at least one item and one curve, got {n} and {n_curves}"
    with pytest.raises(InputError, match=message):
        dkw_half_width(n, n_curves=n_curves)


def test_a_band_needs_a_delta():
    with pytest.raises(InputError, match=r"delta must lie strictly between 0 and 1, got 1"):
        dkw_half_width(5, delta=1)


# --------------------------------------------------------------------- empirical Bernstein


@settings(deadline=None, max_examples=60)
@given(UNIT_VALUES.filter(lambda values: len(values) > 1), LEVELS)
def test_empirical_bernstein_is_the_theorem_on_both_sides(values, level):
    exact = [Fraction(x) for x in values]
    n, mean = len(exact), sum(exact) / len(exact)
    pairs = sum((x - y) ** 2 for x, y in itertools.combinations(exact, 2))
    variance, log = float(pairs / (n * (n - 1))), math.log(2 / ((1 - level) / 2))
    half = math.sqrt(2 * variance * log / n) + 7 * log / (3 * (n - 1))
    expected = max(0, float(mean) - half), min(1, float(mean) + half)
    found = empirical_bernstein_interval(values, level=level)
    assert found == pytest.approx(expected, abs=1e-9)
    mirrored = empirical_bernstein_interval([1 - x for x in values], level=level)
    assert mirrored == pytest.approx((1 - found.upper, 1 - found.lower), abs=1e-9)


def test_empirical_bernstein_covers_every_rate_of_zeros_and_ones():
    n, level, rates = 60, 0.8, np.linspace(0, 1, 201)
    chance = stats.binom.pmf(np.arange(n + 1)[:, None], n, rates)
    bounds = np.array(
        [
            empirical_bernstein_interval([1.0] * s + [0.0] * (n - s), level=level)
            for s in range(n + 1)
        ]
    )
    covered = (bounds[:, :1] <= rates) & (rates <= bounds[:, 1:])
    assert (chance * covered).sum(axis=0).min() >= level


def test_empirical_bernstein_covers_skewed_values_and_beats_hoeffding_on_them():
    rng = np.random.default_rng(5)
    n, level, mean = 2000, 0.8, 1 / 51
    found = [empirical_bernstein_interval(rng.beta(1, 50, size=n), level=level) for _ in range(300)]
    assert np.mean([contains(interval, mean) for interval in found]) >= level
    hoeffding = math.sqrt(math.log(2 / (1 - level)) / (2 * n))
    assert max(upper - lower for lower, upper in found) < 2 * hoeffding


def test_empirical_bernstein_reads_float32_with_the_digits_of_float64():
    values = np.random.default_rng(0).random(10_000, dtype=np.float32)
    single = empirical_bernstein_interval(values)
    assert single == empirical_bernstein_interval(values.astype(np.float64))


def test_empirical_bernstein_needs_two_values():
    with pytest.raises(
        InputError, match="an empirical Bernstein interval needs at least 2 values, got 1"
    ):
        empirical_bernstein_interval([0.5])


@pytest.mark.parametrize("interval", [empirical_bernstein_interval, betting_interval])
@pytest.mark.parametrize("bad", [-0.25, 1.25])
def test_values_lie_between_0_and_1(interval, bad):
    message = rf"values must lie between 0 and 1, got {bad} in row 1; rescale them by"
    with pytest.raises(InputError, match=message):
        interval([0.5, bad, 2])


# ---------------------------------------------------------- valid at every moment: counts


@settings(deadline=None, max_examples=60)
@given(COUNTS, st.sampled_from([0.5, 0.9, 0.99]))
def test_the_uniform_mixture_crosses_its_bound_at_the_ends(counts, level):
    # with prior (1, 1) the martingale is 1 / ((n + 1) C(n, s) p^s q^(n - s)), a fraction
    successes, n = counts
    found = beta_mixture_interval(successes, n, level=level, prior=(1, 1))

    def rich(p: Fraction) -> bool:
        likelihood = (n + 1) * math.comb(n, successes) * p**successes * (1 - p) ** (n - successes)
        return likelihood <= 1 - Fraction(level)

    nudge = Fraction(1, 10**7)
    if successes:
        assert rich(Fraction(found.lower) * (1 - nudge))
        assert not rich(Fraction(found.lower) * (1 + nudge))
    if successes < n:
        outside, inside = Fraction(found.upper) * (1 + nudge), Fraction(found.upper) * (1 - nudge)
        assert outside >= 1 or rich(outside)
        assert not rich(inside)


@pytest.mark.parametrize(
    ("successes", "n", "level", "lower", "upper"),
    [  # bisection in 50 digits (mpmath)
        (9, 100, 0.95, 0.0239792126898865333, 0.213933968244850903),
        (1, 10**9, 0.95, 4.46031228149266332e-16, 1.7484173266742099e-8),
        (0, 10**9, 0.95, 0, 1.39297300380582063e-8),
        (3, 10**6, 0.999999, 1.01927248244843713e-9, 3.09652256776063003e-5),
        (10**9 - 1, 10**9, 0.95, 0.999999982515826733, 0.999999999999999554),
        (5 * 10**8, 10**9, 0.95, 0.499917588968091584, 0.500082411031908416),
    ],
)
def test_the_mixture_keeps_its_digits_for_rare_events(successes, n, level, lower, upper):
    found = beta_mixture_interval(successes, n, level=level)
    assert found == pytest.approx((lower, upper), rel=1e-8, abs=0)


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.5])
def test_the_mixture_fails_at_any_moment_no_more_often_than_it_says(rate):
    # the exact probability that one of the first 100 looks excludes the truth
    level, horizon = 0.7, 100
    standing = np.array([1.0])  # probability of each count on paths without a failure so far
    for n in range(1, horizon + 1):
        standing = np.append(standing * (1 - rate), 0) + np.append(0, standing * rate)
        for successes in np.flatnonzero(standing):
            if not contains(beta_mixture_interval(int(successes), n, level=level), rate, 0):
                standing[successes] = 0
    failed = 1 - standing.sum()
    assert 0.05 < failed <= 1 - level


@pytest.mark.parametrize("prior", [(0, 1), (1, -1), (math.inf, 1), (1, math.inf), (1, math.nan)])
def test_a_prior_is_a_beta_distribution(prior):
    with pytest.raises(InputError, match="a Beta prior has two finite numbers above 0, got"):
        beta_mixture_interval(1, 2, prior=prior)


# ---------------------------------------------------------- valid at every moment: values


def excluded_by_a_gambler(values: list[float], mean: float, delta: float) -> bool:
    """Theorem 3 of Waudby-Smith and Ramdas, step by step."""
    sums, squares, variance = 0.5, 0.25, 0.25
    high = low = 0.5  # the capital of each
    for t, x in enumerate(values, start=1):
        bet = math.sqrt(2 * math.log(2 / delta) / (variance * t * math.log(1 + t)))
        high *= 1 + min(bet, 0.5 / mean if mean else math.inf) * (x - mean)
        low *= 1 - min(bet, 0.5 / (1 - mean) if mean < 1 else math.inf) * (x - mean)
        if max(high, low) >= 1 / delta:
            return True
        sums += x
        squares += (x - sums / (t + 1)) ** 2
        variance = squares / (t + 1)
    return False


@settings(deadline=None, max_examples=60)
@given(UNIT_VALUES, st.integers(1, 12), st.sampled_from([0.5, 0.1, 0.01]))
def test_the_betting_interval_holds_what_no_gambler_excludes(values, repeats, delta):
    values = values * repeats
    try:
        lower, upper = betting_interval(values, level=1 - delta)
    except NotEstimableError:
        lower, upper = 2.0, -1.0
    for mean in np.linspace(0, 1, 101):
        if min(abs(mean - lower), abs(mean - upper)) > 1e-9:
            assert excluded_by_a_gambler(values, mean, delta) == (not lower < mean < upper)
    for end in {lower, upper} - {0.0, 1.0, 2.0, -1.0}:  # rounded outwards
        assert excluded_by_a_gambler(values, end, delta)


def test_the_betting_interval_is_that_of_confseq():
    # golden: betting_cs of the authors' package, 20,000 breaks, stakes for delta / 2 on each side
    fractions = (np.arange(1, 101) * 7919 % 101) / 101
    assert betting_interval(fractions) == pytest.approx((0.41545, 0.58085), abs=5.1e-5)
    bits = (np.arange(150) ** 2 % 11 == 1).astype(float)
    assert betting_interval(bits, level=0.9) == pytest.approx((0.10215, 0.2754), abs=5.1e-5)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
def test_betting_fails_at_any_moment_no_more_often_than_it_says(rate):
    # exactly: all 2^10 sequences of zeros and ones
    level, n, failed = 0.5, 10, 0.0
    for values in itertools.product([0.0, 1.0], repeat=n):
        try:
            held = contains(betting_interval(values, level=level), rate)
        except NotEstimableError:
            held = False
        if not held:
            failed += rate ** sum(values) * (1 - rate) ** (n - sum(values))
    assert 0.02 < failed <= 1 - level


def test_betting_survives_peeking_at_every_step():
    rng = np.random.default_rng(11)
    draws = rng.beta(0.4, 1.6, size=(300, 400))
    held = [contains(betting_interval(values, level=0.9), 0.2) for values in draws]
    assert np.mean(held) >= 0.9


@settings(deadline=None, max_examples=60)
@given(UNIT_VALUES, UNIT_VALUES)
def test_looking_again_only_narrows_the_betting_interval(before, after):
    first = betting_interval(before)
    try:
        assert within(betting_interval(before + after), first)
    except NotEstimableError:
        assume(False)
    mirrored = betting_interval([1 - x for x in before])
    assert mirrored == pytest.approx((1 - first.upper, 1 - first.lower), abs=1e-9)


def test_betting_on_nothing_yet_tells_nothing():
    assert betting_interval([]) == (0.0, 1.0)


def test_betting_says_when_the_mean_moved():
    message = (
        r"no mean fits these 400 values at level 0.95: it moved while they came; "
        r"give a stretch over which it holds still"
    )
    with pytest.raises(NotEstimableError, match=message):
        betting_interval([0.0] * 200 + [1.0] * 200)


@pytest.mark.parametrize("constant", [0.0, 0.3, 1.0])
def test_a_constant_is_found(constant):
    for interval in (betting_interval, empirical_bernstein_interval):
        found = interval(np.full(10_000, constant), level=0.999999)
        assert contains(found, constant)
        assert found.upper - found.lower < 0.02


def test_a_hundred_thousand_values_take_no_time():
    values = np.random.default_rng(2).random(100_000)
    start = time.perf_counter()
    lower, upper = betting_interval(values)
    assert time.perf_counter() - start < 2
    assert 0.48 < lower < 0.5 < upper < 0.52
