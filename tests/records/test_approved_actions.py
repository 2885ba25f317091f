"""Logs of approvals, whatever wrote them."""

from __future__ import annotations

import json

import polars as pl
import pytest

from askpoint.errors import LogError
from askpoint.records.approved_actions import as_approvals, as_golden
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files

ROWS = [
    {"id": f"r{i}", "agent": "bot", "tool": ("refund", "send_mail")[i % 2], "decision": ("approved", "rejected")[i % 5 == 4],
     "requested_at": f"2026-01-02T10:{i:02d}:00Z", "decided_at": f"2026-01-02T10:{i:02d}:09Z", "reviewer": "ann"}
    for i in range(40)
]  # fmt: skip


def read(tmp_path, rows, name="log.csv", kind="approvals"):
    path = tmp_path / name
    if name.endswith(".csv"):
        pl.DataFrame(rows).write_csv(path)
    else:
        path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return as_approvals(read_files([str(path)], Choices(kind=kind)))


def test_a_table_is_read_by_its_names(tmp_path):
    log = read(tmp_path, ROWS)
    assert len(log) == 40
    assert set(log.tools) == {"refund", "send_mail"}
    assert {one.decision for one in log.actions} == {"approve", "reject"}
    assert {one.decided_at - one.asked_at for one in log.actions} == {9.0}
    assert log.versions == ("unknown",) * 40
    assert log.columns["reviewer"] == "reviewer"
    assert log.days == pytest.approx(39 / 1440)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"tool": "function", "decision": "outcome", "requested_at": "created", "decided_at": "resolved_at",
          "reviewer": "approved_by"}, {"approved": "allow", "rejected": "deny"}),
        ({"tool": "tool_name", "decision": "approval", "requested_at": "timestamp", "decided_at": "reviewed_at",
          "reviewer": "human"}, {"approved": "Genehmigt", "rejected": "Abgelehnt"}),
        ({"tool": "command", "decision": "status", "requested_at": "asked_at", "decided_at": "approved_at",
          "reviewer": "approver"}, {"approved": "accepted", "rejected": "declined"}),
    ],
)  # fmt: skip
def test_other_names_and_words_say_the_same(tmp_path, names, words):
    rows = [
        {names.get(name, name): words.get(cell, cell) for name, cell in row.items()} for row in ROWS
    ]
    assert read(tmp_path, rows).actions == read(tmp_path, ROWS).actions


@pytest.mark.parametrize("name", ["log.csv", "log.jsonl"])
def test_arguments_as_json_or_nested(tmp_path, name):
    whole = [{"amount": 3.5, "to": {"iban": "DE1"}}, {"amount": 70.0}]
    rows = [
        {**row, "arguments": json.dumps(whole[i % 2]) if name == "log.csv" else whole[i % 2]}
        for i, row in enumerate(ROWS)
    ]
    assert read(tmp_path, rows, name).arguments[:2] == tuple(whole)


@pytest.mark.parametrize(
    ("more", "is_person"),
    [
        ({"actor_type": "human"}, True), ({"actor_type": "policy"}, False), ({"scope": "once"}, True),
        ({"scope": "session"}, False), ({"scope": "always"}, False), ({"reviewer": "auto-approver bot"}, False),
        ({"reviewer": "bot"}, False), ({"decision": "auto_approved"}, False), ({"reviewer": "ann"}, True),
    ],
)  # fmt: skip
def test_who_decides_without_looking_is_no_person(tmp_path, more, is_person):
    rows = [
        *ROWS,
        {
            **ROWS[0],
            "id": "last",
            "requested_at": "2026-01-03T10:00:00Z",
            "decided_at": "2026-01-03T10:01:00Z",
        },
    ]
    rows = [{"actor_type": "human", "scope": "once", **row} for row in rows]
    if "actor_type" not in more and "scope" not in more:
        for row in rows:
            del row["actor_type"], row["scope"]
    rows[-1] |= more
    last = read(tmp_path, rows).actions[-1]
    assert last.decision == "approve"
    assert last.by_person is is_person


