"""The gateway of licences over the least store: dictionaries, of which each step loads only what it needs."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import math

import numpy as np
import pytest

from askpoint.errors import InputError, LogError, RuleError
from askpoint.live.canonical import chain_hash
from askpoint.live.licences.action import Action
from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.audit_ladder import AuditLadder
from askpoint.live.licences.gateway import (
    LicenceStore,
    action_digest,
    change_action,
    change_unit,
    check_decision,
    check_harm,
    check_name,
    declare_minor,
    propose_action,
    read_proposal,
    replay_entries,
)
from askpoint.live.licences.house import House
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.unit import Unit
from askpoint.live.licences.waiting import HOUR

SECRET = b"sixteen or more bytes"
SMALL = ActionClass("pay", "small", (("sum", "max", 50),), amount="sum")
LARGE = ActionClass("pay", "large", (("sum", "max", 500),), amount="sum", after="small")
UNIT = "bot | pay | small"


def policy_of(*classes, **terms):
    usual = {"limit": 0.2, "labels": LabelRules(settle_hours=0.0), "audits": AuditLadder((0.5, 0.2), 10.0, 0)}  # fmt: skip
    return LicencePolicy(classes or (SMALL, LARGE), **{**usual, **terms})


class _Transaction(LicenceStore):
    """Begins with nothing, and has what it loads from JSON; it is the store's when nothing failed."""

    def __init__(self, kept):
        super().__init__(kept.policy, House(**json.loads(kept.house)), kept.last_at, kept.chain)
        self.entries, self.verdicts = [], []
        self.units, self.actions = dict(kept.units), dict(kept.actions)
        self.before = list(kept.actions.values())  # what is written now is there at the end

    def read_actions(self, keys):
        return [Action(**json.loads(self.actions[key])) for key in keys if key in self.actions]

    def read_units(self, names):
        return [(one, Unit.from_dict(json.loads(self.units[one]))) for one in names if one in self.units]  # fmt: skip

    def read_runs(self, unit, digest):
        every = (Action(**json.loads(one)) for one in self.before if digest in one)
        same = (one for one in every if (one.unit, one.digest) == (unit, digest))
        return {one.key for one in same if one.verdict == "allow"}

    def read_versions(self, agent):
        units = {name: json.loads(unit)["version"] for name, unit in self.units.items()}
        return {version for name, version in units.items() if name.split(" | ")[0] == agent}

    def write_entry(self, entry, chain):
        self.entries.append((entry, chain))

    def write_unit(self, name, unit, *, is_new):
        assert is_new == (name not in self.units)
        self.units[name] = json.dumps(unit.to_dict())

    def write_action(self, action, arguments, *, is_new):
        assert is_new == (action.key not in self.actions) == (arguments is not None)
        self.actions[action.key] = json.dumps(action.to_dict())
        self.verdicts.append((action.key, action.verdict))


class Kept:
    """What a store keeps: all as JSON."""

    def __init__(self, policy):
        self.policy, self.house, self.last_at, self.chain = policy, json.dumps(House().to_dict()), 0, ""  # fmt: skip
        self.units, self.actions = {}, {}
        self.entries, self.chains, self.verdicts = [], [], []

    @contextlib.contextmanager
    def step(self):
        made = _Transaction(self)
        yield made
        self.house = json.dumps(made.book.house.to_dict())
        self.last_at, self.chain = made.last_at, made.chain
        self.units, self.actions = made.units, made.actions
        self.entries += [json.loads(entry) for entry, _ in made.entries]
        self.chains += made.entries
        self.verdicts += made.verdicts

    def propose(self, key, arguments, at, **more):
        given = {"agent": "bot", "tool": "pay", "version": "1", **more}
        read = read_proposal(self.policy, key, arguments=arguments, **given)
        with self.step() as store:
            return propose_action(store, read, SECRET, at)

    def change(self, key, at, what, **given):
        with self.step() as store:
            return change_action(store, key, at, what, **given)

    def decide(self, key, at, kind="approve", by="ann", **more):
        return self.change(key, at, "decide", kind=kind, by=by, **more)

    def on_unit(self, at, what, place=UNIT, **given):
        with self.step() as store:
            change_unit(store, place, at, what, **given)

    def declare(self, version, of, at=HOUR, agent="bot", by="eve"):
        with self.step() as store:
            declare_minor(store, agent, version, of, by=by, moment=at)

    def unit(self, place=UNIT):
        return Unit.from_dict(json.loads(self.units[place]))

    def earn(self, first=1, place=UNIT, at=HOUR):
        """All is approved until it is licensed."""
        for n in range(200):
            at += 60_000_000
            made = self.propose(f"earn{first}-{n}", {"sum": first + n / 10}, at)
            self.decide(made.key, at + 9_000_000)
            if self.unit(place).is_granted:
                break
        assert self.unit(place).is_granted
        return at + 60_000_000


