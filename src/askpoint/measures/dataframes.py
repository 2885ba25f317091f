"""Dataframes from outside, whatever library they are of."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from askpoint.errors import InputError

__all__ = ["as_lazy"]


def as_lazy(frame: Any) -> nw.LazyFrame[Any]:
    """Take a dataframe as one that the engine behind it works on lazily.

    Parameters
    ----------
    frame : dataframe
        Anything that narwhals knows.

    Returns
    -------
    narwhals.LazyFrame

    Raises
    ------
    InputError
        If it is no dataframe.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.measures.dataframes import as_lazy
    >>> as_lazy(pl.DataFrame({"label": ["ham"]})).collect_schema().names()
    ['label']
    """
    try:
        table: nw.LazyFrame[Any] = nw.from_native(frame).lazy()
    except TypeError:
        raise InputError(
            "a dataframe is needed (pandas, polars, pyarrow, DuckDB, Dask, Ibis, PySpark, ...); "
            f"got {type(frame).__name__}"
        ) from None
    return table
