"""The gamma mixture: quadrature, exact fractions, and every moment of a drifting life."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import integrate, stats

from askpoint.errors import InputError
from askpoint.measures.mixture_sequence import (
    fixed_time_total_interval,
    log_gamma_mixture,
    total_interval,
)


@pytest.mark.parametrize(("total", "seen"), [(0.3, 0), (4, 1), (10, 3), (3, 10), (40, 40)])
def test_it_is_the_mixture_that_it_claims_to_be(total, seen):
    def density(root):  # x = root^2, so that the pole at 0 goes
        x = root * root
        return 2 * root * math.exp(-(x - 1) * total) * x**seen * stats.gamma.pdf(x, 0.5, scale=2)

    whole = sum(integrate.quad(density, a, a + 1)[0] for a in range(12))
    assert math.exp(log_gamma_mixture(total, seen)) == pytest.approx(whole, rel=1e-9)


def test_every_factor_has_mean_at_most_one_exactly():
    # E x^(h xi e) <= 1 + pi p h (x - 1), in exact squares: x^(1/2) for weight 1/2
    fifths = [Fraction(i, 10) for i in range(0, 11, 2)]
    for pi, p, root in itertools.product(fifths, fifths, [Fraction(i, 4) for i in range(13)]):
        x = root * root
        for h, power in ((Fraction(0), Fraction(1)), (Fraction(1, 2), root), (Fraction(1), x)):
            mean = sum(
                (pi if xi else 1 - pi) * (p if e else 1 - p) * (power if xi and e else 1)
                for xi in (0, 1)
                for e in (0, 1)
            )
            assert mean <= 1 + pi * p * h * (x - 1)
            assert float(1 + pi * p * h * (x - 1)) <= math.exp(float(pi * p * h * (x - 1)))


@settings(deadline=None)
@given(st.floats(0, 1e6), st.floats(1e-6, 0.9))
def test_the_ends_are_where_the_mixture_reaches_its_bound(seen, delta):
    lower, upper = total_interval(seen, delta=delta)
    bound = math.log(1 / delta)
    slack = 1e-8 * max(1, seen) ** 0.5
    assert 0 <= lower <= seen < upper
    assert log_gamma_mixture(upper, seen) == pytest.approx(bound, abs=slack)
    if lower > 0:
        assert log_gamma_mixture(lower, seen) == pytest.approx(bound, abs=slack)
    else:
        assert log_gamma_mixture(0, seen) <= bound + slack


@settings(deadline=None)
@given(st.integers(0, 1000))
def test_the_sequence_holds_the_fixed_interval_for_whole_counts(seen):
    low, high = total_interval(seen)
    lower, upper = fixed_time_total_interval(seen)
    assert low <= lower < upper <= high
    wider = total_interval(seen, delta=0.01)
    assert wider.lower <= low
    assert high < wider.upper
    assert total_interval(seen + 1).upper > high


def ever_wrong(rates, delta):
    """Exact probability that the sequence ever excludes the total, for independent cases."""
    ends = [total_interval(s, delta=delta) for s in range(len(rates) + 1)]
    lower, upper = (np.array(side) for side in zip(*ends, strict=True))
    standing, total = np.array([1.0]), 0.0
    for rate in rates:
        standing = np.append(standing * (1 - rate), 0) + np.append(0, standing * rate)
        total += rate
        n = len(standing)
        standing[(total < lower[:n]) | (total > upper[:n])] = 0
    return 1 - standing.sum()


@pytest.mark.parametrize(
    "rates", [[0.02] * 600, [0.01] * 300 + [0.2] * 300, [0.3, 0.0, 0.05] * 200], ids=len
)
def test_it_is_ever_wrong_no_more_often_than_it_says_whatever_drifts(rates):
    assert 0.001 < ever_wrong(rates, 0.1) <= 0.1


@pytest.mark.parametrize("total", [0.5, 3.0, 40.0])
def test_garwood_covers_at_least_as_often_as_it_says(total):
    s = np.arange(200)
    ends = [fixed_time_total_interval(int(k), level=0.9) for k in s]
    covered = [lower <= total <= upper for lower, upper in ends]
    assert stats.poisson.pmf(s, total) @ covered >= 0.9


@pytest.mark.parametrize("interval", [total_interval, fixed_time_total_interval])
@pytest.mark.parametrize("seen", [-1, math.nan, math.inf])
def test_impossible_counts_are_refused(interval, seen):
    with pytest.raises(InputError, match="what was seen is a finite number, 0 or more"):
        interval(seen)
