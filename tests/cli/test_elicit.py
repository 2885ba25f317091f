"""`askpoint elicit`: an interview at a terminal, left, resumed, replayed, and its file in use."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from askpoint.cli.main import main
from askpoint.measures.cost_matrix import CostMatrix

CLASSES = ("bus", "car", "van")
WORTH = {"bus": 9, "car": 3, "van": 27}  # checks per mistake, to the person here


def rows(n=200, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.full(3, 0.5), n)
    return [
        {
            "label": CLASSES[rng.choice(3, p=p)],
            **{f"p_{c}": x for c, x in zip(CLASSES, p, strict=True)},
        }
        for p in proba.tolist()
    ]


@pytest.fixture
def elicit(shell):
    """Run `askpoint elicit` on a log, in the folder of the test, with keys typed one per line."""
    log = shell.write("log.csv", rows())

    def run(*words, keys="", log=log):
        out = ["--out", shell.folder / "costs.json"] * ("--out" not in words)
        line = ["elicit", log, "--proba", "p_", *out, *words]
        return CliRunner().invoke(main, [str(word) for word in line], input=keys)

    run.log, run.folder = log, shell.folder
    return run


def number(text):
    return int(text.replace(",", ""))


def person(session_text):
    """Answer what stands on the screen, by WORTH: the last question only."""
    pair = re.findall(
        r"A decides ([\d,]+) cases? more of '(\w+)' right, B ([\d,]+) cases? more of '(\w+)'",
        session_text,
    )
    offer = re.findall(
        r"([\d,]+) right, ([\d,]+) wrong \(actually '(\w+)'\)", " ".join(session_text.split())
    )
    choices = re.split(r"Choice \d+, ", session_text)
    if "A decides" in choices[-1]:
        x, a, y, b = pair[-1]
        return "a" if number(x) * WORTH[a] > number(y) * WORTH[b] else "b"
    right, wrong, truth = offer[-1]
    return "y" if number(right) > (WORTH[truth] - 1) * number(wrong) else "n"


def test_what_a_missed_class_does_is_in_the_questions(elicit):
    words = [part for name in CLASSES for part in ("--missed", f"{name}={name} users wait")]
    said = " ".join(elicit(*words, keys="6\nq\n").stderr.split())
    assert re.search(r"decides '\w+': (\w+) users wait\. A person", said)
    assert re.search(r"A: [\d,]+ more (\w+) users wait\. B: [\d,]+ more (\w+) users wait\.", said)
    for wrong, says in (
        ("lorry=x", "the class in --missed must be one of the classes bus, car, van; got 'lorry'"),
        ("van", "--missed must be CLASS=WORDS"),
    ):
        refused = elicit("--missed", wrong, keys="q\n")
        assert refused.exit_code == 2
        assert says in refused.stderr


def test_an_interview_one_key_at_a_time(elicit, shell):
    """As a person would: the command is left after each answer and called again."""
    settings = ["--questions", 6, "--consistency-questions", 0, "--price-questions", 4]
    said = elicit(*settings, keys="6\nq\n").stderr
    for _ in range(10):
        result = elicit(*settings, keys=person(said) + "\nq\n")
        assert result.exit_code == 0, result.output
        said = result.stderr
    assert "What mistakes cost you" in result.stdout
    assert "goes on from" not in result.stderr
    costs = CostMatrix.from_json((elicit.folder / "costs.json").read_text())
    assert costs.cost[2, 0] > costs.cost[0, 1] > costs.cost[1, 0]
    value = shell.answer(elicit.log, "--proba", "p_", "--costs", elicit.folder / "costs.json")
    assert 0 <= value["hindsight"]["asked"]["share"] < 1


def test_a_simulated_person_and_the_replay(elicit):
    told = elicit("--simulate", "bus=9,car=3,van=27", "--json", "--seed", 5)
    assert told.exit_code == 0, told.output
    content = json.loads(told.stdout)
    for group in content["groups"]:
        (name,) = group["classes"]
        low, high = group["checks_interval"]
        assert low / 1.5 < WORTH[name] < high * 1.5
    session = elicit.folder / "costs.session.json"
    first = (elicit.folder / "costs.json").read_bytes()
    again = elicit("--answers", session, "--json", "--out", elicit.folder / "again.json")
    assert json.loads(again.stdout) == content
    assert (elicit.folder / "again.json").read_bytes() == first


def test_words_and_page(elicit, reader):
    page = elicit.folder / "page.html"
    result = elicit("--simulate", 20, "--html", page, "--together", "bus,van")
    assert result.exit_code == 0, result.output
    assert "One case that is really 'bus' or 'van' and decided wrongly costs you" in " ".join(
        result.stdout.split()
    )
    assert f"askpoint value {elicit.log} --proba p_ --costs" in result.stdout
    assert "How it narrowed" in page.read_text()
    assert "<script" not in page.read_text()
    assert reader.problems(page) == []


def test_all_answers_at_once(elicit):
    keys = "?\n" + "a\nb\ne\n" * 2 + "y\nn\ne\ny\n"
    result = elicit(
        "--questions", 6, "--consistency-questions", 0, "--price-questions", 4, keys=keys
    )
    assert result.exit_code == 0, result.output
    assert "From" not in result.stderr
    session = json.loads((elicit.folder / "costs.session.json").read_text())
    answers = [True, False, None] * 2 + [True, False, None, True]
    assert [answer for _, answer in session["log"]] == answers
    assert session["settings"]["guess"] is None


def test_keys_that_mean_nothing_are_asked_again(elicit):
    keys = "many\n0.2\n7\nx\ny\nA\ns\n"
    result = elicit(keys=keys)
    assert result.exit_code == 0, result.output
    assert "'many' is not a number" in result.stderr
    assert "must be at least 1; got 0.2" in result.stderr
    assert "'x' is not one of these" in result.stderr
    assert "'y' is not one of these" in result.stderr
    session = json.loads((elicit.folder / "costs.session.json").read_text())
    assert session["settings"]["guess"] == 7
    assert [answer for _, answer in session["log"]] == [True]
    assert "stopped after 1 choice" in " ".join(result.stdout.split())
    assert (elicit.folder / "costs.json").exists()


def test_left_it_writes_no_costs_and_goes_on(elicit):
    result = elicit(keys="5\na\nq\n")
    assert (result.exit_code, result.stdout) == (0, "")
    assert not (elicit.folder / "costs.json").exists()
    result = elicit(keys="q\n")
    assert "going on from" in result.stderr
    assert "1 choice made, at most 33 questions left" in result.stderr
    assert "Choice 2, at most" in result.stderr


def test_an_interview_that_breaks_off_is_kept(elicit):
    result = elicit(keys="5\na\nb\n")  # and the line goes dead
    assert result.exit_code == 130
    session = json.loads((elicit.folder / "costs.session.json").read_text())
    assert len(session["log"]) == 2


def test_who_leaves_before_the_first_guess_leaves_nothing(elicit):
    result = elicit(keys="q\n")
    assert (result.exit_code, result.stdout) == (0, "")
    assert not list(elicit.folder.glob("*.json"))


def refusal(result):
    assert result.exit_code == 2, (result.output, result.exception)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


def test_another_log_is_refused(elicit, shell):
    elicit(keys="5\na\nq\n")
    other = shell.write("other.csv", rows(seed=1))
    assert "other labels or probabilities" in refusal(elicit(log=other))


def test_other_settings_are_refused(elicit):
    elicit(keys="5\na\nq\n")
    assert "holds a session with other settings" in refusal(elicit("--questions", 9))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--answers", "no.json"], "no.json cannot be read"),
        (["--answers", "x", "--simulate", "3"], "not from both"),
        (["--simulate", "0.5"], "a simulated person takes checks per mistake"),
        (["--together", "bus,lorry"], "no class 'lorry' to group"),
        (["--questions", "-1"], "--questions"),
        (["--seed", "-1"], "--seed"),
        (["--out", "no/such/costs.json"], "cannot be written"),
        (["--label", "truth"], "no column 'truth'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(words, reason, elicit):
    assert reason in refusal(elicit(*words))