def test_moments_of_all_kinds(tmp_path):
    at = 1_767_348_000
    for cell in (at, at * 1000, "2026-01-02 10:00:00", "2026-01-02T11:00:00+01:00"):
        rows = [{**row, "requested_at": cell} for row in ROWS]
        assert {one.asked_at for one in read(tmp_path, rows).actions} == {at}
    rows = [{**row, "requested_at": at, "seconds": 0.5} for row in ROWS]
    for row in rows:
        del row["decided_at"]
    assert {one.decided_at for one in read(tmp_path, rows).actions} == {at + 0.5}


def test_rows_come_in_the_order_of_their_proposals(tmp_path):
    assert read(tmp_path, ROWS[::-1]).actions == read(tmp_path, ROWS).actions


def test_what_cannot_be_read_is_said(tmp_path):
    broken = [*ROWS[:-1], {**ROWS[-1], "decided_at": "tomorrow"}]
    with pytest.raises(
        LogError, match="row 40 of the column 'decided_at' is not a time: 'tomorrow'"
    ):
        read(tmp_path, broken)
    with pytest.raises(LogError, match="the request 'r0' is there more than once"):
        read(tmp_path, [*ROWS, ROWS[0]], kind="approvals")
    nameless = [*ROWS[:-1], {**ROWS[-1], "tool": None}]
    with pytest.raises(LogError, match="row 40 names no tool in the column 'tool'"):
        read(tmp_path, nameless)


def test_a_request_of_the_agent_approval_protocol(tmp_path):
    rows = [
        {"id": f"q{i}", "tool": "refund", "arguments": {"amount": i}, "timeout": "10m",
         "status": status, "created_at": f"2026-01-02T10:{i:02d}:00Z", "deadline_at": f"2026-01-02T10:{i + 10:02d}:00Z",
         "context": {"agent": "bot", "agent_version": "2"},
         **({"decision": {"status": status, "decided_at": f"2026-01-02T10:{i:02d}:30Z"}} if status != "expired" else {})}
        for i, status in enumerate(["approved", "denied", "expired", "approved"] * 4)
    ]  # fmt: skip
    log = read(tmp_path, rows, "aap.jsonl", kind=None)
    assert [one.decision for one in log.actions[:4]] == ["approve", "reject", "open", "approve"]
    assert set(log.agents) == {"bot"}
    assert set(log.versions) == {"2"}
    assert log.arguments[3] == {"amount": 3}
    assert log.actions[0].decided_at - log.actions[0].asked_at == 30


def test_events_and_the_table_of_the_same_log_say_the_same(data):
    table, events = (
        as_approvals(read_files([str(data / "approvals" / name)], Choices()))
        for name in ("approvals.csv", "approvals.jsonl")
    )
    assert table.tools == events.tools
    assert table.arguments == events.arguments
    assert table.harms == events.harms
    pairs = zip(table.actions, events.actions, strict=True)
    # an edit is a refusal there, and what was undone has no event
    assert {(a.decision, b.decision) for a, b in pairs if a.decision != b.decision} == {
        ("edit", "reject")
    }
    assert all(
        a.by_person == b.by_person for a, b in zip(table.actions, events.actions, strict=True)
    )


def test_interrupts_of_langgraph(data):
    path = data / "files2" / "approvals" / "langgraph_interrupts.jsonl"
    log = as_approvals(read_files([str(path)], Choices()))
    assert len(log) == 140
    assert log.arguments[0] == {"n": 6}
    assert {one.decision for one in log.actions} <= {"approve", "edit", "reject"}


def hooks(i):
    return {"session_id": f"s{i % 5}", "tool_name": ("Bash", "Write")[i % 2], "tool_input": {"command": "ls"},
            "permissionDecision": ("allow", "allow", "ask", "deny")[i % 4], "timestamp": f"2026-02-01T10:{i % 60:02d}:00Z"}  # fmt: skip


def items_of_an_agents_package(i):
    return {"type": "tool_approval_item", "call_id": f"c{i}", "name": ("cancel_order", "refund_order")[i % 2],
            "arguments": json.dumps({"amount": i}), "agent": {"name": "Support"}, "approved": i % 9 > 0, "approver": "kim"}  # fmt: skip


def events_of_an_evaluation(i):
    return {"event": "approval", "timestamp": f"2026-06-01T10:{i % 60:02d}:00+00:00",
            "call": {"id": f"x{i}", "function": ("bash", "python")[i % 2], "arguments": {"cmd": "ls"}},
            "approver": ("human", "auto")[i % 3 == 0],
            "decision": ("approve", "approve", "reject", "modify", "escalate", "terminate")[i % 6]}  # fmt: skip


