"""Tables from files, by their endings."""

from __future__ import annotations

import csv
import glob
import gzip
import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TextIO, TypeVar, cast

import narwhals as nw
import polars as pl

from askpoint.errors import LogError
from askpoint.records.faults import csv_fault, duplicate_column, json_fault, refuse_wide
from askpoint.records.table import Table

__all__ = ["ending_of", "open_file"]

_ENDINGS = (".parquet", ".csv", ".csv.gz", ".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
_BROUGHT = (".tsv", ".tsv.gz", ".xlsx", ".feather", ".arrow", ".csv.zst", ".jsonl.zst", ".json")
_GZIP = b"\x1f\x8b"
_LONGEST_HEADER = 1 << 24
_START = 1 << 16  # bytes by which a web page or a picture is known
_BROKEN = (pl.exceptions.PolarsError, OSError, EOFError, UnicodeDecodeError, zlib.error, csv.Error)

_Result = TypeVar("_Result")


def ending_of(path: Path) -> str | None:
    """Return by which ending a file's kind is known; None for others."""
    name = path.name.lower()
    return next((end for end in (*_ENDINGS, *_BROUGHT) if name.endswith(end)), None)


def open_file(path: Path, name: str = "") -> Table:
    """Open a file by its ending; errors call it by its name, unless they are told another."""
    name = name or path.name
    if path.is_dir():
        raise LogError(f"{path} is a directory; give the file inside")
    if not path.exists():
        raise LogError(f"there is no file {path}")
    ending = ending_of(path)
    if ending is None:
        endings = ", ".join((*_ENDINGS, *_BROUGHT))
        raise LogError(f"{name} is of no known kind: it must end in {endings}")
    if ending in _BROUGHT:
        return replace(_open_whole(path, name), path=path)
    if not path.stat().st_size:
        raise LogError(f"{name} is empty")
    file = _File(path, name)
    if ending == ".parquet":
        lazy = pl.scan_parquet(path, glob=False)
        return replace(file.scan(lazy), lazy=nw.from_native(lazy))
    return _open_csv(file) if ".csv" in ending else _open_json(file)


def _open_whole(path: Path, name: str) -> Table:
    """Open a table of a kind that is read as a whole."""
    from askpoint.records.readers.reading import Choices
    from askpoint.records.readers.sources import find_sources
    from askpoint.records.readers.table_opening import open_grids
    from askpoint.records.table_frames import open_frame

    grids = [grid for source in find_sources([path]) for grid in open_grids(source, Choices())]
    if len(grids) > 1:
        names = ", ".join(grid.name for grid in grids)
        raise LogError(f"{name} holds several tables ({names}): give askpoint the file alone")
    frame = grids[0].frame
    return replace(open_frame(frame), name=name, schema=frame.schema)


def _open_csv(file: _File) -> Table:
    def fault(*, strict: bool = True) -> str | None:
        return csv_fault(_text(file.path, "utf-8-sig"), strict=strict)

    def check(frame: pl.DataFrame, columns: Sequence[str]) -> tuple[pl.DataFrame, bool]:
        # polars fills rows that are too short with nulls: such a row ends in one
        suspect = frame[table.columns[-1]].null_count() > 0
        if suspect and (short := fault(strict=False)) is not None:
            raise file.make_error(short)
        return frame.select(columns), suspect

    def with_last(columns: Sequence[str]) -> list[str]:
        return list(dict.fromkeys([*columns, table.columns[-1]]))

    def read(columns: Sequence[str]) -> pl.DataFrame:
        return check(table.reader(with_last(columns)), columns)[0]

    def batches(columns: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        sound = False  # the whole file is looked through once
        for frame in table.batcher(with_last(columns), size):
            part, looked = (frame.select(columns), True) if sound else check(frame, columns)
            sound = sound or looked
            yield part

    def repeated_name() -> str | None:
        with _text(file.path, "utf-8-sig") as start:
            refuse_wide(file.name, len(start.readline(_LONGEST_HEADER).split(",")))
            start.seek(0)
            return duplicate_column(start)

    twice = file.guard(repeated_name, lambda: None)
    if twice is not None:
        raise LogError(f"two columns of {file.name} are named {twice!r}; rename one")
    table = file.scan(pl.scan_csv(file.path, infer_schema=False, glob=False), fault)
    return replace(table, reader=read, batcher=batches)


def _open_json(file: _File) -> Table:
    def fault() -> str | None:
        return json_fault(_text(file.path, "utf-8"))

    name = glob.escape(str(file.path))  # scan_ndjson cannot be told that it is no pattern
    # the type of a cell that comes late counts as much as those of the first lines
    schema = file.guard(
        lambda: pl.scan_ndjson(name, infer_schema_length=None).collect_schema(), fault
    )
    return file.scan(pl.scan_ndjson(name, schema=schema), fault)


class _File(NamedTuple):
    """A file that polars scans, and what errors call it."""

    path: Path
    name: str

    def scan(self, rows: pl.LazyFrame, fault: Callable[[], str | None] = lambda: None) -> Table:
        """Return the table; a fault that polars found is asked for its reason."""

        def read(columns: Sequence[str]) -> pl.DataFrame:
            return self.guard(lambda: rows.select(columns).collect(), fault)

        def batches(columns: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
            frames = self.guard(
                lambda: rows.select(columns).collect_batches(chunk_size=size), fault
            )
            while (frame := self.guard(lambda: next(frames, None), fault)) is not None:
                yield frame

        def count() -> int:
            return self.guard(lambda: int(rows.select(pl.len()).collect().item()), fault)

        schema = self.guard(rows.collect_schema, fault)
        if any(name.lstrip().startswith(("<", "%PDF")) for name in schema.names()[:1]):
            self.refuse_foreign()
        return Table(
            self.name, tuple(schema.names()), read, batches, count, schema=schema, path=self.path
        )

    def guard(self, work: Callable[[], _Result], fault: Callable[[], str | None]) -> _Result:
        """Do some work; say in one line why it failed."""
        try:
            return work()
        except _BROKEN as error:
            reason = _line(error)
        try:
            reason = fault() or reason
        except _BROKEN as error:
            reason = _line(error)
        self.refuse_foreign()
        raise self.make_error(reason)

    def refuse_foreign(self) -> None:
        """Say what the file is, if it is no table; opened again for that only where something is wrong."""
        from askpoint.records.readers.foreign_files import refuse_foreign

        with self.path.open("rb") as start:
            refuse_foreign(self.name, start.read(_START))

    def make_error(self, reason: str) -> LogError:
        """Say that the file cannot be read."""
        return LogError(f"{self.name} is broken or cut off: {reason}")


def _line(error: Exception) -> str:
    return " ".join(str(error).split("\n\n")[0].split())


def _text(path: Path, encoding: str) -> TextIO:
    file = path.open("rb")
    if file.peek(len(_GZIP))[: len(_GZIP)] != _GZIP:
        return io.TextIOWrapper(file, encoding=encoding, newline="")
    file.close()
    return cast("TextIO", gzip.open(path, "rt", encoding=encoding, newline=""))
