"""Between rows of the database and the blocks that `askpoint.live` logs and replays."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from askpoint.live.blocks import Block, DeletionBlock, LabelBlock
from askpoint.live.receipts import Replay
from askpoint.records.stores.lease_tables import find_lease, select_hand_ins, select_leases
from askpoint.records.stores.life import FORGOTTEN
from askpoint.records.stores.tables import DecisionRow, decision_blocks
from askpoint.server.deployments.models import Label, Policy
from askpoint.server.deployments.policy_tables import PolicyTables

__all__ = [
    "ANSWER",
    "ASK",
    "AUDIT",
    "NewReceipt",
    "blocks_since",
    "micros",
    "moment_of",
]

ANSWER, ASK, AUDIT = range(3)
"""Places among `Receipt.ACTIONS`."""


@dataclass(slots=True)
class NewReceipt:
    """A receipt that is to be written, by the columns of `Receipt`, for a row of the ORM takes longer."""

    deployment_id: str
    policy_id: int
    key: str
    at: datetime
    digest: str | None
    prediction: int
    confidence: float
    group: str | None
    seq: int
    drawn: float
    propensity: float
    action: int
    held: bool
    episode: int
    rate: float
    chain: str | None
    leaf: int
    salt: bytes | None
    lease: int | None
    clock_back: int | None


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(at: datetime) -> int:
    """Return a moment in microseconds since 1970."""
    return (at - _EPOCH) // timedelta(microseconds=1)


def moment_of(at: int) -> datetime:
    """Return the moment of so many microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=at)


def blocks_since(tables: PolicyTables, policy: Policy, replay: Replay) -> Iterator[Block]:
    """Yield what was decided and labelled after a state, in the order of the log."""
    decided = f"{_DECISIONS} WHERE seq >= ? ORDER BY seq"
    rows = tables.execute(decided, (replay.state.decided,))
    ends = replay.tree.size, _LAST
    hand_ins = select_hand_ins(tables, *ends)
    for hand_in in hand_ins:
        lease = find_lease(tables, hand_in.lease)
        if lease is not None:
            replay.leases.setdefault(lease.number, lease)
    gone = tables.execute(f"{FORGOTTEN} WHERE f.leaf >= ? ORDER BY f.leaf", ends[:1])
    return heapq.merge(
        decision_blocks(rows),
        _labels_since(policy, replay.labels),
        (DeletionBlock(seq=(seq,), key=(key,), at=at, leaf=leaf) for seq, at, leaf, key in gone),
        sorted(select_leases(tables, *ends), key=lambda block: block.leaf),
        sorted(hand_ins, key=lambda block: block.leaf),
        key=lambda block: block.leaf,
    )


_LAST = 2**62
_DECISIONS = f"SELECT {', '.join(DecisionRow._fields)} FROM decisions"  # noqa: S608


def _labels_since(policy: Policy, first: int) -> Iterator[LabelBlock]:
    part: list[Label] = []
    for row in Label.objects.filter(policy=policy, n__gte=first).order_by("n"):
        part.append(row)
        if row.chain is not None:
            yield _label_block(part)
            part = []


def _label_block(rows: Sequence[Label]) -> LabelBlock:
    """Return the block of labels that came together."""
    return LabelBlock(
        after=rows[0].after,
        key=[row.key for row in rows],
        label=[row.label for row in rows],
        judge=[row.judge for row in rows],
        source=[row.source for row in rows],
        seq=np.array([row.seq for row in rows], dtype=np.int64),
        wrong=np.array([row.wrong for row in rows], dtype=np.bool_),
        counts=np.array([row.counts and row.source != "gold" for row in rows], dtype=np.bool_),
        truth=[row.truth for row in rows],
        gold=np.array([row.counts and row.source == "gold" for row in rows], dtype=np.bool_),
        at=np.array([micros(row.at) for row in rows], dtype=np.int64),
        clock_back=[None] * len(rows),
        leaf=rows[0].leaf,
        chain=rows[-1].chain or "",
    )
