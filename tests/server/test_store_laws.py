"""Laws of the gateway, over every store: memory, deployments, the server on SQLite and PostgreSQL."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest
from django.db import transaction

from askpoint import InputError, Policy, RuleError, Terms
from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.blocks import DecisionBlock
from askpoint.live.documents import state_to_dict
from askpoint.live.draws import audit_draws
from askpoint.live.events import Event, LoggedEvent
from askpoint.live.gateway import Rollout, decide_in, label_in
from askpoint.live.verification import verify
from askpoint.records.stores import transactions
from askpoint.records.stores.deployment import Deployment
from askpoint.records.stores.life import life_blocks
from askpoint.server.clock import moment
from askpoint.server.deployments import store as server_store
from askpoint.server.deployments.audit import receipt_problems
from askpoint.server.deployments.models import Event as EventRow
from askpoint.server.deployments.policies import lock_deployment, policy_in_use, secret_of
from askpoint.server.deployments.policy_state import clear_states, document_of, load_state
from askpoint.server.deployments.policy_tables import PolicyTables
from askpoint.server.deployments.rows import micros
from askpoint.server.deployments.store import DatabaseStore
from live import memory_store
from live.memory_store import MemoryStore
from live.replays import replay_blocks
from server.in_use import MODEL, InUse, log, posts

SECRET = b"sixteen or more bytes"
HOURS = 5 * 3_600_000_000
TERMS = Terms("money", 0.1, rate=0.1, planned_decisions=20_000)


def first_policy():
    found = log(600)
    return Policy.from_log(
        found.confidence if found.proba is None else found.proba.max(axis=1),
        found.right,
        TERMS,
        secret=SECRET,
        name="posts",
        model=MODEL,
    )


def logged(events, places):
    return [LoggedEvent(one, *place) for one, place in zip(events, places, strict=True)]


class Memory:
    """In this process; another one knows nothing of it."""

    failures = ("KnownCase",)

    def __init__(self, folder):
        del folder
        self.store = MemoryStore(first_policy(), SECRET)
        self.document, self.secret, self.at = self.store.policy.document, SECRET, 0

    def decide(self, batch, **options):
        self.at += 1
        return decide_in(self.store, batch, self.at, **options)

    def label(self, rows):
        self.at += 1
        return label_in(self.store, rows, self.at)

    def reopen(self):
        """Go on as another process would."""

    def blocks(self):
        return list(self.store.blocks)

    def standing(self):
        replay = self.store.replay
        return replay.state, replay.head, logged(replay.events, replay.places)

    @contextmanager
    def failing(self, name, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setattr(memory_store, name, _fail)
            yield


class Embedded:
    """A deployment in a folder or in PostgreSQL; another process opens it anew."""

    failures = ("decision_rows", "_pending_rows")

    def __init__(self, folder):
        self.folder, self.document, self.secret, self.at = (
            folder,
            first_policy().document,
            SECRET,
            0,
        )
        self.store = Deployment(self.where, self.document, secret=SECRET)

    @property
    def where(self):
        return self.folder

    def decide(self, batch, **options):
        """What `decide_in` would return, as far as a caller of a deployment sees it."""
        self.at += HOURS
        rollout = options.pop("rollout", Rollout())
        before = self.store.policy.state.decided
        made = self.store.decide_rows(batch, self.at, rollout=rollout.share, **options)
        seen, decided = set(), []
        for i, row in enumerate(made.rows):
            if row is not None and row.seq >= before and row.key not in seen:
                seen.add(row.key)
                decided.append(i)
        return SimpleNamespace(decided=decided, events=made.events)

    def label(self, rows):
        self.at += HOURS
        return self.store.label_rows(rows, self.at).outcome

    def reopen(self):
        self.store.close()
        self.store = Deployment(self.where)

    def blocks(self):
        return list(self.store.blocks())

    def standing(self):
        replay = replay_blocks(self.document, self.blocks())
        state = self.store.policy.state
        assert self.store.verify().difference is None
        assert state_to_dict(state) == state_to_dict(replay.state)
        return state, replay.head, self.store.logged_events()

    @contextmanager
    def failing(self, name, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setattr(transactions, name, _fail)
            yield


class InMemory(Embedded):
    @property
    def where(self):
        return ":memory:"

    def reopen(self):
        """It is gone with its object."""


class Database:
    failures = ("write_receipts", "write_cases", "follow_events", "save_state")

    def __init__(self, folder):
        del folder
        self.in_use = InUse()
        self.document = document_of(self.in_use.policy)
        self.secret = secret_of(self.in_use.policy)

    @contextmanager
    def _store(self):
        with transaction.atomic():
            row = lock_deployment(self.in_use.id)
            now = moment(row)
            yield DatabaseStore(row, policy_in_use(row), now), micros(now)

    def decide(self, batch, **options):
        with self._store() as (store, at):
            return decide_in(store, batch, at, **options)

    def label(self, rows):
        with self._store() as (store, at):
            return label_in(store, rows, at)

    def reopen(self):
        clear_states()

    def blocks(self):
        tables = PolicyTables(self.in_use.policy.pk, self.document)
        with transaction.atomic():
            return list(life_blocks(tables.stream))

    def standing(self):
        replay = load_state(self.in_use.policy).replay
        events = [
            LoggedEvent(Event(row.seq, row.kind, row.numbers), micros(row.at), row.leaf)
            for row in EventRow.objects.filter(policy=self.in_use.policy)
        ]
        assert list(receipt_problems(self.in_use.policy)) == []
        return replay.state, replay.head, events

    @contextmanager
    def failing(self, name, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setattr(server_store, name, _fail)
            yield


def _fail(*args, **options):
    raise OSError("the disk is full")


STORES = {
    "memory": Memory,
    "embedded": Embedded,
    "in-memory": InMemory,
    "embedded-postgres": Embedded,
}


@pytest.fixture(params=[*STORES, "sqlite", "postgres"])
def keeps(request, tmp_path):
    """A policy in one of the stores."""
    if request.param not in STORES:
        request.getfixturevalue({"postgres": "emptied_postgres"}.get(request.param, request.param))
        return Database(tmp_path)
    place = tmp_path / "live"
    if request.param == "embedded-postgres":
        place = request.getfixturevalue("postgres_address")
    return STORES[request.param](place)


def batch_of(n, day=0, *, broken=False, **more):
    """A day's posts, and what they are."""
    sure, right = posts(n, day, broken=broken)
    keys = [f"{day}-{i}" for i in range(n)]
    content = [f"post {key}" for key in keys]
    group = [("de", "fr", None)[i % 3] for i in range(n)]
    given = {"content": content, "group": group, **more}
    truth = {key: "hate" if one else "fine" for key, one in zip(keys, right, strict=True)}
    return DecisionBatch(keys, ["hate"] * n, sure, model_version="7", **given), truth


