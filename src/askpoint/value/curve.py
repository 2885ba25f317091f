"""The value curve: one sort gives the best threshold for every cost of a mistake."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import InputError
from askpoint.measures.confidence import ConfidenceMeasure, confidence_scores
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.hulls import hull_slopes, isotonic_rates, upper_hull
from askpoint.measures.inputs import (
    BoolArray,
    FloatArray,
    IntArray,
    as_classes,
    as_codes,
    as_finite,
    as_probabilities,
    as_right,
    as_same_length,
    as_weights,
)
from askpoint.measures.intervals import dkw_half_width
from askpoint.measures.outcomes import Outcomes
from askpoint.value.staircase import count_staircase, weighted_staircase

__all__ = ["LabelledCases", "ValueCurve", "value_curve"]


@dataclass(frozen=True)
class LabelledCases:
    """The cases behind a curve, for objectives that look at single classes.

    Parameters
    ----------
    classes : tuple
        Class names.
    truth, predicted : ndarray of int of shape (n_items,)
        Positions in `classes`.
    confidence : ndarray of shape (n_items,)
        Confidence of each prediction.
    weight : ndarray of shape (n_items,), or None
        Sample weights.
    """

    classes: tuple[Any, ...]
    truth: IntArray
    predicted: IntArray
    confidence: FloatArray
    weight: FloatArray | None

    def select(self, rows: BoolArray) -> ValueCurve:
        """Return the curve of some of the rows.

        Parameters
        ----------
        rows : ndarray of bool of shape (n_items,)
            Which ones.

        Returns
        -------
        ValueCurve
        """
        return ValueCurve.from_outcomes(
            (self.truth == self.predicted)[rows],
            self.confidence[rows],
            sample_weight=None if self.weight is None else self.weight[rows],
        )


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
        self.thresholds = thresholds
        self.right = right
        self.wrong = wrong
        self.items = items
        self.cases = cases
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
        weight = as_weights(sample_weight, len(score))
        steps = (
            count_staircase(outcome, score)
            if weight is None
            else weighted_staircase(outcome, score, weight)
        )
        return cls(*steps, cases=cases)

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
        return self.hull[np.searchsorted(-self.breakpoints, -omegas, side="left")]

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
            raise InputError("rho must lie above 0 and at most at 1")
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
        weight = 1 + beta * beta
        right, wrong = self.right[self.hull], self.wrong[self.hull]
        scores = weight * right / ((weight - 1) * self.total + right + wrong)
        return float(self.thresholds[self.hull[int(scores.argmax())]])

    def outcomes(self, threshold: float) -> Outcomes:
        """What becomes of the items if the model answers where confidence >= threshold.

        Parameters
        ----------
        threshold : float
            Any number; infinity means never to answer.

        Returns
        -------
        Outcomes
        """
        k = int(np.searchsorted(-self.thresholds, -threshold, side="right")) - 1
        right, wrong = self.right[k].item(), self.wrong[k].item()
        return Outcomes(right, wrong, max(self.total - right - wrong, 0))

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
        k = int(np.searchsorted(-self.thresholds, -threshold, side="right")) - 1
        edge = int(np.searchsorted(self.hull, k, side="right")) - 1
        return float(self.breakpoints[edge]) if edge < len(self.breakpoints) else 0.0

    @functools.cached_property
    def calibrated(self) -> FloatArray:
        """Isotonic (PAV) rate of right answers at each of ``thresholds[1:]``."""
        return isotonic_rates(self.right, self.wrong)

    @functools.cached_property
    def aurc(self) -> float:
        """Area under the risk-coverage curve: mean risk of the k surest, k = 1 ... N.

        Inside a group of equal confidence errors are spread evenly, so that the order of
        rows does not matter.
        """
        answered = self.right + self.wrong
        size, wrong, mass = np.diff(self.items), np.diff(self.wrong), np.diff(answered)
        rate = wrong / mass
        before = self.wrong[:-1] - rate * answered[:-1]
        # sum over j = 1..m of 1 / (a + j), a being the mass before in steps of this group
        a = answered[:-1] / (mass / size)
        sums = 1 / (a + 1)
        tied = size > 1
        sums[tied] = special.digamma(a[tied] + size[tied] + 1) - special.digamma(a[tied] + 1)
        return float((rate * mass + before * sums).sum() / self.total)

    @functools.cached_property
    def augrc(self) -> float:
        """Area under the generalised risk-coverage curve: mean of W_k / N, k = 1 ... N."""
        size, wrong, mass = (
            np.diff(self.items),
            np.diff(self.wrong),
            np.diff(self.right + self.wrong),
        )
        inside = self.wrong[:-1] + wrong * (size + 1) / (2 * size)
        return float((mass * inside).sum() / self.total**2)

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
        if self.total != self.n_items:
            raise InputError(
                "the band holds for unweighted items only; use intervals of a weighted mean"
            )
        return dkw_half_width(self.n_items, delta=delta, n_curves=2)

    def __repr__(self) -> str:
        return (
            f"ValueCurve({self.n_items} items, {len(self.thresholds) - 1} thresholds, "
            f"accuracy {self.accuracy:.4g})"
        )


def value_curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    confidence: ConfidenceMeasure = "max_probability",
    sample_weight: ArrayLike | None = None,
) -> ValueCurve:
    """Value curve of a classifier that predicts the most probable class.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        True labels, none missing.
    y_proba : array-like of shape (n_items, n_classes) or (n_items,)
        Predicted probabilities; one column means the second of two classes.
    classes : sequence of length n_classes, optional
        The classes in the order of the columns; by default the sorted labels of `y_true`.
    confidence : str or callable, default="max_probability"
        A name among `askpoint.measures.confidence.CONFIDENCE_MEASURES`, or a function.
    sample_weight : array-like of shape (n_items,), optional
        Positive weights.

    Returns
    -------
    ValueCurve

    Raises
    ------
    InputError
        If labels, classes and probabilities do not fit together.

    Examples
    --------
    >>> from askpoint.value.curve import value_curve
    >>> curve = value_curve(["a", "b", "b"], [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    >>> curve.threshold(3.0), round(curve.value(3.0), 3)
    (0.8, 0.667)
    """
    labels = np.asarray(y_true)
    p = as_probabilities(y_proba, n_classes=None if classes is None else len(classes))
    as_same_length(labels, p, ("labels", "probabilities"))
    if classes is None:
        found = np.unique(labels)
        if len(found) != p.shape[1]:
            raise InputError(
                f"the labels hold {len(found)} classes but there are {p.shape[1]} columns of "
                "probabilities; name the classes in the order of the columns (classes=...)"
            )
        classes = found.tolist()
    names = as_classes(classes)
    truth = as_codes(labels, names)
    predicted = (p[:, 1] > p[:, 0]).astype(np.int64) if len(names) == 2 else p.argmax(axis=1)
    score = confidence_scores(p, confidence)
    weight = as_weights(sample_weight, len(p))
    cases = LabelledCases(names, truth, predicted, score, weight)
    return ValueCurve.from_outcomes(truth == predicted, score, sample_weight=weight, cases=cases)


def _plain(values: FloatArray) -> float | FloatArray:
    return values if values.ndim else values.item()
