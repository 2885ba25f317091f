"""Ask the process that reads pages for one."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from typing import Any

from django.conf import settings

from askpoint.errors import InputError, ModelError
from askpoint.server.classifiers.processes import socket_path
from askpoint.server.classifiers.scorer_sockets import talk
from askpoint.server.outgoing import OutgoingError, read_url

__all__ = ["READER", "can_read_pages", "page_scorers", "read_page", "reader"]

READER = "pages"
"""The process's name among those that are watched."""

_SECONDS = 15.0  # to fetch and to read, and a little more
_AWAY = "pages cannot be read just now; try again in a moment"


def can_read_pages() -> bool:
    """Tell whether the extra part that reads pages is installed."""
    return importlib.util.find_spec("trafilatura") is not None


def reader() -> dict[str, Any]:
    """Return what its process is told when it starts."""
    return {"name": READER, "adapter": READER, "target": READER, "classes": [], "seconds": _SECONDS}


def read_page(address: str) -> dict[str, Any]:
    """Return the segments of the page at an address.

    Raises
    ------
    InputError
        If the page cannot be had; it says why.
    ModelError
        If none can be read just now.
    """
    address = address.strip()
    try:
        read_url(address)
    except OutgoingError as error:
        raise InputError(f"give the address of a web page: {error.detail}") from None
    path = socket_path(settings.ASKPOINT.sockets, READER)
    try:
        found = talk(path, {"cases": [address]}, _SECONDS)
    except ModelError as error:
        raise ModelError(_AWAY, error.kind) from None
    if "fault" in found:
        raise InputError(f"the page cannot be read: {found['detail']}; try another one")
    return found


def page_scorers(models: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """Return the process that reads pages, where a model is asked about pages."""
    return {READER: reader()} if any(model.cases == "page" for model in models) else {}
