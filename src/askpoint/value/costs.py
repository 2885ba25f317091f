"""The cost curve: a full cost matrix instead of right and wrong, and still one sort."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.costs import CostMatrix
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.hulls import hull_slopes, upper_hull
from askpoint.measures.inputs import (
    FloatArray,
    IntArray,
    as_codes,
    as_probabilities,
    as_same_length,
    as_weights,
)
from askpoint.value.curve import LabelledCases, ValueCurve
from askpoint.value.objectives import OperatingPoint

__all__ = ["CostCurve", "cheapest_decisions", "cost_curve"]


def cheapest_decisions(y_proba: ArrayLike, costs: CostMatrix) -> tuple[IntArray, FloatArray]:
    """Decide for the class of least expected cost.

    Parameters
    ----------
    y_proba : array-like of shape (n_items, n_classes)
        Probabilities, columns in the order of ``costs.classes``.
    costs : CostMatrix
        Costs c_ij.

    Returns
    -------
    decisions : ndarray of int of shape (n_items,)
        Positions in ``costs.classes``; on a tie the first.
    expected_cost : ndarray of shape (n_items,)
        s(x) = min_j sum_i p_i c_ij, in the unit of the costs.

    Examples
    --------
    >>> from askpoint.measures.costs import CostMatrix
    >>> from askpoint.value.costs import cheapest_decisions
    >>> costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]])
    >>> cheapest_decisions([[0.25, 0.75]], costs)  # spam is likely, but a lost letter is dear
    (array([0]), array([0.75]))
    """
    p = as_probabilities(y_proba, n_classes=len(costs.classes))
    expected = p @ costs.cost
    decisions = expected.argmin(axis=1)
    return decisions, np.take_along_axis(expected, decisions[:, None], axis=1)[:, 0]


@dataclass(frozen=True, eq=False)
class CostCurve:
    """What answering and asking cost at every threshold, in the unit of the cost matrix.

    Made by `cost_curve`. The model answers where its expected saving against asking,
    sum_i p_i q_i - s(x), is at or above a threshold; 0 would be best if the probabilities
    were calibrated.

    Parameters
    ----------
    curve : ValueCurve
        Right and wrong answers at every threshold on the saving.
    loss : ndarray of shape (n_steps + 1,)
        Cost of the answers at each threshold, cumulated.
    asking : ndarray of shape (n_steps + 1,)
        Cost of asking all other cases.
    costs : CostMatrix
        The matrix.
    """

    curve: ValueCurve
    loss: FloatArray
    asking: FloatArray
    costs: CostMatrix

    @property
    def cost(self) -> FloatArray:
        """Cost per case at each threshold."""
        cost: FloatArray = (self.loss + self.asking) / self.curve.total
        return cost

    @functools.cached_property
    def best(self) -> int:
        """Position of the threshold of least cost; on a tie the one that asks more."""
        total = self.cost
        return int(np.argmax(total <= total.min() * (1 + 1e-12)))

    def choose(self) -> OperatingPoint:
        """Return the operating point of least cost.

        Returns
        -------
        OperatingPoint
            Its rate compares the mean cost of asking with the mean cost of a mistake, both
            over all cases.
        """
        threshold = float(self.curve.thresholds[self.best])
        return OperatingPoint(threshold, self.curve.outcomes(threshold), self.rate)

    @property
    def rate(self) -> ExchangeRate | None:
        """Mean cost of asking in units of the model's mean mistake; None if it makes none."""
        wrong = self.curve.wrong[-1].item()
        if not wrong or not self.loss[-1]:
            return None
        rho = float(self.asking[0] / self.curve.total / (self.loss[-1] / wrong))
        return ExchangeRate.from_rho(rho) if 0 < rho <= 1 else None

    @functools.cached_property
    def reject_cost_breakpoints(self) -> FloatArray:
        """The costs of asking at which the best threshold changes, from low to high.

        For one cost of asking on all truths: the slopes of one hull, all prices at once.
        """
        answered = self.curve.right + self.curve.wrong
        hull = upper_hull(self.loss, answered)
        slopes = hull_slopes(self.loss, answered, hull)
        inverse = np.zeros(len(slopes))
        np.divide(1, slopes, out=inverse, where=np.isfinite(slopes) & (slopes > 0))
        return inverse


def cost_curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    costs: CostMatrix,
    *,
    sample_weight: ArrayLike | None = None,
) -> CostCurve:
    """Cost curve of a model that takes the cheapest decision or asks.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        True labels, none missing.
    y_proba : array-like of shape (n_items, n_classes)
        Probabilities, columns in the order of ``costs.classes``.
    costs : CostMatrix
        Costs with a reject cost (one number, or one for each truth).
    sample_weight : array-like of shape (n_items,), optional
        Positive weights.

    Returns
    -------
    CostCurve

    Raises
    ------
    CostsError
        If the costs say nothing of asking.
    InputError
        If labels, probabilities and classes do not fit together.

    Examples
    --------
    >>> from askpoint.measures.costs import CostMatrix
    >>> from askpoint.value.costs import cost_curve
    >>> costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]], reject_cost=0.5)
    >>> curve = cost_curve(["ham", "spam", "spam"], [0.1, 0.95, 0.7], costs)
    >>> curve.choose().outcomes
    Outcomes(right=2, wrong=0, asked=1)
    """
    reject = costs.reject_costs
    p = as_probabilities(y_proba, n_classes=len(costs.classes))
    truth = as_codes(y_true, costs.classes)
    as_same_length(truth, p, ("labels", "probabilities"))
    weight = as_weights(sample_weight, len(p))
    decisions, expected = cheapest_decisions(p, costs)
    saving = p @ reject - expected
    cases = LabelledCases(costs.classes, truth, decisions, saving, weight)
    curve = ValueCurve.from_outcomes(truth == decisions, saving, sample_weight=weight, cases=cases)
    group = np.searchsorted(-curve.thresholds, -saving)
    w = np.ones(len(p)) if weight is None else weight
    steps = len(curve.thresholds)
    loss = np.bincount(group, w * costs.cost[truth, decisions], steps).astype(np.float64)
    asked = np.bincount(group, w * reject[truth], steps).astype(np.float64)
    return CostCurve(curve, loss.cumsum(), asked.sum() - asked.cumsum(), costs)
