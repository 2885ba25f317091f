"""Logs of approvals as tools write them: interrupts of LangGraph, events of AAIS."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.score_rows import rows_of_json
from askpoint.records.readers.sources import Source

__all__ = ["read_approval_log", "sniff_approval_log"]

_DECISIONS = ("decision", "type", "action", "status")


def sniff_approval_log(source: Source) -> float | None:
    """Say how sure it is that a file is a log of what people allowed an agent to do."""
    row = source.first_row
    if str(row.get("type", "")).startswith("approval."):
        return 0.97
    value = row.get("value")
    requests = (
        value.get("action_requests") if isinstance(value, dict) else row.get("action_requests")
    )
    return 0.97 if isinstance(requests, list) else None


def read_approval_log(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read each request of an agent with what people decided about it."""
    files = [source.name for source in sources]
    if choices.kind not in (None, "approvals"):
        raise LogError(
            f"{files[0]} is a log of approvals, with nothing that could be {choices.kind}: leave out --kind"
        )
    rows = [row for source in sources for row in _rows(source)]
    if not rows:
        raise LogError(f"{files[0]} is a log of approvals without a single request")
    frame = pl.DataFrame(rows, schema=["id", "tool", "decision"], orient="row").cast(pl.String)
    counts = frame["decision"].drop_nulls().value_counts().sort("decision")
    gone = frame["decision"].null_count()
    return Reading(
        "approvals",
        "AAIS" if "type" in sources[0].first_row else "LangGraph",
        tuple(files),
        frame,
        items=frame.height,
        id="id",
        label="decision",
        label_counts=dict(counts.iter_rows()),
        missing={"decision": {"": gone}} if gone else {},
        systems=tuple(frame["tool"].drop_nulls().unique(maintain_order=True)),
    )


def _rows(source: Source) -> Iterator[tuple[str, Any, Any]]:
    requested: dict[str, Any] = {}
    decided: dict[str, Any] = {}
    for place, row in enumerate(rows_of_json(source)):
        kind = str(row.get("type", ""))
        if kind.startswith("approval."):
            request, decision = row.get("request") or {}, row.get("decision") or {}
            if request:
                requested[str(request.get("id"))] = (request.get("action") or {}).get("name")
            if decision:
                decided[str(decision.get("request_id"))] = _read_decision(decision)
            elif kind == "approval.expired" and not request:
                decided[str(row.get("request_id"))] = "expire"
            continue
        yield from _interrupt(row, place)
    for name, tool in requested.items():
        yield name, tool, decided.get(name)


def _interrupt(row: dict[str, Any], place: int) -> Iterator[tuple[str, Any, Any]]:
    value = row.get("value") if isinstance(row.get("value"), dict) else row
    requests = (value or {}).get("action_requests") or []
    answers = row.get("resume") or row.get("response") or {}
    decisions = answers.get("decisions") if isinstance(answers, dict) else answers
    name = str(row.get("interrupt_id") or row.get("id") or place)
    for i, request in enumerate(requests):
        said = decisions[i] if isinstance(decisions, list) and i < len(decisions) else None
        key = name if len(requests) == 1 else f"{name}#{i}"
        yield key, request.get("name") or request.get("action"), _read_decision(said)


def _read_decision(decision: Any) -> str | None:
    if isinstance(decision, str):
        return decision
    if not isinstance(decision, dict):
        return None
    return next((str(decision[key]) for key in _DECISIONS if decision.get(key)), None)
