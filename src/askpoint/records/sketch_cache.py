"""Counts of files, kept in a folder: a file that is as it was is not counted again.

What is kept belongs to a path, its columns and its options, and holds as long as the file is the same:
size, time of its last change, and a digest of its first and last 64 KiB, where Parquet keeps the sizes
and statistics of all it holds. To digest all of it would take as long as to count it.
"""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from askpoint.errors import InputError, LogError, SketchError
from askpoint.measures.sketch_bytes import pack_arrays, unpack_arrays
from askpoint.records.artefacts import make_folder, read_text, write_bytes, write_text
from askpoint.records.table import Table

__all__ = ["SketchCache"]

_FORMAT = 1  # another one where the same file would be counted otherwise
_ABOUT = "askpoint-sketches.json"
_END = 1 << 16


class SketchCache:
    """Counts of files in a folder.

    Parameters
    ----------
    folder : str or Path
        Made if it is not there. One that holds anything else is refused.

    Attributes
    ----------
    n_kept, n_counted : int
        Files whose counts were found, and those that were counted and kept.
    damaged : list of str
        Files whose counts were there, but cut off or changed; they are counted again.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = make_folder(folder)
        self.n_kept = self.n_counted = 0
        self.damaged: list[str] = []
        self._seen: dict[Path, list[Any]] = {}
        about = self.folder / _ABOUT
        if about.exists():
            _check_version(about)
        elif any(self.folder.iterdir()):
            raise InputError(
                f"{folder} is not a folder of kept counts, and is not empty: name another folder"
            )
        else:
            write_text(
                about, json.dumps({"format": _FORMAT, "askpoint": version("askpoint")}) + "\n"
            )

    def get(
        self, part: Table, about: dict[str, Any]
    ) -> tuple[dict[str, Any], list[NDArray[Any]]] | None:
        """Return what was kept of a file as it is now."""
        path = _path(part)
        self._seen[path] = identity = _identity(path)
        entry = self._entry(path, about)
        if not entry.exists():
            return None
        try:
            header, arrays = unpack_arrays("counts", entry.read_bytes())
        except SketchError:
            self.damaged.append(part.name)
            return None
        if header["file"] != identity:
            return None
        self.n_kept += 1
        return header["counts"], arrays

    def put(
        self, part: Table, about: dict[str, Any], header: dict[str, Any], arrays: list[NDArray[Any]]
    ) -> None:
        """Keep the counts of a file, which must not have changed meanwhile."""
        path = _path(part)
        identity = _identity(path)
        if identity != self._seen[path]:
            raise LogError(f"{part.name} was changed while it was counted; run again when it rests")
        content = pack_arrays("counts", {"file": identity, "counts": header}, *arrays)
        write_bytes(self._entry(path, about), content)
        self.n_counted += 1

    def _entry(self, path: Path, about: dict[str, Any]) -> Path:
        key = json.dumps([str(path), about], sort_keys=True)
        return self.folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.counts"


def _check_version(about: Path) -> None:
    try:
        found = json.loads(read_text(about))
        form, made_by = found["format"], found["askpoint"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{about} does not say what made it; give another folder") from None
    if form != _FORMAT:
        raise InputError(
            f"the counts in {about.parent} were kept by askpoint {made_by} (form {form}), this is "
            f"{version('askpoint')} (form {_FORMAT}), which counts otherwise: remove the folder, or give another"
        )


def _path(part: Table) -> Path:
    if part.path is None:
        raise InputError(
            f"counts are kept for files on disk, whose changes can be seen; {part.name} is not a file"
        )
    return part.path.resolve()


def _identity(path: Path) -> list[Any]:
    """Tell a file's content by what costs nothing to read."""
    try:
        state = path.stat()
        with path.open("rb") as file:
            ends = file.read(_END)
            file.seek(max(state.st_size - _END, 0))
            ends += file.read(_END)
    except OSError as error:
        raise LogError(f"{path.name} cannot be read: {error.strerror}") from None
    return [state.st_size, state.st_mtime_ns, hashlib.sha256(ends).hexdigest()]
