"""Annotations of Phoenix: of spans, traces or documents, from its API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.score_rows import ScoreRow, read_rows, read_score_rows
from askpoint.records.readers.sources import Source

__all__ = ["read_phoenix", "sniff_phoenix"]


def sniff_phoenix(source: Source) -> float | None:
    """Say how sure it is that a file holds annotations of Phoenix."""
    keys = source.row_keys
    if {"example_id", "reference_output", "annotations"} <= keys:
        return 0.97
    return 0.97 if {"annotator_kind", "name"} <= keys and _ITEMS & keys else None


_ITEMS = {"span_id", "trace_id", "document_id", "session_id", "example_id"}


def read_phoenix(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read annotations: those of kind HUMAN are people's, label and score are one verdict."""
    rows = (row for source in sources for row in _rows(source))
    files = [source.name for source in sources]
    return read_score_rows(rows, "Phoenix", files, choices, gold_from="annotator_kind HUMAN")


def _annotations(source: Source) -> Iterator[dict[str, Any]]:
    """Yield annotations, whether each is a row or a run of an experiment holds a list of them."""
    for row in read_rows(source):
        if "annotations" not in row:
            yield row
            continue
        for part in row["annotations"] or []:
            run = f"{row['example_id']}#{row.get('repetition_number', 1)}"
            yield {**part, "example_id": run}


def _rows(source: Source) -> Iterator[ScoreRow]:
    for row in _annotations(source):
        result = row.get("result") if isinstance(row.get("result"), dict) else row
        result = result or {}
        value = result.get("label")
        value = result.get("score") if value is None else value
        name = str(row.get("name"))
        maker = row.get("identifier")
        item = next((row[key] for key in sorted(_ITEMS, reverse=True) if row.get(key)), None)
        position = row.get("document_position")
        judge = f"{name}/{maker}" if maker else f"{name}/{row['annotator_kind']}"
        yield ScoreRow(
            str(item) if position is None else f"{item}#{position}",
            name,
            judge,
            value,
            str(row["annotator_kind"]).upper() == "HUMAN",
        )
