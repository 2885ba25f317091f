"""Receipts: rows whose hashes vouch for each other, and lead to the state again.

What is chained is the digest of a case's content, not the content: that can be deleted on request,
and the receipts still verify. A chain shows change, not omission at its end: give the last hash to
somebody else each day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from askpoint.live.alarms import apply_gold_labels
from askpoint.live.canonical import canonical_block, chain_hash
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import Event
from askpoint.live.labels import apply_labels
from askpoint.live.steps import Decisions, decide_cases
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["DecisionBlock", "LabelBlock", "Replay", "replay_blocks"]


@dataclass(frozen=True, eq=False, kw_only=True)
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
    group : list of str or None
        The region of the case, where audits were raised by region.
    rate : ndarray
        The share of answers audited in its region, set before the draw was known.
    held : ndarray of bool
        Whether the decision was made in shadow: nobody acted on it.
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
    group: list[str | None]
    rate: FloatArray
    held: BoolArray
    chain: str = ""

    def part(self, rows: slice) -> Self:
        """Return some rows of it, without a hash."""
        columns = {name: value[rows] for name, value in vars(self).items() if name != "chain"}
        return replace(self, **columns, chain="")

    def chain_after(self, previous: str) -> Self:
        """Return the same block with its hash."""
        return replace(self, chain=self.hash_after(previous))

    def hash_after(self, previous: str) -> str:
        """Return the hash of this block after all before."""
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
            "group": self.group,
            "rate": self.rate,
            "held": self.held,
        }
        return chain_hash(previous, canonical_block(columns))


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelBlock:
    """Labels in the order in which they came, after so many decisions.

    Parameters
    ----------
    after : int
        Decisions made before they came.
    key, label, judge, source : list of str
        Of which case, what, by whom, and why: asked, audit, gold or feedback.
    seq : ndarray of int
        The decision of each.
    wrong : ndarray of bool
        Whether the model's prediction differs.
    counts : ndarray of bool
        Whether it is the first by source asked or audit.
    truth : list of str or None
        Of gold cases, what is known to be right.
    gold : ndarray of bool
        Whether it is the first of a judge on a gold case; `wrong` is the judge's then.
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
    truth: list[str | None]
    gold: BoolArray
    at: IntArray
    chain: str = ""

    def chain_after(self, previous: str) -> Self:
        """Return the same block with its hash."""
        return replace(self, chain=self.hash_after(previous))

    def hash_after(self, previous: str) -> str:
        """Return the hash of what was said after all before; seq, wrong, counts and gold follow."""
        columns: dict[str, NDArray[Any] | Sequence[str | None]] = {
            "after": np.array([self.after]),
            "key": self.key,
            "label": self.label,
            "judge": self.judge,
            "source": self.source,
            "truth": self.truth,
            "at": self.at,
        }
        return chain_hash(previous, canonical_block(columns))


class Replay:
    """Decisions and labels taken in again, in the order in which they were made."""

    def __init__(self, document: PolicyDocument) -> None:
        self.document = document
        self.state = document.state
        self.events: list[Event] = []
        self.heads = [document.digest, document.digest]
        self.labels = 0
        self.rates: dict[str, float] = {}

    def decide(self, block: DecisionBlock) -> Decisions:
        """Decide the cases of a block again, from its draws."""
        made = self.take(block.confidence, block.drawn, block.group, block.rate, block.prediction)
        self.heads[0] = block.hash_after(self.heads[0])
        return made

    def copy(self) -> Replay:
        """Return another one that goes on from here."""
        other = object.__new__(Replay)
        other.__dict__.update(self.__dict__)
        other.events, other.heads = [*self.events], [*self.heads]
        other.rates = dict(self.rates)
        return other

    def take(
        self,
        confidence: FloatArray,
        drawn: FloatArray,
        group: Sequence[str | None],
        rate: FloatArray,
        prediction: Sequence[str],
    ) -> Decisions:
        """Decide cases, 1,000 at most where rates of regions differ."""
        self._note_rates(group, rate)
        places = {name: i for i, name in enumerate(self.document.model.get("classes") or ())}
        kind = np.array([places.get(name, 0) for name in prediction], dtype=np.int64)
        self.state, made, events = decide_cases(
            self.state, self.document.terms, confidence, drawn, rate, kind
        )
        self.events += events
        return made

    def _note_rates(self, group: Sequence[str | None], rate: FloatArray) -> None:
        """Keep by which rates regions are audited; a change of them is an event."""
        usual = self.document.terms.rate
        if (rate == usual).all() and not self.rates:
            return
        changes = {}
        for region, share in dict(zip(group, rate.tolist(), strict=True)).items():
            if region is not None and share != self.rates.get(region, usual):
                changes[region] = self.rates[region] = share
        if changes:
            self.events.append(Event(self.state.decided, "audit_rates", changes))

    def label(self, block: LabelBlock) -> None:
        """Take in a block of labels again."""
        gold = block.gold
        if gold.any():
            self.state, events = apply_gold_labels(self.state, block.wrong[gold])
            self.events += events
        counts = block.counts
        self.state, events = apply_labels(
            self.state, self.document.terms, block.seq[counts], block.wrong[counts]
        )
        self.events += events
        self.heads[1] = block.hash_after(self.heads[1])
        self.labels += len(block.key)


def replay_blocks(document: PolicyDocument, blocks: Iterable[DecisionBlock | LabelBlock]) -> Replay:
    """Return the state, events and heads that these rows lead to."""
    replay = Replay(document)
    for block in blocks:
        if isinstance(block, LabelBlock):
            replay.label(block)
        else:
            replay.decide(block)
    return replay
