"""A file that one process at a time holds: by flock where the system has it, else as Windows locks.

The one place that asks what the system offers; the lock ends with its process, however that ends.
"""

from __future__ import annotations

import importlib
import time
from typing import Any

__all__ = ["lock_file"]

_PAUSE = 0.05  # seconds


def lock_file(file: int) -> None:
    """Wait until no other process holds an open file, and hold it until it is closed."""
    system: Any
    try:
        system = importlib.import_module("fcntl")
    except ModuleNotFoundError:
        _lock_byte(importlib.import_module("msvcrt"), file)
    else:
        system.flock(file, system.LOCK_EX)


def _lock_byte(msvcrt: Any, file: int) -> None:
    """Lock the first byte, which need not exist; LK_LOCK itself gives up after ten seconds."""
    while True:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError:  # it is held
            time.sleep(_PAUSE)
        else:
            return
