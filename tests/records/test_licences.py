"""Licences in use, in every store: threads, processes, kills, retries, and what cannot be asked."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from askpoint import Deployment
from askpoint.errors import InputError, LogError, NoDeploymentError, RuleError
from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.records.stores.licences import Licences
from records.posts import SECRET, document

HOUR = 3_600_000_000
SMALL = ActionClass("refund", "up to 50", (("amount", "max", 50),))
POLICY = LicencePolicy(
    (SMALL, ActionClass("mail"), ActionClass("wipe", harm="high")),
    limit=0.2,
    labels=LabelRules(settle_hours=0.0),
)
SECRET_BYTES = b"sixteen or more bytes"


@pytest.fixture(params=["folder", "postgres"])
def place(request, tmp_path):
    """Where licences may be that other processes share."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres_address")
    return tmp_path / "bot"


@pytest.fixture(params=["folder", "memory", "postgres"])
def licences(request, tmp_path):
    where = {"folder": tmp_path / "bot", "memory": ":memory:"}.get(request.param)
    where = where or request.getfixturevalue("postgres_address")
    with Licences(where, POLICY, secret=SECRET_BYTES) as service:
        yield service


def propose(licences, key, amount=5.0, *, at=None, **more):
    given = {"agent": "bot", "tool": "refund", "arguments": {"amount": amount}, **more}
    return licences.propose(key, at=at, **given)


def earn(licences, *, n=40, at=HOUR):
    """Let the unit of small refunds earn its licence; return when it has."""
    for i in range(n):
        at += 60_000_000
        made = propose(licences, f"earn-{i}", at=at)
        if made.verdict == "ask" or made.is_audit:
            licences.decide(made.key, "approve", by="ann", at=at + 9_000_000)
    assert licences.units(at + HOUR)[0].state == "licensed"
    return at + HOUR


def test_a_licence_is_earned_used_and_lost(licences):
    at = earn(licences)
    (unit,) = licences.units(at)
    assert (unit.agent, unit.tool, unit.name) == ("bot", "refund", "up to 50")
    assert unit.evidence >= unit.bound
    made = [propose(licences, f"k{i}", at=at + i) for i in range(30)]
    assert {one.verdict for one in made} == {"allow"}
    audited = [one for one in made if one.is_audit]
    assert 0 < len(audited) < 30
    assert {
        key for key, *_ in ((one.key, said) for one, said in licences.wanted_actions(at + 60))
    } == {one.key for one in audited}
    assert all(said == {"amount": 5.0} for _, said in licences.wanted_actions(at + 60))
    licences.incident(made[-1].key, harm="high", by="ann", at=at + 70)
    assert licences.units(at + 71)[0].state == "asks"
    assert propose(licences, "after", at=at + 72).verdict == "ask"
    licences.verify()


def test_approvers_are_drawn_and_no_licence_hangs_on_one_of_them(place):
    """Its approvers, and their evidence, are there again after a start; the draws cannot be others."""
    people, at, last = ["ben", "ann", "cyd", "bot"], HOUR, None
    terms = replace(POLICY, without_each_approver=True)
    with Licences(place, terms, secret=SECRET_BYTES) as licences:
        for i in range(60):
            at += 60_000_000
            made = propose(licences, f"k{i}", amount=1 + i % 40, at=at, approvers=people)
            if made.verdict == "allow":
                break
            last = licences.decide(made.key, "approve", by=made.approver, at=at + 9_000_000)
        dealt = {licences.action(f"k{one}", at).approver for one in range(12)}
        retry = propose(licences, "again", amount=49.0, at=at, approvers=people)
        assert propose(licences, "twice", amount=49.0, at=at, approvers=people).approver == retry.approver  # fmt: skip
    assert dealt == {"ann", "ben", "cyd"}  # never the agent itself
    assert last.approver in dealt
    with Licences(place) as licences:
        (unit,) = licences.units(at)
        assert unit.state == "licensed"
        assert unit.evidence >= unit.bound
        assert (
            unit.labels > 24
        )  # all labels together need 18 (POLICY's limit), and each part its own
        licences.verify()
        entries = licences._ledger._database
        with entries.writing():
            ((n, said),) = entries.execute("SELECT n, content FROM entries WHERE n = 0")
            other = json.dumps(json.loads(said) | {"dealt": 0.123})
            entries.execute("UPDATE entries SET content = ? WHERE n = ?", (other, n))
        with pytest.raises(LogError):
            licences.verify()
    with pytest.raises(InputError, match="at most 100 approvers"), Licences(":memory:", terms) as licences:  # fmt: skip
        propose(licences, "k", approvers=[f"p{i}" for i in range(101)])


