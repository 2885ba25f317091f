"""Scores of Langfuse: from its API, an export, or a table of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.records.label_words import truth_of
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.score_rows import ScoreRow, read_rows, read_score_rows
from askpoint.records.readers.sources import Source

__all__ = ["read_langfuse", "sniff_langfuse"]


def sniff_langfuse(source: Source) -> float | None:
    """Say how sure it is that a file holds scores of Langfuse."""
    keys = source.row_keys
    trace = {"traceId", "trace_id"} & keys
    kind = {"dataType", "data_type", "stringValue", "string_value"} & keys
    return 0.97 if trace and kind and {"name", "source"} <= keys else None


def read_langfuse(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read scores: those with source ANNOTATION are people's, those with EVAL are judges'."""
    rows = (row for source in sources for row in _rows(source))
    files = [source.name for source in sources]
    return read_score_rows(rows, "Langfuse", files, choices, gold_from="source ANNOTATION")


def _rows(source: Source) -> Iterator[ScoreRow]:
    for row in read_rows(source):
        name = str(row.get("name"))
        item = _first(row, "observationId", "observation_id", "traceId", "trace_id", "sessionId")
        kind = str(_first(row, "dataType", "data_type") or "").upper()
        value = row.get("value")
        text = _first(row, "stringValue", "string_value")
        if text is not None and kind != "NUMERIC":
            value = text
        elif kind == "BOOLEAN" and value is not None:
            value = truth_of(str(value).removesuffix(".0"))
        is_person = str(row.get("source", "")).upper() == "ANNOTATION"
        yield ScoreRow(str(item), name, name, value, is_person)


def _first(row: dict[str, Any], *keys: str) -> Any:
    return next((row[key] for key in keys if row.get(key) is not None), None)
