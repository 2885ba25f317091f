"""The process that reads images: alone, one at a time, with limits of time and memory."""

from __future__ import annotations

import base64
import resource
from collections.abc import Callable
from typing import Any

from askpoint.errors import InputError
from askpoint.server.classifiers.scorer import FaultError, run
from askpoint.server.uploads.decoding import read_picture

__all__ = ["load_reader"]

_MEMORY = 2_000_000_000  # bytes


def load_reader(config: dict[str, Any]) -> Callable[[list[Any]], Any]:
    """Return what reads an image."""
    del config
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    return _read


def _read(files: list[Any]) -> Any:
    (content,) = files
    try:
        found = read_picture(base64.b64decode(content))
    except InputError as error:
        raise FaultError("bad-answer", str(error)) from None
    return {
        "content": base64.b64encode(found.content).decode(),
        "kind": found.kind,
        "width": found.width,
        "height": found.height,
        "print": base64.b64encode(found.print).decode(),
    }


if __name__ == "__main__":
    run(load_reader, alone=True, check=lambda found, *_: found)