def test_a_key_is_answered_as_before_and_counts_once(licences):
    """The same action twice, and a framework that retries."""
    at = earn(licences)
    first = propose(licences, "call", at=at)
    (before,) = licences.units(at)
    for i in range(5):
        assert propose(licences, "call", at=at + i) == first
    assert licences.units(at) == [before]
    for other in ({"amount": 6.0}, {"agent": "another"}, {"version": "2"}, {"tool": "mail"}):
        with pytest.raises(
            RuleError, match="was proposed with another action; a new action takes a new key"
        ) as error:
            propose(licences, "call", at=at, **other)
        assert error.value.rule == "other-content"
    licences.verify()


def test_a_retry_under_a_new_key_meets_the_same_draw_until_it_ran(licences):
    asked = [propose(licences, f"r{i}", at=HOUR) for i in range(3)]
    assert len({one.drawn for one in asked}) == 1
    licences.decide("r0", "approve", by="ann", at=HOUR + 9_000_000)
    assert propose(licences, "r3", at=HOUR + 9_000_000).drawn != asked[0].drawn
    assert propose(licences, "other", 7.0, at=HOUR + 9_000_000).drawn != asked[0].drawn
    licences.verify()


def test_arguments_decide_the_class_and_other_types_match_none(licences):
    earn(licences)
    for arguments in (
        {"amount": "5"},
        {"amount": True},
        {"amount": None},
        {"amount": [5]},
        {"amount": {"value": 5}},
        {},
        None,
    ):
        made = propose(licences, f"odd-{arguments}", arguments=arguments)
        assert (made.verdict, made.name) == ("ask", "other")
        assert made.why == "no declared class matches it"
    large = propose(licences, "large", 51.0)
    assert (large.verdict, large.name) == ("ask", "other")
    assert (
        propose(licences, "renamed", tool="refund_v2").verdict == "ask"
    )  # a tool renamed earns anew
    assert propose(licences, "stranger", agent="bot2").verdict == "ask"
    licences.verify()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"arguments": {"text": "x" * 1_000_000}}, "the arguments take 1,000,011 bytes, at most 1,000,000 are kept"),
        ({"arguments": {"x": float("nan")}}, "the arguments are not JSON"),
        ({"arguments": {"x": object()}}, "the arguments are not JSON"),
        ({"arguments": {"x": "\ud800"}}, "the arguments are not JSON"),
        ({"arguments": [1]}, "arguments are an object, by name"),
        ({"agent": ""}, "agent is a text of 1 to 200 characters"),
        ({"tool": "a | b"}, "tool has a character that a name cannot have"),
        ({"version": "a\0"}, "version has a character that a name cannot have"),
        ({"version": None}, "version is a text of 1 to 200 characters; got None"),
        ({"timeout_hours": -1}, "timeout_hours is above 0"),
        ({"at": -1}, "a moment must be between 1970 and 9999"),
    ],
)  # fmt: skip
def test_what_cannot_be_proposed(licences, given, message):
    with pytest.raises(InputError, match=message):
        propose(licences, "x", **given)
    assert licences.units() == []
    licences.verify()


def test_a_large_argument_is_kept_whole(licences):
    text = "x" * 999_000
    propose(licences, "x", arguments={"text": text})
    ((_, said),) = licences.wanted_actions()
    assert said == {"text": text}


