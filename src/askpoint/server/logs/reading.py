"""Read a log that somebody sent, which may be made to fill a memory: its size is asked first."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from askpoint.errors import AskpointError, InputError, LogError, UnknownColumnError
from askpoint.measures.log_columns import find_columns
from askpoint.records.logs import read_log
from askpoint.records.predictions import PredictionLog
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.registry import read_files
from askpoint.records.tables import open_table

__all__ = ["MOST_COLUMNS", "MOST_ROWS", "LogRead", "check_size", "read_any", "read_plain"]

MOST_ROWS = 5_000_000
MOST_COLUMNS = 500
_MOST_CELLS = 50_000_000


class _TooLargeError(InputError):
    """Before it is read."""


class LogRead(NamedTuple):
    """A log, and what its columns were taken for where they have no usual names."""

    records: PredictionLog
    reading: Reading | None = None


def read_any(path: Path, group: str | None = None) -> LogRead:
    """Read a log as `askpoint value` does; `group` names its groups.

    Its usual columns are read as they are. Any other file, and one without a column `label`, is looked through.

    Raises
    ------
    AskpointError
        As the command does; or if there are too many rows or columns.
    """
    fault: AskpointError | None = None
    is_plain, plain = False, None
    try:
        table = open_table(path)
        check_size(len(table.columns), table.n_rows())
        label = "label" if "label" in table.columns else None
        find_columns(table.columns, label=label, group=group)
        is_plain = True
        plain = LogRead(read_log(path, label=label, group=group, need_labels=False))
        if label is not None:
            return plain
    except _TooLargeError:
        raise
    except AskpointError as error:
        fault = error
    try:
        reading = read_files([str(path)], Choices(kind="predictions"))
        if (doubt := reading.open_doubt) is not None:
            raise LogError(f"{doubt.what}: name the columns in the file")
        frame = reading.frame
        check_size(frame.width, frame.height)
        proba = [name for name in (f"proba_{label}" for label in reading.classes) if name in frame]
        records = read_log(
            frame,
            label="label" if "label" in frame else None,
            proba=proba or None,
            classes=reading.classes or None,
            prediction=None if proba else "prediction",
            confidence=None if proba else "confidence",
            group=group,
            need_labels=False,
        )
        return LogRead(records, reading)
    except AskpointError as error:
        if plain is not None:
            return plain
        is_plain = is_plain or isinstance(fault, UnknownColumnError)
        raise (fault if is_plain and fault is not None else error) from None


def read_plain(path: Path, classes: list[str] | None, group: str | None = None) -> PredictionLog:
    """Read a log of labelled cases by its usual columns, and the one that names groups.

    Raises
    ------
    AskpointError
        As `askpoint deploy` does; or if there are too many rows or columns.
    """
    if path.suffix == ".csv":
        with path.open("rb") as file:
            check_size(file.readline().count(b","), 0)
    table = open_table(path)  # a small file may hold very many rows
    check_size(len(table.columns), table.n_rows())
    return read_log(path, classes=classes, group=group)


def check_size(columns: int, rows: int) -> None:
    """Refuse a log that is too wide or too long to be read here.

    Raises
    ------
    InputError
        If it is.
    """
    if columns > MOST_COLUMNS or rows > MOST_ROWS or columns * rows > _MOST_CELLS:
        raise _TooLargeError(
            f"a log that is uploaded has at most {MOST_ROWS:,} rows, {MOST_COLUMNS} columns and "
            f"{_MOST_CELLS:,} cells, and this one has {rows:,} rows and {columns:,} columns; upload the "
            "newest rows and the columns that are needed, or use `askpoint value` on your own machine"
        )
