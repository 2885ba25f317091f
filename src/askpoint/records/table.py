"""A table whose columns are known and whose cells are read on request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from askpoint.errors import LogError

__all__ = ["Table"]


@dataclass(frozen=True)
class Table:
    """A table whose columns are known and whose cells are read on request.

    Parameters
    ----------
    name : str
        What errors call it: the file's name, or "the dataframe".
    columns : tuple of str
        Names of its columns, all different.
    reader, batcher, counter : callable
        Return all rows of some columns, yield them in batches, and count them.
    schema : mapping of str to polars data type, optional
        What the columns of a file hold.
    lazy : narwhals.LazyFrame, optional
        The same rows for an engine to count, where one can.
    path : Path, optional
        Where the file lies.
    parts : tuple of Table
        The files that it consists of, where these are several.
    """

    name: str
    columns: tuple[str, ...]
    reader: Callable[[Sequence[str]], pl.DataFrame] = field(repr=False)
    batcher: Callable[[Sequence[str], int], Iterator[pl.DataFrame]] = field(repr=False)
    counter: Callable[[], int] = field(repr=False)
    schema: Mapping[str, pl.DataType] | None = field(default=None, repr=False)
    lazy: nw.LazyFrame[Any] | None = field(default=None, repr=False)
    path: Path | None = None
    parts: tuple[Table, ...] = field(default=(), repr=False)

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
            raise LogError(
                f"{self.name} holds names of columns and not a single row. Export it with its rows"
            )
