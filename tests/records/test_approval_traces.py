"""Approvals in traces of LangSmith and Langfuse: shapes as LangGraph 1.2.24 wrote them through the tracers."""

from __future__ import annotations

import json

import polars as pl
import pytest

from askpoint.errors import LogError
from askpoint.records.approved_actions import as_approvals
from askpoint.records.readers.approval_traces import sniff_approval_trace
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files
from askpoint.records.readers.sources import Source

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


def nested(runs):
    """As a client of LangSmith reads runs with those inside them."""
    children = {run["id"]: [] for run in runs}
    for run in runs:
        children.get(run["parent_run_id"], []).append(run | {"child_runs": []})
    return [run | {"child_runs": children[run["id"]]} for run in runs if not run["parent_run_id"]]


def flat(rows, write):
    """Rows whose objects are texts, as tables hold them."""
    return pl.DataFrame(
        [{k: write(v) if isinstance(v, dict | list) else v for k, v in row.items()} for row in rows],
        infer_schema_length=None,
    )  # fmt: skip


def blob(runs):
    """Enriched observations of Langfuse: user and session are columns, moments have a space."""
    for run, one in zip(runs, langfuse(runs, as_text=True), strict=True):
        meta = run["extra"]["metadata"]
        own = {"session_id": meta["thread_id"], "user_id": meta["reviewer"], "release": "2.3"}
        own["metadata"] = {"lc_agent_name": meta["lc_agent_name"]}
        times = {name: one[name].replace("T", " ") for name in ("start_time", "end_time")}
        yield one | own | times


def download(runs):
    """A session of Langfuse as its page downloads it: traces, each with its observations."""
    rows = langfuse(runs, as_text=False)
    for name in dict.fromkeys(row["traceId"] for row in rows):
        inside = [row | {"metadata": {"lc_agent_name": "support-bot"}} for row in rows if row["traceId"] == name]  # fmt: skip
        own = {"sessionId": name.partition("-")[2], "userId": "ann", "version": "2.3"}
        yield {"id": name, "name": "support-bot", **own, "observations": inside}


