"""The gateway: a key decides once. Draw, rate, decide, chain; whoever calls it writes.

One rule for repeated keys, in every store: **a key names one case for ever**. If it comes again with
exactly what it came with (prediction, confidence, content and group) it keeps its decision, and nothing
happens; with anything else it is refused, and of its batch nothing is decided. Of content only its
digest is compared, so that the rule outlives the content.

All is a value: what a store knows goes in, what it must write comes out. A store that writes an
`Outcome` whole or not at all, one after the other, has a gateway; `Store` says what it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from askpoint.errors import RuleError
from askpoint.live.batches import DecisionBatch, LabelRows, check_batch, check_rates
from askpoint.live.canonical import content_digest
from askpoint.live.draws import audit_draws
from askpoint.live.events import Event
from askpoint.live.label_blocks import LabelContext, label_block
from askpoint.live.receipts import DecisionBlock, LabelBlock, Replay
from askpoint.live.steps import Decisions
from askpoint.measures.inputs import FloatArray

__all__ = [
    "BLOCK",
    "KnownCase",
    "LabelOutcome",
    "Outcome",
    "Rollout",
    "Store",
    "apply_label_rows",
    "block_slices",
    "decide_batch",
    "decide_in",
    "label_in",
]

BLOCK = 1000
"""Decisions between two hashes, at most."""


class KnownCase(NamedTuple):
    """What came with a key when it was decided: all that is compared when it comes again."""

    prediction: str
    confidence: float
    digest: str | None = None
    group: str | None = None


class Rollout(NamedTuple):
    """The share of the cases that is decided, drawn by key with a salt of its own.

    A case stays inside when the share grows. Of a case outside nothing is decided.
    """

    share: float = 1.0
    salt: bytes = b""

    def covers(self, keys: Sequence[str]) -> list[bool]:
        """Return which keys are inside."""
        if self.share >= 1:
            return [True] * len(keys)
        inside: list[bool] = (audit_draws(self.salt, "traffic", keys) < self.share).tolist()
        return inside


_ALL = Rollout()


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """What a store must write, whole or not at all.

    Parameters
    ----------
    replay : Replay
        State, events and hashes after it; its events are all that it was given, and the new ones.
    block : DecisionBlock or None
        The new decisions in their order; None if there are none.
    chain : list of str or None
        Beside them, the hash up to the last row of each block, and None elsewhere.
    decided : list of int
        Rows of the batch that were decided now.
    digests : list of str or None
        Of the content of each row of the batch.
    events : tuple of Event
        What it set off.
    """

    replay: Replay
    block: DecisionBlock | None
    chain: list[str | None]
    decided: list[int]
    digests: list[str | None]
    events: tuple[Event, ...]

    @property
    def blocks(self) -> list[DecisionBlock]:
        """The new decisions block by block, with their hashes."""
        if self.block is None:
            return []
        return [
            replace(self.block.part(rows), chain=self.chain[rows.stop - 1] or "")
            for rows in block_slices(len(self.chain))
        ]


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelOutcome:
    """What a store must write of labels that came together.

    Parameters
    ----------
    replay : Replay
        State, events and hashes after them.
    block : LabelBlock
        The labels, chained.
    events : tuple of Event
        What they set off.
    """

    replay: Replay
    block: LabelBlock
    events: tuple[Event, ...]

    @property
    def counted(self) -> int:
        """How many count: the first of each asked or audited case."""
        return int(self.block.counts.sum())


class Store(Protocol):
    """Where receipts are kept: memory, a folder, a database; one writer at a time."""

    @property
    def secret(self) -> bytes:
        """By which audits are drawn."""

    @property
    def replay(self) -> Replay:
        """State, events and hashes as of now."""

    def find_known_cases(self, keys: Sequence[str]) -> Mapping[str, KnownCase]:
        """Return what came with those of the keys that are known."""

    def label_context(self, rows: LabelRows) -> LabelContext:
        """Return what labels are compared with."""

    def write_decisions(self, batch: DecisionBatch, outcome: Outcome, at: int) -> None:
        """Write decisions, whole or not at all, and durably if ever."""

    def write_labels(self, outcome: LabelOutcome) -> None:
        """Write labels, whole or not at all, and durably if ever."""


def decide_in(
    store: Store,
    batch: DecisionBatch,
    at: int,
    *,
    audit_rates: Mapping[str, float] | None = None,
    rollout: Rollout = _ALL,
    shadow: bool = False,
) -> Outcome:
    """Decide a batch and write it; parameters and errors are those of `decide_batch`."""
    outcome = decide_batch(
        store.replay,
        batch,
        store.find_known_cases(batch.key),
        store.secret,
        at,
        audit_rates=audit_rates,
        rollout=rollout,
        shadow=shadow,
    )
    if outcome.decided:
        store.write_decisions(batch, outcome, at)
    return outcome


def label_in(store: Store, rows: LabelRows, at: int) -> LabelOutcome | None:
    """Take labels in and write them; None if none is new. Errors are those of `apply_label_rows`."""
    if not rows.key:
        return None
    outcome = apply_label_rows(store.replay, rows, store.label_context(rows), at)
    if outcome is not None:
        store.write_labels(outcome)
    return outcome


def decide_batch(
    replay: Replay,
    batch: DecisionBatch,
    known: Mapping[str, KnownCase],
    secret: bytes,
    at: int,
    *,
    audit_rates: Mapping[str, float] | None = None,
    rollout: Rollout = _ALL,
    shadow: bool = False,
) -> Outcome:
    """Decide the new cases of a batch in their order.

    Parameters
    ----------
    replay : Replay
        The policy as of now; it is left alone.
    batch : Batch
        Cases; a key may be in it more than once.
    known : mapping of str to KnownCase
        What came with those keys of the batch that the store has.
    secret : bytes
        Of the policy; audits are drawn by it.
    at : int
        Microseconds since 1970, UTC.
    audit_rates : mapping of str to float, optional
        By group, where answers are audited more often than agreed.
    rollout : Rollout, optional
        The share of the cases that is decided; by default all.
    shadow : bool, default=False
        Whether nobody acts on the decisions.

    Returns
    -------
    Outcome

    Raises
    ------
    RuleError
        ``other-content``, if a key comes again with something else.
    InputError
        If the batch is not of the policy's model, or an audit rate is below the agreed one or above 1.
    """
    document = replay.document
    check_batch(batch, document.model, document.evidence)
    check_rates(audit_rates or {}, document.terms.rate)
    content = batch.content or [None] * len(batch.key)
    digests = [content_digest(text) for text in content]
    new = _new_rows(batch, digests, known)
    inside = rollout.covers([batch.key[i] for i in new])
    decided = [i for i, is_in in zip(new, inside, strict=True) if is_in]
    after, n = replay.copy(), len(decided)
    if not n:
        return Outcome(
            replay=after,
            block=None,
            chain=[],
            decided=[],
            digests=digests,
            events=(),
        )
    keys = [batch.key[i] for i in decided]
    group = [batch.group[i] if batch.group else None for i in decided]
    confidence = np.array([batch.confidence[i] for i in decided], dtype=np.float64)
    drawn = audit_draws(secret, document.id, keys)
    rate = _rates(group, audit_rates or {}, document.terms.rate)
    first = after.state.decided
    prediction = [batch.prediction[i] for i in decided]
    made = _decide(after, confidence, drawn, group, rate, prediction)
    whole = DecisionBlock(
        seq=np.arange(first, first + n),
        key=keys,
        at=np.full(n, at, dtype=np.int64),
        prediction=prediction,
        confidence=confidence,
        drawn=drawn,
        propensity=made.propensity,
        answer=made.answer,
        audit=made.audit,
        episode=made.episode,
        digest=[digests[i] for i in decided],
        group=group,
        rate=rate,
        held=np.full(n, shadow),
    )
    return Outcome(
        replay=after,
        block=whole,
        chain=_chain(after, whole),
        decided=decided,
        digests=digests,
        events=tuple(after.events[len(replay.events) :]),
    )


def apply_label_rows(
    replay: Replay, rows: LabelRows, context: LabelContext, at: int
) -> LabelOutcome | None:
    """Take in labels that came together; the policy as of now is left alone. None if none is new.

    Raises
    ------
    RuleError
        ``unknown-key``, if a case was never decided.
    InputError
        If a label is not among the classes, or its source is not that of the case.
    """
    after = replay.copy()
    block = label_block(rows, context, replay.document.model, after.state.decided, at)
    if not block.key:
        return None
    block = block.chain_after(after.heads[1])
    after.label(block)
    return LabelOutcome(replay=after, block=block, events=tuple(after.events[len(replay.events) :]))


def block_slices(n: int) -> list[slice]:
    """Return the rows of each block of so many decisions."""
    return [slice(start, min(n, start + BLOCK)) for start in range(0, n, BLOCK)]


def _new_rows(
    batch: DecisionBatch, digests: Sequence[str | None], known: Mapping[str, KnownCase]
) -> list[int]:
    """Return the first row of each key that is new; a key that comes with something else is refused."""
    group = batch.group or [None] * len(batch.key)
    seen, new = dict(known), []
    columns = (batch.prediction, batch.confidence, digests, group)
    cases = map(KnownCase, *columns)
    for i, (key, case) in enumerate(zip(batch.key, cases, strict=True)):
        before = seen.get(key)
        if before is None:
            seen[key] = case
            new.append(i)
        elif before != case:
            raise RuleError("other-content", _difference(key, before, case))
    return new


def _difference(key: str, before: KnownCase, case: KnownCase) -> str:
    then, now = (
        f"{it.prediction!r} with confidence {it.confidence:g}, group {it.group!r}"
        for it in (before, case)
    )
    how = f"other content: it was {then}, and comes again as {now}"
    if then == now:
        how = "other content than it comes with again"
    return (
        f"the key {key[:80]!r} was decided with {how}; a key names one case for ever: give the new case "
        "a new key"
    )


def _rates(
    group: Iterable[str | None], audit_rates: Mapping[str, float], usual: float
) -> FloatArray:
    return np.array([audit_rates.get(name or "", usual) for name in group])


def _decide(
    replay: Replay,
    confidence: FloatArray,
    drawn: FloatArray,
    group: list[str | None],
    rate: FloatArray,
    prediction: list[str],
) -> Decisions:
    """Decide at once where all are audited alike; else block by block, which is how rates are noted."""
    usual = replay.document.terms.rate
    alike = not replay.rates and bool((rate == usual).all())
    slices = [slice(0, len(group))] if alike else block_slices(len(group))
    parts = [
        replay.take(confidence[rows], drawn[rows], group[rows], rate[rows], prediction[rows])
        for rows in slices
    ]
    return Decisions(*map(np.concatenate, zip(*parts, strict=True)))


def _chain(replay: Replay, whole: DecisionBlock) -> list[str | None]:
    """Chain new decisions; return the hash of each block beside its last row."""
    chain: list[str | None] = [None] * len(whole.key)
    for rows in block_slices(len(whole.key)):
        chain[rows.stop - 1] = replay.heads[0] = whole.part(rows).hash_after(replay.heads[0])
    return chain
