"""What the policy is worth so far: all is known but one number, the mistakes nobody saw (L5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from askpoint.errors import InputError, NotEstimableError
from askpoint.live.pending import UNKNOWN
from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.measures.intervals import Interval
from askpoint.measures.mixture_sequence import fixed_time_total_interval, total_interval

__all__ = ["LiveCost", "LiveCounts", "LivePrices", "counts_of", "worth_of", "worth_so_far"]

_MOST_MISSING = 0.1  # of the audits: more allow no verdict


@dataclass(frozen=True)
class LivePrices:
    """What a mistake, a check and an audit cost, in one currency.

    Parameters
    ----------
    mistake : float
        Above 0.
    check : float
        Of a case that is asked; 0 or more.
    audit : float, optional
        Of an audited answer; by default that of a check.

    Raises
    ------
    InputError
        If a mistake costs nothing, or a price lies below 0.

    Examples
    --------
    >>> from askpoint import LivePrices
    >>> LivePrices(mistake=20, check=1).of_audit
    1
    """

    mistake: float = 1.0
    check: float = 0.0
    audit: float | None = None

    def __post_init__(self) -> None:
        if not (self.mistake > 0 and self.check >= 0 and self.of_audit >= 0):
            raise InputError("a mistake costs more than nothing, and nothing costs less than that")

    @property
    def of_audit(self) -> float:
        """Price of an audit."""
        return self.check if self.audit is None else self.audit


@dataclass(frozen=True)
class LiveCost:
    """Mistakes, risk and cost of all decisions so far.

    Parameters
    ----------
    decided, answered, asked, audited : int
        Decisions.
    missing : int
        Audits whose label never came, or has not come yet.
    mistakes : Interval
        Expected mistakes among the answers, valid at all times at once.
    estimate : float
        Mistakes seen over the audit rate.
    at_a_fixed_time : Interval
        The same mistakes, for one look at a time that was fixed beforehand.
    cost, saved : Interval
        Per 1,000 decisions: what it cost, and what that is below asking everybody (positive is
        good). Valid at all times.
    """

    decided: int
    answered: int
    asked: int
    audited: int
    missing: int
    mistakes: Interval
    estimate: float
    at_a_fixed_time: Interval
    cost: Interval
    saved: Interval

    @property
    def coverage(self) -> float:
        """Share of the decisions that were answers."""
        return self.answered / self.decided

    @property
    def risk(self) -> Interval | None:
        """Share of mistakes among the answers, valid at all times; None without answers."""
        if not self.answered:
            return None
        lower, upper = self.mistakes
        return Interval(min(1.0, lower / self.answered), min(1.0, upper / self.answered))


class LiveCounts(NamedTuple):
    """The counts of a life on which its worth hangs: so a worth can be told of an earlier moment.

    Attributes
    ----------
    decided, answered, asked, audited : int
        Decisions.
    seen : float
        Audited mistakes, each times least audit rate over its own.
    missing, waiting : int
        Audits whose label never came, and those whose label has not come yet.
    """

    decided: int
    answered: int
    asked: int
    audited: int
    seen: float
    missing: int
    waiting: int


def counts_of(state: State) -> LiveCounts:
    """The counts of a state."""
    pending = state.pending.rows()
    waiting = int((pending["answered"] & (pending["wrong"] == UNKNOWN)).sum())
    return LiveCounts(
        state.decided,
        state.answered,
        state.asked,
        state.audited,
        state.seen,
        state.missing,
        waiting,
    )


def worth_so_far(
    state: State, terms: Terms, prices: LivePrices, *, delta: float = 0.05
) -> LiveCost:
    """Interval for what was lost and saved so far, valid whenever and however often one looks.

    Audits without a label count as mistakes in the upper end and as right in the lower one.
    """
    return worth_of(counts_of(state), terms, prices, delta=delta)


def worth_of(
    counts: LiveCounts, terms: Terms, prices: LivePrices, *, delta: float = 0.05
) -> LiveCost:
    """The same of the counts at some moment."""
    if not counts.decided:
        raise NotEstimableError("nothing has been decided yet; a worth needs decisions")
    missing = counts.missing + counts.waiting
    if counts.missing > _MOST_MISSING * counts.audited:
        raise NotEstimableError(
            f"{counts.missing} of {counts.audited} audits never got their label: without more than "
            "nine in ten there is no verdict; label the audits"
        )
    low, high = counts.seen, counts.seen + missing
    mistakes = Interval(
        total_interval(low, delta=delta).lower / terms.rate,
        min(counts.answered, total_interval(high, delta=delta).upper / terms.rate),
    )
    fixed = Interval(
        fixed_time_total_interval(low, level=1 - delta).lower / terms.rate,
        min(counts.answered, fixed_time_total_interval(high, level=1 - delta).upper / terms.rate),
    )
    known = prices.check * counts.asked + prices.of_audit * counts.audited
    asking = 1000 * prices.check

    def per_thousand(lost: float) -> float:
        return 1000 * (prices.mistake * lost + known) / counts.decided

    cost = Interval(*map(per_thousand, mistakes))
    return LiveCost(
        decided=counts.decided,
        answered=counts.answered,
        asked=counts.asked,
        audited=counts.audited,
        missing=missing,
        mistakes=mistakes,
        estimate=counts.seen / terms.rate,
        at_a_fixed_time=fixed,
        cost=cost,
        saved=Interval(asking - cost.upper, asking - cost.lower),
    )
