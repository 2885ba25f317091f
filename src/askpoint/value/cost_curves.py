"""The cost curve: a full cost matrix instead of right and wrong, and still one sort."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import CostsError, InputError, ObjectiveError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import ExchangeRate, Prices
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
from askpoint.measures.outcomes import Outcomes
from askpoint.value.cumulative_counts import sum_staircase
from askpoint.value.curve import TIE, ValueCurve
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.objectives import Objective, OperatingPoint
from askpoint.value.priced import CheckCost, MistakeCost

__all__ = [
    "CostCurve",
    "GreatestWorth",
    "LeastCost",
    "as_objective",
    "as_one_price",
    "cheapest_decisions",
    "cost_curve",
    "decisions_and_savings",
]


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
    as_right(truth == decisions)
    weight = as_weights(sample_weight, len(truth))
    return _of_cases(LabelledCases(costs.classes, truth, decisions, saving, weight), costs)


def _of_cases(cases: LabelledCases, costs: CostMatrix) -> CostCurve:
    """Cost curve of cases whose confidence is the expected saving."""
    truth, decisions = cases.truth, cases.predicted
    right = truth == decisions
    w = np.ones(len(truth), dtype=np.int64) if cases.weight is None else cases.weight
    own = costs.cost[truth, decisions]
    thresholds, items, (good, bad, loss, asked) = sum_staircase(
        cases.confidence, w * right, w * ~right, w * own, w * costs.reject_costs[truth]
    )
    curve = ValueCurve(thresholds, good, bad, items, cases)
    return CostCurve(curve, loss, asked[-1] - asked, float((w * own)[right].sum()), costs)


@dataclass(frozen=True, eq=False)
class LeastCost(Objective):
    """Least cost by a full cost matrix with a reject cost.

    Parameters
    ----------
    matrix : CostMatrix
        What each decision costs, and asking.
    """

    states_price: ClassVar[bool] = True
    needs_cases: ClassVar[bool] = True

    matrix: CostMatrix

    @property
    def costs(self) -> CostMatrix:
        """The matrix."""
        return self.matrix

    @property
    def name(self) -> str:
        """What JSON calls it."""
        return "Costs"

    @property
    def stated(self) -> dict[str, Any]:
        """The unit of the costs."""
        return {"unit": self.costs.unit}

    @property
    def unit(self) -> str:
        """Unit of the costs."""
        return self.costs.unit or "units of cost"

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of least cost on a curve made by `cost_curve`."""
        if curve.cases is None:
            raise InputError("costs look at the cases: make the curve with cost_curve")
        return _of_cases(curve.cases, self.costs.reorder(curve.cases.classes)).choose()


@dataclass(frozen=True)
class GreatestWorth(Objective):
    """Greatest worth in money.

    Parameters
    ----------
    prices : Prices
        What a right answer, a case asked and a mistake are worth.
    """

    states_price: ClassVar[bool] = True
    is_measure: ClassVar[bool] = True

    prices: Prices

    @property
    def name(self) -> str:
        """What JSON calls it."""
        return "Prices"

    @property
    def stated(self) -> dict[str, Any]:
        """The prices."""
        return dataclasses.asdict(self.prices)

    @property
    def unit(self) -> str:
        """Unit of the costs."""
        return "money"

    @property
    def rate(self) -> ExchangeRate:
        """The price of a mistake that follows."""
        return self.prices.rate

    def cost(self, outcomes: Outcomes, rate: ExchangeRate | None) -> float:
        """Money lost per 1,000 cases."""
        del rate
        return -1000 * outcomes.money(self.prices) / outcomes.total

    def measure(self, outcomes: Outcomes) -> float:
        """Money per case."""
        return outcomes.money(self.prices) / outcomes.total

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of greatest worth."""
        return MistakeCost(self.rate.omega).choose(curve)


def as_one_price(costs: CostMatrix) -> CheckCost | None:
    """Costs that are alike for all classes as one price, with what is not known of it."""
    found = None if costs.reject_cost is None else costs.one_price
    if found is None or not 0 < found[1] <= found[0]:
        return None
    own, checks = (_alike(costs.interval.get(key)) for key in ("cost", "checks"))
    if own is not None and own[0] < own[1]:
        return None  # what is not known of them differs by class
    return CheckCost(found[1] / found[0], checks)


def _alike(by_class: Any) -> tuple[float, float] | None:
    """The one interval of all classes; None where there is none, or it says nothing."""
    if not isinstance(by_class, Mapping):
        return None
    ends = {tuple(pair) for pair in by_class.values() if isinstance(pair, list)}
    return ends.pop() if len(ends) == 1 else None


def as_objective(wish: object) -> Objective:
    """Check what is wanted: an objective, or a cost matrix or prices, which are taken for one."""
    if isinstance(wish, CostMatrix):
        return LeastCost(wish)
    if isinstance(wish, Prices):
        return GreatestWorth(wish)
    if isinstance(wish, Objective):
        return wish
    raise ObjectiveError(
        "an objective is a value such as CheckCost(0.05), AskAtMost(400) or MaxError(0.05), a "
        f"CostMatrix or Prices; got {wish!r}"
    )
