"""What is said of an interview: sentences, the threshold that follows, and doubts."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from unexpected_people import LexicographicPerson

from askpoint.answers.elicitation.answer import ElicitationAnswer
from askpoint.answers.elicitation.opening import open_session
from askpoint.answers.elicitation.simulation import play
from askpoint.answers.value.verdict import answer_value
from askpoint.elicitation.abstention import omega_worth
from askpoint.elicitation.costing import combine_costs
from askpoint.elicitation.simulated_people import SimulatedPerson
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.records.logs import read_log
from askpoint.reports.document import Figures, Grid, Notice, Paragraph
from askpoint.reports.elicitation.asking import Scene
from askpoint.reports.elicitation.document import elicit_document, following_answer, signal_text
from askpoint.reports.elicitation.json import elicit_object
from askpoint.reports.elicitation.questions import question_text
from askpoint.reports.words import money_text

CLASSES = ("bus", "car", "van")


def make_log(n=300, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.full(3, 0.5), n)
    label = [CLASSES[rng.choice(3, p=p)] for p in proba]
    columns = {f"p_{name}": proba[:, i] for i, name in enumerate(CLASSES)}
    return read_log(pl.DataFrame({"label": label, **columns}), proba="p_")


LOG = make_log()


@pytest.fixture(scope="module")
def answer():
    return played({"bus": 9.0, "car": 3.0, "van": 9.0}, groups=[("bus", "van")])


def played(costs, **settings):
    return ElicitationAnswer(LOG, play(LOG, costs, np.random.default_rng(0), **settings))


def texts(answer, kind=Paragraph):
    document = elicit_document(answer, "askpoint value log.csv --costs costs.json")
    blocks = [block for section in document.sections for block in section.blocks]
    return [block.text for block in blocks if isinstance(block, kind)]


def test_each_group_gets_its_sentence(answer):
    first, second = texts(answer)[:2]
    assert first.startswith("One case that is really 'bus' or 'van' and decided wrongly costs you")
    assert second.startswith("One case that is really 'car' and decided wrongly costs you")
    group = answer.found.groups[0]
    assert f"as much as {group.checks:.3g} checks" in first
    assert f"({group.checks_interval.lower:.3g} to {group.checks_interval.upper:.3g})" in first


def test_the_threshold_that_follows_is_that_of_the_value_room(answer):
    best = answer_value(LOG, answer.found.costs).tomorrow.best
    assert following_answer(answer).tomorrow.best == best
    said = " ".join(texts(answer))
    assert "Of 1,000 new cases expect the model to decide" in said
    low, high = (f"{1000 * share:,.0f}" for share in best.asked[1:])
    assert f"({low} to {high}) to review" in said
    assert ("Not decided yet" in said) == (not best.decided)


def test_the_masthead_says_the_dearest_and_the_cheapest_mistake(answer):
    section = elicit_document(answer).sections[0]
    (large,) = (block for block in section.blocks if isinstance(block, Figures))
    assert [part.name for part in large.parts[:2]] == [
        "mistake on 'bus' or 'van'",
        "mistake on 'car'",
    ]
    assert [part.value for part in large.parts[:2]] == [
        f"{group.checks:.3g} checks" for group in answer.found.groups
    ]


def test_choices_that_one_class_decides_alone_give_no_costs():
    session = open_session(LOG, guess=5, n_questions=30, seed=1)
    person = LexicographicPerson(np.diag([9.0, 3.0, 1.0]), np.random.default_rng(0))
    decider = SimulatedPerson(omega_worth(4.0), np.random.default_rng(1))
    while (question := session.question) is not None:
        who = person if session.estimate.stage == "mistakes" else decider
        session.answer(who.prefers(question.first, question.second))
    answer = ElicitationAnswer(LOG, session)
    assert answer.decides_alone
    said = texts(answer, Notice)
    assert said[0].startswith("No costs: whatever did better on")
    assert "No threshold follows, because no costs do." in said
    content = json.loads(json.dumps(elicit_object(answer), allow_nan=False))
    assert content["costs"] is content["outcome"] is None
    assert content["groups"] == []
    assert content["refused"] == content["outcome_reason"]


def test_json_says_the_same(answer):
    content = json.loads(json.dumps(elicit_object(answer), allow_nan=False))
    assert content["done"] is True
    assert content["n_answers"] == 34
    assert [group["classes"] for group in content["groups"]] == [["bus", "van"], ["car"]]
    assert CostMatrix.from_json(json.dumps(content["costs"])) == answer.found.costs
    shares = content["outcome"]
    assert sum(shares[name] for name in ("right", "wrong", "asked")) == pytest.approx(1)
    assert shares["asked_interval"][0] <= shares["asked"] <= shares["asked_interval"][1]
    assert content["refused"] is None
    assert content["outcome_reason"] is None
    assert set(content["reliability"]) == {"mistakes", "omega"}


def test_a_single_price_becomes_a_confidence():
    answer = played(dict.fromkeys(CLASSES, 5.0), n_questions=0)
    said = " ".join(texts(answer))
    t = answer.session.estimate.omega.rate.calibrated_threshold
    assert f"should answer above {100 * round(t, 3):.6g}% confidence" in said
    assert said.startswith("One wrong answer costs you as much as")
    assert [group.classes for group in answer.found.groups] == [CLASSES]


def test_whoever_stops_early_is_told():
    session = open_session(LOG, guess=50)
    session.answer(True)
    answer = ElicitationAnswer(LOG, session)
    assert "was stopped after 1 choice; up to 33 were left" in texts(answer, Notice)[0]
    assert elicit_object(answer)["done"] is False
    assert "Choices are the better guide" not in " ".join(texts(answer))


def test_doubts_are_said():
    session = open_session(LOG, n_questions=30)
    while not session.done:
        session.answer(session.estimate.stage == "mistakes")
    answer = ElicitationAnswer(LOG, session)
    said = " ".join(texts(answer, Notice))
    assert "The first of the two was chosen far more often" in said
    assert "Take the costs with care" in said
    assert "Omega may be as high as" in said
    signals = elicit_object(answer)["reliability"]["mistakes"]["signals"]
    assert any("whatever it showed" in text for text in signals)


def test_one_class_that_comes_first_is_named(answer):
    assert "You always chose the side that does better on 'bus' or 'van'" in signal_text(
        answer.session, "one-sided:0"
    )


def test_where_no_threshold_follows_it_is_said():
    frame = pl.DataFrame(
        {
            "label": ["a", "b"] * 60 + [None] * 400,
            "p_a": [0.55, 0.45] * 60 + [0.9] * 400,
            "p_b": [0.45, 0.55] * 60 + [0.1] * 400,
        }
    )
    log = read_log(frame, proba="p_")
    answer = ElicitationAnswer(log, open_session(log, guess=4))
    assert any("No threshold follows from these costs" in text for text in texts(answer, Notice))
    content = elicit_object(answer)
    assert content["outcome"] is None
    assert content["outcome_reason"]


def test_the_table_has_a_row_for_each_group(answer):
    document = elicit_document(answer, "")
    grid = next(b for b in document.sections[0].blocks if isinstance(b, Grid))
    assert [row[0] for row in grid.rows] == ["bus, van", "car"]
    found = answer.found
    assert f"a check {float(found.costs.reject_costs[0]):.3g}." in grid.note


def test_the_file_names_its_source(answer):
    source = answer.found.costs.source
    assert source["method"] == "bayesian"
    assert source["questions"] == 34
    assert source["log"] == answer.session.data
    other = combine_costs(
        "abc", [[0], [1], [2]], None, answer.session.estimate.omega.cloud, answer.session.deployed
    )
    assert other.costs.source == {}


def test_too_few_questions_for_so_many_classes_are_told():
    settings = {"n_questions": 5, "n_checks": 0, "n_omega_questions": 1}
    answer = played(dict.fromkeys(CLASSES, 5.0), **settings)
    said = " ".join(texts(answer, Notice))
    assert "5 choices cannot tell the costs of 3 kinds of mistakes apart" in said


def test_of_many_classes_together_only_some_are_named():
    k = 9
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(k), 400)
    label = [f"c{rng.choice(k, p=p)}" for p in proba]
    frame = pl.DataFrame({"label": label, **{f"p_c{i}": proba[:, i] for i in range(k)}})
    together = tuple(f"c{i}" for i in range(k - 1))
    log = read_log(frame, proba="p_")
    answer = ElicitationAnswer(log, open_session(log, groups=[together]))
    first, second = texts(answer)[:2]
    assert first.startswith("One case that is really 'c0', 'c1', ... or 'c7' and decided")
    assert second.startswith("One case that is really 'c8' and decided")


def test_what_was_not_asked_is_not_counted():
    costs = dict.fromkeys(CLASSES, 5.0)
    short = " ".join(texts(played(costs, n_questions=5, n_checks=1, n_omega_questions=1)))
    assert "repeated question" not in short
    assert "of 1 choice at the end" in short
    unchecked = " ".join(texts(played(costs, n_questions=10, n_checks=0, n_omega_questions=1)))
    assert "of 1 repeated question, with the sides swapped, got the same answer." in unchecked
    assert "at the end" not in unchecked


def test_what_a_check_costs_makes_money_of_it(answer):
    scene = Scene(check_cost=2.0, unit="EUR")
    section = elicit_document(answer, "", scene).sections[0]
    told = [" ".join(getattr(it, "text", "").split()) for it in section.blocks]
    said = next(text for text in told if text.startswith("At 2 EUR"))
    for group in answer.found.groups:
        worth, low, high = (
            money_text(2 * part, "EUR").replace("\N{NO-BREAK SPACE}", " ")
            for part in (group.checks, *group.checks_interval)
        )
        assert f"{worth} ({low} to {high})" in said
    session = open_session(LOG, n_questions=0, guess=5)
    n = session.question.details["n"]
    assert f"Checking them costs {2 * n} EUR. Let it?" in " ".join(
        question_text(session, scene).split()
    )
    assert Scene(check_cost=0.5, unit="EUR").money(1) == "0.50\N{NO-BREAK SPACE}EUR"


@pytest.mark.parametrize(
    ("answer", "says"), [(True, "You let the system decide"), (False, "was kept")]
)
def test_who_takes_every_offer_or_none_is_told_so(answer, says):
    session = open_session(LOG, n_questions=0, guess=5)
    while not session.done:
        session.answer(answer)
    (notice,) = [text for text in texts(ElicitationAnswer(LOG, session), Notice) if says in text]
    assert "with care" in notice