def rows_of_a_chat(i):
    return {"Timestamp": f"2026-04-{1 + i % 28:02d}T09:00:00+02:00", "Bot": "deployer", "Function": "restart_pod",
            "Args": json.dumps({"ns": "web"}), "Reviewer": ("jo", "mo")[i % 2],
            "Outcome": ("Approved", "Denied", "Timed out")[i % 3], "Response time (s)": 0.5 + i % 30}  # fmt: skip


def rows_in_german(i):
    return {"Vorgang": f"V{i}", "Agent": "bestellbot", "Werkzeug": "bestellen",
            "Entscheidung": ("genehmigt", "genehmigt", "abgelehnt")[i % 3], "Freigegeben von": ("Eva", "Jan")[i % 2],
            "Entschieden am": f"2026-07-{1 + i % 28:02d}T10:00:{10 + i % 9:02d}",
            "Angefragt am": f"2026-07-{1 + i % 28:02d}T10:00:00"}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "tool", "decisions", "more"),
    [
        (hooks, "Bash", "approve approve open reject", {"asked": "timestamp"}),
        (items_of_an_agents_package, "cancel_order", "reject approve approve approve", {"agent": "agent.name"}),
        (events_of_an_evaluation, "bash", "approve approve reject edit", {"reviewer": "approver"}),
        (rows_of_a_chat, "restart_pod", "approve reject open approve", {"seconds": "Response time (s)"}),
        (rows_in_german, "bestellen", "approve approve reject approve",
         {"asked": "Angefragt am", "decided": "Entschieden am", "reviewer": "Freigegeben von"}),
    ],
)  # fmt: skip
def test_logs_of_other_programs(tmp_path, row, tool, decisions, more):
    rows = [row(i) for i in range(60)]
    name = (
        "log.csv"
        if all(isinstance(cell, str | float) for cell in rows[0].values())
        else "log.jsonl"
    )
    log = read(tmp_path, rows, name, kind=None)
    first = log.tools.index(tool)
    assert sorted(one.decision for one in log.actions) == sorted(
        kind for kind in [as_approvals_of(one) for one in rows]
    )
    assert [as_approvals_of(one) for one in rows[:4]] == decisions.split()
    assert first >= 0
    assert more.items() <= log.columns.items()


def as_approvals_of(row):
    """What a row decides, told by hand."""
    said = next(
        row[name]
        for name in ("permissionDecision", "approved", "decision", "Outcome", "Entscheidung")
        if name in row
    )
    return {"allow": "approve", True: "approve", "Approved": "approve", "genehmigt": "approve", "approve": "approve",
            "deny": "reject", False: "reject", "Denied": "reject", "abgelehnt": "reject", "reject": "reject",
            "terminate": "reject", "modify": "edit"}.get(said, "open")  # fmt: skip


def test_golden_actions():
    frame = pl.DataFrame({"id": ["a", "b", "c"], "said": ["approve", "reject", "edited"]})
    assert as_golden(frame, "golden.csv") == [True, False, False]
    with pytest.raises(LogError, match=r"golden\.csv has no column in which every golden action"):
        as_golden(frame.select("id"), "golden.csv")


def test_what_was_to_be_done_is_known_where_times_are_finer_than_minutes(tmp_path):
    rows = [{**row, "arguments": json.dumps({"b": 1, "a": i})} for i, row in enumerate(ROWS)]
    assert {one.what for one in read(tmp_path, rows).actions} == {None}  # asked at whole minutes
    for row in rows:
        row["requested_at"] = row["requested_at"].replace(":00Z", ":07Z")
    whats = [one.what for one in read(tmp_path, rows).actions]
    assert len(set(whats)) == len(rows)
    other_order = [{**row, "arguments": json.dumps({"a": i, "b": 1})} for i, row in enumerate(rows)]
    assert [one.what for one in read(tmp_path, other_order).actions] == whats


@pytest.mark.parametrize("word", ["approved", "rejected", "Denied"])
def test_where_all_was_decided_alike_it_is_a_log_all_the_same(tmp_path, word):
    log = read(tmp_path, [{**row, "decision": word} for row in ROWS])
    assert {one.decision for one in log.actions} == {"approve" if word == "approved" else "reject"}
