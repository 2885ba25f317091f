"""Dataframes from outside, whatever library they are of."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from askpoint.errors import InputError

__all__ = ["as_lazy"]


def as_lazy(frame: Any) -> nw.LazyFrame[Any]:
    """Take a dataframe as one that the engine behind it works on lazily."""
    try:
        table: nw.LazyFrame[Any] = nw.from_native(frame).lazy()
    except TypeError:
        raise InputError(
            "a dataframe is needed (pandas, polars, pyarrow, DuckDB, Dask, Ibis, PySpark, ...); "
            f"got {type(frame).__name__}"
        ) from None
    return table
