"""A report in a notebook: the page in a cell, the same page in a file, and the words."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys

import polars as pl
import pytest

from askpoint import CheckCost, InputError, read_log, read_votes, report
from askpoint.answers.judges.case import answer_judges
from askpoint.answers.judges.question import JudgesQuestion
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.reports.judges.json import judges_object
from askpoint.reports.page import render_page
from askpoint.reports.value.json import value_object

EVIL = "</title><script>alert(1)</script>"


def value_answer():
    log = read_log(pl.DataFrame({"label": [0, 1] * 50, "proba": [0.1, 0.9] * 50}))
    return answer_question(log, ValueQuestion(CheckCost(0.05)))


def judges_answer():
    votes = {"ann": ["x", "y"] * 20, "bob": ["x", "y"] * 20, "cyd": ["x", "y", "y", "y"] * 10}
    return answer_judges(read_votes(pl.DataFrame(votes)), JudgesQuestion())


@pytest.mark.parametrize(
    ("make", "content"),
    [(value_answer, value_object), (judges_answer, judges_object)],
)
def test_words_page_and_object_say_the_same_answer(make, content, tmp_path):
    said = report(make(), f"of {EVIL}")
    assert said.content == content(make())
    assert str(said).splitlines()[0] == said.document.title
    assert (said.document.about or said.document.title).endswith(EVIL)
    assert all(section.title in str(said) for section in said.document.sections)
    page = said.to_html(tmp_path / "report.html").read_text()
    assert page == render_page(said.document)
    frame = said._repr_html_()
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]) == page
    assert re.findall(r"<\w+", frame) == ["<iframe"]  # nothing breaks out of the attribute
    assert " sandbox " in frame


def test_a_notebook_without_a_display_shows_the_words():
    code = (
        "import polars as pl\n"
        "from askpoint import CheckCost, answer_value, read_log, report\n"
        "log = read_log(pl.DataFrame({'label': [0, 1] * 50, 'proba': [0.1, 0.9] * 50}))\n"
        "said = report(answer_value(log, CheckCost(0.05)))\n"
        "assert '<img' not in said._repr_html_() and 'img src' in said._repr_html_()\n"
        "print(repr(said))"
    )
    screen = {"DISPLAY", "WAYLAND_DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={k: v for k, v in os.environ.items() if k not in screen} | {"MPLBACKEND": "tkagg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.strip() == repr(report(value_answer()))
    assert done.stdout.startswith(("Decided", "Not decided"))


def test_what_is_no_answer_is_refused():
    with pytest.raises(InputError, match=r"one of ValueAnswer, .*; got dict"):
        report({})