def live(policy, n=200, seed=4, approvers=()):
    """A random life of an agent: proposals, many of them repeated, and all that can follow."""
    rng, kept, at, known, done = np.random.default_rng(seed), Kept(policy), HOUR, [], set()
    for i in range(n):
        at += int(rng.integers(1, 90_000_000))
        key, version = f"k{i}", "1" if i < n // 2 else "2"
        if i == n // 2:
            kept.declare("2", "1", at)
        made = kept.propose(
            key, {"sum": int(rng.choice([5, 5, 5, 5, 300, 900]))}, at, version=version, approvers=approvers
        )  # fmt: skip
        known.append(key)
        chance = rng.random()
        if chance < 0.95 and (made.status == "asked" or made.is_audit):
            kind = "reject" if rng.random() < 0.02 else "approve"
            by = made.approver or str(rng.choice(["ann", "ben"]))
            kept.decide(key, at + 9, kind, by=by, seconds=9.0)
        with contextlib.suppress(RuleError):  # then nothing is written
            if chance > 0.8:
                what = str(rng.choice(["undo", "withdraw", "lapse"], p=[0.1, 0.3, 0.6]))
                who = {"by": "ann"} if what == "undo" else {}
                kept.change(str(rng.choice(known[-3:])), at + 10, what, **who)
                done.add(what)
            elif chance < 0.04:
                what = str(rng.choice(["sign", "revoke"]))
                kept.on_unit(at + 10, what, by="eve")
                done.add(what)
        if i in (20, n - 9):  # five in one second are more than anybody reads
            keys, at = [f"{key}-{j}" for j in range(6)], at + 60_000_000
            for one in keys:
                kept.propose(one, {"sum": one}, at, version=version, approvers=approvers)
            at += 9_000_000 - at % 1_000_000
            for one in keys:
                kept.decide(one, at, by="ann", seconds=5.0)
    assert done == {"undo", "withdraw", "lapse", "sign", "revoke"}
    return kept


@pytest.fixture(scope="module", params=[False, True], ids=["among all", "without each"])
def life(request):
    """A life, and whether approvers are drawn."""
    policy = policy_of(
        limit=0.4, revocations=9, timeout_hours=0.1, without_each_approver=request.param
    )
    return live(policy, approvers=("ben", "ann", "bot") if request.param else ())


def test_a_store_that_forgets_between_two_steps_is_one_book(life):
    """Whatever is loaded for a step, the state is that of all entries done on one book, bit for bit."""
    book = replay_entries(life.policy, life.entries, SECRET)
    assert {name: json.dumps(one.to_dict()) for name, one in book.units.items()} == life.units
    assert {key: json.dumps(one.to_dict()) for key, one in book.actions.items()} == life.actions
    assert json.dumps(book.house.to_dict()) == life.house
    statuses = {one.status for one in book.actions.values()}
    assert {"allowed", "approved", "rejected", "withdrawn", "lapsed"} <= statuses
    chain = ""
    for entry, then in life.chains:
        chain = chain_hash(chain, entry.encode())
        assert then == chain
    assert life.last_at == max(entry.get("at", 0) for entry in life.entries)


def _hmac(policy, text):
    said = hmac.new(SECRET, f"{policy.digest}\x1f{text}".encode(), hashlib.sha256).digest()
    return (int.from_bytes(said[:8], "big") >> 11) / 2**53


