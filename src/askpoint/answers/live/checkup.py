"""Status of a policy: savings, need for attention, cases to label."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.answers.live.doubles import Doubles
from askpoint.answers.live.followers import Followers
from askpoint.answers.live.group_standings import GroupInUse
from askpoint.answers.live.reopening import NO_REOPENING, Reopening, answer_reopening
from askpoint.live.alarms import evidence_share
from askpoint.live.budget import mistakes_allowed, mistakes_at_most
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import LoggedEvent, event_kind, find_alarm_cause
from askpoint.live.history import History
from askpoint.live.silence import is_too_silent, late_audits, list_asked_again, silent_share
from askpoint.live.status import Troubles
from askpoint.live.terms import Terms
from askpoint.live.watches.reviewers import ReviewerWatch
from askpoint.live.worth import LiveCost, LivePrices

__all__ = ["WatchAnswer", "prices_of", "watch_of"]

_HOUR = 3_600_000_000
_NONE = Troubles()


@dataclass(frozen=True, eq=False, kw_only=True)
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
    closings : tuple of LoggedEvent
        What closed it: alarms, and a mistake budget that was spent; in their order.
    is_alarmed : bool
        Whether somebody should look: it closed lately, has not reopened since, waits for labels, or
        answers far less than it used to.
    mistakes_at_most, mistakes_allowed : float
        Mistakes to be expected of this episode, at most; and how many are allowed by now.
    troubles : Troubles
        What went wrong around it.
    reopening : Reopening
        When it answers again; without a forecast where it answers.
    doubles : Doubles or None
        What cases show that two people labelled.
    followers : Followers or None
        Whether people see mistakes of the model on gold cases.
    groups : tuple of GroupInUse
        Status of each group; empty where the policy has none.
    """

    history: History
    prices: LivePrices
    priced: bool
    unit: str
    closings: tuple[LoggedEvent, ...]
    is_alarmed: bool
    mistakes_at_most: float
    mistakes_allowed: float
    troubles: Troubles = _NONE
    reopening: Reopening = NO_REOPENING
    doubles: Doubles | None = None
    followers: Followers | None = None
    groups: tuple[GroupInUse, ...] = ()

    @property
    def terms(self) -> Terms:
        """What was agreed."""
        return self.history.document.terms

    @property
    def retreats(self) -> bool:
        """Whether it never closed, and lately answers less than half as often as in its whole life."""
        return not self.closings and self.history.retreat.is_alarmed

    @property
    def missing_share(self) -> float:
        """Share of the labels of this episode that did not come in time."""
        return silent_share(self.history.state.given_up, self.history.state.labelled)

    @property
    def is_too_silent(self) -> bool:
        """Whether so many labels are missing that nothing can open."""
        state = self.history.state
        return is_too_silent(state, state.given_up, state.labelled)

    @property
    def shows_nothing(self) -> bool:
        """Whether so many labels are missing that it does not open while this lasts."""
        forecast = self.reopening.forecast
        return forecast is not None and forecast.is_never and forecast.is_silent

    @property
    def asked_again(self) -> int:
        """Silent cases that were drawn to be asked again, and have no label yet."""
        return len(list_asked_again(self.history.state))

    @property
    def late_audits(self) -> int:
        """Audits that soon count as mistakes."""
        return late_audits(self.history.state, self.terms.max_label_delay)

    @property
    def knows_gold(self) -> bool:
        """Whether people labelled gold cases, which tell whether they or the model changed."""
        people = self.history.state.watches.get("people")
        return isinstance(people, ReviewerWatch) and people.items > 0

    @property
    def gold_needed(self) -> int | None:
        """How many more gold labels would show that people err no more often than stated; None if none would."""
        people = self.history.state.watches.get("people")
        return people.gold_needed if isinstance(people, ReviewerWatch) else None

    @property
    def alarm_cause(self) -> str:
        """Who got worse by the alarms: reviewers, model or none; unknown where gold labels are too few to clear reviewers."""
        cause = find_alarm_cause(timed.event for timed in self.history.events)
        return "unknown" if cause == "model" and self.gold_needed != 0 else cause

    @property
    def worth(self) -> LiveCost | None:
        """What it was worth so far, valid at all times."""
        return self.history.worth

    @property
    def evidence(self) -> float:
        """Evidence towards an alarm, over what raises one."""
        return evidence_share(self.history.state)


def prices_of(document: PolicyDocument, prices: LivePrices | None) -> tuple[LivePrices, bool]:
    """In which prices costs are told, those of a ladder's calls among them, and whether a check has one."""
    terms, priced = document.terms, prices is not None or document.terms.aim == "money"
    if prices is None:
        prices = LivePrices(check=terms.limit) if priced else LivePrices()
    return prices.with_calls_of(document.model), priced


def watch_of(
    history: History,
    *,
    now: int,
    prices: LivePrices | None = None,
    unit: str = "mistakes",
    hours: float = 24,
    troubles: Troubles = _NONE,
    doubles: Doubles | None = None,
    followers: Followers | None = None,
    groups: tuple[GroupInUse, ...] = (),
) -> WatchAnswer:
    """Return the status of a policy by its history, told in the same prices; `now` is in microseconds since 1970.

    Without prices, a policy for money is told in mistakes; a promise has no price of a check.
    """
    terms, state = history.document.terms, history.state
    known, priced = prices_of(history.document, prices)
    closings = tuple(one for one in history.events if event_kind(one.event.kind).closes)
    lately = bool(closings) and now - closings[-1].at <= hours * _HOUR
    closed = lately or state.threshold is None if closings else history.retreat.is_alarmed
    return WatchAnswer(
        history=history,
        prices=known,
        priced=priced,
        unit=unit,
        closings=closings,
        is_alarmed=state.waiting or closed,
        mistakes_at_most=mistakes_at_most(state, terms),
        mistakes_allowed=mistakes_allowed(state, terms),
        troubles=troubles,
        reopening=answer_reopening(history),
        doubles=doubles,
        followers=followers,
        groups=groups,
    )
