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


def render_page(document: Document) -> str:
    """Return a report as the text of one HTML file.

    Without matplotlib it has no pictures, and says so at its end.
    """
    if not can_draw():
        document = _without_pictures(document)
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
            width=WIDTH,
            places=lambda turned: drawn[id(turned)],
        )
    )


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
