"""Chances of answers: a logistic curve in the ratio, with ties and lapses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.elicitation.preferences import answer_chances, log_ratio

RATIOS = st.floats(-20, 20)
SLOPES = st.floats(0.05, 5)
RATES = st.floats(0, 1)
EQUALS = st.floats(0, 10)


@given(RATIOS, SLOPES, RATES, EQUALS)
def test_chances_are_chances_and_swapped_sides_swap_them(ratio, slope, lapse, equal):
    here = answer_chances(ratio, slope, lapse, equal)
    there = answer_chances(-ratio, slope, lapse, equal)
    assert sum(map(float, here)) == pytest.approx(1, abs=1e-12)
    assert min(map(float, here)) >= -1e-15
    assert float(here.first) == pytest.approx(float(there.second), abs=1e-12)
    assert float(here.equal) == pytest.approx(float(there.equal), abs=1e-12)


@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(0.3, 3), RATES)
def test_without_ties_it_is_the_formula(gain, loss, slope, lapse):
    chances = answer_chances(math.log(gain / loss), slope, lapse, 0)
    formula = lapse / 2 + (1 - lapse) / (1 + (loss / gain) ** (1 / slope))
    assert float(chances.first) == pytest.approx(formula, rel=1e-9, abs=1e-12)
    assert float(chances.equal) == 0


@given(RATIOS, SLOPES, RATES, EQUALS, RATES)
def test_lapses_go_to_their_side(ratio, slope, lapse, equal, first):
    even = answer_chances(ratio, slope, lapse, equal)
    sided = answer_chances(ratio, slope, lapse, equal, first)
    assert float(sided.equal) == float(even.equal)
    assert float(sided.first + sided.second) == pytest.approx(float(even.first + even.second))
    lapsed = lapse * (0.95 if equal else 1)
    assert float(sided.first - even.first) == pytest.approx(lapsed * (first - 0.5), abs=1e-12)


@given(RATIOS, st.floats(1, 5), st.floats(0, 10))
def test_ties_leave_the_odds_as_they_are(ratio, slope, equal):
    chances = answer_chances(ratio, slope, 0, equal)
    assert float(chances.first) == pytest.approx(
        float(chances.second) * math.exp(ratio / slope), rel=1e-9
    )


def test_equal_outcomes_are_called_equal_by_its_weight():
    assert float(answer_chances(0, 1, 0, 0.5).equal) == pytest.approx(0.5 / 2.5)


def test_log_ratio_has_bounds():
    assert log_ratio([1, 0, 5, 0], [0, 1, 5, 0]).tolist() == [60, -60, 0, 0]
    assert log_ratio(math.e, 1) == pytest.approx(1)
    assert np.isfinite(log_ratio(1e300, 1e-300))
