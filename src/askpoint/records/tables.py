"""Tables from files and dataframes: which columns there are, and any of them on request."""

from __future__ import annotations

import csv
import glob
import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO, TypeVar, cast

import narwhals as nw
import polars as pl

from askpoint.errors import LogError
from askpoint.records.faults import csv_fault, json_fault, repeated_column
from askpoint.records.readers.grids import open_grids
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.sources import find_sources

__all__ = ["Table", "open_table"]

_ENDINGS = (".parquet", ".csv", ".csv.gz", ".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
_BROUGHT = (".tsv", ".tsv.gz", ".xlsx", ".feather", ".arrow", ".csv.zst", ".jsonl.zst", ".json")
_GZIP = b"\x1f\x8b"
_BROKEN = (pl.exceptions.PolarsError, OSError, EOFError, UnicodeDecodeError, zlib.error, csv.Error)

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Table:
    """A table whose columns are known and whose cells are read on request.

    Parameters
    ----------
    name : str
        What errors call it: the file's name, or "the dataframe".
    columns : tuple of str
        Names of its columns, all different.
    """

    name: str
    columns: tuple[str, ...]
    reader: Callable[[Sequence[str]], pl.DataFrame] = field(repr=False)
    batcher: Callable[[Sequence[str], int], Iterator[pl.DataFrame]] = field(repr=False)
    counter: Callable[[], int] = field(repr=False)

    def n_rows(self) -> int:
        """Return the number of rows, without keeping any of them."""
        return self.counter()

    def batches(self, columns: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        """Yield some columns a batch of rows at a time, in the order of the rows."""
        n_rows = 0
        for frame in self.batcher(columns, size):
            n_rows += frame.height
            yield frame
        self._check_rows(n_rows)

    def read(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return some columns, all rows."""
        frame = self.reader(columns)
        self._check_rows(frame.height)
        return frame

    def _check_rows(self, n_rows: int) -> None:
        if not n_rows:
            raise LogError(f"{self.name} has columns but not a single row")


def open_table(source: Any) -> Table:
    """Open a file by its ending, or a dataframe."""
    if isinstance(source, str | Path):
        return _open_file(Path(source))
    try:
        return _open_frame(nw.from_native(source))
    except TypeError:
        raise LogError(
            "a log must be the path of a file or a dataframe (polars, pandas, pyarrow, DuckDB, "
            f"...); got {type(source).__name__}"
        ) from None
    except nw.exceptions.DuplicateError as error:
        raise LogError(f"two columns of the dataframe have one name: {_line(error)}") from None


def _open_file(path: Path) -> Table:
    if path.is_dir():
        raise LogError(f"{path} is a directory; give the file inside")
    if not path.exists():
        raise LogError(f"there is no file {path}")
    if path.name.lower().endswith(_BROUGHT):
        return _open_brought(path)
    ending = next((end for end in _ENDINGS if path.name.lower().endswith(end)), None)
    if ending is None:
        endings = ", ".join((*_ENDINGS, *_BROUGHT))
        raise LogError(f"{path.name} is of no known kind: it must end in {endings}")
    if not path.stat().st_size:
        raise LogError(f"{path.name} is empty")
    if ending == ".parquet":
        return _scanned(path, lambda: pl.scan_parquet(path, glob=False), lambda: None)
    if ".csv" in ending:
        return _open_csv(path)
    return _open_json(path)


def _open_brought(path: Path) -> Table:
    """Open a table of a kind that is read as a whole."""
    grids = [grid for source in find_sources([path]) for grid in open_grids(source, Choices())]
    if len(grids) > 1:
        names = ", ".join(grid.name for grid in grids)
        raise LogError(f"{path.name} holds several tables ({names}): give askpoint the file alone")
    frame = grids[0].frame
    return replace(_open_frame(nw.from_native(frame)), name=path.name)


def _open_csv(path: Path) -> Table:
    def fault(*, strict: bool = True) -> str | None:
        return csv_fault(_text(path, "utf-8-sig"), strict=strict)

    def checked(frame: pl.DataFrame, columns: Sequence[str]) -> tuple[pl.DataFrame, bool]:
        # polars fills rows that are too short with nulls: such a row ends in one
        suspect = frame[table.columns[-1]].null_count() > 0
        if suspect and (short := fault(strict=False)) is not None:
            raise _broken(path, short)
        return frame.select(columns), suspect

    def with_last(columns: Sequence[str]) -> list[str]:
        return list(dict.fromkeys([*columns, table.columns[-1]]))

    def read(columns: Sequence[str]) -> pl.DataFrame:
        return checked(table.reader(with_last(columns)), columns)[0]

    def batches(columns: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        sound = False  # the whole file is looked through once
        for frame in table.batcher(with_last(columns), size):
            part, looked = (frame.select(columns), True) if sound else checked(frame, columns)
            sound = sound or looked
            yield part

    twice = _guarded(path, lambda: repeated_column(_text(path, "utf-8-sig")), lambda: None)
    if twice is not None:
        raise LogError(f"two columns of {path.name} are named {twice!r}; rename one")
    table = _scanned(path, lambda: pl.scan_csv(path, infer_schema=False, glob=False), fault)
    return Table(table.name, table.columns, read, batches, table.counter)


def _open_json(path: Path) -> Table:
    def fault() -> str | None:
        return json_fault(_text(path, "utf-8"))

    name = glob.escape(str(path))  # scan_ndjson cannot be told that it is no pattern
    # the type of a cell that comes late counts as much as those of the first lines
    schema = _guarded(
        path, lambda: pl.scan_ndjson(name, infer_schema_length=None).collect_schema(), fault
    )
    return _scanned(path, lambda: pl.scan_ndjson(name, schema=schema), fault)


def _scanned(
    path: Path, scan: Callable[[], pl.LazyFrame], fault: Callable[[], str | None]
) -> Table:
    def read(columns: Sequence[str]) -> pl.DataFrame:
        return _guarded(path, lambda: scan().select(columns).collect(), fault)

    def batches(columns: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        frames = _guarded(
            path, lambda: scan().select(columns).collect_batches(chunk_size=size), fault
        )
        while (frame := _guarded(path, lambda: next(frames, None), fault)) is not None:
            yield frame

    def count() -> int:
        return _guarded(path, lambda: int(scan().select(pl.len()).collect().item()), fault)

    names = _guarded(path, lambda: scan().collect_schema().names(), fault)
    return Table(path.name, tuple(names), read, batches, count)


def _guarded(path: Path, work: Callable[[], _Result], fault: Callable[[], str | None]) -> _Result:
    try:
        return work()
    except _BROKEN as error:
        reason = _line(error)
    try:
        reason = fault() or reason
    except _BROKEN as error:
        reason = _line(error)
    raise _broken(path, reason)


def _broken(path: Path, reason: str) -> LogError:
    return LogError(f"{path.name} is broken or cut off: {reason}")


def _line(error: Exception) -> str:
    return " ".join(str(error).split("\n\n")[0].split())


def _text(path: Path, encoding: str) -> TextIO:
    with path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
    opener = gzip.open if packed else open
    return cast("TextIO", opener(path, "rt", encoding=encoding, newline=""))


def _open_frame(frame: nw.DataFrame[Any] | nw.LazyFrame[Any]) -> Table:
    names = list(frame.collect_schema().names())
    native = {str(name): name for name in names}  # pandas names columns with numbers, too

    def read(columns: Sequence[str]) -> pl.DataFrame:
        if isinstance(frame, nw.LazyFrame):
            eager = frame.select(*(native[name] for name in columns)).collect("polars")
        else:
            eager = frame
        return pl.DataFrame({name: _series(eager.get_column(native[name])) for name in columns})

    def batches(columns: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        return read(columns).iter_slices(size)

    def count() -> int:
        return int(frame.lazy().select(nw.len()).collect()["len"].to_list()[0])

    return Table("the dataframe", tuple(native), read, batches, count)


def _series(column: nw.Series[Any]) -> pl.Series:
    if column.implementation.is_polars() or column.implementation.is_pyarrow():
        return pl.Series(column.to_native())
    if column.dtype.is_numeric():
        return pl.Series(column.to_numpy())
    # a missing text is NaN, None or NA here: ask narwhals, not the value
    missing = column.is_null().to_numpy()
    cells = [None if gone else cell for cell, gone in zip(column.to_list(), missing, strict=True)]
    return pl.Series(cells, strict=False)
