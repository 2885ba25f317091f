"""What the policy is worth so far: all is known but one number, the mistakes nobody saw (L5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from askpoint.errors import InputError, NotEstimableError
from askpoint.live.ladder_calls import call_prices
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
    calls : tuple of float, optional
        Of a call of each rung of a ladder; by default what the policy states, in checks.

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
    calls: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        others = (self.check, self.of_audit, *self.calls)
        if not (self.mistake > 0 and all(price >= 0 for price in others)):
            raise InputError("prices must not be negative, and a mistake must cost more than 0")

    @property
    def of_audit(self) -> float:
        """Price of an audit."""
        return self.check if self.audit is None else self.audit

    def with_calls_of(self, model: Mapping[str, Any], work: float | None = None) -> LivePrices:
        """Return these prices with those of a policy's calls, which it states in checks; prices given stay.

        `work` is what the work of a check costs, where `check` holds what people get wrong, too.
        """
        if self.calls:
            return self
        each = self.check if work is None else work
        return replace(self, calls=tuple(each * price for price in call_prices(model).values()))


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
    cost_estimate : float
        The same cost with the estimated number of mistakes.
    calls : tuple of int
        Calls of each rung of a ladder that these decisions bought; empty without a ladder.
    spent_on_calls : float
        What they cost in all; a part of the cost.
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
    cost_estimate: float
    calls: tuple[int, ...] = ()
    spent_on_calls: float = 0.0

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
    calls : sequence of int
        Calls of each rung of a ladder.
    """

    decided: int
    answered: int
    asked: int
    audited: int
    seen: float
    missing: int
    waiting: int
    calls: Sequence[int] = ()


def counts_of(state: State) -> LiveCounts:
    """The counts of a state."""
    pending = state.pending.rows()
    waiting = int((pending["answered"] & (pending["wrong"] == UNKNOWN)).sum())
    return LiveCounts(
        decided=state.decided,
        answered=state.answered,
        asked=state.asked,
        audited=state.audited,
        seen=state.seen,
        missing=state.missing,
        waiting=waiting,
        calls=state.calls,
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
        raise NotEstimableError("no decisions yet, so there is nothing to measure")
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
    if prices.calls and counts.calls and len(prices.calls) != len(counts.calls):
        raise InputError(
            f"calls must have one price for each of the {len(counts.calls)} rungs; got {len(prices.calls)}"
        )
    spent = float(sum(n * price for n, price in zip(counts.calls, prices.calls, strict=False)))
    known = prices.check * counts.asked + prices.of_audit * counts.audited + spent
    asking = 1000 * prices.check

    def per_thousand(lost: float) -> float:
        return 1000 * (prices.mistake * lost + known) / counts.decided

    estimate = counts.seen / terms.rate
    cost = Interval(*map(per_thousand, mistakes))
    return LiveCost(
        decided=counts.decided,
        answered=counts.answered,
        asked=counts.asked,
        audited=counts.audited,
        missing=missing,
        mistakes=mistakes,
        estimate=estimate,
        at_a_fixed_time=fixed,
        cost=cost,
        saved=Interval(asking - cost.upper, asking - cost.lower),
        cost_estimate=per_thousand(estimate),
        calls=tuple(counts.calls),
        spent_on_calls=spent,
    )
