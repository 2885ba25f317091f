"""Data of a Python program as files would hold them: frames, arrays, tensors, outputs of pipelines."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.sources import Source
from askpoint.records.table_frames import open_frame, repeated_name

__all__ = ["is_column", "is_lazy", "source_of"]

_NAME = "the data"
_ALLOWED = (
    "data must be a path, an address, a dataframe (pandas, polars, pyarrow, DuckDB, Ibis, Spark), arrays or "
    "tensors by name, an array of probabilities, or rows as dicts"
)


def source_of(data: Any, columns: Mapping[str, Any] | None = None) -> Source:
    """Return data of a program as the file that would hold them.

    Parameters
    ----------
    data : dataframe, mapping, sequence, array or tensor
        Rows, columns, or probabilities with a row per case.
    columns : mapping of str to array-like, optional
        Further columns by name.

    Returns
    -------
    Source
        Arrow for what has columns, JSON for rows as dicts.

    Raises
    ------
    LogError
        If it is nothing that has rows, or lies on another device.
    """
    more = {name: _cells(name, values) for name, values in (columns or {}).items()}
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return _rows(list(data), more)
    if _is_dataset(data):
        return _dataset(data, more)
    if isinstance(data, Mapping):
        return _mapping(data, more)
    if _is_array(data):
        return _source(_arrays({"proba": data}), more)
    return _source(_frame(data), more)


def is_column(value: Any) -> bool:
    """Say whether a value holds the cells of a column rather than its name or a list of names."""
    if isinstance(value, str | bytes | Mapping):
        return False
    return _is_array(value) or (
        hasattr(value, "__len__") and len(value) > 0 and not isinstance(value, tuple | set)
    )


def is_lazy(data: Any) -> bool:
    """Say whether an engine holds the rows: DuckDB, Ibis, Spark, Dask, a scan of polars."""
    try:
        frame = nw.from_native(data, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        raise repeated_name(error) from None
    return isinstance(frame, nw.LazyFrame)


def _is_array(value: Any) -> bool:
    kind = type(value)  # a scan of polars resolves its columns where an object is asked
    has_columns = hasattr(kind, "columns") or hasattr(kind, "column_names")
    return not has_columns and (hasattr(kind, "__array__") or hasattr(kind, "__dlpack__"))


def _is_dataset(value: Any) -> bool:
    """Say whether this is a data set of Hugging Face, whose labels are numbers with names."""
    return all(hasattr(value, name) for name in ("features", "with_format", "num_rows"))


def _array(name: str, values: Any) -> np.ndarray[Any, Any]:
    """Return an array or a tensor, which must be in this machine's own memory."""
    device = str(getattr(values, "device", "cpu"))
    if not device.startswith("cpu") and "cpu" not in device.lower():
        raise LogError(
            f"{name} must be in memory; got a tensor on the device {device}. Move it with .cpu()"
        )
    if hasattr(values, "detach"):
        values = values.detach()
        if str(values.dtype).endswith(("bfloat16", "float16")):
            values = values.float()
    try:
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise LogError(f"{name} must be numbers or texts in rows of one length: {reason}") from None


def _cells(name: str, values: Any) -> pl.Series:
    if isinstance(values, pl.Series):
        return values.rename(name)
    if _is_array(values) and not hasattr(values, "isna"):
        array = _array(name, values)
        if array.ndim != 1:
            raise LogError(
                f"{name} must have one value per case; got an array of shape {array.shape}"
            )
        return pl.Series(name, array.tolist(), strict=False)
    if hasattr(values, "to_frame"):  # a series of pandas: its own missing values are nulls
        return _frame(values.to_frame(name)).to_series().rename(name)
    return pl.Series(name, list(values), strict=False)


def _arrays(arrays: Mapping[str, Any]) -> pl.DataFrame:
    columns: dict[str, pl.Series] = {}
    for name, values in arrays.items():
        if not _is_array(values) or hasattr(values, "isna"):
            columns[name] = _cells(name, values)
            continue
        array = _array(name, values)
        if array.ndim == 2 and array.shape[1] > 1:
            for i in range(array.shape[1]):
                columns[f"{name}_{i}"] = pl.Series(array[:, i].tolist())
        else:
            columns[name] = _cells(name, array.reshape(-1) if array.ndim == 2 else array)
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {n:,}" for name, n in lengths.items())
        raise LogError(f"arrays must be of one length; got {told}")
    return pl.DataFrame(columns)


