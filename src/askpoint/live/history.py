"""The life of a policy so far, moment by moment: what a picture of it is drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from askpoint.errors import NotEstimableError
from askpoint.live.alarms import evidence_share
from askpoint.live.blocks import Block, DecisionBlock, DeletionBlock, LabelBlock
from askpoint.live.canonical import canonical_json
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import LoggedEvent
from askpoint.live.receipts import Replay
from askpoint.live.silence import list_wanted
from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.live.watches.retreat import DecidedBlock, RetreatWatch
from askpoint.live.worth import (
    LiveCost,
    LiveCounts,
    LivePrices,
    counts_of,
    worth_of,
    worth_so_far,
)

__all__ = [
    "ClosedSpell",
    "History",
    "HistoryPoint",
    "draw_moments",
    "history_of",
    "is_moment_due",
    "moment_text",
    "read_moment",
]

_MOST = 500  # moments that are kept, or drawn; then every other one
_Row = TypeVar("_Row")
_SPELL_STATES = 16  # of a closed spell; then every other one


@dataclass(frozen=True)
class HistoryPoint:
    """What was so after some decisions.

    Parameters
    ----------
    at : int
        Microseconds since 1970, UTC.
    decided, answered : int
        Decisions so far.
    evidence : float
        Towards an alarm, over what raises one: 1 is the alarm.
    worth : LiveCost or None
        What it cost so far, valid at all times; None while that cannot be told.
    """

    at: int
    decided: int
    answered: int
    evidence: float
    worth: LiveCost | None


@dataclass(frozen=True, eq=False)
class ClosedSpell:
    """A time of asking everything that is over: the state in its middle, and what followed.

    Parameters
    ----------
    state : State
        In its middle.
    labels : int
        Labels from there until it answered.
    """

    state: State
    labels: int


@dataclass(frozen=True, eq=False, kw_only=True)
class History:
    """A life up to now.

    Parameters
    ----------
    document : PolicyDocument
        What it opened with.
    state : State
        As it is now.
    moments : sequence of HistoryPoint
        In their order: each time labels came, for before that the audits of a batch are unknown.
    worth : LiveCost or None
        What it cost until now; None while that cannot be told.
    events : tuple of LoggedEvent
        In their order.
    wanted : tuple of str
        Keys whose label is awaited, in the order of decisions; empty where only `n_wanted` is known.
    retreat : RetreatWatch
        Whether it lately answers far less often than in its whole life.
    held : int
        Decisions made in shadow, on which nobody acted.
    missing_why : str
        Why there is no worth now; empty if there is.
    n_wanted : int
        Cases whose label is awaited.
    spells : sequence of ClosedSpell
        Times of asking everything that are over; empty where they are not kept.
    """

    document: PolicyDocument
    state: State
    moments: Sequence[HistoryPoint]
    worth: LiveCost | None
    events: tuple[LoggedEvent, ...]
    wanted: tuple[str, ...]
    retreat: RetreatWatch
    held: int = 0
    missing_why: str = ""
    n_wanted: int = 0
    spells: Sequence[ClosedSpell] = ()


def history_of(document: PolicyDocument, blocks: Iterable[Block], prices: LivePrices) -> History:
    """Take decisions and labels in again, and keep what is so after each block."""
    replay, terms = Replay(document, logs=False), document.terms
    moments: list[HistoryPoint] = []
    events: list[LoggedEvent] = []
    keys: dict[int, str] = {}
    every, told, held = 1, 0, 0
    skipped: tuple[State, int] | None = None
    retreat = RetreatWatch(terms, 1, document.state.decided, document.state.answered)
    spells: list[ClosedSpell] = []
    closed: list[State] = []
    for block in blocks:
        if isinstance(block, DeletionBlock):
            continue
        if not isinstance(block, DecisionBlock | LabelBlock):
            replay.add(block)
            continue
        known = len(replay.events)
        at = int(block.at[-1])
        if isinstance(block, LabelBlock):
            replay.label(block)
        else:
            replay.decide(block)
            held += int(block.held.sum())
            keys |= dict(zip(block.seq.tolist(), block.key, strict=True))
            retreat = retreat.update(DecidedBlock(len(block.key), int(block.answer.sum())))
        if replay.state.threshold is None:
            closed = [*closed, replay.state] if len(closed) < _SPELL_STATES else closed[::2]
        elif closed:
            middle = closed[len(closed) // 2]
            spells.append(ClosedSpell(middle, replay.state.decided - middle.decided))
            closed = []
        open_ = {*replay.state.pending["seq"].tolist(), *list_wanted(replay.state)}
        keys = {seq: key for seq, key in keys.items() if seq in open_}
        events += [LoggedEvent(event, at) for event in replay.events[known:]]
        if isinstance(block, LabelBlock):
            told, skipped = told + 1, (replay.state, at)
            if told % every == 0:
                moments.append(_moment(replay.state, terms, prices, at))
                skipped = None
        if len(moments) > _MOST:
            moments, every = moments[::2], 2 * every
    if skipped is not None:
        moments.append(_moment(skipped[0], terms, prices, skipped[1]))
    worth, why = _worth(replay.state, terms, prices)
    awaited = list_wanted(replay.state)
    wanted = tuple(keys[seq] for seq in awaited if seq in keys)  # others are older than these rows
    return History(
        document=document,
        state=replay.state,
        moments=tuple(moments),
        worth=worth,
        events=tuple(events),
        wanted=wanted,
        retreat=retreat,
        held=held,
        missing_why=why,
        n_wanted=len(awaited),
        spells=tuple(spells),
    )


def is_moment_due(decided: int, last: int | None) -> bool:
    """Return whether a moment is long enough after the last one that was kept: a life has some hundred, however long."""
    return last is None or decided - last >= decided // _MOST


def moment_text(state: State) -> str:
    """Return what is kept of a moment, as canonical JSON: counts, and evidence towards an alarm."""
    counts = counts_of(state)._asdict()
    if not state.calls:
        del counts["calls"]
    return canonical_json({"evidence": evidence_share(state), **counts})


def read_moment(
    at: int, evidence: float, counts: LiveCounts, terms: Terms, prices: LivePrices
) -> HistoryPoint:
    """Return a moment that was kept, told in prices."""
    try:
        worth = worth_of(counts, terms, prices)
    except NotEstimableError:
        worth = None
    return HistoryPoint(at, counts.decided, counts.answered, evidence, worth)


def draw_moments(rows: Sequence[_Row]) -> Sequence[_Row]:
    """Return as many of the moments that were kept as a picture shows, the last one among them."""
    every = 1 + len(rows) // _MOST
    return [row for i, row in enumerate(rows) if i % every == 0 or i == len(rows) - 1]


def _moment(state: State, terms: Terms, prices: LivePrices, at: int) -> HistoryPoint:
    return HistoryPoint(
        at,
        state.decided,
        state.answered,
        evidence_share(state),
        _worth(state, terms, prices)[0],
    )


def _worth(state: State, terms: Terms, prices: LivePrices) -> tuple[LiveCost | None, str]:
    """The worth so far, or why there is none."""
    try:
        return worth_so_far(state, terms, prices), ""
    except NotEstimableError as error:
        return None, str(error)
