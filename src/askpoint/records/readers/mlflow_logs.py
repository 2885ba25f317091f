"""Assessments of MLflow: a row each, or inside traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.score_rows import ScoreRow, read_rows, read_score_rows
from askpoint.records.readers.sources import Source

__all__ = ["read_mlflow", "sniff_mlflow"]


def sniff_mlflow(source: Source) -> float | None:
    """Say how sure it is that a file holds assessments or traces of MLflow."""
    keys = source.row_keys
    if {"assessment_name", "source"} <= keys or ("assessments" in keys and _TRACE & keys):
        return 0.97
    first = source.first_row
    info = first.get("info")
    return 0.97 if isinstance(info, dict) and _TRACE & set(info) and "data" in first else None


_TRACE = {"trace_id", "request_id", "client_request_id"}


def read_mlflow(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read feedback: of source type HUMAN is people's, of LLM_JUDGE and CODE judges'."""
    rows = [row for source in sources for row in _rows(source)]
    if not rows:
        raise LogError(f"{sources[0].name} has traces of MLflow, but none with an assessment")
    questions = {row.question for row in rows if not row.is_person}
    if len(questions) == 1:  # one question: the judges are those who answered it
        rows = [row._replace(judge=row.judge.partition("/")[2] or row.judge) for row in rows]
    files = [source.name for source in sources]
    return read_score_rows(rows, "MLflow", files, choices, gold_from="source_type HUMAN")


def _rows(source: Source) -> Iterator[ScoreRow]:
    for row in read_rows(source):
        info = row.get("info") if isinstance(row.get("info"), dict) else row
        info = info or {}
        trace = next((info[key] for key in sorted(_TRACE, reverse=True) if info.get(key)), None)
        parts = [row] if "assessment_name" in row else info.get("assessments") or []
        for part in parts:
            if part.get("valid") is False:
                continue
            yield from _row(part, str(part.get("trace_id") or trace))


def _row(part: dict[str, Any], trace: str) -> Iterator[ScoreRow]:
    feedback = part.get("feedback")
    if feedback is None:  # an expectation is what the answer should be, no verdict on it
        return
    value = feedback.get("value") if isinstance(feedback, dict) else feedback
    error = (feedback.get("error") if isinstance(feedback, dict) else None) or part.get("error")
    source = part.get("source") or {}
    kind = str(source.get("source_type", "")).upper()
    name = str(part.get("assessment_name") or part.get("name"))
    maker = str(source.get("source_id") or kind)
    yield ScoreRow(
        trace,
        name,
        f"{name}/{maker}",
        value if isinstance(value, str | int | float | bool) else None,
        kind == "HUMAN",
        "error" if error else "",
    )
