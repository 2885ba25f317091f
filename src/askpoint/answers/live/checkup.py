"""How a policy in use fares: what it is worth, whether it must be looked at, what to label next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from askpoint.live.documents import PolicyDocument
from askpoint.live.history import History, TimedEvent, evidence_share, history_of
from askpoint.live.receipts import DecisionBlock, LabelBlock
from askpoint.live.terms import Terms
from askpoint.live.watching import lost_so_far_at_most
from askpoint.live.worth import LivePrices, Worth

__all__ = ["WatchAnswer", "answer_watch", "prices_of", "watch_of"]

_CLOSING = frozenset({"alarm", "gate"})
_HOUR = 3_600_000_000


@dataclass(frozen=True, eq=False)
class WatchAnswer:
    """What is known of a policy in use.

    Parameters
    ----------
    history : History
        Its life so far.
    prices : LivePrices
        In which costs are told.
    priced : bool
        Whether a check has a price; else only mistakes are told.
    unit : str
        Of the costs.
    closings : tuple of TimedEvent
        Alarms and closings by the gate, in their order.
    is_alarmed : bool
        Whether somebody should look: it closed lately, has not reopened since, waits for labels, or
        answers far less than it used to.
    lost_at_most, allowed : float
        Mistakes to be expected of this episode, at most; and how many are allowed by now.
    """

    history: History
    prices: LivePrices
    priced: bool
    unit: str
    closings: tuple[TimedEvent, ...]
    is_alarmed: bool
    lost_at_most: float
    allowed: float

    @property
    def terms(self) -> Terms:
        """What was agreed."""
        return self.history.document.terms

    @property
    def retreats(self) -> bool:
        """Whether it never closed, and lately answers less than half as often as in its whole life."""
        return not self.closings and _retreats(self.history)

    @property
    def worth(self) -> Worth | None:
        """What it was worth so far, valid at all times."""
        return self.history.worth

    @property
    def evidence(self) -> float:
        """Evidence towards an alarm, over what raises one."""
        return evidence_share(self.history.state, self.terms)


def answer_watch(
    document: PolicyDocument,
    blocks: Iterable[DecisionBlock | LabelBlock],
    *,
    now: int,
    prices: LivePrices | None = None,
    unit: str = "mistakes",
    hours: float = 24,
) -> WatchAnswer:
    """Say how a policy fares; `now` is a moment in microseconds since 1970.

    Without prices, a policy for money is told in mistakes; a promise has no price of a check.
    """
    known, _ = prices_of(document.terms, prices)
    history = history_of(document, blocks, known)
    return watch_of(history, now=now, prices=prices, unit=unit, hours=hours)


def prices_of(terms: Terms, prices: LivePrices | None) -> tuple[LivePrices, bool]:
    """In which prices costs are told, and whether a check has one."""
    if prices is None and terms.aim == "money":
        return LivePrices(check=terms.limit), True
    return prices or LivePrices(), prices is not None


def watch_of(
    history: History,
    *,
    now: int,
    prices: LivePrices | None = None,
    unit: str = "mistakes",
    hours: float = 24,
) -> WatchAnswer:
    """Say the same of a history that is there already, told in the same prices."""
    terms, state = history.document.terms, history.state
    known, priced = prices_of(terms, prices)
    closings = tuple(one for one in history.events if one.event.kind in _CLOSING)
    lately = bool(closings) and now - closings[-1].at <= hours * _HOUR
    return WatchAnswer(
        history,
        known,
        priced,
        unit,
        closings,
        state.waiting or (lately or state.threshold is None if closings else _retreats(history)),
        lost_so_far_at_most(state, terms),
        terms.answer_below * state.answers + terms.lost_at_most,
    )


def _retreats(history: History) -> bool:
    state = history.state
    return 2 * history.answered_lately * state.decided < state.answered * history.lately
