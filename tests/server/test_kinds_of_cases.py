"""Reviewers' pages of what is long: forty labels, and a dialogue of 500 turns."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from playwright.sync_api import sync_playwright

import askpoint
from askpoint.server.deployments import queue
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import Label
from askpoint.server.home.words import dialogue, is_many, key, line, pairs
from askpoint.server.labelling.models import Case
from server.in_use import InUse

FORTY = [f"topic {i:02d}" for i in range(38)] + ["fine", "hate"]
SCRIPT = Path(askpoint.__file__).parent / "server/home/static/askpoint/page.js"


def talk(n, **more):
    return {"turns": [{"who": "ab"[i % 2], "text": f"turn <{i}>"} for i in range(n)], **more}


def ten_cases():
    """A classifier in use for ten cases, whose labels count at once."""
    in_use = InUse()
    change_settings(in_use.id, capacity=None, second=0.0, hold=0)
    in_use.decide(10)
    return in_use


@pytest.fixture
def in_use(stand):
    return stand(ten_cases)


def test_a_label_has_a_key_where_there_are_enough_of_them():
    assert [key(FORTY[:12], place) for place in range(12)] == [*"1234567890-="]
    assert {key(FORTY[:13], place) for place in range(13)} == {""}
    assert (is_many(FORTY[:12]), is_many(FORTY[:13])) == (False, True)
    assert [key(["7", "3"], place) for place in range(2)] == ["7", "3"]


def test_one_of_forty_labels_is_found_by_typing_and_there_without_a_script(
    in_use, enter, monkeypatch, chromium
):
    browser = enter(in_use.rosa)
    browser.get(reverse("review"))  # pages are loaded by now: none keeps what is patched
    monkeypatch.setattr(queue, "classes_of", lambda _: FORTY)
    page = browser.post(reverse("review-claim"), follow=True)
    text = page.content.decode()
    assert text.count('name="choice"') == 40
    assert '<p id="finder" hidden>' in text
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = running.new_page()
        tab.set_content(text, wait_until="domcontentloaded")
        tab.add_script_tag(path=SCRIPT)
        tab.evaluate(
            """() => {
                window.said = [];
                document.getElementById("choose").addEventListener("submit", (event) => {
                    event.preventDefault(); window.said.push(event.submitter.value);
                });
                document.dispatchEvent(new CustomEvent("htmx:afterSettle", {detail: {}}));
            }"""
        )
        assert tab.evaluate("() => document.activeElement.id") == "find"
        tab.keyboard.press("Enter")  # nothing was typed: nothing is said
        tab.keyboard.type("HAT")
        assert tab.inner_text("#finder output") == "1 fit, first: hate"
        shown = "() => [...document.querySelectorAll('#choose button')].filter((it) => !it.hidden).length"
        assert tab.evaluate(shown) == 1
        tab.keyboard.press("Enter")
        tab.keyboard.type("x")
        assert tab.inner_text("#finder output") == "0 fit, first: none"
        tab.keyboard.press("Enter")
        assert tab.evaluate("() => window.said") == ["hate"]
        running.close()
    browser.post(reverse("review-vote"), {"case": page.context["held"].ticket, "choice": "hate"})
    assert Label.objects.get().label == "hate"


def test_a_dialogue_of_500_turns_shows_those_near_the_one_to_judge(in_use, enter):
    Case.objects.update(content=talk(500, judge=250))
    text = enter(in_use.rosa).post(reverse("review-claim"), follow=True).content.decode()
    assert "247 earlier turns" in text
    assert "248 later turns" in text
    assert text.count('class="judged"') == 1
    assert "turn &lt;250&gt;" in text.partition('class="judged"')[2][:200]
    assert text.count("<li") >= 500


def test_what_is_no_dialogue_is_shown_as_it_was():
    assert dialogue("a text") is None
    for wrong in (
        {"turns": []},
        {"turns": "a, b"},
        {"turns": [{"who": "a"}]},
        {"turns": [{"who": "a", "text": 3}]},
        talk(3, judge=3),
        talk(3, judge=-1),
        talk(3, judge=True),
        talk(3, judge="last"),
    ):
        assert dialogue(wrong) is None
        assert [name for name, _ in pairs(wrong)] == list(wrong)
    assert pairs(talk(3)) == []
    assert line(talk(3)) == "a: turn <2>"
    assert "earlier" not in render_to_string("case.html", {"case": talk(4)})
    assert "1 earlier turn<" in render_to_string("case.html", {"case": talk(5)})
