"""The cells of a log's columns as arrays: numbers, ids, parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from askpoint.errors import LogError
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.records.predictions import Days, Parts
from askpoint.records.texts import as_names, simple_column

__all__ = [
    "as_clusters",
    "as_days",
    "as_ids",
    "as_numbers",
    "as_parts",
    "as_propensity",
    "check_one_row_per_case",
    "id_column",
    "least_propensity",
]


def as_numbers(column: pl.Series) -> FloatArray:
    """Return a column as floats; float32 is kept."""
    if column.dtype == pl.String:
        numbers = column.cast(pl.Float64, strict=False)
        if numbers.null_count() > column.null_count():
            numbers = column.str.strip_chars().cast(pl.Float64, strict=False)
        broken = column.is_not_null() & numbers.is_null()
        if broken.any():
            row = int(broken.to_numpy().argmax())
            raise LogError(
                f"the column {column.name!r} must hold numbers; got {column[row]!r} in row {row}"
            )
        column = numbers
    elif not (column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null)):
        raise LogError(f"the column {column.name!r} must hold numbers, not {column.dtype}")
    if column.dtype not in (pl.Float32, pl.Float64):
        column = column.cast(pl.Float64)
    return column.to_numpy()


def as_ids(column: pl.Series) -> NDArray[Any]:
    """Return the names of the cases: integers where all of them are, else texts."""
    return id_column(column).to_numpy()


def id_column(column: pl.Series) -> pl.Series:
    """Return the names of the cases as a column of integers where all of them are, else of texts."""
    if column.null_count():
        row = column.is_null().to_numpy().argmax()
        raise LogError(f"the column {column.name!r} names no case in row {row}")
    column = simple_column(column)
    numbers = column.cast(pl.Int64, strict=False)
    same = numbers == column if column.dtype.is_numeric() else numbers.cast(pl.String) == column
    if not numbers.null_count() and same.all():
        return numbers
    return column.cast(pl.String)


def check_one_row_per_case(ids: pl.Series, models: Parts | None) -> None:
    """Check that no case, or no case of one model, occurs twice."""
    if models is None:
        _check_different(
            ids,
            ": a log has one row per case, or per case and model (then name the model's column); "
            f"without the column {ids.name!r} rows are numbered",
        )
    else:
        for code, model in enumerate(models.names):
            _check_different(
                ids.filter(models.codes == code),
                f" under the model {model!r}: a log has one row per case and model",
            )


def _check_different(ids: pl.Series, rule: str) -> None:
    if ids.n_unique() < len(ids):
        twice = ids.filter(ids.is_duplicated())[0]
        raise LogError(f"the column {ids.name!r} names the case {twice!r} more than once{rule}")


def as_parts(column: pl.Series) -> Parts:
    """Return which part of the log each row belongs to."""
    names, codes, given = as_names(column)
    if given.all():
        return Parts(names, codes)
    whole = np.full(len(given), len(names), np.int32)
    whole[given] = codes
    return Parts((*names, None), whole)


def as_clusters(column: pl.Series) -> IntArray:
    """Return the number of each row's cluster; a row that names none is one of its own."""
    _, codes, given = as_names(column)
    alone = int((~given).sum())
    found = np.empty(len(given), dtype=np.int64)
    found[given], found[~given] = codes + alone, np.arange(alone)
    return found


def as_days(column: pl.Series) -> Days:
    """Return the day of each row, numbered from 1970-01-01 on."""
    moments = column
    if column.dtype == pl.String:
        text = column.str.strip_chars()
        moments = text.str.to_date("%Y-%m-%d", strict=False)
        if moments.null_count():
            moments = (
                text.str.slice(0, 19)
                .str.replace(" ", "T")
                .str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False)
            )
    elif column.dtype != pl.Date and not isinstance(column.dtype, pl.Datetime):
        raise LogError(
            f"the column {column.name!r} must hold dates or times, such as 2026-01-31 or "
            f"2026-01-31T08:00:00, not {column.dtype}"
        )
    if moments.null_count():
        row = int(moments.is_null().to_numpy().argmax())
        raise LogError(
            f"the column {column.name!r} must hold dates or times, such as 2026-01-31 or "
            f"2026-01-31T08:00:00; got {column[row]!r} in row {row}"
        )
    days = moments.dt.date().cast(pl.Int32).cast(pl.Int64).to_numpy()
    return Days(days, isinstance(moments.dtype, pl.Datetime))


def as_propensity(column: pl.Series, labelled: BoolArray) -> FloatArray:
    """Return the probabilities with which the labelled rows were chosen to be labelled."""
    values = as_numbers(column)[labelled]
    allowed = (values > 0) & (values <= 1)
    if not allowed.all():
        bad = int(np.flatnonzero(~allowed)[0])
        got = "none" if np.isnan(values[bad]) else f"{values[bad]:g}"
        raise LogError(
            "a labelled row needs a propensity, a probability above 0 and at most 1; got "
            f"{got} in row {np.flatnonzero(labelled)[bad]} of the column {column.name!r}"
        )
    return values


def least_propensity(column: pl.Series) -> float | None:
    """The least probability that any row states, labelled or not; None where none does."""
    values = as_numbers(column).astype(np.float64)
    stated = values[(values > 0) & (values <= 1)]
    return float(stated.min()) if stated.size else None