def decisions(blocks):
    """What was decided of each key, in the order of decisions."""
    columns = ("seq", "prediction", "confidence", "drawn", "propensity", "answer", "audit",
               "episode", "group", "rate", "held")  # fmt: skip
    found = {}
    for block in blocks:
        if isinstance(block, DecisionBlock):
            for i, key in enumerate(block.key):
                assert key not in found
                found[key] = tuple(np.asarray(getattr(block, name))[i].item() if isinstance(
                    getattr(block, name), np.ndarray) else getattr(block, name)[i]
                    for name in columns)  # fmt: skip
    return found


def wanted(blocks):
    return [key for key, row in decisions(blocks).items() if row[6] or not row[5]]


def labels_of(keys, truth, judge="Bob"):
    n = len(keys)
    return LabelRows(list(keys), [truth[key] for key in keys], [judge] * n, [None] * n)


def twin_of(keeps):
    """The same policy in memory."""
    return MemoryStore(Policy.from_document(keeps.document), keeps.secret)


def same_standing(keeps, before):
    state, head, events = keeps.standing()
    assert state_to_dict(state) == before[0]
    assert head == before[1]
    assert list(map(tuple, events)) == before[2]


def standing(keeps):
    state, head, events = keeps.standing()
    return state_to_dict(state), head, list(map(tuple, events))


def last_moment(keeps):
    """When the last decision was made: in which hour of the week a case comes is part of the state."""
    moments = [int(b.moments[-1]) for b in keeps.blocks() if isinstance(b, DecisionBlock)]
    return moments[-1]


def test_a_key_decides_once(keeps):
    batch, _ = batch_of(60)
    keeps.decide(batch)
    before, known = standing(keeps), decisions(keeps.blocks())
    assert len(known) == 60
    twice = DecisionBatch(
        batch.key * 2, batch.prediction * 2, batch.confidence * 2, batch.content * 2, "7", batch.group * 2
    )  # fmt: skip
    for again in (batch, twice):
        keeps.reopen()
        outcome = keeps.decide(again)
        assert (outcome.decided, outcome.events) == ([], ())
        same_standing(keeps, before)
    new, _ = batch_of(5, day=1)
    double = DecisionBatch(new.key * 2, new.prediction * 2, new.confidence * 2, None, "7")
    assert keeps.decide(double).decided == list(range(5))
    assert decisions(keeps.blocks()).keys() == {*batch.key, *new.key}