def test_a_retry_meets_the_same_draw_and_a_repetition_another(life):
    """Drawn from how often the same action ran before: counted here by hand."""
    policy, status, seen, verdicts = life.policy, {}, {}, iter(life.verdicts)
    for entry in life.entries:
        if entry["do"] == "propose":
            name = "other" if entry["kind"] is None else policy.classes[entry["kind"]].name
            unit, digest = f"bot | pay | {name}", entry["digest"]
            same = seen.setdefault((unit, digest), set())
            times = sum(status[key] == "allow" for key in same)
            assert entry["drawn"] == _hmac(policy, f"{unit}\x1f{digest}\x1f{times}")
            if policy.without_each_approver:
                assert entry["approvers"] == ["ann", "ben"]  # sorted, and never the agent itself
                assert entry["dealt"] == _hmac(policy, f"{unit}\x1f{digest}\x1fapprover\x1f{times}")
            else:
                assert {"approvers", "dealt"}.isdisjoint(entry)
            same.add(entry["key"])
        if "key" in entry:
            key, verdict = next(verdicts)
            assert key == entry["key"]
            status[key] = verdict
    assert max(map(len, seen.values())) > 20


def test_what_lapsed_a_moment_ago_did_not_run():
    """In the same transaction: the store does not know it yet."""
    kept = Kept(policy_of())
    at = kept.earn()
    arguments, draws = {"sum": 49}, []
    while (made := kept.propose(f"a{len(draws)}", arguments, at)).verdict != "allow" or not draws:
        draws.append(made.drawn)
    same = read_proposal(policy_of(), "b", agent="bot", tool="pay", version="1", arguments=arguments)  # fmt: skip
    with kept.step() as store:
        change_action(store, made.key, at, "lapse")
        again = propose_action(store, same, SECRET, at)
    assert again.drawn == made.drawn != draws[0]


@pytest.mark.parametrize("name", ["drawn", "dealt"])
def test_entries_whose_draw_is_not_that_of_the_secret_are_refused(name):
    policy = policy_of(without_each_approver=True)
    kept = Kept(policy)
    kept.propose("a", {"sum": 5}, HOUR, approvers=("ann", "ben"))
    kept.decide("a", HOUR + 9_000_000, by="ann")
    kept.propose("b", {"sum": 5}, 2 * HOUR, approvers=("ann", "ben"))
    assert list(replay_entries(policy, kept.entries, SECRET).actions) == ["a", "b"]
    with pytest.raises(LogError, match="the draw of entry 0 is not that of the secret"):
        replay_entries(policy, kept.entries, SECRET[::-1])
    other = [*kept.entries[:2], {**kept.entries[2], name: 0.5}]
    with pytest.raises(LogError, match="the draw of entry 2 is not that of the secret; restore"):
        replay_entries(policy, other, SECRET)


def test_the_same_key_is_answered_as_before():
    kept = Kept(policy_of())
    first = kept.propose("a", {"sum": 5, "to": "x"}, HOUR)
    assert kept.propose("a", {"to": "x", "sum": 5}, HOUR + 9) == first
    assert len(kept.entries) == 1
    late = kept.propose("a", {"sum": 5, "to": "x"}, first.deadline)
    assert (late.status, late.verdict) == ("expired", "deny")
    for other in ({"agent": "eve"}, {"version": "2"}, {"tool": "mail"}):
        with pytest.raises(RuleError, match="'a' was proposed with another action") as error:
            kept.propose("a", {"sum": 5, "to": "x"}, HOUR, **other)
        assert error.value.rule == "other-content"
    with pytest.raises(RuleError, match="a new action takes a new key"):
        kept.propose("a", {"sum": 6, "to": "x"}, HOUR)
    assert len(kept.entries) == 1


def test_an_entry_is_never_before_the_last_one():
    kept = Kept(policy_of())
    kept.propose("a", {"sum": 5}, 2 * HOUR)
    made = kept.propose("b", {"sum": 6}, 2 * HOUR - 7)
    assert (made.at, made.clock_back) == (2 * HOUR, 7)
    assert kept.decide("b", HOUR, seconds=9.0).decided_at == 2 * HOUR
    kept.on_unit(HOUR, "sign", by="eve")
    assert kept.entries[-1]["at"] == 2 * HOUR
    later = kept.propose("c", {"sum": 7}, 3 * HOUR)
    assert (later.at, later.clock_back) == (3 * HOUR, 0)


