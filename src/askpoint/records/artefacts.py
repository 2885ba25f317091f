"""Files that askpoint writes: whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from askpoint.errors import InputError

__all__ = ["check_writable", "make_folder", "read_text", "write_text"]


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text file so that a reader never sees half of it.

    Parameters
    ----------
    path : str or path
        Where; its folder must exist.
    text : str
        The content, written as UTF-8.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    InputError
        If the folder does not exist or can not be written to, or UTF-8 can not hold the text.

    Examples
    --------
    >>> import tempfile
    >>> from askpoint.records.artefacts import write_text
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(folder + "/a.txt", "once").read_text()
    'once'
    """
    target = Path(path)
    with _draft(target) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")
        os.replace(draft, target)
    return target


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a text file.

    Parameters
    ----------
    path : str or path
        A file of UTF-8 text.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If it can not be read, or is no UTF-8 text.

    Examples
    --------
    >>> from askpoint.records.artefacts import read_text
    >>> read_text("no/such/session.json")
    Traceback (most recent call last):
    askpoint.errors.InputError: no/such/session.json can not be read: No such file or directory
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} can not be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} can not be read: it is no UTF-8 text") from None


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a path that `write_text` could not write, before work is done for it.

    Parameters
    ----------
    path : str or path
        Where; it is left as it is.

    Raises
    ------
    InputError
        If it is a folder, or its folder does not exist or can not be written to.

    Examples
    --------
    >>> from askpoint.records.artefacts import check_writable
    >>> check_writable("no/such/page.html")
    Traceback (most recent call last):
    askpoint.errors.InputError: no/such/page.html can not be written: No such file or directory
    """
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
        raise InputError(f"{target} can not be written: {reason}") from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder, and those above it, unless it exists.

    Parameters
    ----------
    path : str or path
        Where.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    InputError
        If there is something else, or no right to make it.

    Examples
    --------
    >>> import tempfile
    >>> from askpoint.records.artefacts import make_folder
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     make_folder(folder + "/a/b").is_dir()
    True
    """
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} can not be made: {error.strerror}") from None
    return folder
