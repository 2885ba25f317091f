"""Keys of models behind an address: named when the server starts, and never stored.

A key belongs to one origin (``https://api.example.org``) and is sent there alone, whoever
registers a model. It is read from a file or a variable when a model's process starts, and handed to
it through a pipe: so no page, export, log, backup or list of processes can hold it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import httpx

from askpoint.errors import InputError

__all__ = ["check_keys", "header_for", "origin_of", "origins"]

_VARIABLE = "env:"


def origin_of(url: httpx.URL) -> str:
    """Return scheme, host and port of an address, as a key names them."""
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


def origins(keys: Iterable[str]) -> list[str]:
    """Return the origins that have a key."""
    return [_parts(key)[0] for key in keys]


def _parts(key: str) -> tuple[str, str]:
    origin, equals, place = key.partition("=")
    try:
        url = httpx.URL(origin)
        plain = origin_of(url) == origin.rstrip("/")
    except (httpx.InvalidURL, UnicodeError):
        plain = False
    if not (equals and place and plain and origin.startswith(("http://", "https://"))):
        raise InputError(
            "--model-key is ORIGIN=FILE or ORIGIN=env:NAME, like "
            f"https://api.example.org=env:EXAMPLE_KEY; got {origin!r} and what follows"
        )
    return origin.rstrip("/"), place


def check_keys(keys: Iterable[str]) -> None:
    """Check that all keys can be read, when the server starts.

    Raises
    ------
    InputError
        If one is not there, or is none; what it holds is not said.
    """
    for key in keys:
        _read(key)


def header_for(url: httpx.URL, keys: Iterable[str]) -> tuple[str, str] | None:
    """Return name and value of the header that opens an address, if it has a key."""
    wanted = origin_of(url)
    return next((_read(key) for key in keys if _parts(key)[0] == wanted), None)


def _read(key: str) -> tuple[str, str]:
    origin, place = _parts(key)
    if place.startswith(_VARIABLE):
        text = os.environ.get(place.removeprefix(_VARIABLE), "")
    else:
        try:
            text = Path(place).read_text("utf-8")
        except (OSError, UnicodeError):
            raise InputError(f"the key of {origin} cannot be read from {place}") from None
    text = text.strip()
    if not text or not (text.isascii() and text.isprintable()):
        raise InputError(
            f"the key of {origin} in {place} must be one line: the key itself, which is sent as "
            "“Authorization: Bearer”, or a whole header like “X-Api-Key: ...”"
        )
    name, colon, value = (part.strip() for part in text.partition(": "))
    if colon and name.replace("-", "").isalnum():
        return name, value
    return "Authorization", f"Bearer {text}"
