"""An interview: its stages, what it refuses, and that its text brings all of it back."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from askpoint.answers.elicitation.opening import open_session, reopen_session
from askpoint.answers.elicitation.simulation import parse_simulated_costs, play
from askpoint.errors import InputError, LogError, NotEstimableError
from askpoint.records.logs import read_log
from askpoint.reports.elicitation.asking import Extra, Scene, check_missed, describe_pair
from askpoint.reports.elicitation.questions import guess_text, question_text

CLASSES = ("bus", "car", "van")


def make_log(n=300, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(3), n)
    label = [CLASSES[rng.choice(3, p=p)] for p in proba]
    columns = {f"p_{name}": proba[:, i] for i, name in enumerate(CLASSES)}
    return read_log(pl.DataFrame({"label": label, **columns}), proba="p_")


LOG = make_log()
SHORT = {"n_questions": 10, "n_checks": 2, "n_omega_questions": 4}


def played(costs="bus=9,car=3,van=27", **settings):
    rng = np.random.default_rng(0)
    return play(LOG, parse_simulated_costs(costs, CLASSES), rng, **(settings or SHORT))


def test_the_stages_come_in_their_order():
    session = open_session(LOG, guess=12, **SHORT)
    assert session.remaining == 16
    stages = []
    while not session.done:
        stages.append(session.estimate.stage)
        assert session.remaining == 16 - len(session.log)
        session.answer(True)
    assert stages == ["mistakes"] * 12 + ["omega"] * 4
    assert (session.remaining, session.question, session.estimate.stage) == (0, None, "done")
    assert [n for n, _ in session.estimate.history] == list(range(1, 13))
    with pytest.raises(InputError, match="no further answer"):
        session.answer(True)


def test_costs_come_near_those_of_the_person():
    session = played(n_questions=40, n_omega_questions=20)
    checks = {group.classes[0]: group.checks for group in session.costs.groups}
    for name, true in {"bus": 9, "car": 3, "van": 27}.items():
        assert true / 2 < checks[name] < true * 2


def test_the_guess_starts_the_offers_and_is_kept():
    careful, careless = (open_session(LOG, guess=guess, n_questions=0) for guess in (800, None))
    assert careful.question.details["n"] > careless.question.details["n"]
    assert careful.costs.groups[0].checks > careless.costs.groups[0].checks


def test_without_questions_on_mistakes_they_cost_the_same():
    assert open_session(LOG, n_questions=0).estimate.mistakes is None
    session = played("20", n_questions=0)
    assert session.groups == ((0, 1, 2),)
    assert 10 < session.costs.groups[0].checks < 40


def test_a_replayed_session_is_the_same_to_the_last_digit():
    session = played()
    again = reopen_session(session.to_json(), LOG)
    assert again.to_json() == session.to_json()
    assert again.costs.costs == session.costs.costs
    assert again.done


def test_a_session_left_anywhere_goes_on_as_if_it_had_not_been():
    whole = played()
    part = open_session(LOG, guess=whole.guess, **SHORT)
    for i, (digest, answer) in enumerate(whole.log):
        if i in (0, 1, 9, 12, 15):
            part = reopen_session(part.to_json(), LOG)
        assert part.question.digest == digest
        part.answer(answer)
    assert part.to_json() == whole.to_json()


def test_a_session_on_another_log_is_refused():
    with pytest.raises(InputError, match="other labels or probabilities"):
        reopen_session(played().to_json(), make_log(seed=1))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda c: c["settings"].pop("kind"), "no session of askpoint elicit"),
        (lambda c: c["settings"].update(kind="diagonal"), "no session of askpoint elicit"),
        (lambda c: c.pop("log"), "not a saved questionnaire"),
        (lambda c: c["settings"].update(speed=3), "cannot be read"),
        (lambda c: c["settings"].update(groups=7), "cannot be read"),
        (lambda c: c["log"][0].__setitem__(0, "f" * 16), "belongs to another question"),
        (lambda c: c["log"][0].__setitem__(1, "yes"), "True, False or None"),
        (lambda c: c["log"].append(["f" * 16, True]), "no further answer"),
        (lambda c: c["settings"].update(guess="many"), "must be a number; got 'many'"),
        (lambda c: c["settings"].update(guess=0.5), "must be at least 1; got 0.5"),
    ],
)
def test_a_spoilt_session_is_refused(change, reason):
    content = json.loads(played().to_json())
    change(content)
    with pytest.raises(InputError, match=reason):
        reopen_session(json.dumps(content), LOG)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000])
def test_a_text_that_is_no_session_is_refused(text):
    with pytest.raises(InputError, match="not a saved questionnaire"):
        reopen_session(text, LOG)


@pytest.mark.parametrize("settings", [{"n_omega_questions": 0}, {"n_questions": -1}])
def test_impossible_settings_are_refused_before_the_first_question(settings):
    with pytest.raises(InputError, match="at least one question"):
        open_session(LOG, **settings)


def test_contradictions_throughout_are_told_and_no_crash():
    session = open_session(LOG, guess=5, n_questions=30, n_checks=6)
    coin = np.random.default_rng(3)
    while not session.done:
        session.answer(bool(coin.random() < 0.5))
    assert "contradicts" in session.estimate.mistakes.reliability.signals
    assert session.costs.costs.reject_cost > 0


def test_a_log_of_several_models_is_refused():
    frame = pl.DataFrame(
        {"label": ["a", "b"] * 2, "p_a": [0.9, 0.2] * 2, "p_b": [0.1, 0.8] * 2, "m": list("uuww")}
    )
    with pytest.raises(LogError, match="several models"):
        open_session(read_log(frame, proba="p_", model="m"))


def test_a_log_without_probabilities_is_refused():
    frame = pl.DataFrame({"label": ["a", "b"], "prediction": ["a", "a"], "confidence": [0.9, 0.2]})
    with pytest.raises(LogError, match="only a prediction and a confidence"):
        open_session(read_log(frame))


def test_a_class_without_labels_is_refused():
    frame = pl.DataFrame(
        {"label": ["a", "b"], "p_a": [0.9, 0.2], "p_b": [0.1, 0.4], "p_c": [0.0, 0.4]}
    )
    with pytest.raises(NotEstimableError, match="no case of class 'c' is labelled"):
        open_session(read_log(frame, proba="p_"))


def test_a_model_without_mistakes_names_one_on_the_rarest_class():
    frame = pl.DataFrame({"label": list("aaabb"), "p_a": [1, 1, 1, 0, 0], "p_b": [0, 0, 0, 1, 1]})
    session = open_session(read_log(frame, proba="p_"))
    assert session.named == ("b", "a")


# What people read


def test_the_numbers_of_a_pair_are_those_of_the_question():
    session = open_session(LOG, **SHORT)
    assert question_text(played(), Scene()) == ""
    for _ in range(8):
        text, question = question_text(session, Scene()), session.question
        cases = int(text.split("Of ")[1].split(" cases")[0].replace(",", ""))
        i, j = sorted(question.details["classes"])
        rows = [line for line in text.splitlines() if "wrong" in line]
        wrong = [int(row.split("wrong")[1].split()[0].replace(",", "")) for row in rows]
        expected = [
            round(session.zeta[c] * cases) - round(matrix[c, c] * cases)
            for matrix in (question.first, question.second)
            for c in (i, j)
        ]
        assert wrong == expected
        assert max(map(len, text.splitlines())) <= 80
        session.answer(True)


def test_an_offer_shows_each_case_once():
    session = open_session(LOG, guess=3, n_questions=0)
    assert "takes 1 minute a case" in " ".join(guess_text(session, Scene(minutes=1)).split())
    scene = Scene(minutes=2, people_right=0.97, consequence="the customer leaves.")
    text = question_text(session, scene)
    details = session.question.details
    icons = [line for line in text.splitlines() if line.startswith("    ")][:-1]
    assert sum(row.count("●") for row in icons) == details["right"]
    assert sum(row.count("×") for row in icons) == details["n"] - details["right"]
    assert "(who takes 2 minutes a case and is right 97 times in 100)" in " ".join(text.split())
    assert "Then the customer leaves. Let it?" in " ".join(text.split())


def test_what_a_missed_class_does_is_in_all_questions():
    scene = Scene(missed=[("bus", "buses are lost."), ("van", "vans are lost")])
    session = open_session(LOG, guess=3, **SHORT)
    truth, _ = session.named
    said = {"bus": "buses are lost", "van": "vans are lost"}
    if truth in said:
        assert f": {said[truth]}. A person could" in " ".join(guess_text(session, scene).split())
    while session.estimate.stage == "mistakes":
        told = describe_pair(session, session.question, scene)
        text = " ".join(question_text(session, scene).split())
        for extra in told.extras:
            words = said.get(extra.name)
            assert extra.words == (words or "")
            if words and extra.wrong != 1:
                assert f"{extra.wrong:,} more {words}." in text
        session.answer(True)
    assert Extra("bus", 1, "buses are lost").text == "more case decided wrong: buses are lost"
    assert Extra("bus", 1).text == "more case decided wrong, really “bus”"
    with pytest.raises(
        InputError,
        match="class that is missed must be one of the classes bus, car, van; got 'lorry'",
    ):
        check_missed(Scene(missed=[("lorry", "x")]), CLASSES)


def test_a_large_offer_shows_each_mistake():
    session = open_session(LOG, guess=500, n_questions=0)
    text, details = question_text(session, Scene()), session.question.details
    assert details["n"] >= 1000
    (row,) = [line for line in text.splitlines() if line.strip() and set(line) <= {"×", " "}]
    assert row.count("×") == details["n"] - details["right"]


def test_names_cannot_steer_the_terminal():
    frame = pl.DataFrame(
        {
            "label": ["a\x1b[2J", "b"] * 4,
            "u": [0.9, 0.2] * 3 + [0.4, 0.6],
            "v": [0.1, 0.8] * 3 + [0.6, 0.4],
        }
    )
    log = read_log(frame, proba=["u", "v"], classes=["a\x1b[2J", "b"])
    session = open_session(log, guess=2, **SHORT)
    assert "\x1b" not in guess_text(session, Scene())
    assert "\x1b" not in question_text(session, Scene())


@pytest.mark.parametrize("text", ["0.5", "many", "lorry=3", "bus=0", "bus=3,nan", "", "inf"])
def test_impossible_simulated_costs_are_refused(text):
    with pytest.raises(InputError, match="a simulated person takes checks per mistake"):
        parse_simulated_costs(text, CLASSES)


def test_simulated_costs_of_all_and_of_each():
    assert parse_simulated_costs("20", CLASSES) == dict.fromkeys(CLASSES, 20)
    assert parse_simulated_costs("4,van=8", CLASSES) == {"bus": 4, "car": 4, "van": 8}
