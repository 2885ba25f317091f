"""The data that the papers' experiments run on: files that somebody brings, or OpenML."""

from __future__ import annotations

import functools
import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from askpoint.errors import InputError

__all__ = ["DATA_FILES", "Data", "DataFile"]


@dataclass(frozen=True)
class DataFile:
    """A table whose last column is the class: its file, what the file's bytes hash to, and OpenML's number."""

    file: str
    sha256: str
    openml: int
    n_rows: int


DATA_FILES = {
    "adult": DataFile(
        "adult.csv.gz",
        "38b69e74873bdb6e5ba38a56649b6d3f6e7cb763a1fe528591211c72824c57aa",
        1590,
        48842,
    ),
    "mushroom": DataFile(
        "mushroom.csv.gz",
        "a2bc069f82d27ef2c32864f6f48d591e4ab9e0b8eaf546a66e26c802eb63062a",
        24,
        8124,
    ),
    "twonorm": DataFile(
        "twonorm.csv.gz",
        "713162c25f8e7bd1d6800d0b6dd3dc987501480380a58618a9b112baafe8fc80",
        1507,
        7400,
    ),
    "vehicle": DataFile(
        "vehicle.csv.gz",
        "0c13383a90c2eaa6f6fa1caef9d700d424704b5666c90e685b88b0709a14f495",
        54,
        846,
    ),
}
_PLACES = ("", "uci", "large")


@dataclass(frozen=True)
class Data:
    """Where the data come from: a folder, OpenML, or nowhere."""

    folder: str | None = None
    fetch: bool = False

    def check(self, names: Sequence[str]) -> None:
        """Refuse before any work if a data set is missing or altered."""
        if names and self.folder is None and not self.fetch:
            raise InputError(
                f"this needs data: give --data DIR, a folder with {_said(names)}, or --fetch to take "
                "them from OpenML"
            )
        for name in names:
            if self.fetch:
                try:
                    self.frame(name)
                except InputError as error:
                    raise InputError(f"{error}; this needs {_said(names)}") from None
            else:
                _checked(_path(str(self.folder), name), name)

    def frame(self, name: str) -> pl.DataFrame:
        """Return a data set; its last column is the class."""
        if self.fetch:
            return _fetched(name)
        return _read(str(_path(str(self.folder), name)), name)


def _path(folder: str, name: str) -> Path:
    record = DATA_FILES[name]
    if not Path(folder).is_dir():
        raise InputError(f"--data: there is no folder {folder}; it must hold {_said([name])}")
    for place in _PLACES:
        path = Path(folder, place, record.file)
        if path.is_file():
            return path
    raise InputError(f"{folder} lacks a data file: bring {_said([name])}")


def _said(names: Sequence[str]) -> str:
    return ", ".join(
        f"{DATA_FILES[name].file} (sha256 {DATA_FILES[name].sha256})" for name in names
    )


def _checked(path: Path, name: str) -> bytes:
    content = path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != DATA_FILES[name].sha256:
        raise InputError(
            f"{path} was altered: its sha256 is {found}, not {DATA_FILES[name].sha256}; bring the "
            "file again, or take the data from OpenML with --fetch"
        )
    return content


@functools.lru_cache(maxsize=4)
def _read(path: str, name: str) -> pl.DataFrame:
    frame = pl.read_csv(_checked(Path(path), name), infer_schema_length=None, null_values="?")
    return _stripped(frame)


@functools.lru_cache(maxsize=4)
def _fetched(name: str) -> pl.DataFrame:
    from sklearn.datasets import fetch_openml

    record = DATA_FILES[name]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a try failed: the error says so, too
            bunch: Any = fetch_openml(
                data_id=record.openml, as_frame=False, parser="liac-arff", n_retries=1
            )
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"OpenML cannot be reached or does not give {name} ({reason}); bring the "
            "files in a folder, and name the folder by --data"
        ) from None
    columns = {
        str(key): _decoded(bunch.data[:, i], bunch.categories.get(key))
        for i, key in enumerate(bunch.feature_names)
    }
    frame = pl.DataFrame({**columns, "class": bunch.target.astype(str)})
    if len(frame) != record.n_rows:
        raise InputError(
            f"OpenML's data set {record.openml} has {len(frame)} rows, {name} has {record.n_rows}; "
            "bring the files in a folder, and name the folder by --data"
        )
    return frame


def _decoded(values: Any, categories: Sequence[object] | None) -> list[object]:
    """Return numbers, or the names that numbers stand for; null where a cell is missing."""
    cells = [None if value != value else float(value) for value in values]
    if categories is None:
        return list(cells)
    return [None if cell is None else str(categories[int(cell)]) for cell in cells]


def _stripped(frame: pl.DataFrame) -> pl.DataFrame:
    """Read numbers with a blank before them as numbers."""
    stripped = frame.with_columns(pl.col(pl.String).str.strip_chars())
    numbers = {
        name: stripped[name].cast(pl.Float64, strict=False)
        for name, kind in stripped.schema.items()
        if kind == pl.String
    }
    return stripped.with_columns(
        [
            column
            for name, column in numbers.items()
            if column.null_count() == stripped[name].null_count()
        ]
    )
