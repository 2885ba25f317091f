"""The people who are asked err too: what asking is then worth.

With people right at rate h on a case and a check priced r mistakes, asking costs
rho = 1 - h + r mistakes. h differs by confidence: the cases that are asked are the hard ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError, ObjectiveError
from askpoint.measures.inputs import BoolArray, FloatArray, as_finite, as_right, as_same_length
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import Objective, OperatingPoint

__all__ = ["CheckWork", "ReviewerErrors", "reviewer_errors_by_confidence", "work_of_check"]


def work_of_check(rho: float, people_right: float) -> float:
    """Return the price of the work alone, of a price of asking that holds people's mistakes already.

    Who is told that people are right at rate h, and would let a model decide from an error of rho
    downwards, says rho = 1 - h + r. To charge people's mistakes to rho again counts them twice;
    to r, it counts them once, as often as they are seen to err now.

    Parameters
    ----------
    rho : float
        What asking costs in all, in units of a mistake; strictly between 0 and 1.
    people_right : float
        How often people are right, as it was told to whoever stated the price (symbol h).

    Returns
    -------
    float
        Symbol r, 0 or more.

    Raises
    ------
    ObjectiveError
        If people's mistakes alone cost more than asking does: then one of the two is not meant.

    Examples
    --------
    >>> from askpoint.value.reviewer_errors import work_of_check
    >>> round(work_of_check(1 / 10, 0.95), 3)
    0.05
    """
    if not 0 < rho < 1:
        raise ObjectiveError(f"a check must cost between 0 and 1 mistakes; got {rho:g}")
    if not 0 <= people_right <= 1:
        raise InputError(f"people are right at a rate between 0 and 1; got {people_right:g}")
    wrong = 1 - people_right
    if wrong > rho:
        raise ObjectiveError(
            f"a check that costs {rho:.3g} of a mistake in all must not be wrong more often than "
            f"that; got people who are wrong in {wrong:.3g} of the cases. Ask for the price again, or "
            "correct how often people are right."
        )
    return rho - wrong


@dataclass(frozen=True, eq=False)
class ReviewerErrors(Objective):
    """How often people are right, by the model's confidence, and what a check costs.

    Parameters
    ----------
    edges : array-like of shape (n_bins - 1,)
        Confidences that divide the bins, rising; empty for one rate everywhere.
    right : array-like of shape (n_bins,)
        Share of cases that people get right in each bin (symbol h).
    check_price : float
        Price of the work of one check, in units of a mistake (symbol r); 0 or more.
    intervals : tuple of Interval, default=()
        For the shares, where they were measured.
    cases : tuple of int, default=()
        On how many cases of each bin.

    Raises
    ------
    InputError
        If the numbers do not fit together.
    ObjectiveError
        If the price is negative.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.reviewer_errors import ReviewerErrors
    >>> people = ReviewerErrors([0.8], [0.9, 0.98], check_price=0.05)
    >>> people.rho(np.array([0.6, 0.9])).round(2)
    array([0.15, 0.07])
    """

    states_price: ClassVar[bool] = True
    needs_cases: ClassVar[bool] = True
    charges_people: ClassVar[bool] = True

    edges: FloatArray
    right: FloatArray
    check_price: float
    intervals: tuple[Interval, ...] = ()
    cases: tuple[int, ...] = ()

    def __init__(
        self,
        edges: ArrayLike,
        right: ArrayLike,
        check_price: float,
        intervals: tuple[Interval, ...] = (),
        cases: tuple[int, ...] = (),
    ) -> None:
        cuts, shares = as_finite(edges, "edges"), as_finite(right, "right")
        if len(shares) != len(cuts) + 1:
            raise InputError(
                f"{len(cuts)} edges make {len(cuts) + 1} bins; got {len(shares)} rates"
            )
        if (np.diff(cuts) <= 0).any():
            raise InputError("edges must rise")
        if (shares < 0).any() or (shares > 1).any():
            raise InputError("people are right at a rate between 0 and 1")
        if not (np.isfinite(check_price) and check_price >= 0):
            raise ObjectiveError(f"the price of a check must be 0 or more; got {check_price}")
        object.__setattr__(self, "edges", cuts)
        object.__setattr__(self, "right", shares)
        object.__setattr__(self, "check_price", float(check_price))
        object.__setattr__(self, "intervals", intervals)
        object.__setattr__(self, "cases", cases)

    @property
    def stated(self) -> dict[str, Any]:
        """What was stated."""
        return {"check_price": self.check_price, "people_right": None}

    @property
    def unit(self) -> str:
        """Unit of the costs."""
        return "mistakes"

    def rho(self, confidence: FloatArray) -> FloatArray:
        """Cost of asking about each case, in units of a mistake: 1 - h + r.

        Parameters
        ----------
        confidence : ndarray of shape (n_items,)
            The model's.

        Returns
        -------
        ndarray of shape (n_items,)
            At 1 or above asking can never pay.
        """
        return self.wrong(confidence) + self.check_price

    def wrong(self, confidence: FloatArray) -> FloatArray:
        """Share of cases like each that people get wrong: 1 - h.

        Parameters
        ----------
        confidence : ndarray of shape (n_items,)
            The model's.

        Returns
        -------
        ndarray of shape (n_items,)
        """
        return 1 - self.right[np.searchsorted(self.edges, confidence, side="right")]

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the threshold of least cost, people's mistakes counted.

        Parameters
        ----------
        curve : ValueCurve
            Made by `value_curve`, so that it knows its cases.

        Returns
        -------
        OperatingPoint
            Its rate is the shadow price at the threshold, for people who never err.

        Raises
        ------
        InputError
            If the curve does not know its cases.
        """
        from askpoint.value.savings import best_gain_threshold

        cases = curve.cases
        if cases is None:
            raise InputError(
                "people's accuracy differs by confidence: make the curve with value_curve(y_true, "
                "y_proba), from_outcomes does not know the cases"
            )
        gain = self.rho(cases.confidence) - (cases.truth != cases.predicted)
        weight = 1.0 if cases.weight is None else cases.weight
        return OperatingPoint.at(curve, best_gain_threshold(gain * weight, cases.confidence))


