"""The cost curve: a full cost matrix instead of right and wrong, and still one sort."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import CostsError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.expectations import costs_by_decision
from askpoint.measures.hulls import hull_slopes, upper_hull
from askpoint.measures.inputs import (
    FloatArray,
    IntArray,
    as_codes,
    as_probabilities,
    as_right,
    as_same_length,
    as_weights,
)
from askpoint.value.cumulative_counts import sum_staircase
from askpoint.value.curve import TIE, ValueCurve
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.objectives import OperatingPoint

__all__ = ["CostCurve", "cheapest_decisions", "cost_curve", "decisions_and_savings"]


def cheapest_decisions(y_proba: ArrayLike, costs: CostMatrix) -> tuple[IntArray, FloatArray]:
    """Decide for the class of least expected cost."""
    expected = _without_round_off(costs_by_decision(y_proba, costs), costs)
    decisions = expected.argmin(axis=1)
    return decisions, np.take_along_axis(expected, decisions[:, None], axis=1)[:, 0]


def decisions_and_savings(y_proba: ArrayLike, costs: CostMatrix) -> tuple[IntArray, FloatArray]:
    """Decide, and say what that is expected to save against asking."""
    p = as_probabilities(y_proba, n_classes=len(costs.classes))
    decisions, expected = cheapest_decisions(p, costs)
    return decisions, _without_round_off(p @ costs.reject_costs - expected, costs)


def _without_round_off(values: FloatArray, costs: CostMatrix) -> FloatArray:
    """Round to 12 digits, counted from those of the greatest cost: round-off splits no ties."""
    rounded: FloatArray = np.round(values, 12 - math.ceil(math.log10(costs.cost.max())))
    return rounded


@dataclass(frozen=True, eq=False)
class CostCurve:
    """What answering and asking cost at every threshold, in the unit of the cost matrix.

    Made by `cost_curve`. The model answers where `decisions_and_savings` are at or above a threshold;
    0 would be best if the probabilities were calibrated.

    Parameters
    ----------
    curve : ValueCurve
        Right and wrong answers at every threshold on the saving.
    loss : ndarray of shape (n_steps + 1,)
        Cost of the answers at each threshold, cumulated.
    asking : ndarray of shape (n_steps + 1,)
        Cost of asking all other cases.
    right_loss : float
        Cost of the right answers if all cases are answered; 0 unless the diagonal costs.
    costs : CostMatrix
        The matrix.
    """

    curve: ValueCurve
    loss: FloatArray
    asking: FloatArray
    right_loss: float
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
        return int(np.argmax(total <= total.min() * TIE))

    def choose(self) -> OperatingPoint:
        """Return the operating point of least cost.

        Returns
        -------
        OperatingPoint
            With `rate` as its exchange rate.
        """
        threshold = float(self.curve.thresholds[self.best])
        return OperatingPoint(threshold, self.curve.outcomes(threshold), self.rate)

    @property
    def rate(self) -> ExchangeRate | None:
        """Mean costs as one exchange rate, all cases answered.

        rho is what asking costs more than a right answer, in units of what a mistake costs more.
        None where there is no mistake or no right answer, or asking does not cost between them.
        """
        right, wrong = self.curve.right[-1].item(), self.curve.wrong[-1].item()
        if not (right and wrong):
            return None
        good, bad = self.right_loss / right, (self.loss[-1].item() - self.right_loss) / wrong
        ask = self.asking[0].item() / self.curve.total
        return ExchangeRate.from_rho((ask - good) / (bad - good)) if good < ask <= bad else None

    @functools.cached_property
    def reject_cost_breakpoints(self) -> FloatArray:
        """The costs of asking at which the best threshold changes, from low to high.

        The slopes of one hull: all prices at once.

        Raises
        ------
        CostsError
            If asking does not cost the same on all truths.
        """
        if self.costs.reject_costs.min() < self.costs.reject_costs.max():
            raise CostsError(
                "breakpoints need one reject_cost for all truths: the order of the cases depends "
                "on it otherwise"
            )
        answered = self.curve.right + self.curve.wrong
        slopes = hull_slopes(self.loss, answered, upper_hull(self.loss, answered))
        return 1 / slopes  # a group that costs nothing is answered at any price


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
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.value.cost_curves import cost_curve
    >>> costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]], reject_cost=0.5)
    >>> curve = cost_curve(["ham", "spam", "spam"], [0.1, 0.95, 0.7], costs)
    >>> curve.choose().outcomes
    Outcomes(right=2, wrong=0, asked=1)
    """
    truth = as_codes(y_true, costs.classes)
    decisions, saving = decisions_and_savings(y_proba, costs)
    as_same_length(truth, saving, ("labels", "probabilities"))
    right = as_right(truth == decisions)
    weight = as_weights(sample_weight, len(truth))
    w = np.ones(len(truth), dtype=np.int64) if weight is None else weight
    own = costs.cost[truth, decisions]
    thresholds, items, (good, bad, loss, asked) = sum_staircase(
        saving, w * right, w * ~right, w * own, w * costs.reject_costs[truth]
    )
    cases = LabelledCases(costs.classes, truth, decisions, saving, weight)
    curve = ValueCurve(thresholds, good, bad, items, cases)
    return CostCurve(curve, loss, asked[-1] - asked, float((w * own)[right].sum()), costs)