def _mapping(data: Mapping[str, Any], more: Mapping[str, pl.Series]) -> Source:
    if data and all(_is_dataset(part) for part in data.values()):
        raise LogError(f"data must be one split; got {', '.join(map(str, data))}. Name one of them")
    if data and all(is_column(values) for values in data.values()):
        return _source(_arrays({str(name): values for name, values in data.items()}), more)
    return _json(dict(data))


def _rows(rows: list[Any], more: Mapping[str, pl.Series]) -> Source:
    """Return rows as JSON: what a pipeline answers, or what a tool's export holds."""
    if not rows:
        raise LogError("data must have rows; got an empty list")
    if not all(isinstance(row, dict | list) for row in rows):
        if all(isinstance(row, Sequence | int | float | np.generic) for row in rows):
            return _source(_arrays({"proba": np.asarray(rows)}), more)
        raise LogError(f"{_ALLOWED}; got a list of {type(rows[0]).__name__}")
    if isinstance(rows[0], list) and not (rows[0] and isinstance(rows[0][0], dict)):
        return _source(_arrays({"proba": np.asarray(rows)}), more)
    for name, cells in more.items():
        if len(cells) != len(rows):
            raise LogError(f"{name} must have a value per row; got {len(cells):,} of {len(rows):,}")
    if more:  # a row of a pipeline with all classes is a list
        rows = [row if isinstance(row, dict) else {"scores": row} for row in rows]
        beside = pl.DataFrame(more).rows(named=True)
        rows = [row | other for row, other in zip(rows, beside, strict=True)]
    return _json(rows)


def _json(content: Any) -> Source:
    def plain(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if _is_array(value):
            return _array("a cell", value).tolist()
        return str(value)

    return Source(_NAME, json.dumps(content, default=plain).encode())


def _dataset(data: Any, more: Mapping[str, pl.Series]) -> Source:
    import pyarrow as pa

    table = data.with_format("arrow")[:]
    for name, cells in more.items():
        _check_rows(name, len(cells), data.num_rows)
        table = table.append_column(name, cells.to_arrow())
    table = table.replace_schema_metadata(data.features.arrow_schema.metadata)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return Source(_NAME, sink.getvalue().to_pybytes())


def _check_rows(name: str, n: int, n_rows: int) -> None:
    if n != n_rows:
        raise LogError(f"{name} must have a value per row; got {n:,} for {n_rows:,} rows")


def _frame(data: Any) -> pl.DataFrame:
    is_pandas = nw.dependencies.is_pandas_like_dataframe(data)
    try:
        table = open_frame(_with_index(data) if is_pandas else data)
    except LogError as error:
        if isinstance(error.__cause__ or error.__context__, TypeError):
            raise LogError(f"{_ALLOWED}; got {type(data).__name__}") from None
        raise
    frame = table.read(list(table.columns))
    frame = frame.with_columns(pl.selectors.decimal().cast(pl.Float64))
    # pandas has no other missing number
    return frame.with_columns(pl.selectors.float().fill_nan(None)) if is_pandas else frame


def _with_index(frame: Any) -> Any:
    """Return a frame of pandas with its named index as columns, for it may hold the cases' names."""
    if getattr(frame.columns, "nlevels", 1) > 1:
        raise LogError(
            f"the dataframe must have one name per column; got a MultiIndex of {frame.columns.nlevels} levels. "
            "Join them: frame.columns = ['_'.join(map(str, name)) for name in frame.columns]"
        )
    names = list(frame.index.names)
    if len(names) > 1 and any(name is None or name in frame.columns for name in names):
        raise LogError(
            f"the dataframe's index must have a name of its own for each level; got {names}. Name them by "
            "frame.index.names = [...], or leave them out by frame.reset_index(drop=True)"
        )
    is_named = names[0] is not None and names[0] not in frame.columns
    return frame.reset_index() if is_named else frame


def _source(frame: pl.DataFrame, more: Mapping[str, pl.Series]) -> Source:
    for name, cells in more.items():
        _check_rows(name, len(cells), frame.height)
    sink = io.BytesIO()
    frame.with_columns(*(cells.alias(name) for name, cells in more.items())).write_ipc(sink)
    return Source(_NAME, sink.getvalue())