def test_a_bolder_step_waits_for_the_more_cautious_one():
    """Its unit is loaded though the action is not of it."""
    kept = Kept(policy_of())
    at = kept.earn(first=300, place="bot | pay | large")
    waits = kept.propose("before", {"sum": 299}, at)
    assert (waits.name, waits.verdict) == ("large", "ask")
    assert waits.why == "small, a more cautious step, is not licensed"
    at = kept.earn(at=at)
    assert kept.propose("after", {"sum": 298}, at).verdict == "allow"


def test_what_was_never_proposed_cannot_change():
    kept = Kept(policy_of())
    with pytest.raises(RuleError, match="no action 'k9' was ever proposed") as error:
        kept.decide("k9", HOUR)
    assert error.value.rule == "unknown-key"
    with pytest.raises(RuleError, match=r"no action of 'bot \| pay \| small' was ever") as error:
        kept.on_unit(HOUR, "revoke", by="eve")
    assert error.value.rule == "unknown-unit"
    kept.earn()
    kept.on_unit(100 * HOUR, "revoke", by="eve", why="too bold")
    assert kept.unit().lost_because == "revoked by eve: too bold"
    assert kept.entries[-1]["at"] == 100 * HOUR


def test_who_declares_a_minor_version_and_when():
    kept = Kept(policy_of())
    kept.earn()
    before = dict(vars(kept))
    for given, rule, message in [
        (("1", "0"), "in-use", "version '1' of 'bot' has proposed actions already; declare"),
        (("2", "0"), "unknown-version", "no kind of action in version '0'; its versions: 1$"),
        (("2", "1", HOUR, "cat"), "unknown-version", "'cat' has no kind .* its versions: none$"),
        (("2", "1", HOUR, "bot", "bot"), "own-request", "'bot' is the agent itself: a person"),
    ]:
        with pytest.raises(RuleError, match=message) as error:
            kept.declare(*given)
        assert error.value.rule == rule
    for given in (("", "1"), ("2", " | "), ("2", "1", HOUR, "b\nt"), ("2", "1", HOUR, "bot", "")):
        with pytest.raises(InputError, match=r"a text of 1 to 200 characters|cannot have"):
            kept.declare(*given)
    assert vars(kept) == before
    kept.declare("2", "1")
    assert kept.entries[-1]["do"] == "declare_minor"
    made = kept.propose("x", {"sum": 1}, 100 * HOUR, version="2")
    assert (kept.unit().is_carried, kept.unit().version, made.level) == (True, "2", 1)


def test_a_log_is_read_before_the_first_action_or_not_at_all():
    def opened(kept):
        store = _Transaction(kept)
        store.load_units([UNIT, "bot | pay | large"])
        return store

    kept, waiting, withdrawn = (Kept(policy_of()) for _ in range(3))
    opened(kept).check_unused()
    denied = Kept(policy_of(ActionClass("pay", "small", deny=True)))
    assert denied.propose("a", {"sum": 5}, HOUR).verdict == "deny"
    opened(denied).check_unused()  # its unit is there, and knows nothing
    assert UNIT in denied.units
    with kept.step() as store:
        for bad in (0.0, 0.0, 1.0):
            store.enter("learn", agent="bot", version="1", tool="pay", kind=0, bad=bad, at=HOUR)
    assert (kept.unit().certificate.labels, kept.unit().wrong) == (3, 1.0)
    assert list(replay_entries(kept.policy, kept.entries, SECRET).units) == [UNIT]
    waiting.propose("a", {"sum": 5}, HOUR)
    withdrawn.propose("a", {"sum": 5}, HOUR, silence_rejects=False)
    withdrawn.change("a", HOUR, "withdraw")
    assert (withdrawn.unit().asked, withdrawn.unit().waiting) == (1, ())
    for used in (kept, waiting, withdrawn):
        with pytest.raises(RuleError, match="has evidence here already: a log is read") as error:
            opened(used).check_unused()
        assert error.value.rule == "in-use"


def test_a_key_is_looked_for_once():
    class Counting(_Transaction):
        def read_actions(self, keys):
            looked.append(list(keys))
            return super().read_actions(keys)

    kept, looked = Kept(policy_of()), []
    kept.propose("a", {"sum": 5}, HOUR)
    store = Counting(kept)
    assert [store.find(key) for key in ("b", "b")] == [None, None]
    assert store.find("a") is store.find("a") is not None
    store.load_actions(["a", "b", "c"])
    assert looked == [["b"], ["a"], ["c"]]
    assert list(store.book.units) == [UNIT]  # loaded with its action


