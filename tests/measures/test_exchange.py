"""One exchange rate in its dialects, in exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError, ObjectiveError
from askpoint.measures.exchange import ExchangeRate, Prices

OMEGAS = st.floats(0, 1e12) | st.sampled_from([0.0, 1.0, 19.0])


@settings(deadline=None)
@given(OMEGAS)
def test_all_dialects_say_the_same(omega):
    rate, exact = ExchangeRate(omega), Fraction(omega)
    assert rate.rho == pytest.approx(float(1 / (1 + exact)))
    assert rate.checks_per_mistake == pytest.approx(float(1 + exact))
    assert rate.calibrated_threshold == pytest.approx(float(exact / (1 + exact)))
    assert rate.calibrated_threshold == pytest.approx(1 - rate.rho)
    assert ExchangeRate.from_rho(rate.rho).omega == pytest.approx(omega, rel=1e-9, abs=1e-9)
    assert ExchangeRate.from_checks(1 + omega).omega == pytest.approx(omega, rel=1e-9, abs=1e-9)


@settings(deadline=None)
@given(OMEGAS, st.floats(-1, 1))
def test_value_and_profit_are_one_theory(omega, value):
    exact = (Fraction(omega) + Fraction(value)) / (1 + Fraction(omega))
    assert ExchangeRate(omega).profit(value) == pytest.approx(float(exact), abs=1e-12)


@settings(deadline=None)
@given(st.floats(0, 1), st.floats(1e-6, 1e6))
def test_the_optimum_of_f_beta_is_that_of_rho_star(f, beta):
    rho = 1 - Fraction(f) / (1 + Fraction(beta) ** 2)
    rate = ExchangeRate.from_f_beta(f, beta)
    assert rate.rho == pytest.approx(float(rho), rel=1e-9)
    assert rate.omega == pytest.approx(float((1 - rho) / rho), rel=1e-6)


def test_f_beta_keeps_its_digits_where_hardly_anything_goes_wrong():
    assert ExchangeRate.from_f_beta(1, 1e-6).omega == pytest.approx(1e12)
    assert ExchangeRate.from_f_beta(1, 1e-12).omega == pytest.approx(1e24)
    assert ExchangeRate.from_f_beta(0, 1e-12).omega == 0
    assert ExchangeRate.from_f_beta(1, 1e200).omega == 0


def test_numbers_that_people_know():
    assert ExchangeRate.from_checks(20) == ExchangeRate.from_rho(0.05) == ExchangeRate(19)
    assert ExchangeRate.from_checks(1) == ExchangeRate.from_rho(1) == ExchangeRate(0)
    assert isinstance(ExchangeRate(1).omega, float)
    assert [ExchangeRate.from_rho(1 / n).checks_per_mistake for n in range(1, 49)] == list(
        range(1, 49)
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ExchangeRate(-0.5), r"omega must be a finite number, 0 or more; got -0\.5"),
        (lambda: ExchangeRate(math.inf), "omega must be a finite number, 0 or more; got inf"),
        (lambda: ExchangeRate(math.nan), "omega must be a finite number, 0 or more; got nan"),
        (lambda: ExchangeRate.from_rho(0), "rho must be above 0 and at most 1; got 0"),
        (lambda: ExchangeRate.from_rho(1.5), "rho must be above 0 and at most 1; got 1.5"),
        (lambda: ExchangeRate.from_rho(math.nan), "rho must be above 0 and at most 1; got nan"),
        (lambda: ExchangeRate.from_rho(5e-324), "omega must be a finite number"),
        (lambda: ExchangeRate.from_checks(0.5), "checks per mistake must be at least 1; got"),
        (lambda: ExchangeRate.from_checks(math.inf), "checks per mistake must be at least 1"),
        (lambda: ExchangeRate.from_f_beta(0.5, 0), "beta must be a finite number above 0; got 0"),
        (lambda: ExchangeRate.from_f_beta(0.5, -1), "beta must be a finite number above 0; got -1"),
        (lambda: ExchangeRate.from_f_beta(0.5, math.inf), "beta must be a finite number above 0"),
        (lambda: ExchangeRate.from_f_beta(1.5, 1), "F_beta must be between 0 and 1; got 1.5"),
        (lambda: ExchangeRate.from_f_beta(math.nan, 1), "F_beta must be between 0 and 1; got nan"),
        (lambda: ExchangeRate.from_f_beta(1, 1e-200), "omega must be a finite number"),
    ],
)
def test_what_is_no_rate_is_refused(make, message):
    with pytest.raises(ObjectiveError, match=message):
        make()


@settings(deadline=None)
@given(
    st.lists(st.integers(-1000, 1000), min_size=3, max_size=3, unique=True).map(sorted),
    st.integers(-100, 100),
    st.integers(1, 50),
)
def test_the_rate_of_prices_knows_no_currency(prices, shift, factor):
    wrong, ask, right = prices
    rate = Prices(right=right, ask=ask, wrong=wrong).rate
    assert rate.omega == float(Fraction(ask - wrong, right - ask))
    scaled = [factor * price + shift for price in (right, ask, wrong)]
    assert Prices(*scaled).rate.omega == pytest.approx(rate.omega)


@pytest.mark.parametrize(
    ("right", "ask", "wrong"),
    [(1, 1, 0), (1, 0, 0), (0, 1, 2), (1, 2, 0), (math.inf, 0, -1), (1, math.nan, -1)],
)
def test_prices_fall_from_right_to_wrong(right, ask, wrong):
    message = (
        r"prices must satisfy wrong < ask < right \(else asking never or always pays\); "
        f"got right {right}, ask {ask}, wrong {wrong}"
    )
    with pytest.raises(InputError, match=message):
        Prices(right=right, ask=ask, wrong=wrong)
