"""Approvals in traces of LangSmith and Langfuse: shapes as LangGraph 1.2.24 wrote them through the tracers."""

from __future__ import annotations

import json

import pytest

from askpoint.errors import LogError
from askpoint.records.approved_actions import as_approvals
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files

DECIDED = {"approve": {"type": "approve"}, "reject": {"type": "reject", "message": "no"}}


def requests_of(*amounts):
    return [
        {"name": "refund", "args": {"amount": one}, "description": f"Args: {{'amount': {one}}}"}
        for one in amounts
    ]


def langsmith(thread, day, requests, decisions, *, version="2.3"):
    """The runs of a thread that waited and went on."""
    meta = {
        "lc_agent_name": "support-bot",
        "agent_version": version,
        "thread_id": thread,
        "reviewer": "ann",
    }
    value = {"action_requests": requests, "review_configs": [{"action_name": "refund"}]}
    error = f"GraphInterrupt((Interrupt(value={value}, id='i-{thread}', response_schema=None),))Traceback (most recent"
    first, then = f"r1-{thread}", f"r2-{thread}"
    common = {"run_type": "chain", "extra": {"metadata": meta}, "session_id": "project"}
    at = f"2026-11-{day:02}T08:00"
    runs = [
        common | {"id": first, "trace_id": first, "parent_run_id": None, "name": "support-bot",
                  "start_time": f"{at}:00", "end_time": f"{at}:01", "inputs": {"messages": []}, "outputs": {}, "error": None},
        common | {"id": first + "n", "trace_id": first, "parent_run_id": first, "name": "after_model",
                  "start_time": f"{at}:00.5", "end_time": f"{at}:00.9", "inputs": {}, "outputs": {}, "error": error},
    ]  # fmt: skip
    if decisions is None:
        return runs
    resume = {"graph": None, "update": None, "resume": {"decisions": decisions}, "goto": []}
    return [
        *runs,
        common | {"id": then, "trace_id": then, "parent_run_id": None, "name": "support-bot",
                  "start_time": f"{at}:30", "end_time": f"{at}:31", "inputs": {"input": resume}, "outputs": {}, "error": None},
    ]  # fmt: skip


def langfuse(runs, *, as_text):
    """The same as observations of Langfuse, by its API or in an export."""
    names = {"start_time": "startTime", "end_time": "endTime", "trace_id": "traceId",
             "parent_run_id": "parentObservationId", "error": "statusMessage"}  # fmt: skip
    if as_text:
        names |= {"start_time": "start_time", "end_time": "end_time", "trace_id": "trace_id",
                  "parent_run_id": "parent_observation_id", "error": "status_message"}  # fmt: skip
    found = []
    for run in runs:
        content = {
            "input": run["inputs"].get("input", run["inputs"]),
            "output": run["outputs"],
            "metadata": run["extra"]["metadata"],
        }
        if as_text:
            content = {name: json.dumps(value) for name, value in content.items()}
        kept = {names[name]: run[name] for name in names}
        found.append({"id": run["id"], "name": run["name"], "type": "SPAN", **kept, **content})
    return found


RUNS = [
    *langsmith("t1", 1, requests_of(20.0, 500.0), [DECIDED["approve"], DECIDED["reject"]]),
    *langsmith("t2", 2, requests_of(30.0), [{"type": "edit", "edited_action": {}}]),
    *langsmith("t3", 3, requests_of(40.0), None),
]
SHAPES = {
    "LangSmith": lambda: RUNS,
    "Langfuse": lambda: langfuse(RUNS, as_text=False),
    "an export of Langfuse": lambda: langfuse(RUNS, as_text=True),
}


def read(tmp_path, rows, choices=None):
    path = tmp_path / "traces.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return read_files([path], choices)


@pytest.mark.parametrize("shape", SHAPES)
def test_requests_meet_their_decisions(tmp_path, shape):
    reading = read(tmp_path, SHAPES[shape]())
    assert (reading.kind, reading.tool) == ("approvals", shape.removeprefix("an export of "))
    log = as_approvals(reading)
    assert [one.decision for one in log.actions] == ["approve", "reject", "edit", "open"]
    assert [one["amount"] for one in log.arguments] == [20.0, 500.0, 30.0, 40.0]
    assert set(log.agents) == {"support-bot"}
    assert set(log.versions) == {"2.3"}
    assert {one.reviewer for one in log.actions} == {"ann", None}
    assert log.actions[0].decided_at - log.actions[0].asked_at == pytest.approx(29.1)
    assert all(one.by_person for one in log.actions[:3])


def test_requests_in_the_output_and_answers_by_the_interrupts_name(tmp_path):
    runs = langsmith("t", 1, requests_of(20.0), [DECIDED["reject"]])
    told = {"value": {"action_requests": requests_of(20.0)}, "id": "i-t"}
    runs[0]["outputs"] = {"__interrupt__": [told]}
    answers = {"i-t": {"decisions": [DECIDED["reject"]]}}
    runs[2]["inputs"] = {"input": {"resume": answers}}
    log = as_approvals(
        read(tmp_path, [*runs, *RUNS])
    )  # told twice, by the run and the one around it
    assert [one.decision for one in log.actions].count("reject") == 2
    assert len(log) == 5


def test_a_thread_that_was_left_is_not_decided(tmp_path):
    later = langsmith("t1", 2, requests_of(7.0), [DECIDED["approve"]])
    left = langsmith("t1", 1, requests_of(9.0), None)
    left[1]["error"] = left[1]["error"].replace("i-t1", "another")
    log = as_approvals(read(tmp_path, [*left, *later, *RUNS[3:]]))
    found = [
        (one["amount"], made.decision) for one, made in zip(log.arguments, log.actions, strict=True)
    ]
    assert (9.0, "open") in found
    assert (7.0, "approve") in found


def test_a_trace_without_a_thread_and_broken_interrupts(tmp_path):
    lost = langsmith("x", 1, requests_of(1.0), None)
    lost[1]["error"] = "GraphInterrupt((Interrupt(value={oh no}, id='i'),))"
    plain = langsmith("y", 1, requests_of(1.0), [DECIDED["approve"]])
    for run in plain:
        run["extra"] = {"metadata": None}
        run["trace_id"] = "one"
    reading = read(tmp_path, [*lost, *plain])
    assert reading.items == 1
    assert as_approvals(reading).agents == ("support-bot",)
    with pytest.raises(LogError, match="without a single request"):
        read(tmp_path, lost)
    with pytest.raises(LogError, match="nothing that could be votes: leave out --kind"):
        read(tmp_path, RUNS, Choices(kind="votes"))
