"""A process that ends soon looks little for garbage: most of what it loads stays to its end.

Without it the collector takes a fifth of a short command: it walks through all that was loaded, again and
again while it is loaded, and thrice when the process ends.
"""

from __future__ import annotations

import gc

__all__ = ["collect_rarely", "leave_garbage"]

_ALLOCATIONS = (
    100_000  # between two looks for garbage: a server, which runs on, still frees its own
)


def collect_rarely() -> None:
    """Look for garbage a hundred times less often than Python does by itself."""
    gc.set_threshold(_ALLOCATIONS)


def leave_garbage() -> None:
    """Look for none any more, for the process ends: the system takes all of its memory at once."""
    gc.disable()
    gc.freeze()
