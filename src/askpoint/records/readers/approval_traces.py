"""Approvals in traces: runs of LangSmith and observations of Langfuse in which LangGraph waited for a person.

The node that asks ends with an interrupt, whose requests stand in its error; the next run of the same thread begins
with the decisions, in the order of the requests. That is how LangGraph 1.2 traces it; what was edited or rejected is
not told anywhere else.
"""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.approval_logs import (
    approval_reading,
    interrupt_rows,
    list_requests,
)
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.score_rows import read_rows
from askpoint.records.readers.sources import Source

__all__ = ["read_approval_trace", "sniff_approval_trace"]

_HEAD = 1 << 16
_UNREADABLE = (
    ValueError,
    SyntaxError,
    MemoryError,
    RecursionError,
)  # the last two: nested without end
_MARKS = (b"GraphInterrupt", b"__interrupt__", b"actionRequests")
_INTERRUPT = re.compile(r"Interrupt\(value=([\[{].*?[\]}]), (?:resumable=\w+, ns=\[.*?\], )?(?:id|when)='([^']*)'", re.DOTALL)  # fmt: skip
_INSIDE = ("child_runs", "observations", "traces")
_INHERITED = (
    "sessionId",
    "userId",
    "release",
    "version",
)  # of a Langfuse trace by its observations
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
_OWN_VERSION = ("version", "release")  # columns of Langfuse
_PERSON = ("decided_by", "reviewer", "approver", "approved_by", "user_id", "langfuse_user_id")
_OWN_PERSON = ("userId", "user_id")


def sniff_approval_trace(source: Source) -> float | None:
    """Say how sure it is that a file holds traces in which people were asked."""
    row = _first_row(source)
    is_run = {"run_type", "trace_id"} <= row.keys() or any(
        {"type", trace, start} <= row.keys()
        for trace, start in (("traceId", "startTime"), ("trace_id", "start_time"))
    )
    is_run = is_run or any(isinstance(row.get(name), list) for name in _INSIDE)
    if not is_run:
        return None
    if source.shape == "parquet":
        return 0.99 if any("Interrupt" in str(row) for row in _load_rows(source)) else None
    return 0.99 if any(mark in source.data for mark in _MARKS) else None


def _first_row(source: Source) -> Mapping[str, Any]:
    if source.shape == "parquet":
        try:
            return dict.fromkeys(pl.read_parquet_schema(io.BytesIO(source.data)))
        except pl.exceptions.PolarsError:
            return {}  # a broken file: who reads tables says so
    if source.shape == "text":
        head = source.data[:_HEAD].decode("utf-8-sig", errors="replace").partition("\n")[0]
        return dict.fromkeys(name.strip('"') for name in head.rstrip("\r").split(","))
    return source.first_row


def _load_rows(source: Source) -> Iterator[dict[str, Any]]:
    """Yield runs or observations, those inside others too."""
    if source.shape == "parquet":
        yield from pl.read_parquet(io.BytesIO(source.data)).iter_rows(named=True)
    elif source.shape == "text":
        yield from pl.read_csv(io.BytesIO(source.data), infer_schema=False).iter_rows(named=True)
    else:
        given = source.document if source.shape == "json" else None
        trace = given.get("trace") if isinstance(given, dict) else None
        for row in read_rows(source):
            yield from _flatten(row, trace if isinstance(trace, dict) else {})


