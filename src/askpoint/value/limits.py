"""Objectives by limit: on people's work or on mistakes; the price that follows is part of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from askpoint.errors import NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.inputs import as_level
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import TIE, ValueCurve
from askpoint.value.guarantees import conformal_risk_control, learn_then_test, rows_needed
from askpoint.value.objectives import Objective, OperatingPoint

__all__ = [
    "AskAtMost",
    "MaxError",
    "MaxMistakes",
    "MeanError",
    "last_within",
    "percent",
    "point_at",
]


@dataclass(frozen=True)
class AskAtMost(Objective):
    """Fewest mistakes within the reviewers' capacity: a number or a share of the cases.

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
            f"{percent(float(f'{self.limit:.4g}'))} of the cases"
            if self.limit < 1
            else f"{self.limit:,.0f} case{'s' * (self.limit != 1)}"
        )
        return f"for at most {cases} to go to review"

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
    hint: ClassVar[str] = " --guarantee 0.05 chooses one that keeps it but for 5%."

    risk: float
    delta: float | None = None

    def __post_init__(self) -> None:
        if self.delta is not None:
            rows_needed(
                self.risk, self.delta
            )  # refuses what is no probability, and 0: none proves it
        elif not 0 <= self.risk < 1:
            raise ObjectiveError(f"max-error must be at least 0 and below 1; got {self.risk}")

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
            raise ObjectiveError(f"the mean error must be between 0 and 1; got {self.risk}")

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


@dataclass(frozen=True)
class MaxMistakes(Objective):
    """Most cases answered with at most this share of mistakes in the whole output, promised.

    The output is every case: what the model answers, and what people say of those that they are asked.

    Parameters
    ----------
    share : float
        Greatest share of all cases that may be wrong, from 0 to 1.
    delta : float
        Probability that more are wrong, at most.
    people_right : float, optional
        How often people are right, where they err; without, always.

    Notes
    -----
    `choose` promises the cases to come, from a curve of labelled ones: it stops before the labelled
    mistake that is one too many, `askpoint.value.acceptance.stream_acceptance_number`. Of a log, the
    answer promises the very cases of the log, which is sharper
    (`askpoint.answers.value.whole_output`).

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.limits import MaxMistakes
    >>> curve = ValueCurve.from_outcomes([1] * 80 + [0] * 20, range(100, 0, -1))
    >>> MaxMistakes(0.05, delta=0.1).choose(curve).outcomes  # P(Binomial(100, .05) <= 1) = .037
    Outcomes(right=80, wrong=1, asked=19)
    """

    is_limit: ClassVar[bool] = True

    share: float
    delta: float
    people_right: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ObjectiveError(f"max-mistakes must be a share from 0 to 1; got {self.share}")
        as_level(self.delta, "delta")
        if self.people_right is not None and not 0 < self.people_right <= 1:
            raise ObjectiveError(
                f"people-right must be a share above 0, up to 1; got {self.people_right}"
            )

    @property
    def wish(self) -> str:
        """What the user asked for."""
        return f"that at most {percent(self.share)} of all cases are wrong in the end"

    @property
    def output_limit(self) -> float:
        """Greatest share of mistakes in the whole output."""
        return self.share

    @property
    def promise_delta(self) -> float:
        """Probability that the limit fails."""
        return self.delta

    @property
    def is_promised(self) -> bool:
        """Whether the limit is promised."""
        return True

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the boldest point that keeps the promise for new cases.

        Raises
        ------
        NotEstimableError
            If there are too few labels for it.
        ObjectiveError
            If labels are weighted, or people err, which takes the cases of a log.
        """
        if curve.is_weighted:
            raise ObjectiveError(
                "guarantees count cases: they hold for unweighted labels drawn at random only"
            )
        if self.people_right is not None:
            raise ObjectiveError(
                "where people err, mistakes are promised of the cases of a log: take answer_value"
            )
        from askpoint.value.acceptance import stream_acceptance_number

        accepted = stream_acceptance_number(curve.n_items, self.share, self.delta)
        if accepted < 0:
            raise NotEstimableError(
                f"to promise at most {self.share:g} mistakes among all new cases takes "
                f"{_labels_needed(self.share, self.delta)} labels; there are {curve.n_items}"
            )
        return point_at(curve, int(np.flatnonzero(curve.wrong <= accepted)[-1]))


def _labels_needed(share: float, delta: float) -> str:
    return f"{rows_needed(share, delta):,}" if 0 < share < 1 else "a share above 0 and more"


def percent(share: float) -> str:
    """Write a share that was chosen."""
    return f"{100 * share:.6g}%"


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
