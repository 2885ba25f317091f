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
from askpoint.papers.uci_files import UCI_FILES

__all__ = ["DATA_FILES", "Data", "DataFile", "list_files"]


@dataclass(frozen=True)
class DataFile:
    """A data set: its file, what the file's bytes hash to, and OpenML's number.

    The last column of a table is the class; a file of texts has its columns by name. Without a hash
    somebody brings what could not be had here; without a number OpenML does not have it.
    """

    file: str
    sha256: str | None
    openml: int | None
    n_rows: int
    is_text: bool = False


_MARKED = """
test_split1 1922 609d6e751f04e1630bd96284457eedfcd4e9adc8e66ed6505fbf23b72d376239
test_split2 1922 b2f2488c0b40ea1e8eb4fcd268683dba71850f5c15863fccc38777b22bae69c8
test_split3 1924 cfd2a9a31605644f82a670180ef82030cc6cc220110c73bc38004bb3ff8ae847
val_split1 1924 5373f49eb9e3f9ab83a83ae056c394696216317414f679a5a30fde09acdee355
val_split2 1924 d729974d51d0465e0afad19479a071ef59fc7293e432d13f4974699b5c879dc7
val_split3 1922 b201f7decf9c536c94fff3345fd923cd285ef8fa865631550ebf24adbff8cb1a
"""
"""Reasons that people marked in HateXplain's posts: file, posts and SHA-256 of each."""

DATA_FILES = {
    **{
        name: DataFile(f"{name}.csv.gz", sha256, int(openml) if openml != "-" else None, int(rows))
        for name, rows, openml, sha256 in map(str.split, UCI_FILES.strip().splitlines())
    },
    "twonorm": DataFile(
        "twonorm.csv.gz",
        "713162c25f8e7bd1d6800d0b6dd3dc987501480380a58618a9b112baafe8fc80",
        1507,
        7400,
    ),
    "sensit": DataFile("sensit.csv.gz", None, None, 78823),
    **{
        name: DataFile(f"{name}.json", sha256, None, int(posts), is_text=True)
        for name, posts, sha256 in map(str.split, _MARKED.strip().splitlines())
    },
    **{
        name: DataFile(f"{name}.csv.gz", sha256, None, n_rows, is_text=True)
        for name, sha256, n_rows in (
            (
                "sms_spam",
                "7caa0ca1afc27491b03a53fe48e84f4b16d06e5a82bdc0bea811ccaa090b95b1",
                5574,
            ),
            (
                "davidson",
                "d02cd411fd93493197da8e1d1a1d1efcc2cb4b479541bde5c514978b4ef9b42e",
                24783,
            ),
            (
                "hatexplain",
                "553c640244228f1922fb1c35bc447800e0787e1e007a0ebae84399a04feefa38",
                20148,
            ),
            (
                "hatemoji_build",
                "cfc9bd508d68b1ed4ae03a60b8f371f6bfaba711e3fa417ab90e47892b6cf0a4",
                5912,
            ),
            (
                "reuters_grain",
                "a6146862adf7816fabd560f027bbfd16a41570537a288fad627ebceacb410bf6",
                2158,
            ),
        )
    },
}
_PLACES = ("", "uci", "large", "text")