@dataclass(frozen=True)
class CheckWork(Objective):
    """Least mistakes and work where reviewers err, too: at a rate from the log, or a stated one.

    Parameters
    ----------
    check_price : float
        Price of the work of one check, in units of a mistake; 0 or more.
    people_right : float, optional
        Share of cases that people get right; by default measured where a case has both a person's
        answer and a label.

    Examples
    --------
    >>> from askpoint.value.reviewer_errors import CheckWork
    >>> from askpoint.value.probabilities import value_curve
    >>> curve = value_curve([1, 1, 0, 0], [0.9, 0.4, 0.1, 0.3])
    >>> CheckWork(0.05, people_right=0.9).choose(curve).outcomes
    Outcomes(right=3, wrong=0, asked=1)
    """

    states_price: ClassVar[bool] = True
    needs_cases: ClassVar[bool] = True
    charges_people: ClassVar[bool] = True

    check_price: float
    people_right: float | None = None

    @property
    def name(self) -> str:
        """What JSON calls it."""
        return "ReviewerErrors"

    @property
    def stated(self) -> dict[str, Any]:
        """What was stated."""
        return {"check_price": self.check_price, "people_right": self.people_right}

    @property
    def unit(self) -> str:
        """Unit of the costs."""
        return "mistakes"

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the threshold of least cost, if it is said how often people are right."""
        if self.people_right is None:
            raise ObjectiveError(
                "reviewer accuracy is missing. Pass CheckWork(..., people_right=0.95) or measure "
                "it with people_by_confidence"
            )
        return ReviewerErrors([], [self.people_right], self.check_price).choose(curve)


def reviewer_errors_by_confidence(
    right: ArrayLike, confidence: ArrayLike, *, check_price: float, n_bins: int = 5
) -> ReviewerErrors:
    """Measure how often people are right in bins of the model's confidence.

    Parameters
    ----------
    right : array-like of bool of shape (n_items,)
        Whether the person who looked at each case was right.
    confidence : array-like of shape (n_items,)
        The model's confidence in its own answer on the same cases.
    check_price : float
        Price of the work of one check, in units of a mistake.
    n_bins : int, default=5
        Bins of about equal size; fewer where confidences are tied.

    Returns
    -------
    ReviewerErrors
        With exact 95% intervals.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.reviewer_errors import reviewer_errors_by_confidence
    >>> confidence = np.linspace(0.5, 1, 100)
    >>> people = reviewer_errors_by_confidence(
    ...     confidence > 0.6, confidence, check_price=0.01, n_bins=2
    ... )
    >>> people.right
    array([0.6, 1. ])
    """
    outcome: BoolArray = as_right(right)
    score = as_finite(confidence, "confidence")
    as_same_length(outcome, score, ("right", "confidence"))
    if n_bins < 1:
        raise InputError(f"n_bins must be at least 1; got {n_bins}")
    inner = np.unique(np.quantile(score, np.linspace(0, 1, n_bins + 1)[1:-1]))
    edges = inner[(inner > score.min()) & (inner <= score.max())]
    bins = np.searchsorted(edges, score, side="right")
    hits, cases = np.bincount(bins, outcome), np.bincount(bins)
    intervals = tuple(
        binomial_interval(int(hit), int(n)) for hit, n in zip(hits, cases, strict=True)
    )
    return ReviewerErrors(edges, hits / cases, check_price, intervals, tuple(cases.tolist()))
