"""Receipts: rows of a log that one hash vouches for, and that lead to the state again.

Each row is a leaf of a Merkle tree, in the order in which things happened; an event stands after the block
that set it off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from askpoint.live.alarms import apply_gold_labels
from askpoint.live.ask_rules import ASKED_BY_RULE
from askpoint.live.blocks import (
    DecisionBlock,
    DeletionBlock,
    HandInBlock,
    LabelBlock,
    LeaseBlock,
)
from askpoint.live.canonical import is_same_but_rounding
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import Event, LoggedEvent
from askpoint.live.labels import apply_labels
from askpoint.live.ladder_calls import add_calls
from askpoint.live.leases.granting import book_lease, free_lease
from askpoint.live.leases.lease import Lease, LeaseRule
from askpoint.live.log_rows import (
    decision_texts,
    deletion_texts,
    event_text,
    hand_in_text,
    hash_texts,
    label_texts,
    lease_text,
    policy_text,
)
from askpoint.live.merkle import Tree
from askpoint.live.steps import Decisions, decide_cases
from askpoint.live.watches.mix import hours_of_week
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["EventPlace", "Replay"]


class EventPlace(NamedTuple):
    """When an event happened, in microseconds since 1970, and its place in the log."""

    at: int
    leaf: int


class Replay:
    """Decisions and labels taken in again, in the order in which they were made.

    Parameters
    ----------
    document : PolicyDocument
        With what the policy opened; it is the first row of the log.
    logs : bool, default=True
        Whether it makes the log, too; pictures need only the state.
    """

    def __init__(self, document: PolicyDocument, *, logs: bool = True) -> None:
        self.document, self._logs = document, logs
        self.state = document.state
        self.events: list[Event] = []
        self.places: list[EventPlace] = []
        self.tree = Tree()
        self.labels = 0
        self.rates: dict[str, float] = {}
        self.granted = self.handed_in = 0
        self.leases: dict[int, Lease] = {}
        self.left: dict[int, int] = {}
        self.chain = ""
        self.roots: dict[int, str] = {}
        self._stops: list[int] = []
        self.recorded: Sequence[LoggedEvent] = ()
        if logs:
            self._grow(hash_texts([policy_text(document)]))

    @property
    def head(self) -> str:
        """Root and number of rows of the log, as HASH@N."""
        return f"{self.tree.root().hex()}@{self.tree.size}"

    def copy(self) -> Replay:
        """Return another one that goes on from here."""
        other = object.__new__(Replay)
        other.__dict__.update(self.__dict__)
        other.events, other.places = [*self.events], [*self.places]
        other.rates, other.roots = dict(self.rates), dict(self.roots)
        other.leases, other.left = dict(self.leases), dict(self.left)
        other.tree = self.tree.copy()
        return other

    def clear_events(self) -> None:
        """Drop the events and leases so far: they are written."""
        self.events, self.places = [], []
        self.leases, self.left = {}, {}

    def note_roots(self, sizes: Iterable[int]) -> None:
        """Keep the root of the first rows in `roots`, for each of these numbers of rows, as the log grows."""
        wanted = set(sizes)
        self._stops = sorted(size for size in wanted if size > self.tree.size)
        if self.tree.size in wanted:
            self.roots[self.tree.size] = self.tree.root().hex()

    def decide(self, block: DecisionBlock) -> Decisions:
        """Decide the cases of a block again, from its draws, and add its rows to the log."""
        made = self.take(
            block.confidence,
            block.drawn,
            block.group,
            block.rate,
            block.prediction,
            block.moments,
            block.lease,
        )
        if self._logs:
            self.log(decision_texts(self.document, block), int(block.at[-1]))
        return made

    def take(
        self,
        confidence: FloatArray,
        drawn: FloatArray,
        group: Sequence[str | None],
        rate: FloatArray,
        prediction: Sequence[str],
        moments: IntArray,
        lease: int | None = None,
    ) -> Decisions:
        """Decide cases, 1,000 at most where rates of regions differ; their rows are added by `log`."""
        rule = None if lease is None else self.rule(lease)
        if rule is None:
            self._note_rates(group, rate)
        places = {name: i for i, name in enumerate(self.document.model.get("classes") or ())}
        kind = np.array([places.get(name, 0) for name in prediction], dtype=np.int64)
        if (scale := self.document.group_scale) is not None:
            confidence = scale.right_at(confidence, group)
        hour, asked = hours_of_week(moments), None
        if self.document.model.get("ask_where"):
            asked = np.array([name == ASKED_BY_RULE for name in group], dtype=np.bool_)
        self.state, made, events = decide_cases(
            self.state, self.document.terms, confidence, drawn, rate, kind, rule, hour, asked
        )
        if self.document.model.get("ladder"):
            calls = add_calls(self.state.calls, self.document.model, group)
            self.state = self.state.copy_with(calls=calls)
        if lease is not None:
            self.left[lease] -= int(made.answer.sum())
        self.events += events
        return made

    def rule(self, lease: int) -> LeaseRule:
        """Return by what the cases of a lease are decided that is handed in."""
        return self.leases[lease].rule(self.left[lease])

    def grant(self, block: LeaseBlock) -> None:
        """Book a lease, and add its row to the log."""
        self.state = book_lease(self.state, block.lease)
        self.leases[block.lease.number] = block.lease
        self.granted += 1
        if self._logs:
            self.log([lease_text(self.document, block)], block.at)

    def hand_in(self, block: HandInBlock) -> None:
        """Free what was not used of a lease; the cases of which receipts came follow as decisions."""
        lease = self.leases[block.lease]
        self.state = free_lease(self.state, lease, lease.answers - block.answers - block.booked)
        self.left[block.lease] = block.answers
        self.handed_in += 1
        if self._logs:
            self.log([hand_in_text(self.document, block)], block.at)

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
        """Take in a block of labels again, and add its rows to the log."""
        gold = block.gold
        if gold.any():
            self.state, events = apply_gold_labels(self.state, block.wrong[gold])
            self.events += events
        counts = block.counts
        self.state, events = apply_labels(
            self.state, self.document.terms, block.seq[counts], block.wrong[counts]
        )
        self.events += events
        if self._logs:
            self.log(label_texts(self.document, block, self.labels), int(block.at[-1]))
        self.labels += len(block.key)

    def forget(self, block: DeletionBlock) -> None:
        """Add to the log whose content was deleted."""
        self.log(deletion_texts(self.document, block), block.at)

    def add(self, block: DeletionBlock | LeaseBlock | HandInBlock) -> None:
        """Take in what is neither decisions nor labels."""
        if isinstance(block, DeletionBlock):
            self.forget(block)
        elif isinstance(block, LeaseBlock):
            self.grant(block)
        else:
            self.hand_in(block)

    def log(self, texts: Iterable[str], at: int) -> None:
        """Add rows to the log, then the events that they set off; `chain` is the root between the two."""
        self._grow(hash_texts(texts))
        self.chain = self.tree.root().hex()
        first = len(self.places)
        self.events[first:] = map(self._as_recorded, range(first, len(self.events)))
        events = self.events[first:]
        self.places += [EventPlace(at, self.tree.size + i) for i in range(len(events))]
        self._grow(hash_texts(event_text(self.document, event, at) for event in events))

    def _as_recorded(self, i: int) -> Event:
        """Return an event with its recorded numbers, if they are those computed here but for rounding."""
        made = self.events[i]
        if i >= len(self.recorded):
            return made
        event = self.recorded[i].event
        same = is_same_but_rounding(dict(made.numbers), dict(event.numbers))
        return made._replace(numbers=event.numbers) if same else made

    def _grow(self, hashes: list[bytes]) -> None:
        while self._stops and self._stops[0] <= self.tree.size + len(hashes):
            size = self._stops.pop(0)
            here = size - self.tree.size
            self.tree.append(hashes[:here])
            hashes = hashes[here:]
            self.roots[size] = self.tree.root().hex()
        self.tree.append(hashes)
