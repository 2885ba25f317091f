"""Elicitation as a function: a person's answers or a simulated one's, and the report on them."""

from __future__ import annotations

import polars as pl
import pytest

from askpoint.answers.elicitation.answer import answer_elicitation
from askpoint.answers.elicitation.opening import open_session
from askpoint.answers.elicitation.simulation import parse_simulated_costs
from askpoint.errors import InputError
from askpoint.records.logs import read_log
from askpoint.reports.notebook import report

LOG = read_log(
    pl.DataFrame({"label": [0, 1, 1, 0] * 20, "proba": [0.2, 0.9, 0.4, 0.5] * 20}),
)
SHORT = {"n_questions": 4, "n_checks": 0, "n_omega_questions": 4}


def test_a_simulated_person_and_the_text_of_the_session_tell_the_same():
    told = answer_elicitation(LOG, simulate={"0": 5, "1": 20}, **SHORT)
    again = answer_elicitation(LOG, answers=told.session.to_json())
    assert again.found.costs == told.found.costs
    assert again.session.log == told.session.log
    other = answer_elicitation(LOG, simulate="0=5,1=20", seed=1, **SHORT)
    assert other.found.costs != told.found.costs


def test_a_session_under_way_has_an_answer_and_a_report():
    answer = answer_elicitation(LOG, answers=open_session(LOG, guess=5))
    said = report(answer)
    assert str(said).startswith("What mistakes cost you")
    assert said.content["done"] is False
    assert "The interview was stopped after 0 choices" in " ".join(str(said).split())


@pytest.mark.parametrize("given", [{}, {"answers": "{}", "simulate": 3}])
def test_answers_come_from_one_place(given):
    with pytest.raises(InputError, match="either answers or simulate"):
        answer_elicitation(LOG, **given)


@pytest.mark.parametrize(
    ("given", "shown"), [(0.5, "got 0.5,"), ({"2": 4}, "4 for '2'"), ({"1": None}, "None for '1'")]
)
def test_costs_of_a_simulated_person_are_checked(given, shown):
    with pytest.raises(InputError, match=shown):
        parse_simulated_costs(given, LOG.classes)
