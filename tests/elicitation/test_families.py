"""The doors: settings checked, questionnaires resumed by their text alone."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.elicitation.families import (
    diagonal_questionnaire,
    fraction_questionnaire,
    linear_questionnaire,
    resume_questionnaire,
)
from askpoint.elicitation.metrics import diagonal_metric
from askpoint.elicitation.respondents import ExactRespondent
from askpoint.errors import InputError, NotEstimableError

RNG = np.random.default_rng(0)
PROBA = RNG.dirichlet(np.ones(3), 80)
Y = np.array(["a", "b", "c"])[[RNG.choice(3, p=p) for p in PROBA]]
GROUPS = [["x", "x", "y"], ["x", "x", "y"], ["y", "y", "x"]]


@pytest.mark.parametrize(
    ("make", "settings"),
    [
        (diagonal_questionnaire, {}),
        (diagonal_questionnaire, {"method": "paper", "short": True, "tolerance": 0.1}),
        (linear_questionnaire, {"groups": GROUPS, "share": 0.5}),
        (linear_questionnaire, {"groups": np.arange(9).reshape(3, 3) % 4}),
        (linear_questionnaire, {"method": "paper", "cycles": 1}),
        (fraction_questionnaire, {"tolerance": 0.1}),
        (fraction_questionnaire, {"method": "paper", "tolerance": 0.2}),
    ],
)
def test_resumed_by_its_text_it_asks_the_same(make, settings):
    questionnaire = make(Y, PROBA, **settings)
    for answer in (True, False, True):
        questionnaire.answer(answer)
    resumed = resume_questionnaire(questionnaire.to_json(), Y, PROBA)
    assert resumed.log == questionnaire.log
    assert resumed.remaining == questionnaire.remaining
    assert resumed.question.digest == questionnaire.question.digest


def test_a_text_of_other_kind_or_data_is_not_resumed():
    saved = diagonal_questionnaire(Y, PROBA).to_json()
    with pytest.raises(InputError, match="other labels or probabilities"):
        resume_questionnaire(saved, Y[::-1], PROBA)
    for text in ("", "{}", '{"settings": {"kind": "horoscope"}}', '{"settings": 3}'):
        with pytest.raises(InputError, match="not a saved questionnaire"):
            resume_questionnaire(text, Y, PROBA)


@pytest.mark.parametrize(
    "make", [diagonal_questionnaire, linear_questionnaire, fraction_questionnaire]
)
def test_what_cannot_be_asked(make):
    with pytest.raises(InputError, match="got color"):
        make(Y, PROBA, color="red")
    with pytest.raises(InputError, match="method"):
        make(Y, PROBA, method="guess")
    with pytest.raises(NotEstimableError, match="no case of class 'd'"):
        make(Y, np.column_stack([PROBA, 0 * PROBA[:, 0]]), classes=["a", "b", "c", "d"])
    with pytest.raises(NotEstimableError, match="do not tell class"):
        make(Y, np.full((80, 3), 1 / 3))
    with pytest.raises(NotEstimableError, match="2 of the 3 classes"):
        make(["a", "b"], PROBA[:2])


def test_a_person_is_asked_by_belief_in_the_same_words():
    truth = np.array([0.2, 0.5, 0.3])
    settings = {"method": "bayesian", "n_questions": 30}
    found = diagonal_questionnaire(Y, PROBA, rng=np.random.default_rng(1), **settings).ask(
        ExactRespondent(diagonal_metric(truth))
    )
    assert found.n_queries == 30
    assert found.weights == pytest.approx(truth, abs=0.1)
    assert found.interval.shape == (3, 2)
    assert "reliability" in found.details

    begun = diagonal_questionnaire(Y, PROBA, rng=np.random.default_rng(1), **settings)
    begun.answer(True)
    again = resume_questionnaire(begun.to_json(), Y, PROBA, rng=np.random.default_rng(1))
    assert again.question.digest == begun.question.digest
    with pytest.raises(InputError, match="other settings"):
        resume_questionnaire(begun.to_json(), Y, PROBA, rng=np.random.default_rng(2))
    with pytest.raises(InputError, match="rng"):
        resume_questionnaire(begun.to_json(), Y, PROBA)
    with pytest.raises(InputError, match="rng"):
        diagonal_questionnaire(Y, PROBA, method="bayesian")
