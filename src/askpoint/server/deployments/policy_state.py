"""Per-process cache of policy states, replayed from stored decisions and labels.

A decision needs the state after all before it, and a state is long. So it is not written with each
batch: receipts and labels are, and from them and a snapshot any process replays it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from django.db import transaction

from askpoint.errors import LogError
from askpoint.live.alarms import evidence_share
from askpoint.live.blocks import DecisionBlock, LabelBlock
from askpoint.live.canonical import canonical_json
from askpoint.live.documents import PolicyDocument, state_from_dict, state_to_dict
from askpoint.live.events import Event, LoggedEvent
from askpoint.live.history import is_moment_due
from askpoint.live.merkle import Tree
from askpoint.live.pending import PENDING, PendingCases
from askpoint.live.receipts import Replay
from askpoint.live.state import State
from askpoint.live.worth import counts_of
from askpoint.server.deployments.models import Event as EventRow, Moment, Policy, Snapshot
from askpoint.server.deployments.policy_tables import PolicyTables
from askpoint.server.deployments.rows import blocks_since, micros
from askpoint.server.jobs.services import add_job

__all__ = ["RunningState", "clear_states", "document_of", "load_state", "read_state", "save_state"]

_EVERY = 2000  # decisions between two snapshots, at least
_LABELLED = 200  # blocks of labels, likewise


@dataclass
class RunningState:
    """A policy's state, and what came since it was last written.

    Parameters
    ----------
    replay : Replay
        State and log, and the events that are not written yet.
    saved : int
        Decisions at the last snapshot.
    labelled : int
        Blocks of labels since.
    """

    replay: Replay
    saved: int
    labelled: int = 0


_states: dict[str, RunningState] = {}  # of this process, by the policy's name


def clear_states() -> None:
    """Forget all states of this process; they are read again when they are needed."""
    _states.clear()


@functools.lru_cache(maxsize=64)
def _document(text: str) -> PolicyDocument:
    return PolicyDocument.from_json(text)


def document_of(policy: Policy) -> PolicyDocument:
    """Return the document of a policy; it never changes, so it is read once."""
    return _document(policy.document)


def read_state(policy: Policy) -> State:
    """Return the state of a policy as of now, for who only looks: within `read_one_moment`, without a lock.

    What this process knows may be of a later moment; then it is read from the last snapshot.
    """
    document = document_of(policy)
    known = _states.get(document.id)
    if known is not None and known.replay.tree.size > policy.log["size"]:
        known = None
    for begun in (known, None):
        running = _catch_up(policy, document, begun or _from_snapshot(policy, document))
        if running.replay.tree.to_dict() == policy.log:
            _remember(document.id, running)
            return running.replay.state
    raise _unreadable(document)


def load_state(policy: Policy) -> RunningState:
    """Return the state of a policy as of now, without the events so far; what is made of it is kept by `save_state`.

    Whoever asks for it holds the lock of the deployment.
    """
    document = document_of(policy)
    for known in (_states.pop(document.id, None), None):
        begun = known or _from_snapshot(policy, document)
        running = _catch_up(policy, document, begun)
        if running.replay.tree.to_dict() == policy.log:
            _states[document.id] = running
            fresh = running.replay.copy()
            fresh.clear_events()
            return replace(running, replay=fresh)
    raise _unreadable(document)


def _unreadable(document: PolicyDocument) -> LogError:
    return LogError(
        f"the receipts of {document.id} do not lead to what is stored with them: restore the server "
        "from a backup"
    )


def _from_snapshot(policy: Policy, document: PolicyDocument) -> RunningState:
    replay = Replay(document)
    row = Snapshot.objects.filter(policy=policy).first()
    if row is None:
        return RunningState(replay, replay.state.decided)
    plain = {**json.loads(row.state), "pending": []}
    pending = PendingCases(np.frombuffer(bytes(row.pending), dtype=PENDING))
    replay.state = replace(state_from_dict(plain, document.terms), pending=pending)
    replay.labels, replay.rates = row.labels, dict(row.rates)
    replay.granted, replay.handed_in = row.granted, row.handed_in
    replay.tree = Tree.from_dict(row.log)
    return RunningState(replay, row.decided)


def _catch_up(policy: Policy, document: PolicyDocument, running: RunningState) -> RunningState:
    """Take in what was written since, in the order of the log."""
    if running.replay.tree.size == policy.log["size"]:
        return running
    replay, labelled = running.replay.copy(), running.labelled
    tables = PolicyTables(policy.pk, document)
    replay.recorded = [  # another processor may round their numbers otherwise
        LoggedEvent(Event(row.seq, row.kind, row.numbers), micros(row.at), row.leaf)
        for row in EventRow.objects.filter(policy=policy, leaf__gte=replay.tree.size)
    ]
    for block in blocks_since(tables, policy, replay):
        if isinstance(block, DecisionBlock):
            replay.decide(block)
        elif isinstance(block, LabelBlock):
            replay.label(block)
            labelled += 1
        else:
            replay.add(block)
    replay.clear_events()
    replay.recorded = ()
    return RunningState(replay, running.saved, labelled)


def save_state(
    policy: Policy,
    running: RunningState,
    at: datetime,
    *,
    told: bool = False,
    earlier: Sequence[tuple[int, int, bytes]] = (),
) -> list[Event]:
    """Write where a policy is now, within the transaction of what led there; return what happened.

    With `told`, labels came: then it is a moment to be drawn. `earlier` are whole subtrees of the log that its tree
    has given away.
    """
    replay = running.replay
    if policy.decided < replay.document.terms.planned_decisions <= replay.state.decided:
        add_job("renew", policy.deployment_id)
    policy.decided, policy.log = replay.state.decided, replay.tree.to_dict()
    policy.save(update_fields=["decided", "held", "log"])
    nodes, replay.tree = replay.tree.whole, replay.tree.copy()
    if nodes := [*earlier, *nodes]:
        tables = PolicyTables(policy.pk, replay.document)
        tables.insert("nodes", ("level", "place", "hash"), nodes)
    events, places = replay.events, replay.places
    replay.clear_events()
    if events:
        first = EventRow.objects.filter(policy=policy).count()
        EventRow.objects.bulk_create(
            EventRow(
                policy=policy,
                seq=one.seq,
                kind=one.kind,
                numbers=dict(one.numbers),
                at=at,
                n=first + i,
                leaf=place.leaf,
            )
            for i, (one, place) in enumerate(zip(events, places, strict=True))
        )
    if told:
        _note_moment(policy, replay, at)
    running = _save_when_due(policy, running)
    transaction.on_commit(lambda: _remember(replay.document.id, running))
    return events


def _remember(name: str, running: RunningState) -> None:
    known = _states.get(name)
    if known is None or known.replay.tree.size < running.replay.tree.size:
        _states[name] = running


def _note_moment(policy: Policy, replay: Replay, at: datetime) -> None:
    """Keep how it stands, if that is long enough after the last moment that was kept."""
    state = replay.state
    last = Moment.objects.filter(policy=policy).order_by("-pk").first()
    if not is_moment_due(state.decided, None if last is None else last.decided):
        return
    counts = counts_of(state)._asdict()
    Moment.objects.create(policy=policy, at=at, evidence=evidence_share(state), **counts)


def _save_when_due(policy: Policy, running: RunningState) -> RunningState:
    """Take a snapshot now and then: the more waits, the rarer, so that it is a small part of the work."""
    replay = running.replay
    decided, waiting = replay.state.decided, len(replay.state.pending)
    if decided - running.saved < max(_EVERY, waiting // 4) and running.labelled < _LABELLED:
        return running
    add_job("regions", policy.deployment_id)
    plain = state_to_dict(replace(replay.state, pending=PendingCases()))
    Snapshot.objects.update_or_create(
        policy=policy,
        defaults={
            "decided": decided,
            "state": canonical_json(plain),
            "pending": replay.state.pending.rows().tobytes(),
            "log": replay.tree.to_dict(),
            "labels": replay.labels,
            "rates": replay.rates,
            "granted": replay.granted,
            "handed_in": replay.handed_in,
        },
    )
    return RunningState(replay, decided)
