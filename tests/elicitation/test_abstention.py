"""Omega: exact, from people, and from a first guess far off."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.elicitation.abstention import (
    AbstentionOffer,
    omega_questionnaire,
    omega_worth,
)
from askpoint.elicitation.metrics import LinearMetric
from askpoint.elicitation.respondents import ExactRespondent
from askpoint.elicitation.simulated_people import SimulatedPerson
from askpoint.errors import InputError


def exact(omega, indifference=0.0):
    return ExactRespondent(LinearMetric(omega_worth(omega)), indifference)


def make(seed=0, **settings):
    return omega_questionnaire(np.random.default_rng(seed), **settings)


@settings(deadline=None)
@given(st.floats(0.02, 200), st.integers(1, 9))
def test_each_exact_answer_halves_what_is_left(omega, n):
    questionnaire = make(method="chord", n_questions=n)
    found = questionnaire.ask(exact(omega))
    assert len(questionnaire.log) == n or questionnaire.log[-1].answer is None
    t = omega / (1 + omega)
    assert abs(found.omega / (1 + found.omega) - t) <= 0.5**n / 2 + 1e-9
    assert found.reliability is None


def test_five_exact_questions_give_the_threshold_within_16_thousandths():
    questionnaire = make(method="chord", n_questions=5)
    assert questionnaire.remaining == 5
    assert pytest.approx(0.016, abs=4e-4) == 0.5**5 / 2
    found = questionnaire.ask(exact(1.5))
    assert found.rate.calibrated_threshold == pytest.approx(0.6, abs=0.016)


def test_a_tolerance_sets_the_number_of_questions():
    assert make(method="chord", tolerance=0.01).remaining == 7


def test_about_equal_ends_the_search():
    questionnaire = make(method="chord", n_questions=8)
    found = questionnaire.ask(exact(3, indifference=1e-9))
    assert len(questionnaire.log) == 2  # t = 1/2, then 3/4
    assert found.omega == pytest.approx(3, rel=0.03)


@pytest.mark.no_cover
@pytest.mark.parametrize("omega", [1.0, 3.0, 30.0, 300.0, 1000.0])
def test_careful_people_are_understood(omega):
    wrong = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        person = SimulatedPerson(omega_worth(omega), rng, slope=0.1, lapse=0.01)
        guess = 1 + omega * math.exp(rng.normal(0, 0.7))
        found = omega_questionnaire(rng, guess=guess).ask(person)
        wrong.append(abs(math.log(found.omega / omega)))
    assert sorted(wrong)[4] < math.log(1.5)


def test_a_guess_ten_times_too_low_is_overcome():
    found = omega_questionnaire(np.random.default_rng(1), guess=10, n_questions=14).ask(exact(99))
    assert found.omega == pytest.approx(99, rel=0.5)


def test_whoever_never_lets_it_is_told_how_far_the_questions_reach():
    questionnaire = make(guess=800)
    while not questionnaire.done:
        assert questionnaire.question.details["n"] <= 5000
        questionnaire.answer(False)
    assert "the choices tell it up to about 1,000" in questionnaire.estimate.warnings[0]
    assert math.isfinite(questionnaire.estimate.omega)


def test_few_cases_are_shown_unless_many_are_needed():
    low, high = make(guess=3), make(guess=400)
    assert low.question.details["n"] == 20
    assert high.question.details["n"] >= 1000


def test_no_offer_is_made_twice():
    questionnaire = make(n_questions=40)
    questionnaire.ask(exact(7))
    assert len({entry.digest for entry in questionnaire.log}) == 40


def test_contradictions_throughout_are_no_crash():
    questionnaire = make(n_questions=30)
    for i in range(30):
        questionnaire.answer(i % 2 == 0)
    found = questionnaire.estimate
    assert found.interval.lower < found.omega < found.interval.upper


def test_an_offer_is_a_choice_between_deciding_and_asking():
    question = AbstentionOffer(20, 14).question()
    assert question.first.sum() == pytest.approx(1)
    assert question.second.sum() == pytest.approx(1)
    assert question.first.sum(axis=1) == pytest.approx(question.second.sum(axis=1))
    assert exact(14 / 6 - 0.01).prefers(question.first, question.second) is True
    assert exact(14 / 6 + 0.01).prefers(question.first, question.second) is False


def test_left_and_resumed():
    part = make(seed=4, guess=20)
    part.answer(True)
    again = make(seed=4, guess=20)
    again.resume(part.to_json())
    assert again.question.digest == part.question.digest
    with pytest.raises(InputError, match="other settings"):
        make(seed=4, guess=21).resume(part.to_json())


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"guess": 0.5}, "must be at least 1; got 0.5"),
        ({"guess": math.inf}, "must be at least 1; got inf"),
        ({"n_questions": 0}, "at least one question; got 0"),
        ({"method": "paper"}, "method"),
        ({"method": "chord", "tolerance": 0}, "tolerance"),
    ],
)
def test_impossible_settings_are_refused(wrong, reason):
    with pytest.raises(InputError, match=reason):
        make(**wrong)
