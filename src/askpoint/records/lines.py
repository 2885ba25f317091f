"""Lines as they come: those that are there together, and no more than so many at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import IO

__all__ = ["line_groups"]

_MOST = 1000
_CHUNK = 1 << 20


def line_groups(file: IO[bytes], *, more: float | None) -> Iterator[list[bytes]]:
    """Yield whole lines in groups, without their ends; at the end wait `more` seconds for others, None: stop.

    A line ends with a line feed and with nothing else, so that whoever sent so many gets so many answers.
    """
    rest = b""
    read = getattr(file, "read1", file.read)
    while True:
        chunk: bytes = read(_CHUNK)
        if not chunk and more is not None:
            time.sleep(more)
            continue
        *lines, rest = (rest + chunk).split(b"\n")
        if not chunk and rest:
            lines.append(rest)
        for start in range(0, len(lines), _MOST):
            yield lines[start : start + _MOST]
        if not chunk:
            return
