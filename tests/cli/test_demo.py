"""`askpoint demo`: a newcomer's first minute."""

from __future__ import annotations

import re
import shlex

import pytest

from askpoint.cli import demo
from askpoint.records.datasets import breast_cancer_log, digits_log, digits_votes


@pytest.fixture(scope="module")
def logs():
    """The demo's logs, made once."""
    return {"biopsies": breast_cancer_log(), "digits": digits_log()}


@pytest.fixture
def quick(monkeypatch, logs):
    """The demo, with the training done before."""
    stories = [
        story._replace(make_log=lambda s=story: logs[s.title.lower()]) for story in demo._STORIES
    ]
    monkeypatch.setattr(demo, "_STORIES", stories)


def flat(text):
    """A report in one line."""
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def test_it_answers_in_words_and_with_a_page(quick, shell):
    folder = shell.folder / "a new" / "folder"
    result = shell.run("demo", "--folder", folder)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in folder.iterdir()) == [
        "biopsies.csv",
        "checked.csv",
        "digits.csv",
        "report.html",
        "votes.csv",
    ]
    said = flat(result.stdout)
    assert "Biopsies: A check by a doctor costs a twentieth of a wrong diagnosis." in said
    assert said.count("Decided: let the model decide alone where its confidence is at least") == 2
    assert said.count("to be decided wrongly (in brackets: between these numbers") == 2
    assert "askpoint value LOG" in said
    assert "Training" in result.stderr
    assert "Training" not in result.stdout
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("<figure>") == 11
    for heading in ("Biopsies: The answer", "Digits: The answer", "Digits: Model by model"):
        assert f">{heading}</h2>" in page
    # the commands that it prints say the same again
    commands = re.findall(r"^The same: (askpoint value .*)$", result.stdout, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        again = flat(shell.said(*shlex.split(command)[1:]))
        answer = again[again.index("Decided: let the model") : again.index("Compared with")]
        assert answer in said
    (judged,) = re.findall(r"^The same: (askpoint judges .*)$", result.stdout, re.MULTILINE)
    again = flat(shell.said(*shlex.split(judged)[1:]))
    checked = (folder / "checked.csv").read_text().splitlines()[1:]
    loops = sum(row.endswith(",loop") for row in checked)
    told = re.search(r"loop is the true label of ([\d.]+ %) of 1,797 items", again)
    held = re.search(r"\(95 % interval ([\d.]+) % to ([\d.]+) %", again)
    low, high = map(float, held.groups())
    assert low < loops < high  # of 100 checked; the votes on all move the share a little
    assert told.group(1) in said
    assert "With 100 checked" in said
    assert "(100 labels)" in again
    assert "An error that all judges share leaves no trace in votes" in said
    assert "independence is not assumed" in again
    truth = (digits_votes()["truth"] == "loop").mean()
    assert f"{100 * truth:.1f} %" in said  # which only a demo knows


def test_a_folder_that_cannot_be_made(quick, shell):
    shell.write("file", "")
    assert "cannot be made" in shell.refusal("demo", "--folder", shell.folder / "file" / "x")
    assert "is a file" in shell.refusal("demo", "--folder", shell.folder / "file")
