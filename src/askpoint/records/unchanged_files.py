"""Files that must stay as they are while they are read."""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from askpoint.errors import AskpointError, LogError

__all__ = ["refuse_changed"]


@contextlib.contextmanager
def refuse_changed(files: Sequence[Path]) -> Iterator[None]:
    """Refuse files that change meanwhile, also where the change broke a cell or a line first.

    Raises
    ------
    LogError
        If the size or the time of a file is another than before.
    """
    before = [_state(file) for file in files]

    def check() -> None:
        for file, state in zip(files, before, strict=True):
            if _state(file) != state:
                raise LogError(
                    f"{file.name} changed while it was read. Wait until it is written, and try again"
                ) from None

    try:
        yield
    except AskpointError:
        check()
        raise
    check()


def _state(file: Path) -> tuple[int, int] | None:
    try:
        state = file.stat()
    except OSError:
        return None
    if not stat.S_ISREG(state.st_mode):
        return None  # a pipe has no content that could stay as it is
    return state.st_size, state.st_mtime_ns
