"""Receipts: rows whose hashes vouch for each other, and a stranger who computes them all again.

What is chained is the digest of a case's content, not the content: that can be deleted on request,
and the receipts still verify. A chain shows change, not omission at its end: give the last hash to
somebody else each day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askpoint.live.canonical import canonical_block, canonical_json, chained
from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import audit_draws, secret_hash
from askpoint.live.state import Event
from askpoint.live.steps import Decisions, decided, labelled
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["DecisionBlock", "Difference", "LabelBlock", "Replay", "Verified", "replayed", "verify"]


@dataclass(frozen=True, eq=False)
class DecisionBlock:
    """Decisions in their order, with the hash of all up to them.

    Parameters
    ----------
    seq : ndarray of int
        0, 1, ...
    key : list of str
        Name of each case.
    at : ndarray of int
        Microseconds since 1970, UTC.
    prediction : list of str
        What the model said.
    confidence, drawn, propensity : ndarray
        The model's confidence, the audit draw, the chance of a label.
    answer, audit : ndarray of bool
        What was decided.
    episode : ndarray of int
        In which episode.
    digest : list of str or None
        Of the case's content.
    chain : str
        Hash of all blocks up to this one.
    """

    seq: IntArray
    key: list[str]
    at: IntArray
    prediction: list[str]
    confidence: FloatArray
    drawn: FloatArray
    propensity: FloatArray
    answer: BoolArray
    audit: BoolArray
    episode: IntArray
    digest: list[str | None]
    chain: str = ""

    def chained_to(self, previous: str) -> str:
        """The hash of this block after all before."""
        columns: dict[str, NDArray[Any] | Sequence[str | None]] = {
            "seq": self.seq,
            "key": self.key,
            "at": self.at,
            "prediction": self.prediction,
            "confidence": self.confidence,
            "drawn": self.drawn,
            "propensity": self.propensity,
            "answer": self.answer,
            "audit": self.audit,
            "episode": self.episode,
            "digest": self.digest,
        }
        return chained(previous, canonical_block(columns))


@dataclass(frozen=True, eq=False)
class LabelBlock:
    """Labels in the order in which they came, after so many decisions.

    Parameters
    ----------
    after : int
        Decisions made before they came.
    key, label, judge, source : list of str
        Of which case, what, by whom, and why: asked, audit, golden or feedback.
    seq : ndarray of int
        The decision of each.
    wrong : ndarray of bool
        Whether the model's prediction differs.
    counts : ndarray of bool
        Whether it is the first by source asked or audit.
    at : ndarray of int
        Microseconds since 1970, UTC.
    chain : str
        Hash of all blocks of labels up to this one.
    """

    after: int
    key: list[str]
    label: list[str]
    judge: list[str]
    source: list[str]
    seq: IntArray
    wrong: BoolArray
    counts: BoolArray
    at: IntArray
    chain: str = ""

    def chained_to(self, previous: str) -> str:
        """The hash of what was said after all before; seq, wrong and counts follow from it."""
        columns: dict[str, NDArray[Any] | Sequence[str | None]] = {
            "after": np.array([self.after]),
            "key": self.key,
            "label": self.label,
            "judge": self.judge,
            "source": self.source,
            "at": self.at,
        }
        return chained(previous, canonical_block(columns))


@dataclass(frozen=True)
class Difference:
    """The first thing that is not as it should be.

    Parameters
    ----------
    where : str
        decisions, labels, events or secret.
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
        State, events and last hashes as recomputed, up to the difference.
    decisions : int
        Rows that were computed again.
    """

    difference: Difference | None
    replay: Replay
    decisions: int


class Replay:
    """Decisions and labels taken in again, in the order in which they were made."""

    def __init__(self, document: PolicyDocument) -> None:
        self.document = document
        self.state = document.state
        self.events: list[Event] = []
        self.heads = [document.digest, document.digest]
        self.labels = 0

    def decide(self, block: DecisionBlock) -> Decisions:
        """Decide the cases of a block again, from its draws."""
        self.state, made, events = decided(
            self.state, self.document.terms, block.confidence, block.drawn
        )
        self.events += events
        self.heads[0] = block.chained_to(self.heads[0])
        return made

    def label(self, block: LabelBlock) -> None:
        """Take in a block of labels again."""
        counts = block.counts
        self.state, events = labelled(
            self.state, self.document.terms, block.seq[counts], block.wrong[counts]
        )
        self.events += events
        self.heads[1] = block.chained_to(self.heads[1])
        self.labels += len(block.key)


def replayed(document: PolicyDocument, blocks: Iterable[DecisionBlock | LabelBlock]) -> Replay:
    """The state, events and heads that these rows lead to."""
    replay = Replay(document)
    for block in blocks:
        if isinstance(block, LabelBlock):
            replay.label(block)
        else:
            replay.decide(block)
    return replay


def verify(
    document: PolicyDocument,
    blocks: Iterable[DecisionBlock | LabelBlock],
    events: Iterable[Event] | None,
    secret: bytes | None,
    *,
    draws: Callable[[bytes, str, list[str]], FloatArray] = audit_draws,
) -> Verified:
    """Compute every draw, action, propensity, hash and event again; name the first difference.

    Blocks come in the order in which they were made. Without the secret, which is published when
    the policy closes, draws are taken as recorded.
    """
    replay = Replay(document)
    first = document.state.decided
    difference = None
    if secret is not None and secret_hash(secret) != document.secret_hash:
        difference = Difference("secret", first, "its hash is not the one that was published")
    else:
        for block in blocks:
            if isinstance(block, LabelBlock):
                difference = _of_labels(replay, block)
            else:
                difference = _of_block(replay, block, secret, draws)
            if difference is not None:
                break
        else:
            difference = None if events is None else _of_events(replay.events, events)
    return Verified(difference, replay, replay.state.decided - first)


def _of_labels(replay: Replay, block: LabelBlock) -> Difference | None:
    now = replay.state.decided
    if block.after != now:
        return Difference("labels", now, f"they came after {block.after} decisions, not {now}")
    replay.label(block)
    if block.chain != replay.heads[1]:
        return Difference("labels", now, "the rows do not give the hash that stands there")
    return None


def _of_block(
    replay: Replay,
    block: DecisionBlock,
    secret: bytes | None,
    draws: Callable[[bytes, str, list[str]], FloatArray],
) -> Difference | None:
    start = replay.state.decided
    expected = np.arange(start, start + len(block.key))
    drawn = block.drawn if secret is None else draws(secret, replay.document.id, block.key)
    made = replay.decide(block)
    pairs = {
        "seq": (block.seq, expected),
        "draw": (block.drawn, drawn),
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
    if block.chain != replay.heads[0]:
        last = start + len(block.key) - 1
        return Difference(
            "decisions", last, f"rows {start} to {last} do not give the hash that stands there"
        )
    return None


def _of_events(computed: list[Event], recorded: Iterable[Event]) -> Difference | None:
    rows = list(recorded)
    for i in range(max(len(computed), len(rows))):
        one, two = (events[i] if i < len(events) else None for events in (rows, computed))
        texts = [
            None if e is None else canonical_json([e.seq, e.kind, e.numbers]) for e in (one, two)
        ]
        if texts[0] != texts[1]:
            known = one or two
            return Difference(
                "events",
                0 if known is None else known.seq,
                f"recorded {texts[0]}, computed again {texts[1]}",
            )
    return None