def test_decisions_that_come_late_or_from_the_wrong_one(licences):
    propose(licences, "own", at=HOUR)
    with pytest.raises(RuleError, match="asked for 'own' itself"):
        licences.decide("own", "approve", by="bot", at=HOUR + 9_000_000)
    propose(licences, "late", at=HOUR, timeout_hours=1)
    with pytest.raises(RuleError, match="is over: nothing ran"):
        licences.decide("late", "approve", by="ann", at=2 * HOUR)
    assert licences.action("late", at=2 * HOUR).verdict == "deny"
    propose(licences, "done", at=2 * HOUR)
    licences.decide("done", "approve", by="ann", at=2 * HOUR + 9_000_000)
    licences.undo("done", by="ann", at=2 * HOUR + 10_000_000)
    with pytest.raises(RuleError, match="was approved already by ann") as error:
        licences.decide("done", "reject", by="bob", at=3 * HOUR)
    assert error.value.rule == "decided"
    undone = licences.undo("done", by="bob", at=3 * HOUR)
    assert undone.undone_at == 2 * HOUR + 10_000_000  # once
    for call in (licences.undo, licences.withdraw, licences.decide):
        with pytest.raises(RuleError, match="no action 'nothing' was ever proposed"):
            call(
                "nothing",
                **{"undo": {"by": "ann"}, "decide": {"kind": "approve", "by": "ann"}}.get(
                    call.__name__, {}
                ),
            )
    with pytest.raises(RuleError, match="no action 'nothing' was ever proposed"):
        licences.action("nothing")
    with pytest.raises(InputError, match="a decision is approve, reject or edit; got 'yes'"):
        licences.decide("done", "yes", by="ann")
    with pytest.raises(InputError, match="a harm is one of none, low"):
        licences.incident("done", harm="awful", by="ann")
    with pytest.raises(InputError, match="seconds are 0 or more"):
        licences.decide("done", "approve", by="ann", seconds=-1.0)
    with pytest.raises(RuleError, match=r"no action of 'bot \| mail \| any' was ever proposed"):
        licences.sign("bot", "mail", by="ann")
    licences.verify()


def test_a_clock_that_went_back_is_noted(licences):
    propose(licences, "first", at=5 * HOUR)
    second = propose(licences, "second", at=3 * HOUR)
    assert (second.at, second.clock_back) == (5 * HOUR, 2 * HOUR)
    licences.decide("second", "approve", by="ann", at=4 * HOUR)
    licences.verify()


def test_hands_on_the_licence(licences):
    at = earn(licences)
    licences.revoke("bot", "refund", "up to 50", by="eve", why="a rehearsal", at=at)
    (unit,) = licences.units(at)
    assert (unit.state, unit.lost_because, unit.losses) == (
        "asks",
        "revoked by eve: a rehearsal",
        1,
    )
    with pytest.raises(RuleError, match="holds no licence that could be revoked"):
        licences.revoke("bot", "refund", "up to 50", by="eve", at=at)
    licences.sign("bot", "refund", "up to 50", by="eve", at=at)
    licences.sign_house(by="eve")
    assert licences.units(at)[0].losses == 0
    assert propose(licences, "w", at=at).verdict == "ask"
    assert licences.withdraw("w", at=at).verdict == "deny"
    licences.verify()


