"""Whether people's errors are charged once: a price whose questions told of them holds them already."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.elicitation.abstention import omega_questionnaire, omega_worth
from askpoint.elicitation.metrics import LinearMetric
from askpoint.elicitation.respondents import ExactRespondent
from askpoint.elicitation.simulated_people import SimulatedPerson
from askpoint.errors import InputError, ObjectiveError
from askpoint.value.reviewer_errors import ReviewerErrors, work_of_check

WORK, WRONG = 0.05, 0.05


class Chooser:
    """Counts what an offer costs: mistakes of the system, against work and mistakes of people."""

    def __init__(self, work, people_wrong):
        self.work, self.people_wrong = work, people_wrong

    def prefers(self, _first, second):
        right, wrong = second[0, 2], second[1, 2]  # of the cases that a person would look at
        total = right + wrong
        return bool(wrong < total * (self.work + self.people_wrong))


def regret(rho, work=WORK, wrong=WRONG):
    """What a stream costs beyond the best, where the model errs anywhere between 0 and 1/2."""
    model = np.linspace(0, 0.5, 5001)
    asking = work + wrong
    return float(np.where(model < rho, model, asking).mean() - np.minimum(model, asking).mean())


def price(work, told_wrong):
    """The price of asking that halving finds from one who counts so."""
    questionnaire = omega_questionnaire(np.random.default_rng(0), method="chord", n_questions=12)
    return questionnaire.ask(Chooser(work, told_wrong)).rate.rho


def charged(work, wrong):
    """The server's price of a check: its work, and how often people are wrong."""
    return float(ReviewerErrors([], [1 - wrong], work).rho(np.zeros(1))[0])


@pytest.mark.parametrize(("work", "wrong"), [(0.05, 0.05), (0.02, 0.1), (0.2, 0.01), (0.3, 0.0)])
def test_who_is_told_of_errors_states_work_and_errors_together(work, wrong):
    assert price(work, wrong) == pytest.approx(work + wrong, abs=0.5**12)
    assert price(work, 0.0) == pytest.approx(work, abs=0.5**12)


def test_charging_a_told_price_again_costs_what_the_derivation_says():
    told = price(WORK, WRONG)
    twice, once = charged(told, WRONG), charged(work_of_check(told, 1 - WRONG), WRONG)
    assert once == pytest.approx(WORK + WRONG, abs=0.5**12)
    assert twice == pytest.approx(WORK + 2 * WRONG, abs=0.5**12)
    # density times half the square of what is charged too much
    assert regret(twice) == pytest.approx(2 * WRONG**2 / 2, rel=0.02)
    assert regret(once) < 1e-6


def test_an_untold_price_is_charged_with_what_gold_cases_show():
    assert regret(charged(price(WORK, 0.0), WRONG)) < 1e-6
    assert regret(price(WORK, 0.0)) == pytest.approx(2 * WRONG**2 / 2, rel=0.02)


def test_people_who_err_otherwise_than_was_told_are_charged_as_they_do():
    seen = 0.12
    work = work_of_check(price(WORK, WRONG), 1 - WRONG)
    assert regret(charged(work, seen), wrong=seen) < 1e-6


@pytest.mark.no_cover
def test_so_it_is_with_people_who_choose_roughly():
    """Twelve simulated people, told that a person errs in 5 of 100: once is nearer in nearly all."""
    prices = []
    for seed in range(12):
        person = SimulatedPerson(
            omega_worth(1 / (WORK + WRONG) - 1), np.random.default_rng([seed, 1])
        )
        asked = omega_questionnaire(np.random.default_rng([seed, 2]), guess=10)
        prices.append(asked.ask(person).rate.rho)
    once = [regret(charged(max(rho - WRONG, 0), WRONG)) for rho in prices]
    twice = [regret(charged(rho, WRONG)) for rho in prices]
    assert float(np.median(prices)) == pytest.approx(WORK + WRONG, rel=0.3)
    assert sum(a < b for a, b in zip(once, twice, strict=True)) >= 9
    assert np.mean(twice) > 2 * np.mean(once)


@given(st.floats(0.001, 0.999), st.floats(0, 1))
def test_work_and_errors_sum_to_the_price(rho, right):
    if 1 - right > rho:
        with pytest.raises(ObjectiveError, match="wrong more often"):
            work_of_check(rho, right)
    else:
        assert charged(work_of_check(rho, right), 1 - right) == pytest.approx(rho)


@pytest.mark.parametrize(("rho", "right"), [(0.0, 0.9), (1.0, 0.9), (0.5, 1.2), (0.5, -0.1)])
def test_what_is_no_price_or_no_share_is_refused(rho, right):
    with pytest.raises((InputError, ObjectiveError)):
        work_of_check(rho, right)


def test_the_exact_respondent_of_the_library_states_the_same():
    one = ExactRespondent(LinearMetric(omega_worth(1 / (WORK + WRONG) - 1)), 0.0)
    questionnaire = omega_questionnaire(np.random.default_rng(0), method="chord", n_questions=12)
    assert questionnaire.ask(one).rate.rho == pytest.approx(WORK + WRONG, abs=0.5**12)
