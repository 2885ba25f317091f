"""askpoint licence: the door as commands, and as a hook of Claude Code."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from askpoint.cli.licence import _read_log
from askpoint.cli.main import main
from askpoint.errors import RuleError
from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.records.stores.licences import Licences

POLICY = LicencePolicy(
    (ActionClass("Bash", "git status", (("command", "is", "git status"),)), ActionClass("Read"),
     ActionClass("WebFetch", deny=True)),
    limit=0.3, labels=LabelRules(settle_hours=0.0, bulk=99, fast_seconds=0.0),
)  # fmt: skip


@pytest.fixture
def door(shell):
    policy = shell.write("policy.json", POLICY.to_json())
    place = shell.folder / "bot"
    assert "3 classes of actions" in shell.said("licence", "open", place, policy)
    return place


def event(name, key, tool="Read", arguments=None, **more):
    """As Claude Code's reference has it, with fields that the hook does not ask for."""
    return {
        "session_id": "abc123", "transcript_path": "/srv/ann/.claude/t.jsonl", "cwd": "/srv/ann/shop",
        "permission_mode": "default", "hook_event_name": name, "tool_name": tool,
        "tool_input": {"file_path": "/srv/ann/shop/a.py"} if arguments is None else arguments, "tool_use_id": key, **more,
    }  # fmt: skip


def hook(door, given, *words):
    """Run the hook; return verdict and reason, or None where it says nothing."""
    text = given if isinstance(given, str) else json.dumps(given)
    words = ["licence", "hook", str(door), "--by", "ann", *words]
    result = CliRunner().invoke(main, words, input=text)
    assert result.exit_code == 0, result.output
    if not result.stdout:
        return None
    said = json.loads(result.stdout)
    assert said.keys() == {"hookSpecificOutput"}
    answer = said["hookSpecificOutput"]
    assert answer.keys() == {"hookEventName", "permissionDecision", "permissionDecisionReason"}
    assert answer["hookEventName"] == "PreToolUse"
    return answer["permissionDecision"], answer["permissionDecisionReason"]


def test_a_hook_asks_until_the_licence_is_earned_by_what_ran(door):
    n = 0
    while (said := hook(door, event("PreToolUse", f"toolu_{n}")))[0] == "ask":
        assert said == ("ask", "it has not earned a licence")
        ran = ("PostToolUse", "PostToolUseFailure")[n % 2]
        assert hook(door, event(ran, f"toolu_{n}", tool_response={"success": True})) is None
        n += 1
    assert said == ("allow", "licensed: Read, any")
    assert 8 <= n <= 14  # at a limit of 30% the bound of 25 takes 12
    with Licences(door) as licences:
        (unit,) = licences.units()
        assert (unit.agent, unit.labels) == ("claude-code", n)
        licences.verify()


def test_what_somebody_refuses_in_the_terminal_counts_when_its_time_is_over(door):
    hook(door, event("PreToolUse", "toolu_refused"))
    with Licences(door) as licences:
        over = licences.action("toolu_refused").deadline
        (unit,) = licences.units(over)
        assert unit.labels == 1
        assert unit.evidence < 0.9  # as a rejection


@pytest.mark.parametrize("mode", ["acceptEdits", "bypassPermissions", "auto", None])
def test_what_ran_without_a_person_teaches_nothing(door, mode):
    hook(door, event("PreToolUse", "toolu_1"))
    hook(door, event("PostToolUse", "toolu_1", permission_mode=mode))
    with Licences(door) as licences:
        assert licences.action("toolu_1").status == "approved"
        (unit,) = licences.units()
        assert (unit.labels, unit.waiting) == (0, 0)


def test_classes_of_arguments_and_refusals(door):
    assert (
        hook(door, event("PreToolUse", "1", "Bash", {"command": "git status"}))[1]
        == "it has not earned a licence"
    )
    assert hook(door, event("PreToolUse", "2", "Bash", {"command": "git status; rm -rf /"})) == (
        "ask", "no declared class matches it",
    )  # fmt: skip
    assert hook(door, event("PreToolUse", "3", "WebFetch", {"url": "http://x"})) == (
        "deny",
        "the policy refuses it",
    )


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("{", "standard input is not JSON"),
        ("[]", "a hook's event is a JSON object"),
        ({"hook_event_name": "PreToolUse"}, "the event has no tool_name"),
        ({"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": []}, "the event has no tool_input"),
        (event("PreToolUse", "x" * 300), "key is a text of 1 to 200 characters"),
    ],
)  # fmt: skip
def test_whatever_goes_wrong_the_answer_is_ask(door, given, reason):
    verdict, why = hook(door, given)
    assert verdict == "ask"
    assert reason in why


def test_where_no_licences_are_the_answer_is_ask(tmp_path):
    assert hook(tmp_path / "nothing", event("PreToolUse", "1"))[0] == "ask"
    assert hook(tmp_path / "nothing", event("PostToolUse", "1")) is None


def test_a_key_that_comes_with_another_action_is_asked(door):
    hook(door, event("PreToolUse", "same"))
    verdict, why = hook(door, event("PreToolUse", "same", arguments={"file_path": "/etc/passwd"}))
    assert verdict == "ask"
    assert "was proposed with another action" in why


