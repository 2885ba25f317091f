"""Intervals for what a threshold does to new cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from askpoint.errors import InputError
from askpoint.measures.outcomes import Outcomes
from askpoint.value.uncertainty import outcome_intervals


def exact(k, n, level=0.95):
    found = stats.binomtest(k, n).proportion_ci(level, method="exact")
    return pytest.approx((found.low, found.high), abs=1e-12)


def test_shares_are_clopper_pearson():
    found = outcome_intervals(Outcomes(500, 2, 98), level=0.9)
    assert found.right == exact(500, 600, 0.9)
    assert found.wrong == exact(2, 600, 0.9)
    assert found.asked == exact(98, 600, 0.9)
    assert found.coverage == exact(502, 600, 0.9)
    assert found.risk == exact(2, 502, 0.9)


def test_nothing_answered_has_no_risk():
    found = outcome_intervals(Outcomes(0, 0, 20), omega=3)
    assert found.risk is None
    assert found.coverage == exact(0, 20)


def test_all_answered():
    found = outcome_intervals(Outcomes(7.1, 0.2, 0), n=73 / 10)
    assert found.coverage.upper == 1
    assert found.asked.lower == 0


def test_weights_count_as_their_effective_number():
    weighted = outcome_intervals(Outcomes(5.0, 0.02, 0.98), n=600, omega=4)
    counted = outcome_intervals(Outcomes(500, 2, 98), omega=4)
    assert weighted.value == pytest.approx(counted.value)
    assert weighted.risk == pytest.approx(counted.risk)


def test_profit_is_value_in_another_unit_and_stays_in_its_range():
    found = outcome_intervals(Outcomes(0, 20, 0), omega=9)
    assert found.expected_profit.lower == 0
    assert found.expected_profit.upper == pytest.approx((9 + found.value.upper) / 10)
    perfect = outcome_intervals(Outcomes(20, 0, 0), omega=9)
    assert perfect.expected_profit.upper == 1


@pytest.mark.parametrize("omega", [0.0, 1.0, 9.0])
def test_intervals_hold_the_truth_often_enough(omega, rng):
    """Value and profit share the error probability between right and wrong: at least 90%."""
    truth = np.array([0.8, 0.05, 0.15])
    held = []
    for counts in rng.multinomial(80, truth, size=400):
        found = outcome_intervals(Outcomes(*counts), omega=omega, level=0.9)
        value = truth[0] - omega * truth[1]
        held.append(
            [
                found.value.lower <= value <= found.value.upper,
                found.expected_profit.lower
                <= (omega + value) / (1 + omega)
                <= found.expected_profit.upper,
                found.right.lower <= truth[0] <= found.right.upper,
                found.wrong.lower <= truth[1] <= found.wrong.upper,
                found.asked.lower <= truth[2] <= found.asked.upper,
                found.risk.lower <= truth[1] / 0.85 <= found.risk.upper,
            ]
        )
    assert (np.mean(held, axis=0) >= 0.9 - 0.02).all()


@pytest.mark.parametrize(
    ("n", "level", "message"), [(0, 0.95, "n must be above 0; got 0"), (None, 1.5, "level")]
)
def test_bad_input(n, level, message):
    with pytest.raises(InputError, match=message):
        outcome_intervals(Outcomes(1, 1, 1), n=n, level=level)