@pytest.mark.parametrize(
    "change",
    [{"confidence": 0.51}, {"prediction": "fine"}, {"content": "x"}, {"content": None}, {"group": "us"}],
)  # fmt: skip
def test_a_key_with_anything_else_is_refused_by_one_rule(keeps, change):
    batch, _ = batch_of(20)
    keeps.decide(batch)
    before = standing(keeps)
    ((name, value),) = change.items()
    other = {column: list(getattr(batch, column)) for column in (
        "key", "prediction", "confidence", "content", "group")}  # fmt: skip
    other[name][7] = value
    other["key"][3] = "new"
    with pytest.raises(RuleError, match="the key '0-7' was decided with other content") as refusal:
        keeps.decide(DecisionBatch(**other, model_version="7"))
    assert refusal.value.rule == "other-content"
    fresh = {column: [values[0]] * 2 for column, values in other.items()} | {"key": ["twin"] * 2}
    fresh[name] = [fresh[name][0], value]
    with pytest.raises(RuleError, match="the key 'twin'"):
        keeps.decide(DecisionBatch(**fresh, model_version="7"))
    keeps.reopen()
    same_standing(keeps, before)
    assert decisions(keeps.blocks()).keys() == set(batch.key)


def test_a_batch_is_its_cases_one_by_one_and_in_memory(keeps):
    twin, single = twin_of(keeps), twin_of(keeps)
    for day in range(4):
        batch, truth = batch_of(70, day, broken=day > 2)
        keeps.decide(batch, audit_rates={"fr": 0.5} if day > 1 else None)
        at = last_moment(keeps)
        decide_in(twin, batch, at, audit_rates={"fr": 0.5} if day > 1 else None)
        for i in range(70):
            one = DecisionBatch(*([column[i]] for column in (batch.key, batch.prediction, batch.confidence,
                        batch.content)), "7", [batch.group[i]])  # fmt: skip
            decide_in(single, one, at, audit_rates={"fr": 0.5} if day > 1 else None)
        keys = [key for key in wanted(keeps.blocks()) if key in truth]
        keeps.label(labels_of(keys, truth))
        for store in (twin, single):
            label_in(store, labels_of(keys, truth), 0)
        keeps.reopen()
    assert decisions(keeps.blocks()) == decisions(twin.blocks) == decisions(single.blocks)
    state, _, events = keeps.standing()
    assert state_to_dict(state) == state_to_dict(twin.replay.state)
    assert state_to_dict(state) == state_to_dict(single.replay.state)
    assert [tuple(one.event) for one in events] == list(map(tuple, twin.events))


def test_decisions_stand_in_their_order_and_draws_can_be_made_again(keeps):
    batch, _ = batch_of(1200)  # more than one block
    keeps.decide(batch)
    later, _ = batch_of(30, day=1)
    keeps.decide(later, shadow=True)
    rows = decisions(keeps.blocks())
    assert list(rows) == [*batch.key, *later.key]
    first = keeps.document.state.decided
    assert [row[0] for row in rows.values()] == list(range(first, first + 1230))
    draws = audit_draws(keeps.secret, keeps.document.id, list(rows))
    assert [row[3] for row in rows.values()] == draws.tolist()
    assert all(row[6] == (row[5] and row[3] < row[9]) for row in rows.values())
    assert [row[10] for row in rows.values()] == [False] * 1200 + [True] * 30


def test_the_chain_goes_on_and_a_stranger_finds_the_same(keeps):
    for day in range(8):
        batch, truth = batch_of(120, day, broken=day > 2)
        keeps.decide(batch)
        keeps.label(labels_of([key for key in wanted(keeps.blocks()) if key in truth], truth))
        keeps.reopen()
    _, head, events = keeps.standing()
    found = verify(keeps.document, keeps.blocks(), events, keeps.secret)
    assert found.difference is None, str(found.difference)
    assert found.replay.head == head
    assert {"alarm", "budget_spent"} & {one.event.kind for one in events}  # told once each
    replay = replay_blocks(keeps.document, keeps.blocks())
    assert [one.event for one in events] == replay.events
    assert [one.at for one in events] == [place.at for place in replay.places]


