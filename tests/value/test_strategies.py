"""The seed's strategies: hindsight is never worse, and random asking is all or nothing."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import ValueCurve
from askpoint.value.priced import CheckCost, FBeta
from askpoint.value.strategies import hindsight, random_asking, share_at_random

ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=15)


@settings(deadline=None, max_examples=200)
@given(ROWS, ROWS, st.floats(0.01, 1), st.floats(0.1, 3))
def test_hindsight_is_never_worse(before, after, rho, beta):
    curves = [ValueCurve.from_outcomes(*zip(*rows, strict=True)) for rows in (before, after)]
    by_price = hindsight(*curves, CheckCost(rho))
    assert (
        by_price.realistic.outcomes.expected_profit(rho)
        <= by_price.optimistic.outcomes.expected_profit(rho) + 1e-12
    )
    by_f = hindsight(*curves, FBeta(beta))
    assert by_f.realistic.outcomes.f_beta(beta) <= by_f.optimistic.outcomes.f_beta(beta) + 1e-12
    assert by_price.realistic.threshold == CheckCost(rho).choose(curves[0]).threshold
    assert by_price.realistic.outcomes.total == len(after)


def test_random_asking_is_the_mean_of_random_draws():
    rng = np.random.default_rng(0)
    right = np.arange(100) < 70
    draws = [
        (np.sum(right & ~asked), np.sum(~right & ~asked), asked.sum())
        for asked in (rng.permuted(np.arange(100) < 30) for _ in range(4000))
    ]
    expected = random_asking(Outcomes(70, 30, 0), 0.3)
    assert np.mean(draws, axis=0) == pytest.approx(
        [expected.right, expected.wrong, expected.asked], abs=0.2
    )


@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 20), st.integers(0, 20))
def test_the_best_share_is_all_or_nothing(right, wrong, twentieths, share):
    if not right + wrong:
        wrong = 1
    total, rho = Fraction(right + wrong), Fraction(twentieths, 20)

    def profit(s):
        return (right * (1 - s) + (1 - rho) * total * s) / total

    best = share_at_random(Outcomes(right, wrong, 0), float(rho))
    if profit(Fraction(0)) != profit(Fraction(1)):
        assert best == float(profit(Fraction(1)) > profit(Fraction(0)))
    assert profit(Fraction(int(best))) >= profit(Fraction(share, 20))


def test_bad_input():
    with pytest.raises(InputError, match=r"between 0 and 1; got 1\.5"):
        random_asking(Outcomes(1, 1, 0), 1.5)
    with pytest.raises(InputError, match="answers every case"):
        random_asking(Outcomes(1, 1, 1), 0.5)