def test_a_minor_version_goes_on_at_level_1_and_is_declared_before_it_begins(licences):
    at = earn(licences)
    with pytest.raises(
        RuleError, match="has no kind of action in version '9'; its versions: unknown"
    ) as error:
        licences.declare_minor("bot", "2", of="9", by="eve", at=at)
    assert error.value.rule == "unknown-version"
    with pytest.raises(RuleError, match="'bot' is the agent itself") as error:
        licences.declare_minor("bot", "2", of="unknown", by="bot", at=at)
    assert error.value.rule == "own-request"
    with pytest.raises(InputError, match="version is a text of 1 to 200 characters"):
        licences.declare_minor("bot", "", of="unknown", by="eve", at=at)
    licences.declare_minor("bot", "2", of="unknown", by="eve", at=at)
    made = propose(licences, "minor", version="2", at=at)
    (unit,) = licences.units(at)
    assert (made.level, unit.state, unit.is_carried, unit.labels) == (1, "licensed", True, 0)
    assert unit.evidence == pytest.approx(0.9)
    with pytest.raises(RuleError, match="has proposed actions already") as error:
        licences.declare_minor("bot", "2", of="unknown", by="eve", at=at)
    assert error.value.rule == "in-use"
    assert propose(licences, "undeclared", version="3", at=at).verdict == "ask"
    licences.verify()


def test_another_process_knows_what_was_declared(place):
    with Licences(place, POLICY) as one, Licences(place) as two:
        at = earn(one)
        one.declare_minor("bot", "2", of="unknown", by="eve", at=at)
        assert propose(two, "minor", version="2", at=at).level == 1
        two.verify()


def test_twelve_threads_are_one_life(licences):
    wrong, given = [], {}

    def work(thread):
        try:
            for i in range(15):
                key = f"{thread}-{i}"
                made = given[key] = propose(licences, key, float(i))
                assert propose(licences, key, float(i)).drawn == made.drawn
                if made.verdict == "ask" or made.is_audit:
                    licences.decide(key, "approve", by=f"p{thread}", seconds=9.0)
                with pytest.raises(RuleError):
                    propose(licences, key, 49.0)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    licences.verify()
    assert {licences.action(key).drawn for key in given} == {one.drawn for one in given.values()}


def test_two_objects_on_one_place_see_each_other(place):
    with Licences(place, POLICY) as one, Licences(place) as two:
        assert two.policy == POLICY
        for i in range(40):
            made = propose((one, two)[i % 2], f"k{i}", at=HOUR + i * 60_000_000)
            if made.verdict == "ask" or made.is_audit:
                (two, one)[i % 2].decide(made.key, "approve", by="ann", at=made.at + 9_000_000)
        assert one.units(99 * HOUR) == two.units(99 * HOUR)
        assert one.units(99 * HOUR)[0].state == "licensed"
        one.verify()


def test_two_policies_for_one_agent_are_refused(place):
    Licences(place, POLICY).close()
    other = LicencePolicy(POLICY.classes, limit=0.1)
    with pytest.raises(
        InputError, match="holds licences of another policy already; open it without one"
    ):
        Licences(place, other)
    with Licences(place, POLICY) as again:
        again.verify()


def test_where_nothing_is(place, tmp_path):
    with pytest.raises(NoDeploymentError, match=r"holds no (policy\.json|licences)"):
        Licences(place)
    with pytest.raises(InputError, match="licences in memory begin with a policy"):
        Licences(":memory:")
    with pytest.raises(InputError, match="a secret needs at least 16 bytes"):
        Licences(":memory:", POLICY, secret=b"short")
    Deployment(tmp_path / "posts", document(), secret=SECRET).close()
    with pytest.raises(InputError, match="the policy holds no licence"):
        Licences(tmp_path / "posts")


def test_terms_come_from_a_file(tmp_path):
    (tmp_path / "policy.json").write_text(POLICY.to_json())
    with Licences(tmp_path / "bot", tmp_path / "policy.json") as licences:
        assert licences.policy == POLICY
    assert json.loads((tmp_path / "bot" / "policy.json").read_text()) == json.loads(
        POLICY.to_json()
    )


def test_only_its_owner_reads_the_secret(tmp_path):
    with Licences(tmp_path / "bot", POLICY, secret=SECRET_BYTES) as licences:
        earn(licences)
        held = [path for path in (tmp_path / "bot").iterdir() if SECRET_BYTES in path.read_bytes()]
        assert held
        assert {path.stat().st_mode & 0o077 for path in held} == {0}


