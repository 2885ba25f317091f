"""A report as one self-contained page: no script, nothing loaded, a strict content policy."""

from __future__ import annotations

import base64
import functools
import hashlib
from importlib import resources

import jinja2
from markupsafe import Markup

from askpoint.displays.theme import svg
from askpoint.reports.document import Document, Grid, Notice, Paragraph, Picture

__all__ = ["render_page"]


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
    """Return a report as the text of one HTML file."""
    style = resources.files("askpoint.reports").joinpath("templates/page.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        _environment()
        .get_template("page.html")
        .render(document=document, style=style, digest=digest, kind=_kind, image=_image)
    )


def _kind(block: object) -> str:
    kinds = {Paragraph: "paragraph", Notice: "notice", Grid: "grid", Picture: "picture"}
    return kinds[type(block)]


def _image(picture: Picture) -> Markup:
    """Return the address that holds a picture, for an attribute in double quotes."""
    text = svg(picture.draw, size=picture.size).replace('"', "'")
    for sign in "%#&":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return Markup("data:image/svg+xml," + text)  # noqa: S704 (the signs that end it are gone)
