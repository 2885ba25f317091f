"""Files that askpoint writes: whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from askpoint.errors import InputError

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "check_writable",
    "make_folder",
    "read_text",
    "write_bytes",
    "write_parquet",
    "write_text",
]


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text file so that a reader never sees half of it."""
    target = Path(path)
    with _draft(target) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
        os.replace(draft, target)
    return target


def write_bytes(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write a file so that a reader never sees half of it."""
    target = Path(path)
    with _draft(target) as draft:
        draft.write_bytes(content)
        os.replace(draft, target)
    return target


def write_parquet(path: str | os.PathLike[str], frame: pl.DataFrame) -> Path:
    """Write a table so that a reader never sees half of it."""
    target = Path(path)
    with _draft(target) as draft:
        frame.write_parquet(draft)
        os.replace(draft, target)
    return target


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a text file."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} cannot be read: it is not UTF-8 text") from None


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a path that `write_text` could not write, before work is done for it."""
    target = Path(path)
    with _draft(target) as draft:
        draft.touch(exist_ok=False)
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


@contextlib.contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """A file beside the target that is gone afterwards, whatever happens."""
    draft = target.parent / f".{target.name}.{secrets.token_hex(4)}"
    try:
        yield draft
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{target} cannot be written: {reason}") from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder, and those above it, unless it exists."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror}") from None
    return folder