FILES = {
    "pages.json": lambda path: path.write_text(json.dumps({"runs": RUNS, "cursors": {}}), "utf-8"),
    "nested.json": lambda path: path.write_text(json.dumps(nested(RUNS), indent=1), "utf-8"),
    "pandas.csv": lambda path: flat(RUNS, repr).write_csv(path),
    "bulk.parquet": lambda path: flat(RUNS, json.dumps).write_parquet(path),
    "observations.csv": lambda path: flat(langfuse(RUNS, as_text=False), json.dumps).write_csv(
        path
    ),
    "blob.jsonl": lambda path: path.write_text("\n".join(map(json.dumps, blob(RUNS))), "utf-8"),
    "session.json": lambda path: path.write_text(
        json.dumps({"id": "s", "traces": list(download(RUNS))}), "utf-8"
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_exports_of_other_habits_say_the_same(tmp_path, name):
    FILES[name](tmp_path / name)
    reading = read_files([tmp_path / name])
    log = as_approvals(reading)
    assert [one.decision for one in log.actions] == ["approve", "reject", "edit", "open"]
    assert [one["amount"] for one in log.arguments] == [20.0, 500.0, 30.0, 40.0]
    assert {one.reviewer for one in log.actions} == {"ann", None}
    assert (set(log.versions), set(log.agents)) == ({"2.3"}, {"support-bot"})
    assert log.actions[0].decided_at > log.actions[0].asked_at


def test_other_tables_with_such_columns_are_no_traces_of_approvals(tmp_path):
    plain = [run | {"error": None, "inputs": {}} for run in RUNS]
    for name, write in (("runs.csv", "write_csv"), ("runs.parquet", "write_parquet")):
        getattr(flat(plain, json.dumps), write)(tmp_path / name)
        assert sniff_approval_trace(Source(name, (tmp_path / name).read_bytes())) is None


def test_interrupts_at_once_are_answered_by_name(tmp_path):
    first, node, then = langsmith("t", 1, requests_of(20.0), [DECIDED["reject"]])
    other = node | {"id": "r1-tm", "error": node["error"].replace("i-t", "j-t").replace("20.0", "9.0")}  # fmt: skip
    answers = {"i-t": {"decisions": [DECIDED["reject"]]}, "j-t": {"decisions": [DECIDED["approve"]]}}  # fmt: skip
    then["inputs"] = {"input": {"resume": answers}}
    log = as_approvals(read(tmp_path, [first, node, other, then]))
    said = {one["amount"]: made.decision for one, made in zip(log.arguments, log.actions, strict=True)}  # fmt: skip
    assert said == {20.0: "reject", 9.0: "approve"}


@pytest.mark.parametrize(
    ("said", "means"),
    [("accept", "approve"), ("ignore", "reject"), ("response", "reject"), ("edit", "edit")],
)
def test_interrupts_of_the_older_inbox(tmp_path, said, means):
    """`HumanInterrupt` of langgraph.prebuilt: a list of requests, one action each."""
    first, node, then = langsmith("t", 1, requests_of(20.0), [DECIDED["approve"]])
    asked = [{"action_request": {"action": "refund", "args": {"amount": 20.0}}, "config": {"allow_accept": True},
              "description": "it's large, isn't it?"}]  # fmt: skip
    node["error"] = f"GraphInterrupt((Interrupt(value={asked}, resumable=True, ns=['tools:1'], when='during'),))"  # fmt: skip
    for resume in ([{"type": said, "args": None}], {"type": said}):
        then["inputs"] = {"input": {"resume": resume}}
        log = as_approvals(read(tmp_path, [first, node, then]))
        assert [(one.decision, one.reviewer) for one in log.actions] == [(means, "ann")]
        assert (log.tools, log.arguments) == (("refund",), ({"amount": 20.0},))


@pytest.mark.parametrize("prefix", ["", "GraphInterrupt: ", "Error: "])
def test_interrupts_of_javascript(tmp_path, prefix):
    """Its message is the list of interrupts as JSON, in names of its own (langgraphjs, errors.ts)."""
    first, node, then = langsmith("t", 1, requests_of(20.0), [DECIDED["reject"]])
    told = [{"id": "i-t", "value": {"actionRequests": requests_of(20.0), "reviewConfigs": []}}]
    node["error"] = f"{prefix}{json.dumps(told, indent=2)}\n\n    at interrupt (interrupt.js:1:2)"
    log = as_approvals(read(tmp_path, [first, node, then]))
    assert [(one.decision, one.reviewer) for one in log.actions] == [("reject", "ann")]
    assert log.arguments == ({"amount": 20.0},)
    node["error"] = node["error"].replace("[", "[[", 1)  # cut off, or another list
    with pytest.raises(LogError, match="without a single request"):
        read(tmp_path, [first, node, then])


@pytest.mark.parametrize(
    "error",
    [
        "[" * 200_000 + "actionRequests",
        f"GraphInterrupt((Interrupt(value={'[' * 200_000}{']' * 200_000}, id='i-t'),))",
    ],
    ids=["javascript", "python"],
)
def test_a_trace_nested_without_end_is_refused(tmp_path, error):
    first, node, then = langsmith("t", 1, requests_of(20.0), [DECIDED["reject"]])
    node["error"] = error
    with pytest.raises(LogError, match="without a single request"):
        read(tmp_path, [first, node, then])


def test_interrupts_that_a_program_keeps_itself_may_be_of_either_kind(tmp_path):
    inbox = [{"action_request": {"action": "refund", "args": {"amount": 1.0}}, "config": {}}]
    rows = [
        {"id": "a", "value": {"actionRequests": requests_of(2.0)}, "resume": {"decisions": [DECIDED["reject"]]}},
        {"id": "b", "value": inbox, "resume": [{"type": "ignore"}]},
        {"id": "c", "value": inbox, "resume": {"type": "accept"}},
        {"id": "d", "value": inbox},
    ]  # fmt: skip
    log = as_approvals(read(tmp_path, rows))
    assert [one.decision for one in log.actions] == ["reject", "reject", "approve", "open"]
    assert [one["amount"] for one in log.arguments] == [2.0, 1.0, 1.0, 1.0]


def test_a_log_of_the_states_of_aap_requests_counts_the_last_of_each(tmp_path):
    """A provider that logs each answer has a line when it was asked, decided, and consumed."""
    asked = {"id": "r1", "tool": "refund", "arguments": {"amount": 9.0}, "status": "pending",
             "created_at": "2026-11-01T08:00:00Z", "deadline_at": "2026-11-01T08:10:00Z"}  # fmt: skip
    at = {"status": "approved", "decided_at": "2026-11-01T08:01:00Z"}
    decided = asked | {"status": "approved", "decision": at}
    used = decided | {"consumption": {"consumed_at": "2026-11-01T08:01:05Z"}}
    other = asked | {"id": "r2", "status": "expired"}
    rows = [asked, decided, used, asked | {"id": "r2"}, other, asked]
    log = as_approvals(read(tmp_path, rows))
    assert [one.decision for one in log.actions] == ["approve", "open"]
    denied = asked | {"status": "denied", "decision": at | {"status": "denied"}}
    with pytest.raises(LogError, match="the request 'r1' is there more than once"):
        as_approvals(read(tmp_path, [*rows, denied]))
