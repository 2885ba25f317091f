"""What outcomes are worth: the properties of coherence over every small case."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from askpoint.errors import InputError, ObjectiveError
from askpoint.measures.exchange import ExchangeRate, Prices
from askpoint.measures.outcomes import Outcomes

COUNTS = st.tuples(*[st.integers(0, 10**6)] * 3).filter(any)
OMEGAS = st.floats(0, 1e3)
BETAS = st.floats(0.01, 100)

COHERENT = {
    "F_1": lambda case: case.f_beta(1),
    "F_.5": lambda case: case.f_beta(0.5),
    "EP_.5": lambda case: case.expected_profit(0.5),
    "EP_.1": lambda case: case.expected_profit(0.1),
    "V(1)": lambda case: case.value(1),
    "V(7)": lambda case: case.value(7),
}
SMALL = [(c, w, i) for c in range(6) for w in range(6) for i in range(6) if c + w + i]


# ----------------------------------------------------------------- formulas, in fractions


@settings(deadline=None)
@given(COUNTS, OMEGAS, BETAS)
def test_formulas_are_those_of_the_papers(counts, omega, beta):
    case, (right, wrong, asked) = Outcomes(*counts), counts
    n, w, b = sum(counts), Fraction(omega), Fraction(beta)
    rho = 1 / (1 + w)
    assert case.total == n
    assert case.answered == right + wrong
    assert case.coverage == (right + wrong) / n
    assert case.value(omega) == pytest.approx(float((right - w * wrong) / n))
    assert case.expected_profit(float(rho)) == pytest.approx(float((right + (1 - rho) * asked) / n))
    assert case.f_beta(beta) == pytest.approx(
        float((1 + b * b) * right / ((1 + b * b) * n - asked))
    )
    if right and right + wrong:  # the harmonic mean of precision and recall of answering
        p, r = Fraction(right, right + wrong), Fraction(right, n)
        assert case.f_beta(beta) == pytest.approx(float((1 + b * b) * p * r / (b * b * p + r)))


@settings(deadline=None)
@given(COUNTS, OMEGAS)
def test_profit_is_the_value_told_otherwise(counts, omega):
    case, rate = Outcomes(*counts), ExchangeRate(omega)
    assert case.expected_profit(rate.rho) == pytest.approx(
        rate.profit(case.value(omega)), abs=1e-12
    )


@settings(deadline=None)
@given(COUNTS, st.floats(0.1, 10))
def test_without_questions_all_measures_are_the_accuracy(counts, parameter):
    right, wrong, _ = counts
    if right + wrong:
        case = Outcomes(right, wrong, 0)
        accuracy = right / (right + wrong)
        assert case.f_beta(parameter) == pytest.approx(accuracy)
        assert case.expected_profit(parameter) == pytest.approx(accuracy)
        assert case.value(0) == pytest.approx(accuracy)
        assert case.risk == pytest.approx(1 - accuracy)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=10), BETAS)
def test_the_best_f_beta_is_the_best_profit_at_rho_star(answers, beta):
    # all ways to answer 40 cases
    cases = [Outcomes(right, wrong, 40 - right - wrong) for right, wrong in answers]
    best = max(cases, key=lambda case: case.f_beta(beta))
    rho = ExchangeRate.from_f_beta(best.f_beta(beta), beta).rho
    profit = best.expected_profit(rho)
    assert profit == pytest.approx(max(case.expected_profit(rho) for case in cases), abs=1e-12)


@settings(deadline=None)
@given(COUNTS, st.lists(st.integers(-99, 99), min_size=3, max_size=3, unique=True).map(sorted))
def test_money_is_value_on_top_of_asking_everything(counts, prices):
    case, (wrong, ask, right) = Outcomes(*counts), prices
    money = case.money(Prices(right=right, ask=ask, wrong=wrong))
    omega = Prices(right=right, ask=ask, wrong=wrong).rate.omega
    assert money == right * counts[0] + wrong * counts[1] + ask * counts[2]
    assert money == pytest.approx(
        case.total * (ask + (right - ask) * case.value(omega)), rel=1e-9, abs=1e-6
    )


def test_who_answers_nothing_has_no_risk_and_is_worth_nothing():
    case = Outcomes(0, 0, 5)
    assert case.risk is None
    assert (case.coverage, case.value(3), case.f_beta(1), case.expected_profit(0.25)) == (
        0, 0, 0, 0.75,
    )  # fmt: skip


# ------------------------------------------------------------------------------- coherence


@pytest.mark.parametrize("name", COHERENT)
def test_coherent_measures_keep_the_five_properties(name):
    # strictly, but for the ties that the docs name: F is 0 without right answers, and with
    # nothing right or asked another mistake changes no mean
    f = COHERENT[name]
    for c, w, i in SMALL:
        here = f(Outcomes(c, w, i))
        dull = name.startswith("F") and c == 0
        for k in range(1, w + 1):
            assert f(Outcomes(c + k, w - k, i)) > here
            better = f(Outcomes(c, w - k, i + k))
            assert better == here == 0 if dull else better > here
        for k in range(1, i + 1):
            assert f(Outcomes(c + k, w, i - k)) > here
        for k in range(1, 4):
            assert f(Outcomes(c + k, w, i)) >= here - 1e-15
            worse = f(Outcomes(c, w + k, i))
            assert worse == here if dull or c == i == 0 else worse < here


@pytest.mark.parametrize("name", COHERENT)
def test_asking_exactly_when_wrong_is_the_upper_limit(name):
    f = COHERENT[name]
    for c, w, i in SMALL:
        assert f(Outcomes(c, 0, w + i)) >= f(Outcomes(c, w, i)) >= f(Outcomes(c, w + i, 0))


# ---------------------------------------------------------------------------- indifference


def test_the_papers_two_strategies_are_worth_the_same_at_nine_sixths():
    few, many = Outcomes(60, 10, 30), Outcomes(69, 16, 15)
    assert few.indifference(many) == many.indifference(few) == ExchangeRate(1.5)
    assert few.value(1.4) < many.value(1.4)
    assert few.value(1.6) > many.value(1.6)


@settings(deadline=None)
@given(COUNTS, COUNTS)
def test_indifference_is_where_two_outcomes_change_places(one, other):
    a, b = Outcomes(*one), Outcomes(*other)
    rate = a.indifference(b)
    assert rate == b.indifference(a)
    if rate is None:  # one of them is at least as good at every price
        differences = [a.value(omega) - b.value(omega) for omega in (0, 1e-9, 1, 1e9)]
        assert all(d >= -1e-12 for d in differences) or all(d <= 1e-12 for d in differences)
    else:
        assert a.value(rate.omega) == pytest.approx(
            b.value(rate.omega), rel=1e-9, abs=1e-9 * (1 + rate.omega)
        )
        before, after = (a.value(x) - b.value(x) for x in (0, 2 * rate.omega))
        assert before * after < 0


def test_no_price_separates_equals_nor_who_is_better_at_all_prices():
    assert Outcomes(1, 1, 1).indifference(Outcomes(2, 2, 2)) is None
    assert Outcomes(5, 1, 1).indifference(Outcomes(5, 0, 2)) is None
    assert Outcomes(5, 1, 1).indifference(Outcomes(6, 1, 0)) is None
    assert Outcomes(5, 1, 1).indifference(Outcomes(4, 2, 1)) is None


# ---------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    "counts",
    [(0, 0, 0), (-1, 2, 2), (2, -1, 2), (2, 2, -1), (math.inf, 0, 0), (1, math.nan, 0)],
)
def test_outcomes_count_something(counts):
    message = (
        "outcomes count right, wrong and asked cases, finite, none negative, at least one "
        f"above 0; got {counts[0]}, {counts[1]}, {counts[2]}"
    )
    with pytest.raises(InputError, match=message):
        Outcomes(*counts)


@pytest.mark.parametrize("beta", [0, -1, math.inf, math.nan])
def test_f_beta_needs_a_beta(beta):
    with pytest.raises(ObjectiveError, match=f"beta must be a finite number above 0; got {beta}"):
        Outcomes(0, 0, 1).f_beta(beta)


def test_an_enormous_beta_is_the_recall():
    assert Outcomes(3, 1, 4).f_beta(1e200) == 3 / 8


# ----------------------------------------------------------------- of 1,000 cases


@settings(deadline=None)
@given(COUNTS)
def test_of_a_thousand_cases_each_kind_is_rounded_and_none_is_lost(counts):
    whole = Outcomes(*counts).per_thousand()
    assert sum(whole) == 1000
    for part, count in zip(whole, counts, strict=True):
        exact = Fraction(1000 * count, sum(counts))
        assert abs(part - exact) < 1
        assert part == exact or exact.denominator > 1


def test_of_a_thousand_cases_the_greatest_rests_are_rounded_up():
    assert Outcomes(2, 0, 1).per_thousand() == (667, 0, 333)
    assert Outcomes(1, 1, 1).per_thousand() == (334, 333, 333)
    assert Outcomes(0.5, 0.25, 0.25).per_thousand() == (500, 250, 250)


def test_the_three_means_fail_the_third_property():
    """Means of correctness and autonomy are not coherent: they never reward asking."""

    def means(outcomes):
        parts = np.array([outcomes.right + outcomes.asked, outcomes.answered]) / outcomes.total
        return np.array([stats.tmean(parts), stats.gmean(parts), stats.hmean(parts)])

    wronged, asked = Outcomes(50, 40, 10), Outcomes(50, 0, 50)
    assert (means(wronged) >= means(asked)).all()
    # of correctness (60 and 100 of 100) and autonomy (90 and 50 of 100)
    assert means(wronged) == pytest.approx([0.75, math.sqrt(0.54), 1.08 / 1.5])
    assert means(asked)[2] == pytest.approx(1 / 1.5)
