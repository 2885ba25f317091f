"""Objectives by limit: on people's work or on mistakes; the price that follows is part of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from askpoint.errors import ObjectiveError, UnmetError
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import TIE, ValueCurve
from askpoint.value.guarantees import conformal_risk_control, learn_then_test, rows_needed
from askpoint.value.objectives import Objective, OperatingPoint

__all__ = ["AskAtMost", "MaxError", "MeanError", "last_within", "percent", "point_at"]


@dataclass(frozen=True)
class AskAtMost(Objective):
    """Fewest mistakes with no more than so many cases asked: the reviewers' capacity.

    Parameters
    ----------
    limit : int or float
        A whole number of cases, or a share below 1.

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.limits import AskAtMost
    >>> curve = ValueCurve.from_outcomes([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])
    >>> AskAtMost(0.5).choose(curve).outcomes
    Outcomes(right=2, wrong=0, asked=2)
    >>> AskAtMost(0.25).choose(curve).outcomes
    Outcomes(right=3, wrong=1, asked=0)
    """

    is_limit: ClassVar[bool] = True
    is_capacity: ClassVar[bool] = True

    limit: float

    def __post_init__(self) -> None:
        if not (0 <= self.limit < 1 or (self.limit >= 1 and float(self.limit).is_integer())):
            raise ObjectiveError(
                "ask-at-most must be a whole number of cases, or a share from 0 to below 1; "
                f"got {self.limit}"
            )

    @property
    def wish(self) -> str:
        """What the user asked for."""
        cases = (
            f"{percent(self.limit)} of the cases"
            if self.limit < 1
            else f"{self.limit:,.0f} case{'s' * (self.limit != 1)}"
        )
        return f"for at most {cases} to go to people"

    @property
    def capacity(self) -> float:
        """Most cases that may be asked, or their share."""
        return self.limit

    @property
    def counts_weight(self) -> bool:
        """Whether a share is asked for."""
        return self.limit < 1

    def share_of(self, n_items: int) -> float:
        """Greatest share of the cases that may be asked."""
        return self.limit if self.limit < 1 else min(self.limit / n_items, 1)

    def loss(self, outcomes: Outcomes) -> float:
        """Share of mistakes among all cases."""
        return outcomes.wrong / outcomes.total

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of fewest mistakes within the limit; of several the one that asks least.

        Cases of equal confidence are asked together or not at all.
        """
        allowed = self.limit * curve.total if self.limit < 1 else self.limit
        asked = curve.total - (curve.right + curve.wrong)
        fewest = curve.wrong[np.argmax(asked <= allowed * TIE)]
        return point_at(curve, int(np.searchsorted(curve.wrong, fewest, side="right")) - 1)


@dataclass(frozen=True)
class MaxError(Objective):
    """Most cases answered with at most this share of mistakes among the answers.

    Parameters
    ----------
    risk : float
        Greatest share of wrong answers among the answers, from 0 to below 1.

    delta : float, optional
        Probability that the limit fails on new cases, at most, by `learn_then_test`.

    Notes
    -----
    Without `delta` the share is that of the cases at hand; a threshold chosen this way exceeds
    the limit on new cases about every second time.

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.limits import MaxError
    >>> curve = ValueCurve.from_outcomes([0] + [1] * 99, range(100, 0, -1))
    >>> MaxError(0.05).choose(curve).outcomes.coverage  # though the surest case is wrong
    1.0
    """

    is_limit: ClassVar[bool] = True
    hint: ClassVar[str] = " --guarantee 0.05 chooses one that keeps it but for 5 %."

    risk: float
    delta: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.risk < 1:
            raise ObjectiveError(f"max-error must lie from 0 to below 1, got {self.risk}")
        if self.delta is not None:
            rows_needed(self.risk, self.delta)  # refuses what is no probability

    @property
    def wish(self) -> str:
        """What the user asked for."""
        return f"for at most {percent(self.risk)} mistakes among the answers"

    @property
    def error_limit(self) -> float:
        """Greatest share of mistakes among the answers."""
        return self.risk

    @property
    def promise_delta(self) -> float | None:
        """Probability that the limit fails, where it is promised."""
        return self.delta

    @property
    def is_promised(self) -> bool:
        """Whether the limit is promised of new cases."""
        return self.delta is not None

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of greatest coverage within the limit.

        Raises
        ------
        UnmetError
            If every threshold exceeds it.
        NotEstimableError
            If there are too few cases for a promise with `delta`.
        """
        if self.delta is not None:
            return OperatingPoint.at(curve, learn_then_test(curve, self.risk, self.delta))
        wish = f"the error among the answers at or below {self.risk:g}"
        return point_at(curve, last_within(curve, self.risk, wish))


@dataclass(frozen=True)
class MeanError(Objective):
    """Most cases answered while the rate of accepted mistakes is promised on average.

    For new cases like the labelled ones, the probability that a case is answered and wrong is at
    most `risk`, on average over labelled samples (conformal risk control).

    Parameters
    ----------
    risk : float
        Greatest share of wrong answers among all cases, between 0 and 1.

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.limits import MeanError
    >>> curve = ValueCurve.from_outcomes([1] * 90 + [0] * 10, range(100, 0, -1))
    >>> MeanError(0.05).choose(curve).outcomes
    Outcomes(right=90, wrong=4, asked=6)
    """

    is_limit: ClassVar[bool] = True

    risk: float

    def __post_init__(self) -> None:
        if not 0 < self.risk < 1:
            raise ObjectiveError(f"the mean error must lie between 0 and 1, got {self.risk}")

    @property
    def wish(self) -> str:
        """What the user asked for."""
        return f"that of new cases, on average, at most {percent(self.risk)} are answered wrongly"

    @property
    def is_promised(self) -> bool:
        """Whether the limit is promised of new cases."""
        return True

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of greatest coverage that keeps the promise.

        Raises
        ------
        NotEstimableError
            If there are too few cases for it.
        """
        return OperatingPoint.at(curve, conformal_risk_control(curve, self.risk))


def percent(share: float) -> str:
    """Write a share that was chosen."""
    return f"{100 * share:.6g}\N{NO-BREAK SPACE}%"


def point_at(curve: ValueCurve, k: int) -> OperatingPoint:
    """Return the point at a position of the curve."""
    return OperatingPoint.at(curve, float(curve.thresholds[k]))


def last_within(curve: ValueCurve, risk: float, wish: str) -> int:
    """Position of the boldest threshold with at most this share of mistakes among its answers."""
    wrong, answered = curve.wrong[1:], curve.right[1:] + curve.wrong[1:]
    within = wrong <= risk * answered * TIE
    if not within.any():
        best = int((wrong / answered).argmin())
        raise UnmetError(
            f"no threshold keeps {wish}: the lowest error is {wrong[best] / answered[best]:.4g}, "
            f"with {answered[best] / curve.total:.1%} answered"
        )
    return int(np.flatnonzero(within)[-1]) + 1
