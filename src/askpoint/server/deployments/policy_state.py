"""The state of a policy as of now: kept in this process, caught up with what others have written.

A decision needs the state after all before it, and a state is long. So it is not written with each
batch: receipts and labels are, and from them and a snapshot any process replays it. Whoever asks for
it holds the lock of the deployment.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

import numpy as np
from django.db import transaction

from askpoint.errors import LogError
from askpoint.live.alarms import evidence_share
from askpoint.live.canonical import canonical_json
from askpoint.live.documents import PolicyDocument, state_from_dict, state_to_dict
from askpoint.live.events import Event
from askpoint.live.merkle import Tree
from askpoint.live.pending import PENDING, PendingCases
from askpoint.live.receipts import Replay
from askpoint.live.worth import counts_of
from askpoint.server.deployments.models import (
    Event as EventRow,
    Label,
    Moment,
    Policy,
    Receipt,
    Snapshot,
)
from askpoint.server.deployments.rows import decision_blocks, label_block_of
from askpoint.server.jobs.services import add_job

__all__ = ["RunningState", "clear_states", "document_of", "load_state", "save_state"]

_EVERY = 2000  # decisions between two snapshots, at least
_BLOCKS = 200  # of labels, likewise
_DRAWN = 500  # moments of a policy, more or less
_NEEDED = (
    "seq", "key", "at", "prediction", "confidence", "drawn", "propensity", "action", "episode", "digest",
    "group", "rate", "held", "chain",
)  # fmt: skip


@dataclass
class RunningState:
    """A policy's state, and how many blocks of labels it has taken in.

    Parameters
    ----------
    replay : Replay
        State and log, and the events that are not written yet.
    blocks : int
        Of labels.
    saved : tuple of int
        Decisions and blocks at the last snapshot.
    """

    replay: Replay
    blocks: int
    saved: tuple[int, int]

    @property
    def place(self) -> tuple[int, int]:
        """Decisions and blocks of labels so far."""
        return self.replay.state.decided, self.blocks


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


def load_state(policy: Policy) -> RunningState:
    """Return the state of a policy as of now, without the events so far; what is made of it is kept by `save_state`."""
    document = document_of(policy)
    for known in (_states.pop(document.id, None), None):
        begun = known or _from_snapshot(policy, document)
        running = _catch_up(policy, begun)
        is_there = running.place == (policy.decided, policy.blocks)
        if is_there and running.replay.tree.to_dict() == policy.log:
            _states[document.id] = running
            fresh = running.replay.copy()
            fresh.clear_events()
            return replace(running, replay=fresh)
    raise LogError(
        f"the receipts of {document.id} do not lead to what stands beside them: restore the server "
        "from a backup"
    )


def _from_snapshot(policy: Policy, document: PolicyDocument) -> RunningState:
    replay = Replay(document)
    row = Snapshot.objects.filter(policy=policy).first()
    if row is None:
        return RunningState(replay, 0, (replay.state.decided, 0))
    plain = {**json.loads(row.state), "pending": []}
    pending = PendingCases(np.frombuffer(bytes(row.pending), dtype=PENDING))
    replay.state = replace(state_from_dict(plain, document.terms), pending=pending)
    replay.labels, replay.rates = row.labels, dict(row.rates)
    replay.tree = Tree.from_dict(row.log)
    return RunningState(replay, row.blocks, (row.decided, row.blocks))


def _catch_up(policy: Policy, running: RunningState) -> RunningState:
    """Take in what was written since, decisions and labels in the order in which they came."""
    if running.place == (policy.decided, policy.blocks):
        return running
    replay = running.replay.copy()
    rows = Receipt.objects.filter(policy=policy, seq__gte=replay.state.decided).order_by("seq")
    made = decision_blocks(rows.values_list(*_NEEDED, named=True), replay.document.model)
    waiting, blocks = list(made), running.blocks
    for told in _label_blocks(policy, running.blocks):
        while waiting and replay.state.decided < told.after:
            replay.decide(waiting.pop(0))
        replay.label(told)
        blocks += 1
    for block in waiting:
        replay.decide(block)
    replay.clear_events()
    return RunningState(replay, blocks, running.saved)


def _label_blocks(policy: Policy, first: int) -> Iterator[Any]:
    rows = Label.objects.filter(policy=policy, block__gte=first).order_by("pk")
    for _, part in groupby(rows, lambda row: row.block):
        yield label_block_of(list(part))


def save_state(
    policy: Policy, running: RunningState, at: datetime, *, told: bool = False
) -> list[Event]:
    """Write where a policy is now, within the transaction of what led there; return what happened.

    With `told`, labels came: then it is a moment to be drawn.
    """
    replay = running.replay
    if policy.decided < replay.document.terms.planned_decisions <= replay.state.decided:
        add_job("renew", policy.deployment_id)
    policy.decided, policy.blocks = running.place
    policy.log = replay.tree.to_dict()
    policy.save(update_fields=["decided", "blocks", "held", "log"])
    events = replay.events
    replay.clear_events()
    if events:
        EventRow.objects.bulk_create(
            EventRow(policy=policy, seq=one.seq, kind=one.kind, numbers=dict(one.numbers), at=at)
            for one in events
        )
    if told:
        _note_moment(policy, replay, at)
    running = _save_when_due(policy, running)
    transaction.on_commit(lambda: _remember(replay.document.id, running))
    return events


def _remember(name: str, running: RunningState) -> None:
    known = _states.get(name)
    if known is None or sum(known.place) < sum(running.place):
        _states[name] = running


def _note_moment(policy: Policy, replay: Replay, at: datetime) -> None:
    """Keep how it stands, if that is long enough after the last moment that was kept."""
    state = replay.state
    last = Moment.objects.filter(policy=policy).order_by("-pk").first()
    if last is not None and state.decided - last.decided < state.decided // _DRAWN:
        return
    counts = counts_of(state)._asdict()
    Moment.objects.create(policy=policy, at=at, evidence=evidence_share(state), **counts)


def _save_when_due(policy: Policy, running: RunningState) -> RunningState:
    """Take a snapshot now and then: the more waits, the rarer, so that it is a small part of the work."""
    decided, blocks = running.place
    every = max(_EVERY, len(running.replay.state.pending) // 4)
    if decided - running.saved[0] < every and blocks - running.saved[1] < _BLOCKS:
        return running
    replay = running.replay
    add_job("regions", policy.deployment_id)
    plain = state_to_dict(replace(replay.state, pending=PendingCases()))
    Snapshot.objects.update_or_create(
        policy=policy,
        defaults={
            "decided": decided,
            "blocks": blocks,
            "state": canonical_json(plain),
            "pending": replay.state.pending.rows().tobytes(),
            "log": replay.tree.to_dict(),
            "labels": replay.labels,
            "rates": replay.rates,
        },
    )
    return replace(running, saved=running.place)
