"""The process that reads pages: the only one that opens connections to what players name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from askpoint.arena.server.pages.extracting import extract_apart
from askpoint.arena.server.pages.fetching import fetch
from askpoint.server.classifiers.scorer import FaultError, run
from askpoint.server.outgoing import OutgoingError

__all__ = ["load_reader"]


def load_reader(config: dict[str, Any]) -> Callable[[list[Any]], Any]:
    """Return what reads the page at an address."""
    del config
    return _read


def _read(addresses: list[Any]) -> Any:
    (address,) = addresses
    try:
        return extract_apart(fetch(address))
    except OutgoingError as error:
        print(f"a page was not fetched: {error.kind}: {error}", file=sys.stderr)  # noqa: T201
        raise FaultError(error.kind, error.detail) from None


if __name__ == "__main__":
    run(load_reader, alone=False, check=lambda found, *_: found)
