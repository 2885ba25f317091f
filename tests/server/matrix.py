"""The matrix of docs/reference/roles.md: who may open and send what; the only place where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from django.urls import URLPattern, get_resolver

__all__ = ["API", "ROUTES", "Route", "walked"]

_TEXT = (Path(__file__).parents[2] / "docs" / "reference" / "roles.md").read_text("utf-8")


class Route(NamedTuple):
    """A line of the matrix."""

    address: str
    opens: str
    sends: str


class Request(NamedTuple):
    """A line of the API's."""

    opens: str
    does: str


ROUTES = {
    name: Route(*rest)
    for name, *rest in re.findall(
        r"^\| ([\w-]+) \| `(.+?)` \| (\w*) \| (\w*) \|$", _TEXT, re.MULTILINE
    )
}
API = {
    name: Request(*rest)
    for name, *rest in re.findall(r"^\| `([A-Z]+ .+?)` \| (\w+) \| (.+) \|$", _TEXT, re.MULTILINE)
}


def _plain(route: str) -> str:
    named = re.sub(r"\(\?P<(\w+)>.*?\)(?=[/.$\\]|$)", r"{\1}", route)
    named = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", named)
    return re.sub(r"[\\^$]", "", named)


def walked(
    resolver: object = None, before: str = "/", space: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the name and the address of all that the server answers, names of the API with `api:`."""
    for entry in (resolver or get_resolver()).url_patterns:
        address = before + str(entry.pattern)
        if isinstance(entry, URLPattern):
            yield space + str(entry.name), _plain(address)
        else:
            inner = f"{entry.namespace}:" if entry.namespace else space
            yield from walked(entry, address, inner)
