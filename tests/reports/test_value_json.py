"""One object: what is undefined is null, with a reason."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices
from askpoint.records.logs import read_log
from askpoint.reports.value.json import value_object
from askpoint.value.by_class import MinRecall
from askpoint.value.cost_curves import GreatestWorth, LeastCost
from askpoint.value.limits import AskAtMost, MaxError
from askpoint.value.priced import CheckCost, FBeta


def content_of(right, question, **columns):
    """The object for answers "spam" of falling confidence, as it passes through JSON."""
    labels = [None if ok is None else ("spam" if ok else "ham") for ok in right]
    spam = np.linspace(0.9, 0.6, len(right))
    frame = pl.DataFrame(
        {"label": labels, "proba_ham": 1 - spam, "proba_spam": spam, **columns},
        schema_overrides={"label": str},
    )
    log = read_log(frame, classes=["ham", "spam"], **{name: name for name in columns})
    content = value_object(answer_question(log, question))
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    return content


@pytest.mark.parametrize(
    ("question", "objective"),
    [
        (ValueQuestion(is_assumed=True), {"name": "CheckCost", "rho": 0.05, "assumed": True}),
        (ValueQuestion(CheckCost(0.05)), {"name": "CheckCost", "rho": 0.05, "assumed": False}),
        (ValueQuestion(FBeta(2)), {"name": "FBeta", "beta": 2, "assumed": False}),
        (ValueQuestion(MaxError(0.5)), {"name": "MaxError", "risk": 0.5, "assumed": False}),
        (
            ValueQuestion(MinRecall("ham", 0.5)),
            {"name": "MinRecall", "label": "ham", "level": 0.5, "assumed": False},
        ),
        (
            ValueQuestion(GreatestWorth(Prices(1, 0, -2))),
            {"name": "Prices", "right": 1, "ask": 0, "wrong": -2, "assumed": False},
        ),
        (
            ValueQuestion(LeastCost(CostMatrix.zero_one(["ham", "spam"], 0.5))),
            {"name": "Costs", "unit": "mistakes", "assumed": False},
        ),
    ],
)
def test_the_objective_is_the_one_asked_for(question, objective):
    assert content_of([1, 1, 0, 1, 0], question)["recommended"]["objective"] == objective


def test_without_a_finite_price_nothing_is_priced():
    content = content_of([1, None, 1, None, 1, None, 1, 0], ValueQuestion(AskAtMost(5)))
    why = "no finite price of a mistake makes this threshold the best"
    rows = content["hindsight"]
    for key in ("price", "cost"):
        assert rows[key] is None
        assert content["reasons"][f"hindsight.{key}"] == why
    for key in ("value", "expected_profit"):
        for part in ("estimate", "interval"):
            assert rows[key][part] is None
            assert content["reasons"][f"hindsight.{key}.{part}"] == why
    assert {b["cost_per_1000"] for b in rows["baselines"]} == {None}
    assert content["reasons"]["hindsight.baselines.cost_per_1000"] == why
    assert rows["asked"]["rows"] == 5
    assert rows["risk"]["estimate"] == 0


def test_costs_without_mistakes_have_no_one_price():
    costs = CostMatrix.zero_one(["ham", "spam"], 0.5)
    content = content_of([1, 1, 1], ValueQuestion(LeastCost(costs)))
    assert content["hindsight"]["price"] is None
    assert "no one price" in content["reasons"]["hindsight.price"]
    assert "hindsight.baselines.cost_per_1000" not in content["reasons"]
    assert content["hindsight"]["baselines"][0]["cost_per_1000"] == 0


def test_models_under_a_limit_are_ordered_by_what_they_leave_free():
    models = ["worse", "better"] * 4
    right = [1, 1, 0, 1, 1, 1, 0, 1]
    content = content_of(right, ValueQuestion(MaxError(0.1)), model=models)
    assert [part["model"] for part in content["models"]] == ["better", "worse"]
    covered = [part["hindsight"]["asked"]["share"] for part in content["models"]]
    assert covered == [0, 0.75]
    content = content_of(right, ValueQuestion(FBeta(1)), model=models)
    assert [part["model"] for part in content["models"]] == ["better", "worse"]
    content = content_of(right, ValueQuestion(AskAtMost(1)), model=models)
    assert [part["model"] for part in content["models"]] == ["better", "worse"]


def test_a_group_that_is_never_answered_says_so():
    groups = ["a"] * 50 + ["b"] * 10
    content = content_of([1] * 30 + [0] * 30, ValueQuestion(CheckCost(0.5)), group=groups)
    group = content["recommended"]["groups"][1]
    assert group["coverage"] == 0
    assert group["risk"] is None
    assert group["reasons"]["risk"] == "nothing is answered"


def test_every_key_is_documented():
    page = Path(__file__).parents[2] / "docs" / "reference" / "report.md"
    documented = set(re.findall(r"`(\w+)`", page.read_text(encoding="utf-8")))
    content = content_of(
        [1, 1, 0], ValueQuestion(is_assumed=True), model=["m"] * 3, group=["g"] * 3
    )
    assert set(content) - documented == set()
    for rule in ("recommended", "hindsight", "ask_all", "answer_all"):
        assert set(content[rule]) - documented == set()
    assert {baseline["name"] for baseline in content["hindsight"]["baselines"]} <= documented
