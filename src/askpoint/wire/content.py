"""Contents of cases: a text, a row of features, a web page, or an image."""

from __future__ import annotations

from typing_extensions import TypedDict  # pydantic reads that of Python only from 3.12 on

__all__ = ["CaseContent", "ImageCase", "ImageName", "PageSegments", "WebPage"]


class PageSegments(TypedDict):
    """What was kept of a web page; `cut` says whether the page was longer."""

    url: str
    title: str
    body: str
    metadata: str
    cut: bool


class WebPage(TypedDict):
    """A case that is a web page."""

    page: PageSegments


class ImageName(TypedDict):
    """What names an image; its content is asked for by itself."""

    sha256: str
    kind: str
    width: int
    height: int


class ImageCase(TypedDict):
    """A case that is an image."""

    image: ImageName


CaseContent = str | dict[str, float | str] | WebPage | ImageCase
"""A case: a text, a row of features, a web page, or an image."""
