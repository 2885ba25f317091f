"""A log that goes by in batches of rows."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import polars as pl

from askpoint.errors import InputError, LogError
from askpoint.measures.log_columns import Columns
from askpoint.records.logs import log_of_rows
from askpoint.records.predictions import PredictionLog
from askpoint.records.table import Table

__all__ = ["Progress", "log_batches", "number_rows_from"]

_ROWS = 1 << 18  # of a batch

Progress = Callable[[int], object]


def log_batches(
    table: Table, columns: Columns, classes: tuple[str, ...]
) -> Iterator[tuple[pl.DataFrame, PredictionLog]]:
    """Yield a log a batch at a time: the rows as they stand, and what they say."""
    start = 0
    for frame in table.batches(columns.wanted, _ROWS):
        with number_rows_from(start):
            log = log_of_rows(frame, columns, classes, is_part=True)
        start += log.n_items
        yield frame, log


@contextlib.contextmanager
def number_rows_from(start: int) -> Iterator[None]:
    """Tell what is wrong with a batch by the row that it begins with."""
    try:
        yield
    except InputError as error:
        if not start:
            raise
        raise LogError(f"reading from row {start} on: {error}") from None