def _flatten(row: dict[str, Any], around: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    told = {name: around[name] for name in _INHERITED if around.get(name)}
    row = told | {name: value for name, value in row.items() if value is not None}
    for name in _INSIDE:
        for one in row.pop(name, None) or ():
            if isinstance(one, dict):
                yield from _flatten(one, row if "run_type" not in row else {})
    yield row


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
    runs = [row for source in sources for row in _load_rows(source)]
    rows = [
        row for place, one in enumerate(_interrupts(runs)) for row in interrupt_rows(one, place)
    ]
    tool = "LangSmith" if "run_type" in runs[0] else "Langfuse"
    return approval_reading(rows, tool, files)


def _interrupts(runs: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what waited for people, each with the decisions that its thread went on with."""
    ordered = sorted(runs, key=lambda run: str(_field(run, "started")))
    names = {_field(run, "trace"): run.get("name") for run in runs if not _field(run, "inside")}
    has_parents = any(_field(run, "inside") for run in runs)
    waiting: dict[str, dict[str, dict[str, Any]]] = {}  # of each thread, by the interrupt's name
    for run in ordered:
        meta, thread = _metadata(run), _thread(run)
        asked = waiting.get(thread, {})
        answers = _find_resumption(_parse_object(_field(run, "into"))) if asked else None
        for name, decisions in _match_answers(answers, list(asked)):
            yield asked.pop(name) | {
                "resume": {"decisions": decisions},
                "resumed_at": _field(run, "started"),
                "reviewer": _pick_first(_PERSON, meta) or _pick_first(_OWN_PERSON, run),
            }
        if answers is None and has_parents and not _field(run, "inside"):
            yield from waiting.pop(thread, {}).values()  # the thread was left, and begins again
        for name, requests in _list_interrupts(run):
            asked = waiting.setdefault(thread, {})
            if name in asked:  # the same one, told by the run around it
                continue
            asked[name] = {
                "id": name,
                "action_requests": requests,
                "agent": meta.get("lc_agent_name") or names.get(_field(run, "trace")),
                "agent_version": _pick_first(_VERSION, meta)
                or (None if "run_type" in run else _pick_first(_OWN_VERSION, run)),
                "created_at": _field(run, "ended") or _field(run, "started"),
            }
    for asked in waiting.values():
        yield from asked.values()


def _pick_first(names: Sequence[str], given: Mapping[str, Any]) -> Any:
    return next((given[name] for name in names if given.get(name)), None)


def _match_answers(answers: Any, names: Sequence[str]) -> Iterator[tuple[str, list[Any]]]:
    """Yield for each interrupt that was answered the decisions: by its name, or all that there are for the only one."""
    if isinstance(answers, list):
        if len(names) == 1:
            yield names[0], answers
        return
    for name, given in (answers or {}).items():
        decisions = given.get("decisions") if isinstance(given, dict) else given
        if isinstance(decisions, list) and (name in names or len(answers) == len(names) == 1):
            yield (name if name in names else names[0]), decisions


def _list_interrupts(run: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the requests of interrupts in which a run ended."""
    out = _parse_object(_field(run, "out"))
    told = out.get("__interrupt__") if isinstance(out, dict) else None
    for one in told if isinstance(told, list) else ():
        requests = list_requests(one.get("value") if isinstance(one, dict) else None)
        if requests:
            yield str(one.get("id") or run.get("id")), requests
    said = _field(run, "said")
    if not isinstance(said, str):
        return
    for one in _decode_list(said) if "actionRequests" in said else ():
        requests = list_requests(one.get("value")) if isinstance(one, dict) else []
        if requests:
            yield str(one.get("id") or run.get("id")), requests
    for found in _INTERRUPT.finditer(said):
        try:
            requests = list_requests(ast.literal_eval(found[1]))
        except _UNREADABLE:
            continue
        if requests:
            name = found[2] if "when=" not in found[0] else str(run.get("id"))
            yield name, requests


def _decode_list(text: str) -> list[Any]:
    """Return the list with which a message of LangGraph in JavaScript begins: its interrupts, as JSON."""
    try:
        found, _ = json.JSONDecoder().raw_decode(text, text.index("["))
    except _UNREADABLE:
        return []
    return found if isinstance(found, list) else []


def _find_resumption(given: Any, depth: int = 2) -> list[Any] | dict[str, Any] | None:
    """Return the decisions with which a run went on, or those of each interrupt, however deep they stand in its input."""
    if not isinstance(given, dict):
        return None
    resume = given.get("resume")
    if isinstance(resume, dict) and isinstance(resume.get("decisions"), list):
        return list(resume["decisions"])
    if isinstance(resume, dict) and isinstance(resume.get("type"), str):
        return [resume]
    if isinstance(resume, list):
        return resume
    if isinstance(resume, dict) and resume:
        return resume
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
        for parse in (json.loads, ast.literal_eval):  # as pandas writes a dict into a CSV
            try:
                return parse(value)
            except _UNREADABLE:
                continue
    return value
