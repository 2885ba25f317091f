"""A promise beside the choice without one, in words and JSON."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.errors import NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.exchange import Prices
from askpoint.records.logs import read_log
from askpoint.reports.document import Grid, Section
from askpoint.reports.value.document import value_sections
from askpoint.reports.value.json import value_object
from askpoint.value.cost_curves import GreatestWorth
from askpoint.value.guarantees import learn_then_test
from askpoint.value.limits import AskAtMost, MaxError
from askpoint.value.priced import CheckCost, FBeta, MistakeCost


def log(n=2000, *, unlabelled=0, weight=None):
    rng = np.random.default_rng(5)
    p = rng.beta(0.5, 0.5, n)
    label = [int(x) for x in rng.random(n) < p]
    if unlabelled:
        label = [None if i % (n // unlabelled) == 0 else x for i, x in enumerate(label)]
    frame = pl.DataFrame({"label": label, "proba": p})
    if weight is not None:
        frame = frame.with_columns(w=pl.Series(np.resize(weight, n)))
    return read_log(frame, weight=None if weight is None else "w")


def section(answer, title) -> Section | None:
    return next((s for s in value_sections(answer) if s.title == title), None)


PROMISE = "What is promised of new cases"


def test_the_promise_is_learn_then_test_and_its_price_the_lost_coverage():
    answer = answer_question(log(unlabelled=400), ValueQuestion(MaxError(0.05, delta=0.1)))
    promise = answer.guarantee
    assert promise.point.threshold == learn_then_test(answer.curve, 0.05, 0.1)
    assert promise.unguarded.threshold == MaxError(0.05).choose(answer.curve).threshold
    confidence = np.maximum(p := log().proba[:, 1], 1 - p)  # of all rows, labelled or not
    assert promise.coverage == np.mean(confidence >= promise.point.threshold) == answer.coverage
    assert promise.unguarded_coverage == np.mean(confidence >= promise.unguarded.threshold)
    assert promise.price > 0

    content = value_object(answer)["guarantee"]
    assert content["delta"] == 0.1
    assert content["threshold"] == promise.point.threshold < 1
    assert content["coverage"] < content["unguarded"]["coverage"]
    assert content["accepted_error"] < content["unguarded"]["accepted_error"] <= 0.05
    assert content["price_in_coverage"] == promise.price

    paragraph, grid = section(answer, PROMISE).blocks
    assert f"{100 * promise.price:.1f}\N{NO-BREAK SPACE}% of the cases" in paragraph.text
    assert isinstance(grid, Grid)
    assert [row[0] for row in grid.rows] == ["with the promise", "without it"]


def test_without_delta_nothing_is_promised_and_the_trust_section_says_so():
    answer = answer_question(log(), ValueQuestion(MaxError(0.05)))
    assert answer.guarantee is None
    assert section(answer, PROMISE) is None
    assert value_object(answer)["guarantee"] is None
    assert "--guarantee" in value_object(answer)["reasons"]["guarantee"]
    texts = [b.text for b in section(answer, "How far to trust these numbers").blocks]
    assert any("--guarantee 0.05" in text for text in texts)


def test_too_few_rows_and_a_hopeless_limit():
    with pytest.raises(NotEstimableError, match="takes 299 labelled cases"):
        answer_question(log(50), ValueQuestion(MaxError(0.01, delta=0.05)))
    with pytest.raises(UnmetError, match="the least that can be promised is 0"):
        answer_question(log(), ValueQuestion(MaxError(0.001, delta=0.9)))
    with pytest.raises(ObjectiveError, match="unweighted"):
        answer_question(log(weight=[0.5, 1.5]), ValueQuestion(MaxError(0.1, delta=0.05)))


@pytest.mark.parametrize(
    "question",
    [
        ValueQuestion(is_assumed=True),
        ValueQuestion(CheckCost(0.1)),
        ValueQuestion(MistakeCost(9)),
        ValueQuestion(GreatestWorth(Prices(1, 0, -9))),
    ],
)
def test_at_a_price_answering_is_tested_against_asking(question):
    answer = answer_question(log(), question)
    outcomes = answer.point.outcomes
    test = stats.binomtest(
        outcomes.right, outcomes.answered, 1 - answer.rate.rho, alternative="greater"
    )
    content = value_object(answer)["better_than_asking"]
    assert content["p_value"] == pytest.approx(test.pvalue)
    assert content["threshold_chosen_on_the_same_rows"] is True
    texts = [b.text for b in section(answer, "How far to trust these numbers").blocks]
    assert any("chosen on the same cases" in text for text in texts)


@pytest.mark.parametrize(
    ("question", "weight"),
    [
        (ValueQuestion(AskAtMost(0.2)), None),  # the price is implied, not stated
        (ValueQuestion(FBeta(1)), None),
        (ValueQuestion(CheckCost(0.1)), [1.0, 2.0]),
    ],
)
def test_else_it_is_not(question, weight):
    answer = answer_question(log(weight=weight), question)
    assert answer.p_value is None
    assert value_object(answer)["better_than_asking"] is None
    assert "stated price" in value_object(answer)["reasons"]["better_than_asking"]


def test_nor_where_nothing_is_answered():
    wrong = read_log(pl.DataFrame({"label": [0, 1], "proba": [0.9, 0.1]}))
    assert answer_question(wrong, ValueQuestion(CheckCost(0.1))).p_value is None
