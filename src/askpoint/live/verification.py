"""A stranger's look at receipts: everything is computed again, and the first difference is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from askpoint.errors import InputError
from askpoint.live.blocks import (
    Block,
    DecisionBlock,
    DeletionBlock,
    HandInBlock,
    LabelBlock,
    LeaseBlock,
)
from askpoint.live.canonical import canonical_json
from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import audit_draws, secret_hash
from askpoint.live.events import LoggedEvent
from askpoint.live.heads import LogRoot
from askpoint.live.leases.granting import grant_lease
from askpoint.live.leases.lease import lease_secret
from askpoint.live.receipts import Replay
from askpoint.measures.inputs import FloatArray

__all__ = ["Difference", "Verified", "verify"]

_ROUNDING = 1e-6  # of a sum of mistakes, which another processor adds up otherwise


@dataclass(frozen=True)
class Difference:
    """The first thing that is not as it should be.

    Parameters
    ----------
    where : str
        decisions, labels, events, forgotten, log, head or secret.
    seq : int
        The decision at which it shows.
    what : str
        What differs: recorded and recomputed.
    """

    where: str
    seq: int
    what: str

    def __str__(self) -> str:
        return f"{self.where}, at decision {self.seq}: {self.what}"


@dataclass(frozen=True, eq=False)
class Verified:
    """What a stranger found.

    Parameters
    ----------
    difference : Difference or None
        The first difference; None if all is as it should be.
    replay : Replay
        State, events and log as recomputed, up to the difference.
    decisions : int
        Rows that were computed again.
    """

    difference: Difference | None
    replay: Replay
    decisions: int


def verify(
    document: PolicyDocument,
    blocks: Iterable[Block],
    events: Iterable[LoggedEvent] | None,
    secret: bytes | None,
    *,
    roots: Sequence[LogRoot] = (),
    draws: Callable[[bytes, str, list[str]], FloatArray] = audit_draws,
    heard: Callable[[Replay, int], None] | None = None,
) -> Verified:
    """Compute every draw, action, propensity, hash and event again; name the first difference.

    Blocks come in the order in which they were made. Without the secret, which is published when
    the policy closes, draws are taken as recorded. `roots` are those of the first rows that somebody knows.
    `heard` is called after each block of labels, with where that leads and its time.
    """
    replay = Replay(document)
    logged = None if events is None else list(events)
    replay.recorded = logged or ()
    replay.note_roots(root.size for root in roots)
    first = document.state.decided
    difference = None
    if secret is not None and secret_hash(secret) != document.secret_hash:
        difference = Difference("secret", first, "its hash is not the one that was published")
    else:
        for block in blocks:
            difference = _of_place(replay, block)
            if difference is not None:
                break
            if isinstance(block, LabelBlock):
                difference = _of_labels(replay, block)
                if heard is not None:
                    heard(replay, int(block.at[-1]))
            elif isinstance(block, DeletionBlock):
                replay.forget(block)
            elif isinstance(block, LeaseBlock):
                difference = _of_lease(replay, block)
            elif isinstance(block, HandInBlock):
                difference = _of_hand_in(replay, block)
            else:
                difference = _of_block(replay, block, secret, draws)
            if difference is not None:
                break
        else:
            difference = None if logged is None else _of_events(replay, logged)
    return Verified(difference or _of_roots(replay, roots), replay, replay.state.decided - first)


def _of_place(replay: Replay, block: Block) -> Difference | None:
    """Compare where a block stands in the log; a store that keeps no places has none."""
    if block.leaf in {-1, replay.tree.size}:
        return None
    return Difference(
        _TABLES[type(block)],
        replay.state.decided,
        f"a row stands at place {block.leaf} of the log and belongs to {replay.tree.size}",
    )


_TABLES: dict[type[Block], str] = {
    DecisionBlock: "decisions",
    LabelBlock: "labels",
    DeletionBlock: "forgotten",
    LeaseBlock: "leases",
    HandInBlock: "hand_ins",
}


def _of_lease(replay: Replay, block: LeaseBlock) -> Difference | None:
    """Grant a lease again: it must be what the state of then allows."""
    lease, seq = block.lease, replay.state.decided
    try:
        again = grant_lease(
            replay.state,
            replay.document.terms,
            number=replay.granted + 1,
            decider=lease.decider,
            granted=lease.granted,
            expires=lease.expires,
            answers=lease.answers,
            rounding=_ROUNDING,
        )
    except InputError:  # of no lease that can be granted
        again = None
    if again is None or replace(again, leaf=lease.leaf) != lease:
        return Difference(
            "leases", seq, f"the lease {lease.number} is not what the policy grants there"
        )
    replay.grant(block)
    return None


def _of_hand_in(replay: Replay, block: HandInBlock) -> Difference | None:
    """Take a hand-in again: of a lease that is out, once, and of no more answers than it had."""
    seq, lease = replay.state.decided, replay.leases.get(block.lease)
    if lease is None or block.lease in replay.left:
        return Difference("hand_ins", seq, f"the lease {block.lease} was not out")
    if not 0 <= block.answers <= block.answers + block.booked <= lease.answers:
        return Difference("hand_ins", seq, f"the lease {block.lease} had {lease.answers} answers")
    replay.hand_in(block)
    return None


def _of_roots(replay: Replay, roots: Sequence[LogRoot]) -> Difference | None:
    """Compare with what somebody knows of the first rows."""
    size, seq = replay.tree.size, replay.state.decided
    for n, root in sorted(roots):
        if n > size:
            return Difference(
                "head",
                seq,
                f"the log has {size} {'row' if size == 1 else 'rows'}, and this head is of {n}: its end was cut "
                "off, or the head is that of another deployment",
            )
        if n in replay.roots and replay.roots[n] != root:
            return Difference(
                "head",
                seq,
                f"the first {n} rows give {replay.roots[n]} and not {root}: they are not those that this "
                "head was made of",
            )
    return None


def _of_labels(replay: Replay, block: LabelBlock) -> Difference | None:
    now = replay.state.decided
    if block.after != now:
        return Difference("labels", now, f"they came after {block.after} decisions, not {now}")
    replay.label(block)
    if block.chain != replay.chain:
        return Difference("labels", now, "the rows do not give the hash that is stored")
    return None


def _of_block(
    replay: Replay,
    block: DecisionBlock,
    secret: bytes | None,
    draws: Callable[[bytes, str, list[str]], FloatArray],
) -> Difference | None:
    start = replay.state.decided
    expected = np.arange(start, start + len(block.key))
    name, lease = replay.document.id, block.lease
    if lease is not None and lease not in replay.left:
        return Difference("decisions", start, f"the lease {lease} was not handed in before")
    if lease is not None and secret is not None:
        secret = lease_secret(secret, name, lease)
    drawn = block.drawn if secret is None else draws(secret, name, block.key)
    made = replay.decide(block)
    usual = replay.document.terms.rate
    agreed = np.full(len(block.key), usual if lease is None else replay.leases[lease].rate)
    if replay.rates and lease is None:
        agreed = np.array([replay.rates.get(name or "", usual) for name in block.group])
    pairs = {
        "seq": (block.seq, expected),
        "draw": (block.drawn, drawn),
        "rate": (block.rate, np.maximum(agreed, usual)),
        "answer": (block.answer, made.answer),
        "audit": (block.audit, made.audit),
        "propensity": (block.propensity, made.propensity),
        "episode": (block.episode, made.episode),
    }
    places = {
        name: int(np.argmax(recorded != again))
        for name, (recorded, again) in pairs.items()
        if (recorded != again).any()
    }
    if places:
        name = min(places, key=lambda name: places[name])
        recorded, again = (side[places[name]].item() for side in pairs[name])
        return Difference(
            "decisions",
            start + places[name],
            f"{name} is {recorded} in the record and {again} when computed again",
        )
    if block.chain != replay.chain:
        last = start + len(block.key) - 1
        return Difference(
            "decisions", last, f"rows {start} to {last} do not give the hash that is stored"
        )
    return None


def _of_events(replay: Replay, recorded: Iterable[LoggedEvent]) -> Difference | None:
    rows = list(recorded)
    computed = [
        LoggedEvent(event, *place)
        for event, place in zip(replay.events, replay.places, strict=True)
    ]
    for i in range(max(len(computed), len(rows))):
        one, two = (events[i] if i < len(events) else None for events in (rows, computed))
        if one is not None and two is not None and one.leaf == -1:
            two = two._replace(leaf=-1)
        texts = [None if e is None else _text(e) for e in (one, two)]
        if texts[0] != texts[1]:
            known = one or two
            return Difference(
                "events",
                0 if known is None else known.event.seq,
                f"recorded {texts[0]}, computed again {texts[1]}",
            )
    return None


def _text(logged: LoggedEvent) -> str:
    event = logged.event
    return canonical_json([event.seq, event.kind, event.numbers, logged.at, logged.leaf])