def test_the_commands_of_people(shell, door):
    assert "No action was proposed yet." in shell.said("licence", "show", door)
    for n in range(3):
        hook(door, event("PreToolUse", f"t{n}"))
    said = " ".join(shell.said("licence", "show", door).split())
    assert "0 units act alone; 1 unit asks; 3 actions wait for people." in said
    assert "claude-code Read" in said
    found = shell.json("licence", "show", door)
    assert [one["key"] for one in found["waiting"]] == ["t0", "t1", "t2"]
    assert found["units"][0]["class"] == "any"
    assert (
        shell.said("licence", "decide", door, "t0", "approve", "--by", "ann", "--seconds", 7)
        == "t0: approved\n"
    )
    assert shell.said("licence", "decide", door, "t1", "reject", "--by", "ann") == "t1: rejected\n"
    assert shell.said("licence", "undo", door, "t0", "--by", "ann") == "t0: undone\n"
    assert (
        shell.said("licence", "undo", door, "t0", "--by", "ann", "--harm", "low")
        == "t0: undone, harm low\n"
    )
    assert (
        shell.said("licence", "sign", door, "claude-code", "Read", "--by", "eve")
        == "signed: claude-code Read, any\n"
    )
    assert "holds no licence that could be revoked" in shell.refusal(
        "licence", "revoke", door, "claude-code", "Read", "--by", "eve"
    )
    assert "its entries lead to its state" in shell.said("licence", "verify", door)
    assert "was rejected already by ann" in shell.refusal(
        "licence", "decide", door, "t1", "approve", "--by", "bob"
    )
    assert "holds no policy.json" in shell.refusal("licence", "show", shell.folder / "nothing")
    with Licences(door) as licences:
        for n in range(30):
            if (
                licences.propose(f"e{n}", agent="bot", tool="Read", arguments={"n": n}).verdict
                == "ask"
            ):
                licences.decide(f"e{n}", "approve", by="ann", seconds=9.0)
    assert "acts alone, level 1: one audit in 7" in " ".join(
        shell.said("licence", "show", door).replace("\n", " ").split()
    )
    assert (
        shell.said("licence", "revoke", door, "bot", "Read", "--by", "eve", "--why", "a rehearsal")
        == "revoked: bot Read, any\n"
    )
    page = shell.folder / "page.html"
    said = " ".join(shell.said("licence", "show", door, "--html", page).split())
    assert "lost its licence: revoked by eve: a rehearsal" in said
    assert "<table" in page.read_text("utf-8")


def test_a_minor_version_is_declared_before_it_begins(shell, door):
    with Licences(door) as licences:
        for n in range(30):
            made = licences.propose(
                f"e{n}", agent="bot", tool="Read", arguments={"n": n}, version="1"
            )
            if made.verdict == "ask":
                licences.decide(f"e{n}", "approve", by="ann", seconds=9.0)
    told = shell.said("licence", "minor", door, "bot", "1.1", "--of", "1", "--by", "eve")
    assert told == "declared: bot 1.1 is a minor version of 1\n"
    with Licences(door) as licences:
        assert licences.propose("x", agent="bot", tool="Read", version="1.1").level == 1
    said = " ".join(shell.said("licence", "show", door).split())
    assert "its licence is that of the version before" in said
    assert "has proposed actions already" in shell.refusal(
        "licence", "minor", door, "bot", "1.1", "--of", "1", "--by", "eve"
    )


def test_commands_of_a_models_policy_say_whose_this_is(shell, tmp_path):
    (tmp_path / "policy.json").write_text(LicencePolicy(()).to_json())
    for words in (("watch",), ("decide", shell.write("rows.csv", [{"key": "a"}])), ("verify",)):
        command, *rest = words
        said = shell.run(command, tmp_path, *rest)
        assert said.exit_code == 2
        assert "the policy of an agent's licences" in said.stderr
        assert "Not as it was made" not in said.stdout


def test_the_evidence_of_a_log_is_carried_into_the_door(shell, data):
    """What `askpoint approvals` counts and licenses, the door counts and licenses: unit by unit."""
    log = data / "approvals" / "approvals.csv"
    terms, place = shell.folder / "policy.json", shell.folder / "door"
    split = ["--split", "refund.amount=50,200", "--split", "send_reply.template"]
    told = json.loads(shell.run("approvals", log, "--json", *split, "--policy", terms).stdout)
    assert "kinds of action may act alone" in shell.said(
        "licence", "open", place, terms, "--log", log
    )
    with Licences(place) as licences:
        units = {(one.agent, one.tool, one.name): one for one in licences.units()}
        licences.verify()
        for one in told["units"]:
            found = units.get((one["agent"], one["tool"], one["class"]))
            if one["counted"]:
                assert found.evidence == pytest.approx(one["evidence"]), one
                assert (found.state == "licensed") == (one["state"] == "licensed"), one
        with pytest.raises(RuleError, match="a log is read once, before the first action"):
            licences.learn(_read_log(str(log)))
