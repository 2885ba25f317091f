"""Files that askpoint writes: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from askpoint.errors import InputError

__all__ = ["make_folder", "write_text"]


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
    draft = target.parent / f".{target.name}.{secrets.token_hex(4)}"
    try:
        with open(draft, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(draft, target)
    except (OSError, UnicodeError) as error:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{target} can not be written: {reason}") from None
    return target


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
