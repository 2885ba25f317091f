"""What of a report a page of the server shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import askpoint
from askpoint import CheckCost, MaxError, MaxMistakes, answer_value, read_log
from askpoint.answers.live.first_policy import OpeningQuestion, answer_opening
from askpoint.reports.document import Document, Notice, Paragraph, Section
from askpoint.reports.live.deploy import opening_document
from askpoint.reports.page import render_page
from askpoint.reports.value.document import value_document
from askpoint.server.report_sections import plain_sections

OPTION = re.compile(r"--[a-z]")


def log_of(n_labels, *, sure_first=False):
    rng = np.random.default_rng(3)
    sure = rng.uniform(0.5, 1, 600)
    said = np.where(rng.random(600) < sure, "a", "b")
    order = np.argsort(-sure) if sure_first else rng.permutation(600)
    label = np.full(600, None, dtype=object)
    label[order[:n_labels]] = said[order[:n_labels]]
    frame = {"label": label.tolist(), "prediction": "a", "confidence": sure}
    return read_log(pl.DataFrame(frame), classes=["a", "b"])


def value_of(n_labels, *wanted, sure_first=False, **more):
    return value_document(
        answer_value(log_of(n_labels, sure_first=sure_first), *wanted, **more), "log.csv"
    )


def policy_of(question):
    model = {"measure": "max_probability", "classes": ["a", "b"]}
    opening = answer_opening(None, question, name="posts", model=model, secret_hash="0" * 64)
    shown = opening_document(opening, "posts")
    return Document(shown.title, shown.sections[:-1])  # the last names commands


DOCUMENTS = {
    "labels of sure cases": lambda: value_of(100, CheckCost(0.05), sure_first=True),
    "no price": lambda: value_of(60),
    "a promise": lambda: value_of(200, MaxError(0.05, delta=0.1)),
    "looked at once": lambda: value_of(200, MaxError(0.05, delta=0.1), look="once"),
    "the whole output": lambda: value_of(200, MaxMistakes(0.2, delta=0.1)),
    "a policy without a price": lambda: policy_of(OpeningQuestion(rate=0.1, assumed=True)),
    "a policy for all cases": lambda: policy_of(
        OpeningQuestion(aim="promise", rate=0.1, of_all_cases=True)
    ),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_page_names_no_option_of_a_command(name):
    document = DOCUMENTS[name]()
    blocks = [block for section in document.sections for block in section.blocks]
    said = [block.whole for block in blocks if isinstance(block, Paragraph | Notice)]
    assert any(OPTION.search(text) for text in said)  # who types a command reads of them
    assert not OPTION.search(json.dumps(plain_sections(document.sections)))
    page = re.sub(
        r"<(style|script|svg|code).*?</\1>",
        "",
        render_page(document, options=False),
        flags=re.DOTALL,
    )
    assert not OPTION.search(page)


def test_options_follow_the_text_where_a_command_is_typed():
    block = Notice("A price is assumed.", "Add --mistake.")
    assert block.whole == "A price is assumed. Add --mistake."
    assert "A price is assumed. Add --mistake." in render_page(
        Document("It", (Section("One", (block,)),))
    )
    (plain,) = plain_sections([Section("One", (block,))])
    assert [one["text"] for one in plain["blocks"]] == ["A price is assumed."]


def test_a_template_names_options_only_in_commands():
    command = re.compile(
        r"<(pre|code|script|style|svg|textarea)\b.*?</\1>|{#.*?#}|<!--.*?-->", re.DOTALL
    )
    templates = list(Path(askpoint.__file__).parent.rglob("*server/**/*.html"))
    assert len(templates) > 100
    assert [it for it in templates if OPTION.search(command.sub("", it.read_text()))] == []
    assert OPTION.search(command.sub("", "<p>Add --rho.</p><code>--at</code>"))
    assert not OPTION.search(command.sub("", "<p>Add it.</p><code>--at</code>"))
