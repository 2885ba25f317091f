from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from askpoint.arena.game.pay import PAPER_PAY, Pay, hourly_pay
from askpoint.errors import InputError


def test_the_papers_pay():
    assert PAPER_PAY.base * 5 == 50  # 1 cent for 5 cases
    assert PAPER_PAY.top == 20 * 50  # 20 cents for an error


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"base": -1}, "base must be at least 0"),
        ({"vote": 0.5}, "vote must be a whole number"),
        ({"top": 0}, "top must be at least 1"),
        ({"unsure": 1001}, "must not exceed the top reward"),
        ({"hourly_floor": -1}, "hourly_floor"),
    ],
)
def test_prices_outside_their_range(changes, message):
    with pytest.raises(InputError, match=message):
        Pay(**changes)


@settings(deadline=None)
@given(st.integers(1, 5000), st.integers(1, 3600), st.integers(1, 600))
def test_the_floor_holds_without_a_single_error_found(floor, case, vote):
    pay = hourly_pay(floor, seconds_per_case=case, seconds_per_vote=vote)
    assert pay.hourly_floor == floor
    for points, seconds in ((pay.base, case), (pay.vote, vote)):
        cents_an_hour = Fraction(points, 50) * Fraction(3600, seconds)
        assert cents_an_hour >= floor
        assert (
            cents_an_hour - Fraction(1, 50) * Fraction(3600, seconds) < floor
        )  # no more than needed
    assert pay.top >= max(1000, 2 * pay.base)


def test_what_an_hourly_pay_refuses():
    with pytest.raises(InputError, match="hourly floor in cents must be at least 1"):
        hourly_pay(0, seconds_per_case=60, seconds_per_vote=15)
    for seconds in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="seconds_per_vote must be above 0"):
            hourly_pay(1200, seconds_per_case=60, seconds_per_vote=seconds)


def test_a_small_top_reward_keeps_the_small_bonus_below_it():
    assert hourly_pay(1, seconds_per_case=1, seconds_per_vote=1, top=40).unsure == 40
