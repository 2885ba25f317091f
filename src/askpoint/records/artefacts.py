"""Files that askpoint writes: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from askpoint.errors import InputError

__all__ = ["write_text"]


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
        If the folder does not exist or can not be written to.

    Examples
    --------
    >>> import tempfile
    >>> from askpoint.records.artefacts import write_text
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(folder + "/a.txt", "once").read_text()
    'once'
    """
    target = Path(path)
    try:
        handle, draft = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise InputError(f"{target} can not be written: {error.strerror}") from None
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(draft, 0o644)
        os.replace(draft, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise InputError(f"{target} can not be written: {error.strerror}") from None
    return target
