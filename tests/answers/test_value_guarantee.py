"""A promise beside the choice without one, in words and JSON."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy import stats

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.errors import InputError, NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.exchange import Prices
from askpoint.records.logs import read_log
from askpoint.records.streams import sketch_log
from askpoint.records.tables import open_table
from askpoint.reports.document import Grid, Section
from askpoint.reports.value.document import value_sections
from askpoint.reports.value.json import value_object
from askpoint.value.cost_curves import GreatestWorth
from askpoint.value.growing_log import growing_promise
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
    answer = answer_question(
        log(unlabelled=400), ValueQuestion(MaxError(0.05, delta=0.1), look="once")
    )
    promise = answer.guarantee
    assert promise.kept is promise.once
    assert promise.once.threshold == learn_then_test(answer.curve, 0.05, 0.1)
    assert promise.unguarded.threshold == MaxError(0.05).choose(answer.curve).threshold
    confidence = np.maximum(p := log().proba[:, 1], 1 - p)  # of all rows, labelled or not
    assert promise.once.coverage == np.mean(confidence >= promise.once.threshold) == answer.coverage
    assert promise.unguarded.coverage == np.mean(confidence >= promise.unguarded.threshold)
    assert promise.price > 0

    content = value_object(answer)["recommended"]["guarantee"]
    assert content["delta"] == 0.1
    printed = content["threshold"]
    assert ((confidence >= printed) == (confidence >= promise.once.threshold)).all()
    assert printed <= promise.once.threshold < 1
    assert content["coverage"] < content["unguarded"]["coverage"]
    assert content["risk"] < content["unguarded"]["risk"] <= 0.05
    assert content["price_in_coverage"] == promise.price

    blocks = section(answer, PROMISE).blocks
    assert f"{100 * promise.price:.1f}% of the cases" in blocks[0].text
    (grid,) = [block for block in blocks if isinstance(block, Grid)]
    assert [row[0] for row in grid.rows][-1] == "no promise"


@pytest.mark.parametrize("look", [None, "again"])
def test_without_a_word_the_promise_is_the_one_that_is_safe_either_way(look):
    rows = log()
    answer = answer_question(rows, ValueQuestion(MaxError(0.1, delta=0.1), look=look))
    sure = np.maximum(p := rows.proba[:, 1], 1 - p)
    expected = growing_promise(sure, rows.right, 0.1, 0.1).threshold
    assert answer.guarantee.kept.threshold == expected == answer.tomorrow.best.threshold
    assert answer.guarantee.again.coverage < answer.guarantee.once.coverage
    text = section(answer, PROMISE).blocks[1].text
    assert ("You did not say" in text) == (look is None)
    for promise in (answer.guarantee.once, answer.guarantee.again):
        assert f"{100 * promise.coverage:.1f}% of the cases" in text or (
            f"{100 * promise.coverage:.1f}" in text
        )


def test_a_second_look_after_a_promise_for_one_is_refused():
    risk, rows = MaxError(0.1, delta=0.1), log()
    first = rows.take(np.arange(1200))

    def asked(part, look, since=None):
        return answer_question(part, ValueQuestion(risk, look=look, since=since))

    report = value_object(asked(first, "once"))
    with pytest.raises(InputError, match="already looked at this log"):
        asked(rows, "once", report)
    earlier = asked(first, "again")
    report = value_object(earlier)
    later = asked(rows, "again", report).guarantee
    assert later.again.threshold <= earlier.guarantee.again.threshold  # more never promise less
    with pytest.raises(InputError, match="needs them in their order"):
        asked(rows.take(np.arange(2000)[::-1]), "again", report)


def test_models_share_the_probability_to_fail():
    rows = log()
    both = pl.concat(
        [
            pl.DataFrame(
                {"id": rows.ids, "label": rows.label, "proba": rows.proba[:, 1], "model": name}
            )
            for name in ("a", "b")
        ]
    )
    answer = answer_question(
        read_log(both, model="model"), ValueQuestion(MaxError(0.05, delta=0.1), look="once")
    )
    assert answer.guarantee.once.threshold == learn_then_test(answer.curve, 0.05, 0.05)
    assert "Of 2 models each gets its share" in section(answer, PROMISE).blocks[0].text


def test_without_delta_nothing_is_promised_and_the_trust_section_says_so():
    answer = answer_question(log(), ValueQuestion(MaxError(0.05)))
    assert answer.guarantee is None
    assert section(answer, PROMISE) is None
    assert value_object(answer)["recommended"]["guarantee"] is None
    assert "--guarantee" in value_object(answer)["reasons"]["recommended.guarantee"]
    texts = [b.text for b in section(answer, "How reliable these numbers are").blocks]
    assert any("--guarantee 0.05" in text for text in texts)


@pytest.mark.parametrize("look", [None, "once", "again"])
def test_what_can_not_be_promised_still_gives_the_page_and_the_best_that_can(look):
    few = answer_question(log(50), ValueQuestion(MaxError(0.01, delta=0.05), look=look))
    assert few.tomorrow.best.threshold == np.inf
    assert not few.tomorrow.best.decided
    assert few.guarantee.odds.given == 0
    texts = [b.whole for b in section(few, PROMISE).blocks if hasattr(b, "whole")]
    least = few.guarantee.least
    assert any(f"--max-error {least:g}" in text for text in texts)
    learn_then_test(few.curve, least, 0.05)  # does not fail
    with pytest.raises((UnmetError, NotEstimableError)):
        learn_then_test(few.curve, least - 0.001, 0.05)
    content = value_object(few)
    assert content["threshold"] is None
    assert content["recommended"]["guarantee"]["reasons"]["threshold"]
    lead = section(few, "The answer").blocks[0].text
    assert lead.startswith("Nothing can be promised yet from 50 labels")


def test_how_often_a_log_certifies_and_what_that_is_worth_is_told():
    answer = answer_question(log(300), ValueQuestion(MaxError(0.1, delta=0.05), look="once"))
    odds = answer.guarantee.odds
    assert 0 < odds.given <= 1
    texts = " ".join(b.whole for b in section(answer, PROMISE).blocks if hasattr(b, "whole"))
    assert f"{100 * odds.given:.0f} in 100" in texts
    assert 0 <= answer.guarantee.worth <= 1


def test_weights_and_clusters_are_refused():
    with pytest.raises(ObjectiveError, match="unweighted"):
        answer_question(log(weight=[0.5, 1.5]), ValueQuestion(MaxError(0.1, delta=0.05)))
    rows = replace(log(), cluster=np.arange(2000) // 4)
    with pytest.raises(ObjectiveError, match="keep one row of each cluster"):
        answer_question(rows, ValueQuestion(MaxError(0.1, delta=0.05)))


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
    content = value_object(answer)["hindsight"]["better_than_asking"]
    assert content["p_value"] == pytest.approx(test.pvalue)
    assert content["threshold_chosen_on_the_same_rows"] is True
    texts = [b.text for b in section(answer, "How reliable these numbers are").blocks]
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
    assert value_object(answer)["hindsight"]["better_than_asking"] is None
    assert "stated price" in value_object(answer)["reasons"]["hindsight.better_than_asking"]


def test_nor_where_nothing_is_answered():
    wrong = read_log(pl.DataFrame({"label": [0, 1], "proba": [0.9, 0.1]}))
    assert answer_question(wrong, ValueQuestion(CheckCost(0.1))).p_value is None


def test_a_sketch_knows_no_order_and_so_promises_one_look_only():
    rng = np.random.default_rng(5)
    p = rng.beta(0.5, 0.5, 2000)
    table = pl.DataFrame({"label": (rng.random(2000) < p).astype(int), "proba": p})
    counts = sketch_log(open_table(table))
    unsaid = answer_question(counts, ValueQuestion(MaxError(0.1, delta=0.1)))
    assert unsaid.tomorrow.best.threshold == np.inf
    lead = section(unsaid, "The answer").blocks[0].whole
    assert "or say that you look only once. Say so with --look once." in lead
    assert "in which order the labels came" in unsaid.guarantee.again.reason
    once = answer_question(counts, ValueQuestion(MaxError(0.1, delta=0.1), look="once"))
    assert once.tomorrow.best.threshold == once.guarantee.once.threshold < 1
