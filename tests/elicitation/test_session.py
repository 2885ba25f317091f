"""An interview: its stages, what it refuses, and that its text brings all of it back."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from askpoint.answers.elicitation.simulation import play, simulated_costs
from askpoint.elicitation.session import ElicitSession, ElicitSettings
from askpoint.errors import InputError, LogError, NotEstimableError
from askpoint.records.logs import read_log
from askpoint.reports.elicitation.questions import Scene, guess_text, question_text

CLASSES = ("bus", "car", "van")


def make_log(n=300, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(3), n)
    label = [CLASSES[rng.choice(3, p=p)] for p in proba]
    columns = {f"p_{name}": proba[:, i] for i, name in enumerate(CLASSES)}
    return read_log(pl.DataFrame({"label": label, **columns}), proba="p_")


LOG = make_log()
SHORT = ElicitSettings(questions=10, checks=2, omega_questions=4)


def played(settings=SHORT, costs="bus=9,car=3,van=27", seed=0):
    session = ElicitSession(LOG, settings)
    play(session, simulated_costs(costs, session), np.random.default_rng(seed))
    return session


def test_the_stages_come_in_their_order():
    session = ElicitSession(LOG, SHORT)
    assert (session.stage, session.question, session.remaining) == ("guess", None, 17)
    with pytest.raises(InputError, match="first say a number"):
        session.answer(True)
    session.answer_guess(12)
    assert session.remaining == 16
    with pytest.raises(InputError, match="has been given"):
        session.answer_guess(12)
    stages = []
    while session.stage != "done":
        stages.append(session.stage)
        session.answer(True)
    assert stages == ["mistakes"] * 12 + ["omega"] * 4
    assert (session.n_answers, session.remaining, session.question) == (16, 0, None)
    with pytest.raises(InputError, match="the interview is over"):
        session.answer(True)


def test_costs_come_near_those_of_the_person():
    session = played(ElicitSettings(questions=40, omega_questions=20))
    checks = {group.classes[0]: group.checks for group in session.costs.groups}
    for name, true in {"bus": 9, "car": 3, "van": 27}.items():
        assert true / 2 < checks[name] < true * 2


def test_the_guess_starts_the_offers_and_is_kept():
    careful, careless = (ElicitSession(LOG, ElicitSettings(questions=0)) for _ in range(2))
    careful.answer_guess(800)
    careless.answer_guess(None)
    assert careful.question.details["n"] > careless.question.details["n"]
    assert careful.costs.groups[0].checks > careless.costs.groups[0].checks


def test_without_questions_on_mistakes_they_cost_the_same():
    session = ElicitSession(LOG, ElicitSettings(questions=0))
    assert session.mistakes is None
    play(session, simulated_costs("20", session), np.random.default_rng(0))
    assert session.groups == ((0, 1, 2),)
    assert 10 < session.costs.groups[0].checks < 40


def test_a_replayed_session_is_the_same_to_the_last_digit():
    session = played()
    again = ElicitSession.from_json(session.to_json(), LOG)
    assert again.to_json() == session.to_json()
    assert again.costs.costs == session.costs.costs
    assert again.stage == "done"


def test_a_session_left_anywhere_goes_on_as_if_it_had_not_been():
    whole = played()
    log = json.loads(whole.to_json())
    entries = [("mistakes", entry) for entry in log["mistakes"]]
    entries += [("omega", entry) for entry in log["omega"]]
    part = ElicitSession(LOG, SHORT)
    part = ElicitSession.from_json(part.to_json(), LOG)  # left before anything was said
    part.answer_guess(log["guess"])
    for i, (stage, (digest, answer)) in enumerate(entries):
        if i in (0, 1, 9, 12, 15):
            part = ElicitSession.from_json(part.to_json(), LOG)
        assert part.stage == stage
        assert part.question.digest == digest
        part.answer(answer)
    assert part.to_json() == whole.to_json()


def test_a_session_on_another_log_is_refused():
    with pytest.raises(InputError, match="other labels or probabilities"):
        ElicitSession.from_json(played().to_json(), make_log(seed=1))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda c: c.pop("kind"), "no session of askpoint elicit"),
        (lambda c: c.update(format=2), "has format 2, this version reads 1"),
        (lambda c: c.pop("omega"), "can not be read"),
        (lambda c: c["settings"].update(speed=3), "can not be read"),
        (lambda c: c["settings"].update(together=7), "can not be read"),
        (lambda c: c["mistakes"][0].__setitem__(0, "f" * 16), "other questions"),
        (lambda c: c["mistakes"][0].__setitem__(1, "yes"), "True, False or None"),
        (lambda c: c["omega"].append(["f" * 16, True]), "the interview is over"),
        (lambda c: c.update(guess="many"), "must be a number, got 'many'"),
        (lambda c: c.update(guess=0.5), "must be at least 1, got 0.5"),
    ],
)
def test_a_spoilt_session_is_refused(change, reason):
    content = json.loads(played().to_json())
    change(content)
    with pytest.raises(InputError, match=reason):
        ElicitSession.from_json(json.dumps(content), LOG)


@pytest.mark.parametrize("text", ["", "[]", "{", "null"])
def test_a_text_that_is_no_session_is_refused(text):
    with pytest.raises(InputError, match="session"):
        ElicitSession.from_json(text, LOG)


def test_contradictions_throughout_are_told_and_no_crash():
    session = ElicitSession(LOG, ElicitSettings(questions=30, checks=6))
    session.answer_guess(5)
    coin = np.random.default_rng(3)
    while session.stage != "done":
        session.answer(bool(coin.random() < 0.5))
    assert "contradicts" in session.mistakes.reliability.signals
    assert session.costs.costs.reject_cost > 0


def test_a_log_of_several_models_is_refused():
    frame = pl.DataFrame(
        {"label": ["a", "b"] * 2, "p_a": [0.9, 0.2] * 2, "p_b": [0.1, 0.8] * 2, "m": list("uuww")}
    )
    with pytest.raises(LogError, match="several models"):
        ElicitSession(read_log(frame, proba="p_", model="m"))


def test_a_log_without_probabilities_is_refused():
    frame = pl.DataFrame({"label": ["a", "b"], "prediction": ["a", "a"], "confidence": [0.9, 0.2]})
    with pytest.raises(LogError, match="only a prediction and a confidence"):
        ElicitSession(read_log(frame))


def test_a_class_without_labels_is_refused():
    frame = pl.DataFrame(
        {"label": ["a", "b"], "p_a": [0.9, 0.2], "p_b": [0.1, 0.4], "p_c": [0.0, 0.4]}
    )
    with pytest.raises(NotEstimableError, match="no case of class 'c' is labelled"):
        ElicitSession(read_log(frame, proba="p_"))


def test_a_model_without_mistakes_names_one_on_the_rarest_class():
    frame = pl.DataFrame({"label": list("aaabb"), "p_a": [1, 1, 1, 0, 0], "p_b": [0, 0, 0, 1, 1]})
    session = ElicitSession(read_log(frame, proba="p_"))
    assert session.named == ("b", "a")


# What people read


def test_the_numbers_of_a_pair_are_those_of_the_question():
    session = ElicitSession(LOG, SHORT)
    assert question_text(session, Scene()) == ""
    session.answer_guess(None)
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
    session = ElicitSession(LOG, ElicitSettings(questions=0))
    assert "takes 1 minute a case" in guess_text(session, Scene(minutes=1))
    session.answer_guess(3)
    scene = Scene(minutes=2, people_right=0.97, consequence="the customer leaves.")
    text = question_text(session, scene)
    details = session.question.details
    icons = [line for line in text.splitlines() if line.startswith("    ")][:-1]
    assert sum(row.count("●") for row in icons) == details["right"]
    assert sum(row.count("×") for row in icons) == details["n"] - details["right"]
    assert "(who takes 2 minutes a case and is right 97 times in 100)" in " ".join(text.split())
    assert "Then the customer leaves. Let it?" in " ".join(text.split())


def test_a_large_offer_shows_each_mistake():
    session = ElicitSession(LOG, ElicitSettings(questions=0))
    session.answer_guess(500)
    text, details = question_text(session, Scene()), session.question.details
    assert details["n"] >= 1000
    (row,) = [line for line in text.splitlines() if line.strip() and set(line) <= {"×", " "}]
    assert row.count("×") == details["n"] - details["right"]


def test_names_can_not_steer_the_terminal():
    frame = pl.DataFrame(
        {
            "label": ["a\x1b[2J", "b"] * 4,
            "u": [0.9, 0.2] * 3 + [0.4, 0.6],
            "v": [0.1, 0.8] * 3 + [0.6, 0.4],
        }
    )
    log = read_log(frame, proba=["u", "v"], classes=["a\x1b[2J", "b"])
    session = ElicitSession(log, SHORT)
    assert "\x1b" not in guess_text(session, Scene())
    session.answer_guess(2)
    assert "\x1b" not in question_text(session, Scene())


@pytest.mark.parametrize("text", ["0.5", "many", "lorry=3", "bus=0", "bus=3,nan", "", "inf"])
def test_impossible_simulated_costs_are_refused(text):
    with pytest.raises(InputError, match="--simulate takes checks worth one mistake"):
        simulated_costs(text, ElicitSession(LOG, SHORT))


def test_simulated_costs_of_all_and_of_each():
    session = ElicitSession(LOG, SHORT)
    assert simulated_costs("20", session) == dict.fromkeys(CLASSES, 20)
    assert simulated_costs("4,van=8", session) == {"bus": 4, "car": 4, "van": 8}
