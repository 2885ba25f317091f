"""Logs of approvals as tools write them: interrupts of LangGraph, events of AAIS, requests of AAP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.score_rows import read_rows
from askpoint.records.readers.sources import Source

__all__ = [
    "approval_reading",
    "interrupt_rows",
    "list_requests",
    "read_approval_log",
    "sniff_approval_log",
]

_COLUMNS = (
    "id", "tool", "decision", "agent", "agent_version", "arguments", "risk", "scope", "actor_type", "decided_by",
    "created_at", "decided_at",
)  # fmt: skip
_DECISIONS = ("decision", "type", "action", "status")
_INBOX = {"accept": "approve", "edit": "edit", "response": "reject", "ignore": "reject"}
"""What a person of LangGraph's older inbox decided: what was ignored did not run as it was proposed."""


def sniff_approval_log(source: Source) -> float | None:
    """Say how sure it is that a file is a log of what people allowed an agent to do."""
    row = source.first_row
    if str(row.get("type", "")).startswith("approval."):
        return 0.97
    if {"tool", "arguments", "status", "deadline_at"} <= row.keys():
        return 0.97
    return 0.97 if list_requests(row.get("value")) or list_requests(row) else None


def read_approval_log(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read each request of an agent with what people decided about it."""
    files = [source.name for source in sources]
    if choices.kind not in (None, "approvals"):
        raise LogError(
            f"{files[0]} is a log of approvals, with nothing that could be {choices.kind}: leave out --kind"
        )
    rows = [row for source in sources for row in _rows(source)]
    return approval_reading(rows, _tool_of(sources[0].first_row), files)


def approval_reading(
    rows: Sequence[tuple[str | None, ...]], tool: str, files: Sequence[str]
) -> Reading:
    """Return requests, each as `interrupt_rows` writes them, as what was read.

    Raises
    ------
    LogError
        If there is none.
    """
    if not rows:
        raise LogError(f"{files[0]} is a log of approvals without a single request")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(_COLUMNS, pl.String), orient="row")
    counts = frame["decision"].drop_nulls().value_counts().sort("decision")
    gone = frame["decision"].null_count()
    return Reading(
        "approvals",
        tool,
        tuple(files),
        frame,
        items=frame.height,
        id="id",
        label="decision",
        label_counts=dict(counts.iter_rows()),
        missing={"decision": {"": gone}} if gone else {},
        systems=tuple(frame["tool"].drop_nulls().unique(maintain_order=True)),
    )


def _tool_of(row: dict[str, Any]) -> str:
    if "deadline_at" in row:
        return "AAP"
    return "AAIS" if str(row.get("type", "")).startswith("approval.") else "LangGraph"


def _rows(source: Source) -> Iterator[tuple[str | None, ...]]:
    requested: dict[str, dict[str, Any]] = {}
    decided: dict[str, dict[str, Any]] = {}
    states: dict[str, dict[str, Any]] = {}
    for place, row in enumerate(read_rows(source)):
        kind = str(row.get("type", ""))
        if kind.startswith("approval."):
            request, decision = row.get("request") or {}, row.get("decision") or {}
            if request:
                requested[str(request.get("id"))] = request
            if decision:
                decided[str(decision.get("request_id"))] = decision
            elif kind == "approval.expired" and not request:
                decided[str(row.get("request_id"))] = {"decision": "expire"}
        elif "deadline_at" in row:
            yield from _keep_last(states, row)
        else:
            yield from interrupt_rows(row, place)
    for row in states.values():
        yield _aap_row(row)
    for name, request in requested.items():
        yield _aais_row(name, request, decided.get(name, {}))


def _keep_last(
    states: dict[str, dict[str, Any]], row: dict[str, Any]
) -> Iterator[tuple[str | None, ...]]:
    """Keep the last state of each request: a log of them has a line for each that it passed.

    One that was decided twice, and not alike, is yielded twice, and so refused.
    """
    name = str(row.get("id"))
    known = states.get(name, row)
    says, said = ((one.get("decision") or {}).get("status") for one in (row, known))
    if said and says and says != said:
        yield _aap_row(known)
    if says or not said:
        states[name] = row


def _aais_row(
    name: str, request: dict[str, Any], decision: dict[str, Any]
) -> tuple[str | None, ...]:
    action, origin = request.get("action") or {}, request.get("origin") or {}
    actor = decision.get("actor") or {}
    return (
        name,
        _text(action.get("name")),
        _read_decision(decision),
        _text(origin.get("agent_id")),
        _text(origin.get("agent_version") or origin.get("profile")),
        _json(action.get("arguments")),
        _text((request.get("risk") or {}).get("level")),
        _text(decision.get("scope")),
        _text(actor.get("type")),
        _text(actor.get("id")),
        _text(request.get("created_at")),
        _text(decision.get("decided_at")),
    )


def _aap_row(row: dict[str, Any]) -> tuple[str | None, ...]:
    """A request of the Agent Approval Protocol as its server answers it."""
    decision, context = row.get("decision") or {}, row.get("context") or {}
    return (
        _text(row.get("id")),
        _text(row.get("tool")),
        _read_decision({"decision": decision.get("status") or row.get("status")}),
        _text(context.get("agent")),
        _text(context.get("agent_version")),
        _json(row.get("arguments")),
        None,
        None,
        None,
        _text(decision.get("decided_by")),
        _text(row.get("created_at")),
        _text(decision.get("decided_at")),
    )


def interrupt_rows(row: dict[str, Any], place: int) -> Iterator[tuple[str | None, ...]]:
    """Yield the requests of an interrupt, with the decisions that ended it."""
    requests = list_requests(row.get("value")) or list_requests(row)
    answers = row.get("resume") or row.get("response") or {}
    if isinstance(answers, dict):
        answers = [answers] if "type" in answers else answers.get("decisions")
    decisions = answers
    name = str(row.get("interrupt_id") or row.get("id") or place)
    for i, request in enumerate(requests):
        said = decisions[i] if isinstance(decisions, list) and i < len(decisions) else None
        yield (
            name if len(requests) == 1 else f"{name}#{i}",
            _text(request.get("name") or request.get("action")),
            _read_decision(said if "name" in request else _as_decision(said)),
            _text(row.get("agent") or row.get("assistant_id")),
            _text(row.get("agent_version")),
            _json(request.get("args") or request.get("arguments")),
            None,
            None,
            None,
            _text(row.get("reviewer") or row.get("decided_by")),
            _text(row.get("created_at")),
            _text(row.get("resumed_at") or row.get("decided_at")),
        )


def list_requests(value: Any) -> list[dict[str, Any]]:
    """Return the requests of an interrupt: a list of them, as Python or JavaScript names it, or as the older inbox does."""
    if isinstance(value, dict):
        for name in ("action_requests", "actionRequests"):
            if isinstance(value.get(name), list):
                return [one for one in value[name] if isinstance(one, dict)]
    several = value if isinstance(value, list) else [value]
    found = [one.get("action_request") for one in several if isinstance(one, dict)]
    return [one for one in found if isinstance(one, dict)]


def _as_decision(said: Any) -> Any:
    kind = said.get("type") if isinstance(said, dict) else None
    return said | {"type": _INBOX[kind]} if kind in _INBOX else said


def _text(value: Any) -> str | None:
    return None if value is None or value == "" else str(value)


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, sort_keys=True)


def _read_decision(decision: Any) -> str | None:
    if isinstance(decision, str):
        return decision
    if not isinstance(decision, dict):
        return None
    return next((str(decision[key]) for key in _DECISIONS if decision.get(key)), None)
