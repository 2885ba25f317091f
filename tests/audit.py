"""What imports cannot show: a pure room's code that opens a file or a socket, or starts a process.

Python reports such acts to audit hooks. While `pure_rooms_watched` is active, an act counts
when the nearest frame of askpoint or of a test below it is a file of a pure room. So a test may
read its data, a callback that a test hands in may write, and lazy imports may load what is installed.
"""

from __future__ import annotations

import importlib.metadata
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

import pytest

__all__ = ["PURE_ROOMS", "SOURCE", "TESTS", "pure_rooms_watched"]

PURE_ROOMS = (
    "arena/game",
    "arena/simulation",
    "elicitation",
    "judges",
    "labelling",
    "live",
    "measures",
    "unknowns",
    "value",
)
SOURCE = Path(find_spec("askpoint").submodule_search_locations[0])
TESTS = Path(__file__).parent

_ACTS = {"open", "builtins.input"}
_FAMILIES = {"glob", "os", "pty", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "urllib"}
_PURE = tuple(f"{SOURCE / room}{os.sep}" for room in PURE_ROOMS)
# a lazy import, and a library that looks for its plugins, read what is installed and nothing else
_INSTALLED = ("<frozen importlib", str(Path(importlib.metadata.__file__).parent))
# scikit-learn counts the machine's cores before its first threads of a process
_CORES = str(Path(find_spec("joblib").origin).parent / "externals" / "loky" / "backend")
_OTHERS = (f"{SOURCE}{os.sep}", f"{TESTS}{os.sep}", *_INSTALLED, _CORES)

_seen: list[str] | None = None
_unheard: set[str] = set()


def _hook(event: str, args: tuple[object, ...]) -> None:
    if _seen is None or event in _unheard:
        return
    if event not in _ACTS and event.partition(".")[0] not in _FAMILIES:
        _unheard.add(event)  # as `builtins.id`, which comes thousands of times a second
        return
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_PURE):
            where = f"{Path(file).relative_to(SOURCE)}:{frame.f_lineno}"
            _seen.append(f"{where} did {event}{args!r:.200}")
            return
        if file.startswith(_OTHERS):
            return
        frame = frame.f_back


sys.addaudithook(_hook)  # cannot be removed: once for the whole run


@contextmanager
def pure_rooms_watched() -> Iterator[None]:
    """Fail the test if a pure room's code touches disk, wire or processes meanwhile."""
    global _seen
    outer, _seen = _seen, []
    try:
        yield
    finally:
        seen, _seen = _seen, outer
    if seen:
        pytest.fail("a pure room touched the world outside:\n  " + "\n  ".join(seen))
