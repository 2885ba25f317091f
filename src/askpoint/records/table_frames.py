"""Tables from dataframes, whatever library they are of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw
import polars as pl

from askpoint.errors import LogError
from askpoint.records.table import Table

__all__ = ["open_frame", "repeated_name"]


def open_frame(source: Any) -> Table:
    """Open any dataframe; the engine behind a lazy one can count its rows."""
    try:
        frame = nw.from_native(source)
        names = list(frame.collect_schema().names())
    except TypeError:
        raise LogError(
            "a log must be the path of a file or a dataframe (polars, pandas, pyarrow, DuckDB, "
            f"...); got {type(source).__name__}"
        ) from None
    except nw.exceptions.DuplicateError as error:
        raise repeated_name(error) from None
    if any(isinstance(name, tuple) for name in names):
        first = next(name for name in names if isinstance(name, tuple))
        raise LogError(
            f"the columns of the dataframe have several levels, such as {', '.join(map(str, first))}. Make them "
            "one: frame.columns = ['_'.join(map(str, name)) for name in frame.columns]"
        )
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

    lazy = frame if isinstance(frame, nw.LazyFrame) else None
    return Table("the dataframe", tuple(native), read, batches, count, lazy=lazy)


def repeated_name(error: Exception) -> LogError:
    """Say which name several columns of a dataframe have."""
    line = " ".join(str(error).split("\n\n")[0].split())
    return LogError(f"two columns of the dataframe have one name: {line}. Rename one")


def _series(column: nw.Series[Any]) -> pl.Series:
    if column.implementation.is_polars() or column.implementation.is_pyarrow():
        return pl.Series(column.to_native())
    if column.dtype.is_numeric():
        return pl.Series(column.to_numpy())
    # a missing text is NaN, None or NA here: ask narwhals, not the value
    missing = column.is_null().to_numpy()
    cells = [None if gone else cell for cell, gone in zip(column.to_list(), missing, strict=True)]
    return pl.Series(cells, strict=False)
