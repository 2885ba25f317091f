"""Spans of OpenInference with annotations or evaluations, one a line or in a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_openinference", "sniff_openinference"]

_KEY = re.compile(
    r"(?:(trace|session)\.)?(?:annotations|evaluations)\.(\d+)\.(?:annotation|evaluation)\.(\w+)$"
)


def sniff_openinference(source: Source) -> float | None:
    """Say how sure it is that a file holds spans of OpenInference."""
    if not source.has_keys("attributes"):
        return None
    head = source.data[: 1 << 20]
    return 1.0 if b"openinference." in head or b".annotator_kind" in head else None


def read_openinference(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read annotations: people's are gold, a model's are votes, a program's labels too."""
    rows: list[JudgedAnswer] = []
    numbers: set[str] = set()
    for source in sources:
        for span in _spans(source):
            row = _row(span, numbers)
            row.file = source.name
            if row.votes or row.missing or row.gold is not None:
                rows.append(row)
    if not rows:
        raise LogError(f"{sources[0].name} has spans, but none with an annotation or evaluation")
    return read_answers(
        rows,
        "OpenInference",
        [source.name for source in sources],
        choices,
        gold_from="annotations with annotator_kind HUMAN",
        not_judges=sorted(numbers),
        question_of=lambda judge: judge.partition("/")[0],
    )


def _spans(source: Source) -> Iterator[dict[str, Any]]:
    yield from source.documents


def _row(span: dict[str, Any], numbers: set[str]) -> JudgedAnswer:
    attributes = span.get("attributes") or {}
    context = span.get("context") or {}
    item = context.get("span_id") or span.get("span_id") or context.get("trace_id")
    row = JudgedAnswer(str(item), str(attributes.get("llm.model_name") or ""))
    row.failed = str((span.get("status") or {}).get("status_code", "")).endswith("ERROR")
    parts: dict[tuple[str, str], dict[str, Any]] = {}
    for key, value in attributes.items():
        if (".annotation." in key or ".evaluation." in key) and (match := _KEY.match(key)):
            parts.setdefault((match[1] or "", match[2]), {})[match[3]] = value
    for part in parts.values():
        _add(row, part, numbers)
    if row.votes:
        row.failed = False
    return row


def _add(row: JudgedAnswer, part: dict[str, Any], numbers: set[str]) -> None:
    name, kind = str(part.get("name")), str(part.get("annotator_kind", "LLM")).upper()
    maker = part.get("identifier")
    judge = f"{name}/{maker}" if maker else name
    value = part.get("label")
    if kind == "HUMAN":
        if value is None and part.get("score") is not None:
            value = part["score"]
        row.gold = row.gold if value is None else str(value)
    elif value is not None:
        row.add(judge, value)
    elif kind == "CODE":
        numbers.add(judge)
    else:
        row.add(judge, part.get("score"))
