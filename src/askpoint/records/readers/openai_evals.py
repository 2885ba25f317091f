"""Events of OpenAI evals, one a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.evaluations import JudgedAnswer, read_answers
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.sources import Source

__all__ = ["read_openai_evals", "sniff_openai_evals"]

_INVALID = "__invalid__"


def sniff_openai_evals(source: Source) -> float | None:
    """Say how sure it is that a file is of OpenAI evals."""
    if source.shape != "jsonl":
        return None
    if source.has_keys("run_id", "event_id", "type"):
        return 1.0
    return 1.0 if source.has_keys("spec") and "completion_fns" in source.document["spec"] else None


def read_openai_evals(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read what was matched or graded; a sample with an error alone failed."""
    rows: list[JudgedAnswer] = []
    for source in sources:
        system = ""
        found: dict[str, JudgedAnswer] = {}
        for number, event in source.lines():
            if "spec" in event:
                system = ", ".join(map(str, event["spec"].get("completion_fns") or []))
            elif "final_report" not in event:
                if "sample_id" not in event or "type" not in event:
                    raise LogError(f"{source.name}: line {number} is not an event of OpenAI evals")
                name = str(event["sample_id"])
                _add(found.setdefault(name, JudgedAnswer(name, system, file=source.name)), event)
        rows += found.values()
    for row in rows:
        if row.votes:
            row.failed = False
    return read_answers(rows, "OpenAI evals", [source.name for source in sources], choices)


def _add(row: JudgedAnswer, event: dict[str, Any]) -> None:
    kind, data = event["type"], event.get("data") or {}
    if kind == "error":
        row.failed = True
    elif kind == "match":
        row.add("match.correct", data.get("correct"))
    elif kind == "metrics":
        for name in ("choice", "score", "accuracy"):
            if name in data:
                value = data[name]
                row.add(f"metrics.{name}", None if value == _INVALID else value)
