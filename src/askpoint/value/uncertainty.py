"""How far the rates of an operating point can be from the true ones."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.errors import InputError
from askpoint.measures.inputs import as_level
from askpoint.measures.intervals import Interval, clopper_pearson
from askpoint.measures.outcomes import Outcomes

__all__ = ["OutcomeIntervals", "outcome_intervals"]


@dataclass(frozen=True)
class OutcomeIntervals:
    """Intervals for what a fixed threshold does to new cases.

    Parameters
    ----------
    right, wrong, asked : Interval
        Shares of all cases.
    coverage : Interval
        Share of cases answered.
    risk : Interval or None
        Share of mistakes among the answers; None if nothing is answered.
    value, expected_profit : Interval
        At the stated omega.
    """

    right: Interval
    wrong: Interval
    asked: Interval
    coverage: Interval
    risk: Interval | None
    value: Interval
    expected_profit: Interval


def outcome_intervals(
    outcomes: Outcomes, *, omega: float = 0.0, n: float | None = None, level: float = 0.95
) -> OutcomeIntervals:
    """Exact intervals for a threshold that was fixed before these cases were seen.

    Clopper-Pearson for each share; for value and expected profit the shares of right and
    wrong answers share the error probability.
    """
    as_level(level, "level")
    size = outcomes.total if n is None else n
    if not size > 0:
        raise InputError(f"n must be above 0; got {size}")
    scale = size / outcomes.total
    right, wrong = outcomes.right * scale, outcomes.wrong * scale
    answered = min(right + wrong, size)

    def share(part: float, whole: float, at: float = level) -> Interval:
        return clopper_pearson(min(part, whole), whole, at)

    joint = (1 + level) / 2
    high_right, high_wrong = share(right, size, joint), share(wrong, size, joint)
    value = Interval(
        high_right.lower - omega * high_wrong.upper, high_right.upper - omega * high_wrong.lower
    )
    profit = Interval(*((omega + bound) / (1 + omega) for bound in value))
    covered = share(answered, size)
    return OutcomeIntervals(
        right=share(right, size),
        wrong=share(wrong, size),
        asked=Interval(1 - covered.upper, 1 - covered.lower),
        coverage=covered,
        risk=share(wrong, answered) if answered else None,
        value=value,
        expected_profit=Interval(max(profit.lower, 0.0), min(profit.upper, 1.0)),
    )
