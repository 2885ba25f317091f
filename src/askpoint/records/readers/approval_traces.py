"""Approvals in traces: runs of LangSmith and observations of Langfuse in which LangGraph waited for a person.

The node that asks ends with an interrupt, whose requests stand in its error; the next run of the same thread begins
with the decisions, in the order of the requests. That is how LangGraph 1.2 traces it; what was edited or rejected is
not told anywhere else.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.records.readers.approval_logs import approval_reading, interrupt_rows
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.score_rows import read_rows
from askpoint.records.readers.sources import Source

__all__ = ["read_approval_trace", "sniff_approval_trace"]

_MARKS = (b"GraphInterrupt", b"__interrupt__")
_INTERRUPT = re.compile(r"Interrupt\(value=(\{.*?\}), (?:resumable=\w+, ns=\[.*?\], )?(?:id|when)='([^']*)'", re.DOTALL)  # fmt: skip
_RUNS = {
    "started": ("start_time", "startTime"),
    "ended": ("end_time", "endTime"),
    "trace": ("trace_id", "traceId"),
    "inside": ("parent_run_id", "parentObservationId", "parent_observation_id"),
    "said": ("error", "statusMessage", "status_message"),
    "into": ("inputs", "input"),
    "out": ("outputs", "output"),
    "thread": (
        "sessionId",
        "session_id",
    ),  # of LangSmith a project: its threads stand in the metadata
}
_THREAD = ("thread_id", "session_id", "conversation_id", "langfuse_session_id")
_VERSION = ("agent_version", "version", "revision_id")
_PERSON = ("decided_by", "reviewer", "approver", "approved_by", "user_id", "langfuse_user_id")


def sniff_approval_trace(source: Source) -> float | None:
    """Say how sure it is that a file holds traces in which people were asked."""
    row = source.first_row
    is_run = {"run_type", "trace_id"} <= row.keys() or any(
        {"type", trace, start} <= row.keys()
        for trace, start in (("traceId", "startTime"), ("trace_id", "start_time"))
    )
    return 0.99 if is_run and any(mark in source.data for mark in _MARKS) else None


def read_approval_trace(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read each request with what people decided about it.

    Raises
    ------
    LogError
        If there is no request in them.
    """
    files = [source.name for source in sources]
    if choices.kind not in (None, "approvals"):
        raise LogError(
            f"{files[0]} holds traces with approvals, and nothing that could be {choices.kind}: leave out --kind"
        )
    runs = [row for source in sources for row in read_rows(source)]
    rows = [
        row for place, one in enumerate(_interrupts(runs)) for row in interrupt_rows(one, place)
    ]
    tool = "LangSmith" if "run_type" in runs[0] else "Langfuse"
    return approval_reading(rows, tool, files)


def _interrupts(runs: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what waited for people, each with the decisions that its thread went on with."""
    ordered = sorted(runs, key=lambda run: str(_field(run, "started")))
    names = {_field(run, "trace"): run.get("name") for run in runs if not _field(run, "inside")}
    waiting: dict[str, dict[str, Any]] = {}
    for run in ordered:
        meta, thread = _metadata(run), _thread(run)
        decisions = _find_resumption(_parse_object(_field(run, "into")))
        if decisions is not None and thread in waiting:
            person = next((meta[name] for name in _PERSON if meta.get(name)), None)
            yield waiting.pop(thread) | {
                "resume": {"decisions": decisions},
                "resumed_at": _field(run, "started"),
                "reviewer": person,
            }
        for name, requests in _list_interrupts(run):
            known = waiting.get(thread)
            if known is not None and known["id"] == name:  # the same one, told by the run around it
                continue
            if known is not None:  # the thread was left, and began again
                yield waiting.pop(thread)
            waiting[thread] = {
                "id": name,
                "action_requests": requests,
                "agent": meta.get("lc_agent_name") or names.get(_field(run, "trace")),
                "agent_version": next((meta[one] for one in _VERSION if meta.get(one)), None),
                "created_at": _field(run, "ended") or _field(run, "started"),
            }
    yield from waiting.values()


def _list_interrupts(run: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the requests of interrupts in which a run ended."""
    out = _parse_object(_field(run, "out"))
    told = out.get("__interrupt__") if isinstance(out, dict) else None
    for one in told if isinstance(told, list) else ():
        value = one.get("value") if isinstance(one, dict) else None
        if isinstance(value, dict) and isinstance(value.get("action_requests"), list):
            yield str(one.get("id") or run.get("id")), value["action_requests"]
    said = _field(run, "said")
    if not isinstance(said, str) or "Interrupt(" not in said:
        return
    found = _INTERRUPT.search(said)
    try:
        value = ast.literal_eval(found[1]) if found else None
    except (ValueError, SyntaxError):
        value = None
    if found and isinstance(value, dict) and isinstance(value.get("action_requests"), list):
        yield found[2], value["action_requests"]


def _find_resumption(given: Any, depth: int = 2) -> list[Any] | None:
    """Return the decisions with which a run went on, however deep they stand in its input."""
    if not isinstance(given, dict):
        return None
    resume = given.get("resume")
    if isinstance(resume, dict) and "decisions" not in resume and len(resume) == 1:
        (resume,) = resume.values()  # by the interrupt's id
    decisions = resume.get("decisions") if isinstance(resume, dict) else resume
    if isinstance(decisions, list):
        return decisions
    inner = (_find_resumption(one, depth - 1) for one in given.values()) if depth else ()
    return next((one for one in inner if one is not None), None)


def _thread(run: Mapping[str, Any]) -> str:
    meta = _metadata(run)
    named = next((str(meta[name]) for name in _THREAD if meta.get(name)), None)
    if named is None and "run_type" not in run:
        named = _field(run, "thread")
    return str(named or _field(run, "trace"))


def _metadata(run: Mapping[str, Any]) -> dict[str, Any]:
    extra = _parse_object(run.get("extra"))
    found = _parse_object(extra.get("metadata") if isinstance(extra, dict) else run.get("metadata"))
    return found if isinstance(found, dict) else {}


def _field(run: Mapping[str, Any], name: str) -> Any:
    return next((run[one] for one in _RUNS[name] if run.get(one) not in (None, "")), None)


def _parse_object(value: Any) -> Any:
    """Return an object that an export may have written as a text."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value