def test_labels_count_once_and_bad_ones_change_nothing(keeps):
    batch, truth = batch_of(100)
    keeps.decide(batch)
    keys = wanted(keeps.blocks())
    assert keeps.label(labels_of(keys, truth)).counted == len(keys)
    state = state_to_dict(keeps.standing()[0])
    keeps.reopen()
    assert keeps.label(labels_of(keys, truth, judge="Eve")).counted == 0
    assert state_to_dict(keeps.standing()[0]) == state
    before = standing(keeps)
    n = len(keys)
    bad = [
        (LabelRows(["never"], ["hate"], ["Bob"], [None]), "unknown-key"),
        (LabelRows([keys[0]], ["love"], ["Bob"], [None]), None),
        (LabelRows([keys[0]], ["hate"], ["Bob"], ["rumour"]), None),
        (LabelRows([keys[0]], ["hate"], ["Bob"], ["gold"]), None),
        (LabelRows(keys, ["hate"] * n, ["Bob"] * n, [None] * n, ["hate"] * n), None),
    ]
    for rows, rule in bad:
        with pytest.raises(InputError) as refusal:
            keeps.label(rows)
        assert getattr(refusal.value, "rule", None) == rule
        same_standing(keeps, before)
    gold = LabelRows(["g", "g"], ["fine"] * 2, ["Bob", "Bob"], ["gold"] * 2, ["hate"] * 2)
    keeps.label(gold)
    keeps.label(gold)
    people = keeps.standing()[0].watches["people"]
    assert (people.items, people.mistakes) == (1, 1)


def test_a_label_that_is_there_already_changes_nothing(keeps):
    batch, truth = batch_of(100)
    keeps.decide(batch)
    keys = wanted(keeps.blocks())
    other = {key: "fine" if truth[key] == "hate" else "hate" for key in keys}
    rows = labels_of(keys, truth)
    twice = LabelRows(
        *([*column, *column] for column in (rows.key, rows.label, rows.judge, rows.source))
    )
    assert len(keeps.label(twice).block.key) == len(keys)
    gold = LabelRows(["g", "g"], ["fine"] * 2, ["Bob", "Bob"], ["gold"] * 2, ["hate"] * 2)
    assert len(keeps.label(gold).block.key) == 1
    before = standing(keeps)
    for again in (rows, twice, gold):
        keeps.reopen()
        assert keeps.label(again) is None
        same_standing(keeps, before)
    # another word of the same judge, and the same word of another one, are new
    assert len(keeps.label(labels_of(keys, other)).block.key) == len(keys)
    assert len(keeps.label(labels_of([*keys, keys[0]], truth, judge="Eve")).block.key) == len(keys)
    with pytest.raises(InputError):  # a bad one among them still is
        keeps.label(LabelRows([keys[0]] * 2, [truth[keys[0]], "love"], ["Bob"] * 2, [None] * 2))


def test_after_a_failure_nothing_is_half_written(keeps, monkeypatch):
    twin = twin_of(keeps)
    first, truth = batch_of(50)
    keeps.decide(first)
    decide_in(twin, first, last_moment(keeps))
    for place, name in enumerate(keeps.failures):
        batch, more = batch_of(40, day=10 + place)
        with keeps.failing(name, monkeypatch), pytest.raises((OSError, TypeError)):
            keeps.decide(batch)
        keeps.reopen()
        found = decisions(keeps.blocks())
        assert len(found.keys() & set(batch.key)) in {0, len(batch.key)}
        assert verify(keeps.document, keeps.blocks(), None, keeps.secret).difference is None
        keeps.decide(batch)  # sent again, as nobody knows whether it came
        decide_in(twin, batch, last_moment(keeps))
        truth |= more
        assert decisions(keeps.blocks()) == decisions(twin.blocks)
    state, head, _ = keeps.standing()
    assert state_to_dict(state) == state_to_dict(twin.replay.state)
    assert verify(keeps.document, keeps.blocks(), None, keeps.secret).replay.head == head


def test_a_rollout_grows_without_moving_a_case(keeps):
    batch, truth = batch_of(600)
    salt = b"sixteen or more salt"
    tenth = keeps.decide(batch, rollout=Rollout(0.1, salt)).decided
    assert tenth == sorted(tenth)
    assert abs(len(tenth) - 60) < 35
    assert decisions(keeps.blocks()).keys() == {batch.key[i] for i in tenth}
    outside = next(key for i, key in enumerate(batch.key) if i not in tenth)
    with pytest.raises(RuleError, match="never decided"):
        keeps.label(labels_of([outside], truth))
    keeps.reopen()
    half = keeps.decide(batch, rollout=Rollout(0.5, salt)).decided
    assert not set(half) & set(tenth)
    assert abs(len(half) - 240) < 60
    rest = keeps.decide(batch).decided
    assert sorted([*tenth, *half, *rest]) == list(range(600))
