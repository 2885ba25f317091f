"""The value curve: one sort gives the best threshold for every cost of a mistake."""

from __future__ import annotations

import functools
import math
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.hulls import hull_slopes, isotonic_rates, upper_hull
from askpoint.measures.inputs import (
    BoolArray,
    FloatArray,
    IntArray,
    as_finite,
    as_right,
    as_same_length,
    as_weights,
)
from askpoint.measures.intervals import dkw_half_width
from askpoint.measures.outcomes import Outcomes
from askpoint.value.areas import RiskAreas, risk_areas
from askpoint.value.cumulative_counts import count_staircase, sum_staircase
from askpoint.value.labelled_cases import LabelledCases

__all__ = ["TIE", "ValueCurve"]

TIE = 1 + 1e-12
"""Two thresholds whose worth differs by no more than this factor are tied: round-off."""


class ValueCurve:
    """Right and wrong answers at every threshold, and the best of them at every price.

    Made by `value_curve` or `ValueCurve.from_outcomes`. Exact for all omega >= 0, rho and
    beta; where two thresholds are worth the same, the one that asks more is taken.

    Parameters
    ----------
    thresholds : ndarray of shape (n_steps + 1,)
        Infinity (never answer), then the distinct confidences from high to low. At a
        threshold t the model answers where confidence >= t.
    right, wrong : ndarray of shape (n_steps + 1,)
        Answers at each threshold, cumulated from (0, 0) on: counts, or sums of weights
        (symbols C_k, W_k).
    items : ndarray of int of shape (n_steps + 1,)
        Number of items answered at each threshold, whatever their weights.
    cases : LabelledCases, optional
        What objectives on single classes need.

    Attributes
    ----------
    n_items : int
        Number of items.
    total : float
        Number of items, or sum of weights (symbol N).
    accuracy : float
        Share of right answers if all cases are answered.
    hull : ndarray of int
        Positions of the thresholds that are best at some omega, from never on.
    breakpoints : ndarray of float
        The omegas at which the best threshold changes, from high to low; one between each
        two positions of `hull`. Infinite where answering costs nothing.

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> curve = ValueCurve.from_outcomes([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> curve.value(1.5), curve.threshold(1.5), curve.coverage(1.5)
    (0.4, 0.8, 0.4)
    >>> curve.breakpoints
    array([inf,  1.,  0.])
    """

    def __init__(
        self,
        thresholds: FloatArray,
        right: FloatArray | IntArray,
        wrong: FloatArray | IntArray,
        items: IntArray,
        cases: LabelledCases | None = None,
    ) -> None:
        self.thresholds, self.items, self.cases = thresholds, items, cases
        self.right, self.wrong = right, wrong
        for array in (thresholds, right, wrong, items):
            array.flags.writeable = False
        self.n_items = int(items[-1])
        self.total = (right[-1] + wrong[-1]).item()
        self.accuracy = float(right[-1] / self.total)

    @classmethod
    def from_outcomes(
        cls,
        right: ArrayLike,
        confidence: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        cases: LabelledCases | None = None,
    ) -> ValueCurve:
        """Make a curve from what was answered right, and how surely.

        Parameters
        ----------
        right : array-like of bool of shape (n_items,)
            Whether each prediction is right.
        confidence : array-like of shape (n_items,)
            Any score; higher is surer. Only its order matters. float32 is sorted twice as fast.
        sample_weight : array-like of shape (n_items,), optional
            Positive weights.
        cases : LabelledCases, optional
            What objectives on single classes need.

        Returns
        -------
        ValueCurve

        Raises
        ------
        InputError
            If there is no item, lengths differ, or a value is missing or out of range.
        """
        outcome = as_right(right)
        score = as_finite(confidence, "confidence")
        as_same_length(outcome, score, ("right", "confidence"))
        return cls._of(outcome, score, as_weights(sample_weight, len(score)), cases)

    @classmethod
    def from_cases(cls, cases: LabelledCases) -> ValueCurve:
        """Make a curve from cases that were checked where they came in.

        Parameters
        ----------
        cases : LabelledCases
            At least one.

        Returns
        -------
        ValueCurve
        """
        return cls._of(cases.truth == cases.predicted, cases.confidence, cases.weight, cases)

    @classmethod
    def _of(
        cls,
        outcome: BoolArray,
        score: FloatArray,
        weight: FloatArray | None,
        cases: LabelledCases | None,
    ) -> ValueCurve:
        if weight is None or (weight == 1).all():
            return cls(*count_staircase(outcome, score), cases=cases)
        thresholds, items, (good, bad) = sum_staircase(
            score, np.where(outcome, weight, 0), np.where(outcome, 0, weight)
        )
        return cls(thresholds, good, bad, items, cases=cases)

    @property
    def is_weighted(self) -> bool:
        """Whether `right` and `wrong` sum weights instead of counting."""
        return self.right.dtype.kind == "f"

    @functools.cached_property
    def hull(self) -> IntArray:
        """Positions of the thresholds that are best at some omega."""
        return upper_hull(self.wrong, self.right)

    @functools.cached_property
    def breakpoints(self) -> FloatArray:
        """The omegas at which the best threshold changes, from high to low."""
        return hull_slopes(self.wrong, self.right, self.hull)

    def position(self, omega: ArrayLike) -> IntArray:
        """Position of the best threshold at each omega.

        Parameters
        ----------
        omega : array-like
            Costs of a mistake, finite and 0 or more.

        Returns
        -------
        ndarray of int
            Of the shape of `omega`; an index into `thresholds`, `right` and `wrong`.

        Raises
        ------
        InputError
            If an omega is negative, missing or infinite.
        """
        omegas = np.asarray(omega, dtype=np.float64)
        if not (np.isfinite(omegas) & (omegas >= 0)).all():
            raise InputError("omega must be a finite number, 0 or more")
        return self.hull[np.searchsorted(-self.breakpoints, -omegas * TIE, side="left")]

    @overload
    def value(self, omega: float) -> float: ...
    @overload
    def value(self, omega: FloatArray) -> FloatArray: ...
    def value(self, omega: float | FloatArray) -> float | FloatArray:
        """Greatest value per item, max_k (C_k - omega W_k) / N.

        Parameters
        ----------
        omega : float or array-like
            Cost of a mistake in units of what a right answer gains.

        Returns
        -------
        float or ndarray
            0 or more: never answering is worth 0.
        """
        k = self.position(omega)
        return _plain((self.right[k] - np.asarray(omega) * self.wrong[k]) / self.total)

    @overload
    def threshold(self, omega: float) -> float: ...
    @overload
    def threshold(self, omega: FloatArray) -> FloatArray: ...
    def threshold(self, omega: float | FloatArray) -> float | FloatArray:
        """Best threshold: answer where confidence >= threshold.

        Parameters
        ----------
        omega : float or array-like
            Cost of a mistake.

        Returns
        -------
        float or ndarray
            Infinity means never to answer.
        """
        return _plain(self.thresholds[self.position(omega)])

    @overload
    def coverage(self, omega: float) -> float: ...
    @overload
    def coverage(self, omega: FloatArray) -> FloatArray: ...
    def coverage(self, omega: float | FloatArray) -> float | FloatArray:
        """Share of cases answered at the best threshold.

        Parameters
        ----------
        omega : float or array-like
            Cost of a mistake.

        Returns
        -------
        float or ndarray
        """
        k = self.position(omega)
        return _plain((self.right[k] + self.wrong[k]) / self.total)

    def risk(self, omega: float) -> float | None:
        """Share of wrong answers among the answers at the best threshold.

        Parameters
        ----------
        omega : float
            Cost of a mistake.

        Returns
        -------
        float or None
            None where nothing is answered.
        """
        return self.outcomes(self.threshold(omega)).risk

    @overload
    def expected_profit(self, rho: float) -> float: ...
    @overload
    def expected_profit(self, rho: FloatArray) -> FloatArray: ...
    def expected_profit(self, rho: float | FloatArray) -> float | FloatArray:
        """Greatest expected profit EP_rho.

        Parameters
        ----------
        rho : float or array-like
            Cost of asking in units of a mistake, above 0 and at most 1.

        Returns
        -------
        float or ndarray
        """
        rhos = np.asarray(rho, dtype=np.float64)
        if not ((rhos > 0) & (rhos <= 1)).all():
            raise InputError("rho must be above 0 and at most 1")
        k = self.position(1 / rhos - 1)
        asked = self.total - self.right[k] - self.wrong[k]
        return _plain((self.right[k] + (1 - rhos) * asked) / self.total)

    def f_beta(self, beta: float) -> float:
        """Greatest F_beta; always reached at a vertex of the hull.

        Parameters
        ----------
        beta : float
            Weight of recall, above 0.

        Returns
        -------
        float
        """
        return self.outcomes(self.f_beta_threshold(beta)).f_beta(beta)

    def f_beta_threshold(self, beta: float) -> float:
        """Threshold at which F_beta is greatest.

        Parameters
        ----------
        beta : float
            Weight of recall, above 0.

        Returns
        -------
        float
        """
        ExchangeRate.from_f_beta(0, beta)  # refuses a beta that is none
        answers = self.hull[1:]
        answered = self.right[answers] + self.wrong[answers]
        share = beta / (beta + 1 / beta)
        scores = np.zeros(len(self.hull))
        scores[1:] = self.right[answers] / (answered + (self.total - answered) * share)
        return float(self.thresholds[self.hull[np.argmax(scores * TIE >= scores.max())]])

    def outcomes(self, threshold: float) -> Outcomes:
        """What becomes of the items if the model answers where confidence >= threshold.

        Parameters
        ----------
        threshold : float
            Any number, compared in the precision of the confidences; infinity means never to
            answer.

        Returns
        -------
        Outcomes
        """
        k = self._step(threshold)
        right, wrong = self.right[k].item(), self.wrong[k].item()
        return Outcomes(right, wrong, max(self.total - (right + wrong), 0))

    def implied_omega(self, threshold: float) -> float:
        """Exchange rate below which one would rather answer more: the shadow price.

        Parameters
        ----------
        threshold : float
            Any threshold.

        Returns
        -------
        float
            Slope of the hull edge that leaves the threshold's point, or runs above it;
            0 where all cases are answered, infinity where answering more costs nothing.
        """
        edge = int(np.searchsorted(self.hull, self._step(threshold), side="right")) - 1
        return float(self.breakpoints[edge]) if edge < len(self.breakpoints) else 0.0

    def _step(self, threshold: float) -> int:
        """Position of the lowest of `thresholds` that is not below `threshold`."""
        if math.isnan(threshold):
            raise InputError("a threshold must be a number or infinity; got nan")
        with np.errstate(over="ignore"):  # float32: what is too large for it is infinite
            least = self.thresholds.dtype.type(threshold)
        return int(np.searchsorted(-self.thresholds, -least, side="right")) - 1

    @functools.cached_property
    def calibrated(self) -> FloatArray:
        """Isotonic (PAV) rate of right answers at each of ``thresholds[1:]``."""
        return isotonic_rates(self.right, self.wrong)

    @property
    def aurc(self) -> float:
        """Area under the risk-coverage curve: mean risk of the k surest, k = 1 ... N."""
        return self._areas.aurc

    @property
    def augrc(self) -> float:
        """Area under the generalised risk-coverage curve: mean of W_k / N, k = 1 ... N."""
        return self._areas.augrc

    @functools.cached_property
    def _areas(self) -> RiskAreas:
        return risk_areas(self.right, self.wrong, self.items)

    def band(self, delta: float = 0.05) -> float:
        """Half width of the band that holds EP_rho at all thresholds and all rho at once.

        sqrt(log(4 / delta) / (2 N)); on V(omega) multiply by 1 + omega. It stays valid for a
        threshold chosen on the same items.

        Parameters
        ----------
        delta : float, default=0.05
            Probability that it fails anywhere, at most.

        Returns
        -------
        float

        Raises
        ------
        InputError
            If the curve is weighted, or delta lies outside (0, 1).
        """
        if self.is_weighted:
            raise InputError(
                "the band holds for unweighted items only; use intervals of a weighted mean"
            )
        return dkw_half_width(self.n_items, delta=delta, n_curves=2)

    def __repr__(self) -> str:
        return (
            f"ValueCurve({self.n_items} items, {len(self.thresholds) - 1} thresholds, "
            f"accuracy {self.accuracy:.4g})"
        )


def _plain(values: FloatArray) -> float | FloatArray:
    return values if values.ndim else values.item()
