"""The page as a browser shows it: nothing refused, narrow and dark, and accessible."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import sync_playwright

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.records.logs import read_log
from askpoint.reports.page import render_page
from askpoint.reports.value.document import value_document, value_sections
from askpoint.value.limits import AskAtMost

LONG = "a-group-whose-name-is-so-long-that-no-phone-has-room-for-it-in-one-line-" * 2


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """A page with all that a report can hold: models, groups, notices, pictures."""
    rng = np.random.default_rng(0)
    p = rng.uniform(0, 1, 300)
    y = rng.random(300) < p
    names = np.array(["<b>ham</b>", "سبام 🎉"])
    log = read_log(
        pl.DataFrame(
            {
                "id": np.tile(np.arange(150), 2),
                "label": names[y.astype(int)],
                "proba": p,
                "model": ["old"] * 150 + ["new"] * 150,
                "group": [LONG, "north", None] * 100,
            }
        ),
        classes=names.tolist(),
        model="model",
        group="group",
    )
    answer = answer_question(log, ValueQuestion(AskAtMost(0.3)))
    again = value_sections(answer)[1]  # as the demo has more than one answer
    again = replace(again, title=f"Again: {again.title}")
    document = value_document(answer, LONG + ".csv")
    document = replace(document, sections=(*document.sections, again))
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render_page(document), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser(chromium):
    """Chromium, driven by playwright."""
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def opened(browser, page_file):
    """Return a function that opens the page in a window, and all folds; what the console says is kept."""
    contexts = []

    def open_page(width=1200, scheme="light", *, folded=False):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True
        )
        contexts.append(context)
        page = context.new_page()
        page.console = []
        page.on("console", lambda message: page.console.append(message.text))
        page.on("pageerror", lambda error: page.console.append(str(error)))
        page.on("request", lambda request: page.console.append(request.url[:60]))
        page.goto(page_file.as_uri())
        if not folded:
            page.evaluate("document.querySelectorAll('details').forEach(it => { it.open = true; })")
        return page

    yield open_page
    for context in contexts:
        context.close()


def is_expected(message):
    """Whether the browser only asked for the page itself and pictures inside it."""
    return message.startswith(("file://", "data:image/svg+xml,"))


def test_the_policy_refuses_nothing_and_nothing_is_loaded(opened):
    page = opened()
    assert [message for message in page.console if not is_expected(message)] == []
    assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
    assert page.evaluate("getComputedStyle(document.body).margin") == "0px"  # the style applies


def test_the_policy_would_refuse_a_script(opened):
    page = opened()
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
        " document.body.append(s); }"
    )
    assert page.evaluate("window.ran") is None
    assert any("Content Security Policy" in message for message in page.console)


@pytest.mark.parametrize("width", [320, 360, 768, 1600])
def test_no_window_scrolls_sideways(width, opened):
    page = opened(width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("Math.max(...[...document.images].map(i => i.clientWidth))") <= width


def test_the_contents_open_what_they_lead_to(opened):
    """Also without a script, which a strict reader forbids: the link leads into the fold."""
    page = opened(folded=True)
    assert page.locator("main > section > details[open]").count() == 0
    for place in (1, 3):
        page.locator("nav a").nth(place).click()
        page.wait_for_function(
            f"document.querySelectorAll('main > section')[{place}].querySelector('details').open"
        )
    assert page.locator("main > section > details[open]").count() == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_and_paper_are_of_one_scheme(scheme, opened):
    page = opened(scheme=scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red, green, blue = map(int, re.findall(r"\d+", paper))
    shown = page.locator("img").all()
    assert len(shown) == 5
    for image in shown:
        image.evaluate("it => it.scrollIntoView()")
        corner = image.bounding_box() | {"width": 8, "height": 8}
        with Image.open(io.BytesIO(page.screenshot(clip=corner))) as drawn:
            assert drawn.convert("RGB").getpixel((3, 3)) == (red, green, blue)  # its own ground
    assert (red > 127) == (scheme == "light")


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1200, "dark")])
def test_axe_finds_no_violation(width, scheme, opened):
    found = Axe().run(opened(width, scheme)).response["violations"]
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found] == []


@pytest.mark.parametrize("width", [320, 390])
def test_no_column_of_a_table_is_out_of_sight_on_a_phone(width, opened):
    page = opened(width)
    tables = page.locator(".grid").all()
    assert tables
    for table in tables:
        assert table.evaluate("it => it.scrollWidth <= it.clientWidth"), table.inner_text()
    row = page.locator(".stack tbody tr").first  # what the headings said stands before the cells
    names = row.evaluate("it => [...it.children].map(c => getComputedStyle(c, '::before').content)")
    assert all(name not in {"none", '""'} for name in names)


def test_tables_are_reached_by_keyboard(opened):
    page = opened(360)
    for _ in page.locator("nav a").all():
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.tagName") == "A"
    reached = []
    for _ in range(8):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("(it => it.className || it.tagName)(document.activeElement)"))
    assert {"SUMMARY", "grid"} <= set(reached)


def test_sections_unfold_by_keyboard_and_are_printed_whole(opened):
    page = opened(folded=True)
    fold = page.locator("section > details:has(> .grid)").first
    table = fold.locator("> .grid").first
    assert page.locator("details[open]").count() == 0
    assert not table.is_visible()
    fold.locator("> summary").focus()
    page.keyboard.press("Enter")
    assert table.is_visible()
    page.keyboard.press("Enter")
    assert not table.is_visible()
    page.emulate_media(media="print")
    assert table.is_visible()


@pytest.mark.parametrize("width", [673, 1450])  # A4 upright and A3 lying, within their margins
def test_nothing_is_cut_on_paper(width, opened):
    page = opened(width)
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.locator("main").bounding_box()["x"] == 0
    ends = page.locator("table, pre, img").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert 0 < max(ends) <= width
    breaks = page.locator("figure, tr, .figures").evaluate_all(
        "all => all.map(one => getComputedStyle(one).breakInside)"
    )
    assert set(breaks) == {"avoid"}


def test_a_masthead_says_four_figures(opened):
    page = opened()
    names = page.locator(".figures").first.locator("dt").all_inner_texts()
    assert names == ["decided alone", "go to review", "decided wrongly", "your limit holds"]
    alone, asked = (
        int(text.split()[0].replace(",", ""))
        for text in page.locator(".figures").first.locator("dd").all_inner_texts()[:2]
    )
    assert alone + asked == pytest.approx(1000, abs=1)


def test_paper_is_light_and_shows_no_signs_to_click(opened):
    page = opened()
    page.emulate_media(media="print", color_scheme="dark")
    looks = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, "
        "...[...document.querySelectorAll('summary > *')].map("
        "heading => getComputedStyle(heading, '::after').content)]"
    )
    assert looks[0] == "rgb(255, 255, 255)"
    assert len(looks) > 3
    assert set(looks[1:]) == {"none"}


def test_the_contents_mark_where_the_reader_is(opened):
    page = opened()
    links = page.locator("nav a")
    for which in (2, 0):
        page.locator("h2").nth(which).evaluate("heading => heading.scrollIntoView()")
        page.wait_for_function(
            "which => document.querySelectorAll('nav a')[which].matches(':target-current')",
            arg=which,
        )
        weights = links.evaluate_all("all => all.map(a => getComputedStyle(a).fontWeight)")
        assert [i for i, weight in enumerate(weights) if int(weight) > 400] == [which]


def test_turning_the_price_shows_what_follows(opened):
    page = opened()
    box = page.locator(".turned").first
    slider, shown, dot = (box.locator(name) for name in (".what-if input", "output", ".dot"))
    place = dot.bounding_box()
    before = shown.all_inner_texts()
    slider.focus()
    page.keyboard.press("End")
    after = shown.all_inner_texts()
    assert after[0] == slider.get_attribute("aria-valuetext") == "1,000 checks"
    assert before[0] == "20 checks"
    assert all(after)
    assert before != after
    assert dot.bounding_box()["x"] > place["x"]
    image = box.locator("img").bounding_box()
    assert image["y"] < dot.bounding_box()["y"] < image["y"] + image["height"]


def test_turning_capacity_shows_what_follows(opened):
    page = opened()
    box = page.locator(".turned").nth(1)
    slider, shown = box.locator("input"), box.locator("output")
    slider.focus()
    page.keyboard.press("End")
    assert shown.all_inner_texts()[0] == "1,000 of 1,000 cases"
    page.keyboard.press("Home")
    said = shown.all_inner_texts()
    assert (said[0], said[2]) == ("0 of 1,000 cases", "0")


def test_a_reader_tells_what_is_hard_to_read(reader, tmp_path):
    path = tmp_path / "bad.html"
    pale = "<main><h1>Pale</h1><p style='color:#ddd;background:#fff;width:600px'>words</p></main>"
    path.write_text(
        f"<!doctype html><html lang='en'><title>t</title>{pale}<img src='gone.png' alt='gone'>"
    )
    found = reader.problems(path)
    assert {("light", "color-contrast"), ("dark", "color-contrast")} <= {
        tuple(it[:2]) for it in found
    }
    assert "scrolls sideways" in str(found)
    assert ["a picture does not show"] in found
