"""The gateway: a key decides once. Draw, rate, decide, log; whoever calls it writes.

One rule for repeated keys, in every store: **a key names one case for ever**. If it comes again with
exactly what it came with (prediction, confidence, content and group) it keeps its decision, and nothing
happens; with anything else it is refused, and of its batch nothing is decided. Of content only its
digest is compared; once content and salt are deleted on request, nothing is left to compare it with.

All is a value: what a store knows goes in, what it must write comes out. A store that writes an
`Outcome` whole or not at all, one after the other, has a gateway; `Store` says what it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from askpoint.errors import RuleError
from askpoint.live.ask_rules import ASKED_BY_RULE, asked_rows
from askpoint.live.batches import DecisionBatch, LabelRows, check_batch, check_rates
from askpoint.live.blocks import DecisionBlock, LabelBlock
from askpoint.live.canonical import content_digest
from askpoint.live.draws import audit_draws
from askpoint.live.events import Event
from askpoint.live.label_blocks import LabelContext, label_block
from askpoint.live.leases.lease import Lease, lease_secret
from askpoint.live.log_rows import decision_texts
from askpoint.live.receipts import Replay
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
"""Decisions between two roots of the log, at most."""


class KnownCase(NamedTuple):
    """What came with a key when it was decided: all that is compared when it comes again."""

    prediction: str
    confidence: float
    digest: str | None = None
    group: str | None = None
    salt: bytes | None = b""

    def comes_again(self, other: KnownCase, content: str | None) -> bool:
        """Return whether a case is this one; `content` is the other's, and a salt of None was deleted."""
        by_rule = self.group == ASKED_BY_RULE  # whatever group it came with
        if self[:2] != other[:2] or not (by_rule or self.group == other.group):
            return False
        if self.salt is None and self.digest is not None:
            return content is not None
        return content_digest(content, self.salt or b"") == self.digest


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
        State, events and log after it; its events are all that it was given, and the new ones.
    blocks : tuple of DecisionBlock
        The new decisions in their order, each with its place in the log and the root after it.
    decided : list of int
        Rows of the batch that were decided now.
    digests : list of str or None
        Of the content of each new row of the batch.
    salts : list of bytes or None
        Which it was made with.
    events : tuple of Event
        What it set off.
    """

    replay: Replay
    blocks: tuple[DecisionBlock, ...]
    decided: list[int]
    digests: list[str | None]
    salts: list[bytes | None]
    events: tuple[Event, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelOutcome:
    """What a store must write of labels that came together.

    Parameters
    ----------
    replay : Replay
        State, events and log after them.
    block : LabelBlock
        The labels, with their place in the log.
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
        """State, events and log as of now."""

    @property
    def clock_back(self) -> int | None:
        """By how many microseconds the clock stands before the last moment recorded; None if it does not."""

    def draw_salts(self, n: int) -> list[bytes]:
        """Return random bytes for the digests of contents, empty where contents stand elsewhere."""

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
        salts=store.draw_salts(len(batch.key) if batch.content else 0),
        clock_back=store.clock_back,
    )
    if outcome.decided:
        store.write_decisions(batch, outcome, at)
    return outcome