def test_a_folder_without_its_state_begins_nothing_new(tmp_path):
    Licences(tmp_path / "bot", POLICY).close()
    for path in (tmp_path / "bot").glob("state.sqlite*"):
        path.unlink()
    with pytest.raises(LogError, match=r"holds a policy and no state\.sqlite"):
        Licences(tmp_path / "bot")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE entries SET content = replace(content, '\"drawn\":0.', '\"drawn\":0.0') WHERE n = 2", "entry 2 of the licences was changed"),
        ("DELETE FROM entries WHERE n = (SELECT max(n) FROM entries)", "the last entries of the licences are missing"),
        ("UPDATE meta SET secret = x'00000000000000000000000000000000'", "the draw of entry 0 is not that of the secret"),
        ("UPDATE units SET content = replace(content, '\"losses\":0', '\"losses\":1')", "its entries lead elsewhere"),
        ("UPDATE actions SET content = replace(content, '\"level\":0', '\"level\":1')", "its entries lead elsewhere"),
    ],
)  # fmt: skip
def test_what_somebody_changed_is_found(tmp_path, change, message):
    with Licences(tmp_path / "bot", POLICY) as licences:
        earn(licences)
    with (
        contextlib.closing(sqlite3.connect(tmp_path / "bot" / "state.sqlite")) as connection,
        connection,
    ):
        assert connection.execute(change).rowcount > 0
    with Licences(tmp_path / "bot") as licences, pytest.raises(LogError, match=message):
        licences.verify()


def test_a_store_that_fails_allows_nothing(tmp_path, monkeypatch):
    with Licences(tmp_path / "bot", POLICY) as licences:
        at = earn(licences)
        with monkeypatch.context() as broken:
            broken.setattr(licences._database, "insert", _full)
            with pytest.raises(OSError, match="no space left"):
                propose(licences, "lost", at=at)
        assert propose(licences, "lost", at=at).verdict == "allow"
        licences.verify()


def _full(*_):
    raise OSError("no space left on device")


def test_what_was_promised_is_there_after_a_kill(place):
    Licences(place, POLICY).close()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    promised = {}
    for life in range(2):
        process = subprocess.Popen(
            [sys.executable, "-m", "records.killed_licences", str(place), f"p{life}", "3"],
            env=environment, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        lines = [process.stdout.readline() for _ in range(40)]
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        for line in [*lines, *rest.splitlines()]:
            words = line.split()
            if len(words) == 3 and line.endswith(("\n", words[2])):
                promised.setdefault(words[0], []).append(words[1])
    with Licences(place) as licences:
        licences.verify()
        for key, verdicts in promised.items():
            verdict = licences.action(key).verdict
            assert verdict == verdicts[-1] or (verdicts[-1], verdict) == ("ask", "allow")
        assert len(promised) >= 30


@pytest.mark.parametrize(("nudge", "is_same"), [(1e-14, True), (1e-6, False)])
def test_the_rounding_of_another_processor_is_no_forgery(tmp_path, nudge, is_same):
    folder = tmp_path / "agent"
    with Licences(folder, POLICY, secret=SECRET_BYTES) as licences:
        earn(licences)
    with contextlib.closing(sqlite3.connect(folder / "state.sqlite")) as tables, tables:
        ((name, text),) = tables.execute("SELECT name, content FROM units").fetchall()[:1]
        unit = json.loads(text)
        nudged = json.dumps(_nudged(unit, 1 + nudge))
        assert nudged != json.dumps(unit)
        tables.execute("UPDATE units SET content = ? WHERE name = ?", (nudged, name))
    with Licences(folder) as licences:
        if is_same:
            licences.verify()
        else:
            with pytest.raises(LogError, match="lead elsewhere"):
                licences.verify()


def _nudged(value, factor):
    if isinstance(value, dict):
        return {name: _nudged(one, factor) for name, one in value.items()}
    if isinstance(value, list):
        return [_nudged(one, factor) for one in value]
    return value * factor if isinstance(value, float) else value