@dataclass(frozen=True)
class Data:
    """Where the data come from: a folder, OpenML, or nowhere; and where what is made of them is kept."""

    folder: str | None = None
    fetch: bool = False
    kept: Path | None = None

    def check(self, names: Sequence[str]) -> None:
        """Refuse before any work if a data set is missing or altered."""
        if names and self.folder is None and not self.fetch:
            raise InputError(
                f"this needs data: give --data DIR, a folder with {list_files(names)}{_or_fetch(names)}"
            )
        lacking = [name for name in names if self.fetch and DATA_FILES[name].openml is None]
        if lacking:
            others = (
                "choose others by --only data=NAME,..., or " if len(lacking) < len(names) else ""
            )
            raise InputError(
                f"OpenML does not have {', '.join(lacking)}: {others}bring the files in a folder, and name "
                f"the folder by --data; this needs {list_files(names)}"
            )
        for name in names:
            if self.fetch:
                try:
                    self.frame(name)
                except InputError as error:
                    raise InputError(f"{error}; this needs {list_files(names)}") from None
            else:
                _verify_content(_path(str(self.folder), name), name)

    def frame(self, name: str) -> pl.DataFrame:
        """Return a data set; the last column of a table is the class."""
        if self.fetch:
            return _fetch_openml(name)
        return _read(str(_path(str(self.folder), name)), name)

    def offers(self, names: Sequence[str]) -> bool:
        """Tell whether those are here that nobody can be asked to have."""
        rare = [name for name in names if DATA_FILES[name].sha256 is None]
        return not rare or (self.folder is not None and all(map(self._holds, rare)))

    def stamp(self, names: Sequence[str]) -> str:
        """Return what tells results on other data apart."""
        if self.fetch:
            return " ".join("OpenML" for _ in names)
        return " ".join(
            DATA_FILES[name].sha256 or _digest(_path(str(self.folder), name).read_bytes())
            for name in names
        )

    def _holds(self, name: str) -> bool:
        return any(
            Path(str(self.folder), place, DATA_FILES[name].file).is_file() for place in _PLACES
        )


def _path(folder: str, name: str) -> Path:
    record = DATA_FILES[name]
    if not Path(folder).is_dir():
        raise InputError(f"--data: there is no folder {folder}; it must hold {list_files([name])}")
    for place in _PLACES:
        path = Path(folder, place, record.file)
        if path.is_file():
            return path
    raise InputError(f"{folder} lacks a data file: bring {list_files([name])}")


def list_files(names: Sequence[str]) -> str:
    """Say which files to bring, so that whoever has them can tell."""
    sentences = []
    for record in (DATA_FILES[name] for name in names):
        is_known = record.sha256 is not None
        rows = f"{record.n_rows:,} rows, the class in the last column; we never had it"
        sentences.append(f"{record.file} ({f'sha256 {record.sha256}' if is_known else rows})")
    return ", ".join(sentences)


def _or_fetch(names: Sequence[str]) -> str:
    can = all(DATA_FILES[name].openml is not None for name in names)
    return ", or --fetch to take them from OpenML" if can else ""


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _verify_content(path: Path, name: str) -> bytes:
    content, record = path.read_bytes(), DATA_FILES[name]
    digest = _digest(content)
    if record.sha256 not in (None, digest):
        raise InputError(
            f"{path} was altered: its sha256 is {digest}, not {record.sha256}; bring the file "
            f"again{_or_fetch([name])}"
        )
    return content


@functools.lru_cache(maxsize=4)
def _read(path: str, name: str) -> pl.DataFrame:
    content, record = _verify_content(Path(path), name), DATA_FILES[name]
    if record.file.endswith(".json"):
        return pl.read_json(content, infer_schema_length=None)
    if record.is_text:
        return pl.read_csv(content, infer_schema_length=0).fill_null("")
    frame = _strip_blanks(pl.read_csv(content, infer_schema_length=None, null_values="?"))
    if len(frame) != record.n_rows:
        raise InputError(f"{path} has {len(frame):,} rows, {list_files([name])}")
    return frame


@functools.lru_cache(maxsize=4)
def _fetch_openml(name: str) -> pl.DataFrame:
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
        str(key): _decode_column(bunch.data[:, i], bunch.categories.get(key))
        for i, key in enumerate(bunch.feature_names)
    }
    frame = pl.DataFrame({**columns, "class": bunch.target.astype(str)})
    if len(frame) != record.n_rows:
        raise InputError(
            f"OpenML's data set {record.openml} has {len(frame)} rows, {name} has {record.n_rows}; "
            "bring the files in a folder, and name the folder by --data"
        )
    return frame


def _decode_column(values: Any, categories: Sequence[object] | None) -> list[object]:
    """Return numbers, or the names that numbers stand for; null where a cell is missing."""
    cells = [None if value != value else float(value) for value in values]
    if categories is None:
        return list(cells)
    return [None if cell is None else str(categories[int(cell)]) for cell in cells]


def _strip_blanks(frame: pl.DataFrame) -> pl.DataFrame:
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