def label_in(store: Store, rows: LabelRows, at: int) -> LabelOutcome | None:
    """Take labels in and write them; None if none is new. Errors are those of `apply_label_rows`."""
    if not rows.key:
        return None
    outcome = apply_label_rows(store.replay, rows, store.label_context(rows), at, store.clock_back)
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
    salts: Sequence[bytes] = (),
    clock_back: int | None = None,
    lease: Lease | None = None,
    decided_at: Sequence[int] = (),
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
    salts : sequence of bytes, optional
        Of the digest of each case's content; by default none.
    clock_back : int, optional
        By how many microseconds the clock stands before the last moment recorded.
    lease : Lease, optional
        Under which the cases were decided elsewhere; then `decided_at` says when each was.
    decided_at : sequence of int, optional
        Microseconds since 1970.

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
    new, digests, used = _new_rows(batch, known, salts)
    inside = rollout.covers([batch.key[i] for i in new])
    decided = [i for i, is_in in zip(new, inside, strict=True) if is_in]
    after = replay.copy()
    keys = [batch.key[i] for i in decided]
    asked = asked_rows(document.model, batch.content, batch.group, len(batch.key))
    group = [
        ASKED_BY_RULE if asked[i] else batch.group[i] if batch.group else None for i in decided
    ]
    confidence = np.array([batch.confidence[i] for i in decided], dtype=np.float64)
    if lease is not None:
        secret = lease_secret(secret, document.id, lease.number)
    drawn = audit_draws(secret, document.id, keys)
    rate = _rates(group, audit_rates or {}, document.terms.rate)
    if lease is not None:
        rate = np.full(len(decided), lease.rate)
    number = None if lease is None else lease.number
    backs = (
        [at - decided_at[i] or None for i in decided] if decided_at else [clock_back] * len(decided)
    )
    moments = np.array([at - (back or 0) for back in backs], dtype=np.int64)
    blocks = []
    for rows in block_slices(len(decided)):
        first, n = after.state.decided, len(keys[rows])
        prediction = [batch.prediction[i] for i in decided[rows]]
        made = after.take(
            confidence[rows],
            drawn[rows],
            group[rows],
            rate[rows],
            prediction,
            moments[rows],
            number,
        )
        block = DecisionBlock(
            seq=np.arange(first, first + n),
            key=keys[rows],
            at=np.full(n, at, dtype=np.int64),
            prediction=prediction,
            confidence=confidence[rows],
            drawn=drawn[rows],
            propensity=made.propensity,
            answer=made.answer,
            audit=made.audit,
            episode=made.episode,
            digest=[digests[i] for i in decided[rows]],
            group=group[rows],
            rate=rate[rows],
            held=np.full(n, shadow),
            model_version=[batch.model_version] * n,
            clock_back=backs[rows],
            leaf=after.tree.size,
            lease=number,
        )
        after.log(decision_texts(document, block), at)
        blocks.append(replace(block, chain=after.chain))
    return Outcome(
        replay=after,
        blocks=tuple(blocks),
        decided=decided,
        digests=digests,
        salts=used,
        events=tuple(after.events[len(replay.events) :]),
    )


def apply_label_rows(
    replay: Replay,
    rows: LabelRows,
    context: LabelContext,
    at: int,
    clock_back: int | None = None,
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
    back = [clock_back] * len(block.key)
    block = replace(block, clock_back=back, leaf=after.tree.size)
    after.label(block)
    block = replace(block, chain=after.chain)
    return LabelOutcome(replay=after, block=block, events=tuple(after.events[len(replay.events) :]))


def block_slices(n: int) -> list[slice]:
    """Return the rows of each block of so many decisions."""
    return [slice(start, min(n, start + BLOCK)) for start in range(0, n, BLOCK)]


def _new_rows(
    batch: DecisionBatch, known: Mapping[str, KnownCase], salts: Sequence[bytes]
) -> tuple[list[int], list[str | None], list[bytes | None]]:
    """Return the first row of each key that is new, and digests and salts of these.

    A key that comes with something else is refused.
    """
    n = len(batch.key)
    group, content = batch.group or [None] * n, batch.content or [None] * n
    seen, new = dict(known), []
    digests: list[str | None] = [None] * n
    used: list[bytes | None] = [None] * n
    columns = (batch.key, batch.prediction, batch.confidence, content, group)
    for i, (key, prediction, confidence, text, name) in enumerate(zip(*columns, strict=True)):
        before = seen.get(key)
        if before is None:
            if text is not None:
                used[i] = salts[i] if salts else b""
                digests[i] = content_digest(text, used[i] or b"")
            seen[key] = KnownCase(prediction, confidence, digests[i], name, used[i])
            new.append(i)
            continue
        case = KnownCase(prediction, confidence, None, name)
        if not before.comes_again(case, text):
            raise RuleError("other-content", _difference(key, before, case))
    return new, digests, used


def _difference(key: str, before: KnownCase, case: KnownCase) -> str:
    then, now = (
        f"{it.prediction!r} with confidence {it.confidence:g}, group {it.group!r}"
        for it in (before, case)
    )
    how = f"other content: it was {then}, and comes again as {now}"
    if then == now:
        how = "other content than it comes with again"
    return (
        f"the key {key[:80]!r} was decided with {how}; a key always names the same case: give the new "
        "case a new key"
    )


def _rates(
    group: Iterable[str | None], audit_rates: Mapping[str, float], usual: float
) -> FloatArray:
    return np.array([audit_rates.get(name or "", usual) for name in group])
