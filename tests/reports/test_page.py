"""The page: valid HTML, self-contained, and safe whatever names a log holds."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest

from askpoint.reports.document import Document, Grid, Notice, Paragraph, Picture, Section, WhatIf
from askpoint.reports.page import render_page

VOID = {"meta", "img", "source", "br", "hr", "link", "input"}
EVIL = [
    "<script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    '" onload="alert(1)',
    "' onload='alert(1)",
    "{{ 7 * 7 }}",
    "&amp; &lt;",
    "--><!-- </main>",
    "🎉 späm",
    "سبام\N{RIGHT-TO-LEFT MARK}",
]


class Page(HTMLParser):
    """A strict reader: every element closes in its place."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts = [], [], []
        self.declaration = None
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_decl(self, decl):
        self.declaration = decl

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, attrs)
        self.elements.append((tag, dict(attrs), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((tuple(self.open), data))

    def all(self, tag):
        return [attrs for name, attrs, _ in self.elements if name == tag]

    def text(self, tag):
        return "".join(data for path, data in self.texts if tag in path)


def draw(ax):
    ax.plot([0, 1])
    ax.set_title("a & b <c>")


def report(name="name"):
    """A document with every kind of block, in two sections of the same shape."""
    blocks = (
        Paragraph(f"{name} leads", lead=True),
        Paragraph(name),
        Notice(name),
        Grid(name, (name, "b"), ((name, name), ("x", "y")), name),
        Picture(name, f"{name} in words", draw, 1.0),
    )
    return Document(name, (Section(f"{name} one", blocks), Section("two", blocks)), name)


@pytest.fixture(scope="module")
def page():
    return Page(render_page(report()))


def test_it_is_a_whole_html5_document(page):
    assert page.declaration == "doctype html"
    assert [attrs["lang"] for attrs in page.all("html")] == ["en"]
    assert {"charset": "utf-8"} in page.all("meta")
    assert any(attrs.get("name") == "viewport" for attrs in page.all("meta"))
    for tag in ("html", "head", "body", "main", "title", "h1", "style", "footer"):
        assert len(page.all(tag)) == 1, tag
    assert page.text("title") == "name"


def test_ids_are_unique_and_labels_point_to_them(page):
    ids = [attrs["id"] for _, attrs, _ in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    sections = [attrs["aria-labelledby"] for attrs in page.all("section")]
    assert sections == [it for it in ids if not it.startswith("told-")]


def test_contents_lead_to_every_section():
    sections = tuple(Section(f"Part {i} < {i + 1}", (Paragraph("x"),)) for i in range(3))
    page = Page(render_page(Document("name", sections)))
    links = [attrs["href"] for attrs in page.all("a")]
    assert links == ["#section-1", "#told-2", "#told-3"]  # those behind the first are folded
    assert [attrs["id"] for attrs in page.all("h2")] == ["section-1", "section-2", "section-3"]
    assert [attrs["id"] for attrs in page.all("span")] == ["told-2", "told-3"]
    assert len(page.all("nav")) == 1
    assert not Page(render_page(Document("name", sections[:2]))).all("nav")  # seen at a glance


def test_headings_come_in_order(page):
    levels = [tag for tag, _, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels == ["h1", "h2", "h3", "h2"]


def test_every_picture_has_an_alternative_and_a_dark_palette(page):
    assert len(page.all("img")) == 2
    for image in page.all("img"):
        assert image["alt"] == "name in words"
        assert (image["width"], image["height"]) == ("430", "100")
        kind, _, content = image["src"].partition(",")
        assert kind == "data:image/svg+xml"
        text = unquote(content)
        assert ET.fromstring(text).tag.endswith("svg")  # noqa: S314 (our own)
        assert "prefers-color-scheme:dark" in text


def test_tables_have_headers_for_columns_and_rows(page):
    assert [attrs["scope"] for attrs in page.all("th")] == ["col", "col", "row", "row"] * 2
    assert len(page.all("caption")) == 2
    regions = [attrs for attrs in page.all("div") if attrs.get("role") == "region"]
    assert [attrs["tabindex"] for attrs in regions] == ["0", "0"]
    assert len({attrs["aria-label"] for attrs in regions}) == 2


def test_nothing_is_run_and_nothing_is_loaded(page):
    tags = {tag for tag, _, _ in page.elements}
    assert not tags & {"script", "link", "iframe", "object", "embed", "form", "base", "a"}
    for _, attrs, _ in page.elements:
        for name, value in attrs.items():
            assert not name.startswith("on")
            assert name != "style"
            if name in ("src", "srcset", "href"):
                assert value.startswith("data:image/svg+xml,")
    assert "url(" not in page.text("style")
    assert "@import" not in page.text("style")


def test_the_policy_allows_this_style_and_pictures_inside(page):
    (policy,) = [
        attrs["content"]
        for attrs in page.all("meta")
        if attrs.get("http-equiv") == "Content-Security-Policy"
    ]
    digest = base64.b64encode(hashlib.sha256(page.text("style").encode()).digest()).decode()
    assert policy == f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'"


@pytest.mark.parametrize("name", EVIL)
def test_names_are_texts_and_nothing_else(name, page):
    evil = Page(render_page(report(name)))
    assert [(tag, path) for tag, _, path in evil.elements] == [
        (tag, path) for tag, _, path in page.elements
    ]
    # a long name may make a table wide: its class, and its cells' labels, are the page's own
    own = {"class", "data-label"}
    assert [set(attrs) - own for _, attrs, _ in evil.elements] == [
        set(attrs) - own for _, attrs, _ in page.elements
    ]
    assert evil.text("title") == evil.text("h1") == evil.text("footer") == name
    assert evil.text("caption") == evil.text("figcaption") == 2 * name
    assert [image["alt"] for image in evil.all("img")] == 2 * [f"{name} in words"]
    assert f"{name}b{name}{name}xy" in "".join(evil.text("table").split("\n"))


def test_an_interval_stays_on_one_line():
    cells = ("a to b", "25.0% (21.1% to 29.6%)", "-4 to -1", "up to 3")
    block = Grid("name", ("", "one", "two", "three"), (cells,))
    page = Page(render_page(Document("name", (Section("Part", (block,)),))))
    said = page.text("td").replace("\xa0", "~")
    assert said == "25.0% (21.1%~to~29.6%)-4~to~-1up to 3"


def test_the_same_report_is_the_same_page():
    assert render_page(report()) == render_page(report())


def test_without_a_footer_or_sections_it_is_still_a_page():
    bare = Page(render_page(Document("bare", ())))
    assert bare.all("footer") == []
    assert bare.text("h1") == "bare"


def turned(title="name"):
    stops = (("1 check", "0.5 < x"), ("20 checks", "never"))
    block = WhatIf(title, "If one were worth", ("answer from",), lambda: stops, 1)
    return render_page(Document("name", (Section("Part", (block,)),))), stops


@pytest.mark.parametrize("name", EVIL)
def test_a_number_to_turn_brings_its_stops_and_one_known_script(name):
    text, stops = turned(name)
    page = Page(text)
    (box,) = [attrs for attrs in page.all("div") if attrs.get("class") == "what-if"]
    assert json.loads(box["data-stops"]) == [list(stop) for stop in stops]
    assert box["aria-label"] == name
    assert "hidden" in box  # until the script has run
    (slider,) = page.all("input")
    assert (slider["max"], slider["value"]) == ("1", "1")
    digest = base64.b64encode(hashlib.sha256(page.text("script").encode()).digest()).decode()
    (policy,) = [a["content"] for a in page.all("meta") if "http-equiv" in a]
    assert policy.endswith(f"; script-src 'sha256-{digest}'")


def test_a_first_screen_has_an_answer_a_curve_and_a_table_and_folds_no_warning():
    long = "word " * 60
    first = (
        Notice(f"careful {long}"),
        Paragraph("the lead", lead=True),
        Paragraph("it is explained"),
        Paragraph("more of the lead", lead=True),
        Grid("first table", ("a",), (("x",),)),
        Grid("second table", ("a",), (("x",),)),
        Notice("careful again"),
    )
    later = (Picture("curve", "in words", draw, 1.0), Paragraph("later"))
    text = render_page(Document("name", (Section("one", first), Section("two", later))))
    seen, folded = text.split('<details class="inner">')
    folded, others = folded.split("</section>", 1)
    places = [seen.index(it) for it in ("careful word", "the lead", "curve", "first table")]
    assert places == sorted(places)
    assert seen.index("careful again") > places[-1]
    for words in ("it is explained", "more of the lead", "second table"):
        assert words in folded
        assert words not in seen
    assert "<details>" in others
    assert "curve" not in others


def test_signs_that_only_decorate_are_not_read_out():
    style = (files("askpoint.reports") / "templates" / "page.css").read_text("utf-8")
    signs = re.findall(r"\{ content: \"[^\"]+\";([^}]*)\}", style)
    assert len(signs) == 2
    assert all('/ "";' in rest for rest in signs)
