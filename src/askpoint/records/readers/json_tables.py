"""JSON as tables of cells: lists of rows, rows by name, columns, and objects inside cells."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.records.column_words import looks_like
from askpoint.records.faults import json_fault
from askpoint.records.label_words import MOST_LABELS
from askpoint.records.readers.sources import Source

__all__ = ["read_json_lines", "read_json_rows", "read_objects"]

_ROWS = 10_000  # from which the types of JSON cells are taken; others are read one by one


def read_json_lines(source: Source) -> pl.DataFrame:
    """Read an object a line; objects inside cells become columns named with a dot."""
    return _flat(_lines(source))


def read_json_rows(source: Source) -> pl.DataFrame:
    """Read a document that holds rows in some form, likewise.

    Raises
    ------
    LogError
        If it holds none.
    """
    return _flat(_rows(source))


def _lines(source: Source) -> pl.DataFrame:
    try:
        data = source.data.removeprefix(b"\xef\xbb\xbf")
        return pl.read_ndjson(io.BytesIO(data), infer_schema_length=_ROWS)
    except pl.exceptions.PolarsError:
        fault = json_fault(io.StringIO(source.text))
        if fault is not None:
            raise LogError(f"{source.name} is broken or cut off: {fault}") from None
    return _frame([line for _, line in source.lines()])


def _rows(source: Source) -> pl.DataFrame:
    document = source.document
    if isinstance(document, dict):
        if _is_split(document):  # pandas' split, tables of Weights & Biases and MLflow
            rows = [dict(zip(document["columns"], row, strict=False)) for row in document["data"]]
            return _frame([{k: v for k, v in r.items() if not isinstance(v, dict)} for r in rows])
        if _is_viewed(document):
            return _frame([part["row"] for part in document["rows"]])
        lists = {key: value for key, value in document.items() if isinstance(value, list)}
        if len(lists) == 1 and not isinstance(next(iter(lists.values()))[:1], dict):
            rows = next(iter(lists.values()))
            if rows and all(isinstance(row, dict) for row in rows):
                return _frame(rows)
        if len(lists) == len(document) > 1 and len({len(value) for value in lists.values()}) == 1:
            return pl.DataFrame(document, strict=False)
        if (deeper := _find_deeper(document)) is not None:
            return _frame(deeper)
        if document and all(isinstance(value, dict) for value in document.values()):
            return _frame(_read_keyed(document))
        raise LogError(
            f"{source.name} is JSON of no tool that is known here, and no list of rows: it has the "
            f"keys {', '.join(list(document)[:8])}"
        )
    if document and all(isinstance(row, list) and _are_scores(row) for row in document):
        return _frame([{"scores": row} for row in document])  # a pipeline's classes, all of them
    if not document or not all(isinstance(row, dict) for row in document):
        raise LogError(f"{source.name} is a JSON list, but not of objects, one per row")
    return _frame(document)


def _find_deeper(document: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the only list of objects in an object's objects, where it is longer than the object itself."""
    found: list[list[dict[str, Any]]] = []
    inner = list(document.values())
    while inner:
        value = inner.pop()
        if isinstance(value, dict):
            inner += value.values()
        elif isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            found.append(value)
    return found[0] if len(found) == 1 and len(found[0]) > len(document) else None


def _is_split(document: dict[str, Any]) -> bool:
    columns, data = document.get("columns"), document.get("data")
    return (
        isinstance(columns, list) and isinstance(data, list) and bool(data)
        and all(isinstance(name, str) for name in columns) and isinstance(data[0], list)
    )  # fmt: skip


def _is_viewed(document: dict[str, Any]) -> bool:
    """Say whether this is a page of a data set as Hugging Face's server shows it."""
    rows = document.get("rows")
    return (
        "features" in document and isinstance(rows, list) and bool(rows)
        and all(isinstance(part, dict) and isinstance(part.get("row"), dict) for part in rows)
    )  # fmt: skip


def _are_scores(row: list[Any]) -> bool:
    return bool(row) and all(isinstance(p, dict) and {"label", "score"} <= set(p) for p in row)


def _read_keyed(document: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of objects in an object: by id, or by column as pandas writes them."""
    inner = [set(value) for value in document.values()]
    if len(inner) < len(inner[0]) and all(keys == inner[0] for keys in inner):
        first = next(iter(document.values()))
        return [
            {"id": key, **{name: column[key] for name, column in document.items()}} for key in first
        ]
    return [{"id": key, **value} for key, value in document.items()]


def _frame(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, infer_schema_length=None, strict=False)


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Return objects inside cells as columns named with a dot."""
    for name, kind in frame.schema.items():
        if isinstance(kind, pl.Struct):
            fields = [f"{name}.{field.name}" for field in kind.fields]
            frame = frame.with_columns(frame[name].struct.rename_fields(fields)).unnest(name)
            return _flat(frame)
    for name, kind in frame.schema.items():
        if isinstance(kind, pl.List) and isinstance(kind.inner, pl.Struct):
            fields = [field.name for field in kind.inner.fields]
            if _is_votes(fields) and not set(fields) & set(frame.columns):
                return frame.explode(name).unnest(name)
            if frame.height > 1 and frame[name].list.len().max() == 1:
                return _flat(frame.with_columns(frame[name].list.first()))
    return frame


def read_objects(frame: pl.DataFrame) -> pl.DataFrame:
    """Add to structs, and to texts that are JSON objects, their labels and numbers as columns of their own.

    Objects of numbers alone stay as they are: they are the probabilities of classes.
    """
    for name, kind in frame.schema.items():
        inner = frame[name] if isinstance(kind, pl.Struct) else _decode(frame[name])
        if inner is None or all(part.dtype.is_numeric() for part in inner.struct.unnest()):
            continue
        parts = _flat(inner.to_frame())
        few = all(
            column.dtype.is_numeric() or column.n_unique() <= MOST_LABELS
            for column in parts
            if column.dtype != pl.Null
        )
        if few and not set(parts.columns) & set(frame.columns):
            place = frame.columns.index(name)
            frame = pl.DataFrame([*frame[:, : place + 1], *parts, *frame[:, place + 1 :]])
    return frame


def _decode(column: pl.Series) -> pl.Series | None:
    """Return texts that are all JSON objects as structs."""
    if column.dtype != pl.String:
        return None
    first = column.drop_nulls().head(1).to_list()
    if not first or not first[0].lstrip().startswith("{"):
        return None
    try:
        rows = [None if cell is None else json.loads(cell) for cell in column]
    except ValueError:
        return None
    if not all(row is None or isinstance(row, dict) for row in rows):
        return None
    decoded = pl.Series(column.name, rows, strict=False)
    return decoded if isinstance(decoded.dtype, pl.Struct) else None


def _is_votes(fields: Sequence[str]) -> bool:
    """Say whether objects in a list are votes: who, and what."""
    who = any(
        looks_like(name, ("judge", "worker", "annotator", "grader", "rater")) for name in fields
    )
    what = ("vote", "verdict", "label", "grade", "rating", "score", "value")
    return who and any(looks_like(name, what) for name in fields)