def test_a_proposal_is_read_as_its_policy_says():
    policy = policy_of(timeout_hours=3.0)
    read = read_proposal(policy, "a", agent="bot", tool="pay", arguments={"sum": 70, "b": None})
    assert (read.kind, read.name, read.amount, read.unit) == (1, "large", 70.0, "bot | pay | large")
    assert read.steps == (UNIT,)
    assert (read.timeout, read.version, read.silence_rejects) == (3 * HOUR, "unknown", True)
    assert read.arguments == '{"b":null,"sum":70}'
    assert read.digest == hashlib.sha256(b'["pay",{"b":null,"sum":70}]').hexdigest()
    assert read.digest == action_digest("pay", {"sum": 70, "b": None})
    other = read_proposal(policy, "a", agent="bot", tool="mail", timeout_hours=0.5, approvers=["ann"])  # fmt: skip
    assert (other.kind, other.name, other.amount, other.steps) == (None, "other", 0.0, ())
    assert (other.timeout, other.arguments, other.approvers) == (HOUR // 2, "null", ())


def read(policy=None, **given):
    usual = {"key": "a", "agent": "bot", "tool": "pay"}
    return read_proposal(policy or policy_of(), **{**usual, **given})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"key": ""}, "key is a text of 1 to 200 characters; got ''"),
        ({"agent": "b" * 201}, "agent is a text of 1 to 200 characters"),
        ({"tool": 3}, "tool is a text of 1 to 200 characters; got 3"),
        ({"version": "1 | 2"}, "version has a character that a name cannot have: '1 | 2'"),
        ({"agent": "b\tt"}, "agent has a character that a name cannot have"),
        ({"timeout_hours": 0}, "timeout_hours is above 0 and at most a year; got 0"),
        ({"timeout_hours": 24 * 366}, "at most a year; got 8784"),
        ({"timeout_hours": math.nan}, "at most a year; got nan"),
        ({"arguments": [1]}, "arguments are an object, by name; got [1]"),
        ({"arguments": {"a": {1}}}, "the arguments are not JSON: "),
        ({"arguments": {"a": math.nan}}, "the arguments are not JSON: "),
        ({"arguments": {"a": "\ud800"}}, "the arguments are not JSON: "),
        ({"arguments": {"a": "x" * 1_000_000}}, "the arguments take 1,000,008 bytes, at most 1,000,000 are kept"),
        ({"approvers": [""]}, "an approver is a text of 1 to 200 characters"),
        ({"approvers": map(str, range(101))}, "dealt among at most 100 approvers; got 101"),
    ],
)  # fmt: skip
def test_proposals_that_cannot_be_kept(given, message):
    with pytest.raises(InputError) as error:
        read(policy_of(without_each_approver=True), **given)
    assert message in str(error.value)


def test_what_is_as_large_as_may_be_is_kept():
    text = "x" * (1_000_000 - 8)
    assert len(read(arguments={"a": text}).arguments) == 1_000_000
    assert read(agent="b" * 200).agent == check_name("agent", "b" * 200)
    many = read(policy_of(without_each_approver=True), approvers=map(str, range(100)))
    assert len(many.approvers) == 100
    assert read(timeout_hours=24 * 365).timeout == 24 * 365 * HOUR


def test_what_is_no_decision_and_no_harm():
    for kind in ("approve", "reject", "edit"):
        check_decision(kind, None)
        check_decision(kind, 0.0)
    for kind, seconds, message in [
        ("maybe", None, "a decision is approve, reject or edit; got 'maybe'"),
        (None, 1.0, "a decision is approve, reject or edit; got None"),
        ("approve", -1e-9, "seconds are 0 or more; got -1e-09"),
        ("approve", math.nan, "seconds are 0 or more; got nan"),
        ("approve", 1e9, "seconds are 0 or more; got 1000000000.0"),
    ]:
        with pytest.raises(InputError, match=message):
            check_decision(kind, seconds)
    for harm in ("none", "low", "medium", "high", "irreversible"):
        check_harm(harm)
    for harm in (None, "severe"):
        with pytest.raises(InputError, match=r"a harm is one of none, low, .*; got "):
            check_harm(harm)
