"""The page on judges as a browser shows it: narrow and dark, accessible, its pictures drawn."""

from __future__ import annotations

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from askpoint.answers.judges.case import answer_judges
from askpoint.answers.judges.question import JudgesQuestion
from askpoint.judges.sketch.tables import VoteTable
from askpoint.reports.judges.document import judges_document
from askpoint.reports.page import render_page

LONG = "a-judge-whose-name-is-so-long-that-no-phone-has-room-for-it-in-one-line"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 600)
    votes = np.where(rng.random((600, 5)) < 0.8, truth[:, None], 1 - truth[:, None])
    votes[rng.random(votes.shape) < 0.1] = -1
    tasks = tuple(f"<b>{i}</b>" for i in range(600))
    labels = ("سبام 🎉", "<i>ham</i>")
    table = VoteTable(tasks, ("ann", "bob", "cid", "dan", LONG), labels, votes.astype(np.int16))
    gold = {tasks[i]: labels[truth[i]] for i in rng.choice(600, 60, replace=False)}
    question = JudgesQuestion(gold=gold, propose=10, window=200, required=0.95)
    path = tmp_path_factory.mktemp("page") / "judges.html"
    document = judges_document(answer_judges(table, question), LONG)
    path.write_text(render_page(document), encoding="utf-8")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1200, "dark")])
def test_the_page_fits_and_axe_finds_no_violation(width, scheme, page_file, chromium):
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True
        ).new_page()
        page.goto(page_file.as_uri())
        large = page.locator("section").first.locator(".figures dt").all_inner_texts()
        assert large[1:] == ["votes alone say", "the majority says", "5 judges are worth"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.images.length") == 3
        assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
        found = Axe().run(page).response["violations"]
        browser.close()
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found] == []
