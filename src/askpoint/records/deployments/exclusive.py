"""One writer at a time in the folder of a deployment."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from askpoint.errors import InputError
from askpoint.records.deployments.file_lock import lock_file

__all__ = ["alone_in"]


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other process decides or labels here, and keep them waiting."""
    if not (folder / "policy.json").is_file():
        raise InputError(
            f"{folder} holds no policy.json; name the folder that askpoint deploy made"
        )
    try:
        lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}") from None
    try:
        lock_file(lock)
        yield
    finally:
        os.close(lock)
