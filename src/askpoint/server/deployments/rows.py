"""Between rows of the database and the blocks that `askpoint.live` logs and replays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

import numpy as np

from askpoint.live.blocks import Block, DecisionBlock, LabelBlock
from askpoint.live.documents import PolicyDocument
from askpoint.server.deployments.models import Label, Policy, Receipt

__all__ = [
    "ANSWER",
    "ASK",
    "AUDIT",
    "NewReceipt",
    "blocks_of",
    "decision_blocks",
    "label_block_of",
    "micros",
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


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PART = 20_000


def micros(at: datetime) -> int:
    """Return a moment in microseconds since 1970."""
    return (at - _EPOCH) // timedelta(microseconds=1)


def blocks_of(policy: Policy) -> Iterator[Block]:
    """Yield all that a policy decided and was told, in the order in which it happened."""
    document = PolicyDocument.from_json(policy.document)
    told = _label_blocks(policy)
    label = next(told, None)
    done = document.state.decided
    for block in _decision_blocks(policy, document.model):
        while label is not None and label.after <= done:
            yield label
            label = next(told, None)
        yield block
        done += len(block.key)
    while label is not None:
        yield label
        label = next(told, None)


def _decision_blocks(policy: Policy, model: Mapping[str, Any]) -> Iterator[DecisionBlock]:
    rows = Receipt.objects.filter(policy=policy).order_by("seq")
    return decision_blocks(rows.iterator(chunk_size=_PART), model)


def decision_blocks(rows: Iterable[Any], model: Mapping[str, Any]) -> Iterator[DecisionBlock]:
    """Yield the blocks in which receipts were written, from their columns."""
    part: list[Any] = []
    for row in rows:
        part.append(row)
        if row.chain is not None:
            yield _block(part, model)
            part = []
    if part:  # no hash ends it: it was cut off, and does not verify
        yield _block(part, model)


def _block(rows: Sequence[Any], model: Mapping[str, Any]) -> DecisionBlock:
    def numbers(name: str, kind: Any = np.float64) -> Any:
        return np.array([getattr(row, name) for row in rows], dtype=kind)

    action, classes, n = numbers("action", np.int64), model["classes"], len(rows)
    return DecisionBlock(
        seq=numbers("seq", np.int64),
        key=[row.key for row in rows],
        at=np.array([micros(row.at) for row in rows], dtype=np.int64),
        prediction=[classes[row.prediction] for row in rows],
        confidence=numbers("confidence"),
        drawn=numbers("drawn"),
        propensity=numbers("propensity"),
        answer=action != ASK,
        audit=action == AUDIT,
        episode=numbers("episode", np.int64),
        digest=[row.digest for row in rows],
        group=[row.group for row in rows],
        rate=numbers("rate"),
        held=numbers("held", np.bool_),
        model_version=[model.get("version", "")] * n,
        clock_back=[None] * n,
        chain=rows[-1].chain or "",
    )


def _label_blocks(policy: Policy, first: int = 0) -> Iterator[LabelBlock]:
    rows = Label.objects.filter(policy=policy, block__gte=first).order_by("pk")
    for _, part in groupby(rows.iterator(chunk_size=_PART), lambda row: row.block):
        yield label_block_of(list(part))


def label_block_of(rows: Sequence[Label]) -> LabelBlock:
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
        chain=rows[-1].chain or "",
    )
