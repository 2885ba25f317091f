"""Evaluation events of OpenTelemetry's conventions for generative AI, in OTLP JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_opentelemetry", "sniff_opentelemetry"]

_EVENT = "gen_ai.evaluation.result"


def sniff_opentelemetry(source: Source) -> float | None:
    """Say how sure it is that a file is OTLP JSON."""
    return 1.0 if source.has_keys("resourceLogs") or source.has_keys("resourceSpans") else None


def read_opentelemetry(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read evaluation events: each evaluation's name is a judge."""
    rows: dict[str, JudgedAnswer] = {}
    for source in sources:
        for event in _events(source):
            _add(rows, event)
    if not rows:
        raise LogError(f"{sources[0].name} is OTLP, but has no event {_EVENT}")
    return read_answers(
        rows.values(),
        "OpenTelemetry",
        [source.name for source in sources],
        choices,
        question_of=str,
    )


def _events(source: Source) -> Iterator[dict[str, Any]]:
    for document in source.documents:
        for resource in document.get("resourceLogs") or []:
            for scope in resource.get("scopeLogs") or []:
                for record in scope.get("logRecords") or []:
                    values = _attributes(record)
                    if _EVENT in (record.get("eventName"), values.get("event.name")):
                        yield values | {"span": record.get("spanId")}
        for resource in document.get("resourceSpans") or []:
            for scope in resource.get("scopeSpans") or []:
                for span in scope.get("spans") or []:
                    for event in span.get("events") or []:
                        if event.get("name") == _EVENT:
                            yield _attributes(event) | {"span": span.get("spanId")}


def _attributes(record: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for attribute in record.get("attributes") or []:
        value = attribute.get("value") or {}
        kind, content = next(iter(value.items()), ("", None))
        if kind == "intValue":
            content = int(str(content))
        found[str(attribute.get("key"))] = content
    return found


def _add(rows: dict[str, JudgedAnswer], event: dict[str, Any]) -> None:
    item = str(event.get("gen_ai.response.id") or event.get("span"))
    row = rows.setdefault(item, JudgedAnswer(item, str(event.get("gen_ai.request.model") or "")))
    judge = str(event.get("gen_ai.evaluation.name"))
    label = event.get("gen_ai.evaluation.score.label")
    if event.get("error.type"):
        row.missing[judge] = str(event["error.type"])
    elif label is not None:
        row.add(judge, label)
    else:
        row.add(judge, event.get("gen_ai.evaluation.score.value"))
