"""A report as one self-contained page: nothing loaded, a strict content policy.

The one script moves what-if sliders; a page without them has none.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.util
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import resources
from operator import attrgetter
from typing import Any

import jinja2
from markupsafe import Markup

from askpoint.displays.theme import WIDTH, draw_svg
from askpoint.records.lost_parts import guard_part
from askpoint.reports.document import (
    Block,
    Document,
    Figures,
    Grid,
    Notice,
    Paragraph,
    Picture,
    Section,
    WhatIf,
)

__all__ = ["NO_PICTURES", "can_draw", "page_policy", "render_page"]

NO_PICTURES = "without pictures, which are an extra part: pip install 'askpoint[plots]'"

_MOST_WORDS = 48  # of the answer, so that a first screen has at most 90
_BETWEEN = re.compile(r"(?<=[\d%]) to (?=[-\N{MINUS SIGN}\d])")


@functools.cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("askpoint.reports"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render_page(document: Document, *, options: bool = True) -> str:
    """Return a report as the text of one HTML file; without options where no command is typed.

    Without matplotlib it has no pictures, and says so at its end.
    """
    if not can_draw():
        document = _without_pictures(document)
    document = _lay_out(document)
    drawn: dict[int, Any] = {}
    sections = tuple(_prepare(section, drawn) for section in document.sections)
    document = replace(document, sections=sections)
    style, script = _file("page.css"), ""
    if any(isinstance(block, WhatIf) for block in _all_blocks(document.sections)):
        script = _file("page.js")
    return (
        _environment()
        .get_template("page.html")
        .render(
            document=document,
            style=style,
            script=script,
            digest=_digest,
            kind=_kind,
            image=lambda picture: drawn[id(picture)],
            whole=_whole,
            said=attrgetter("whole" if options else "text"),
            width=WIDTH,
            places=lambda turned: drawn[id(turned)],
        )
    )


def _lay_out(document: Document) -> Document:
    """Put one answer, one curve and one table first; how to read them is folded, as all other sections are."""
    if not document.sections:
        return document
    first, *others = document.sections
    seen: dict[str, list[Block]] = {
        place: [] for place in ("answer", "figures", "curve", "table", "besides")
    }
    left = _MOST_WORDS
    rest: list[Block] = []
    for block in first.blocks:
        place = _place_in_sight(block)
        if place is None or (place in ("curve", "table") and seen[place]):
            rest.append(block)
            continue
        if isinstance(block, Paragraph | Notice):
            left -= len(block.whole.split())
            has_lead = any(isinstance(one, Paragraph) for one in seen["answer"])
            if left < 0 and isinstance(block, Paragraph) and has_lead:
                rest.append(block)
                continue
            if left < 0 and isinstance(block, Notice) and seen["answer"]:
                place = "besides"  # a warning is never folded: it stands below the table
        if isinstance(block, Figures) and block.note:
            rest.append(Paragraph(block.note))
            block = replace(block, note="")
        seen[place].append(block)
    if not seen["curve"]:
        others, seen["curve"] = _take_curve(others)
    inside = first.inside
    if rest:
        inside = (Section("How to read this", tuple(rest)), *inside)
    blocks = tuple(block for part in seen.values() for block in part)
    return replace(document, sections=(replace(first, blocks=blocks, inside=inside), *others))


def _place_in_sight(block: Block) -> str | None:
    """Return where a block of the first section stands; None where it is folded."""
    if isinstance(block, Paragraph):
        return "answer" if block.lead else None
    if isinstance(block, Notice):
        return "answer"
    if isinstance(block, Figures):
        return "figures"
    return "table" if isinstance(block, Grid) else "curve"


def _is_curve(block: Block) -> bool:
    return isinstance(block.picture if isinstance(block, WhatIf) else block, Picture)


def _take_curve(sections: list[Section]) -> tuple[list[Section], list[Block]]:
    """Take the first picture out of its section, which goes if nothing is left of it."""
    for place, section in enumerate(sections):
        for block in section.blocks:
            if _is_curve(block):
                blocks = tuple(one for one in section.blocks if one is not block)
                left = [replace(section, blocks=blocks)]
                if not (blocks or section.inside or section.commands):
                    left = []
                return [*sections[:place], *left, *sections[place + 1 :]], [block]
    return sections, []


def page_policy() -> str:
    """Return what a page may load and do, for whoever serves it: pictures inside, one style, one script."""
    return (
        f"default-src 'none'; img-src data:; style-src 'sha256-{_digest(_file('page.css'))}'; "
        f"script-src 'sha256-{_digest(_file('page.js'))}'"
    )


def can_draw() -> bool:
    """Say whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def _prepare(section: Section, drawn: dict[int, Any]) -> Section:
    """Draw and count all that may fail before the page is written; what does is named in its place."""
    blocks: list[Block] = []
    for block in section.blocks:
        if not isinstance(block, Picture | WhatIf):
            blocks.append(block)
            continue
        lost: dict[str, str] = {}
        with guard_part(block.title, lost):
            blocks.append(_prepare_block(block, drawn))
        blocks += [
            Notice(f"Lost here: {title.rstrip('.')}. Why: {why}.") for title, why in lost.items()
        ]
    inside = tuple(_prepare(part, drawn) for part in section.inside)
    return replace(section, blocks=tuple(blocks), inside=inside)


def _prepare_block(block: Picture | WhatIf, drawn: dict[int, Any]) -> Block:
    if isinstance(block, Picture):
        drawn[id(block)] = _image(draw_svg(block.draw, (), height=block.height).text)
        return block
    stops = block.stops()
    turned = replace(block, stops=lambda: stops)
    drawn[id(turned)] = []
    if block.picture is not None:  # with a moving dot: where it stands at each stop, in hundredths
        found = draw_svg(block.picture.draw, block.dots(), height=block.picture.height)
        drawn[id(block.picture)] = _image(found.text)
        drawn[id(turned)] = [[round(100 * x, 2), round(100 * y, 2)] for x, y in found.places]
    return turned


def _without_pictures(document: Document) -> Document:
    sections = tuple(_undrawn(section) for section in document.sections)
    note = f"This page was made {NO_PICTURES}."
    return replace(document, sections=sections, footer=f"{document.footer} {note}".strip())


def _undrawn(section: Section) -> Section:
    blocks = tuple(
        replace(block, picture=None) if isinstance(block, WhatIf) else block
        for block in section.blocks
        if not isinstance(block, Picture)
    )
    return replace(section, blocks=blocks, inside=tuple(map(_undrawn, section.inside)))


def _all_blocks(sections: Iterable[Section]) -> Iterator[Block]:
    for section in sections:
        yield from section.blocks
        yield from _all_blocks(section.inside)


def _file(name: str) -> str:
    return resources.files("askpoint.reports").joinpath("templates", name).read_text("utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _kind(block: object) -> str:
    kinds = {
        Paragraph: "paragraph",
        Notice: "notice",
        Figures: "figures",
        Grid: "grid",
        Picture: "picture",
        WhatIf: "what-if",
    }
    return kinds[type(block)]


def _whole(text: str) -> str:
    """Keep an interval on one line, however narrow its column is."""
    return _BETWEEN.sub("\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}", text)


def _image(drawn: str) -> Markup:
    """Return the address that holds a picture, for an attribute in double quotes."""
    text = drawn.replace('"', "'")
    for sign in "%#&":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return Markup("data:image/svg+xml," + text)  # noqa: S704 (the signs that end it are gone)
