"""Lines as they come: those that are there together, and no more than so many at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import IO

__all__ = ["line_groups"]

_MOST = 1000
_CHUNK = 1 << 20


def line_groups(file: IO[bytes], *, more: float | None) -> Iterator[str]:
    """Yield whole lines in groups; at the end wait `more` seconds for others, None: stop."""
    rest = b""
    read = getattr(file, "read1", file.read)
    while True:
        chunk: bytes = read(_CHUNK)
        if not chunk and more is not None:
            time.sleep(more)
            continue
        lines = (rest + chunk).splitlines(keepends=True)
        rest = lines.pop() if chunk and lines and not lines[-1].endswith(b"\n") else b""
        lines = [line for line in lines if line.strip()]
        for start in range(0, len(lines), _MOST):
            yield b"".join(lines[start : start + _MOST]).decode()
        if not chunk:
            return
