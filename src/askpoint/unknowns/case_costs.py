"""What the model itself thinks that a case will cost, and what it cost.

From a model's probabilities: the cheapest decision's expected cost (MinCost), that of truth
and decision drawn apart (ExpCost), and that of the decision really deployed (DecCost).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.expectations import costs_by_decision, costs_of_checked
from askpoint.measures.inputs import (
    BoolArray,
    FloatArray,
    IntArray,
    as_choice,
    as_codes,
    as_probabilities,
    as_same_length,
)
from askpoint.unknowns.examination_names import ESTIMATES

__all__ = [
    "CostEstimate",
    "actual_cost",
    "decision_cost",
    "estimate_cost",
    "expected_cost",
    "minimum_cost",
    "mistakes_only",
]

_CELLS = 1 << 15  # at which one works at a time: they stay in a processor's cache


def minimum_cost(proba: ArrayLike, cost_matrix: CostMatrix) -> FloatArray:
    """Expected cost of the cheapest decision: min_j sum_i p_i c_ij.

    Parameters
    ----------
    proba : array-like of shape (n_items, n_classes) or (n_items,)
        Probabilities in the order of ``cost_matrix.classes``; one column means the second of
        two classes (symbol p).
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns (symbol c_ij).

    Returns
    -------
    ndarray of shape (n_items,)
        In the unit of the costs (symbol MinCost).

    Raises
    ------
    InputError
        If `proba` are no probabilities over as many classes as the costs name.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), equation 1.

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.case_costs import minimum_cost
    >>> minimum_cost([0.25, 1.0], CostMatrix(["ham", "spam"], [[0, 5], [1, 0]]))
    array([0.25, 0.  ])
    """
    costs: FloatArray = costs_by_decision(proba, cost_matrix).min(axis=1)
    return costs


def expected_cost(proba: ArrayLike, cost_matrix: CostMatrix) -> FloatArray:
    """Expected cost if truth and decision were drawn apart: sum_ij p_i p_j c_ij.

    Never below `minimum_cost`; it is not the cost of any decision made.

    Parameters
    ----------
    proba : array-like of shape (n_items, n_classes) or (n_items,)
        Probabilities in the order of ``cost_matrix.classes`` (symbol p).
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns (symbol c_ij).

    Returns
    -------
    ndarray of shape (n_items,)
        In the unit of the costs (symbol ExpCost).

    Raises
    ------
    InputError
        If `proba` are no probabilities over as many classes as the costs name.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), equation 1.

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.case_costs import expected_cost
    >>> expected_cost([0.5, 1.0], CostMatrix.zero_one(["ham", "spam"]))
    array([0.5, 0. ])
    """
    p = as_probabilities(proba, n_classes=len(cost_matrix.classes))
    costs: FloatArray = np.einsum("ij,ij->i", p @ cost_matrix.cost, p)
    return costs


def decision_cost(proba: ArrayLike, cost_matrix: CostMatrix, decisions: ArrayLike) -> FloatArray:
    """Expected cost of the decision really deployed: sum_i p_i c_(i, decision).

    It is `minimum_cost` where the decision is the cheapest.

    Parameters
    ----------
    proba : array-like of shape (n_items, n_classes) or (n_items,)
        Probabilities in the order of ``cost_matrix.classes`` (symbol p).
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns (symbol c_ij).
    decisions : array-like of shape (n_items,)
        The class decided for each item.

    Returns
    -------
    ndarray of shape (n_items,)
        In the unit of the costs.

    Raises
    ------
    InputError
        If `proba` do not fit the classes, a decision is none of them, or lengths differ.

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.case_costs import decision_cost
    >>> costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]])
    >>> decision_cost([0.25, 0.25], costs, ["ham", "spam"])
    array([0.25, 3.75])
    """
    by_decision = costs_by_decision(proba, cost_matrix)
    codes = as_codes(decisions, cost_matrix.classes)
    as_same_length(by_decision, codes, ("probabilities", "decisions"))
    return _of(by_decision, codes)


def actual_cost(cost_matrix: CostMatrix, decisions: ArrayLike, truths: ArrayLike) -> FloatArray:
    """Return what each decision really cost: c_(truth, decision)."""
    decided = as_codes(decisions, cost_matrix.classes)
    true = as_codes(truths, cost_matrix.classes)
    as_same_length(decided, true, ("decisions", "truths"))
    costs: FloatArray = cost_matrix.cost[true, decided]
    return costs


def mistakes_only(cost_matrix: CostMatrix) -> CostMatrix:
    """Return the costs beyond those of the right decision: c_ij - c_ii.

    The same decisions are cheapest under them. Quadrants and severities count only this part,
    so that a right decision is never an error, whatever it costs.
    """
    extra = cost_matrix.cost - np.diag(cost_matrix.cost)[:, None]
    return CostMatrix(cost_matrix.classes, extra, unit=cost_matrix.unit)


class CostEstimate:
    """What the model itself estimates that cases cost beyond right decisions, a few rows at a time.

    Parameters
    ----------
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns.
    by : {"decision", "minimum", "expected"}
        Which estimate.
    """

    def __init__(self, cost_matrix: CostMatrix, by: str = "decision") -> None:
        self._by = as_choice(by, ESTIMATES, "by")
        self._extra = mistakes_only(cost_matrix).cost
        # two classes whose mistakes cost the same: the most probable is the cheapest, to the last bit
        self._is_even = len(self._extra) == 2 and bool(self._extra[0, 1] == self._extra[1, 0] >= 0)

    def of(
        self, proba: FloatArray, decisions: IntArray | None = None, *, narrow: bool = False
    ) -> FloatArray:
        """Return the estimate of each case.

        Parameters
        ----------
        proba : ndarray of shape (n_items, n_classes)
            Probabilities that were checked already.
        decisions : ndarray of int of shape (n_items,), optional
            Positions of the decisions among the classes; by default each most probable one.
        narrow : bool, default=False
            Whether costs that are probabilities stay as narrow as these: half the memory.

        Returns
        -------
        ndarray of shape (n_items,)
        """
        is_same = narrow and self._is_least_probability(decisions) and self._extra[0, 1] == 1
        costs = np.empty(len(proba), proba.dtype if is_same else np.float64)
        size = max(_CELLS // len(self._extra), 1)
        for start in range(0, len(proba), size):
            some = slice(start, start + size)
            costs[some] = self._piece(proba[some], None if decisions is None else decisions[some])
        return costs

    def _is_least_probability(self, decisions: IntArray | None) -> bool:
        return decisions is None and self._by == "decision" and self._is_even

    def _piece(self, proba: FloatArray, decisions: IntArray | None) -> FloatArray:
        costs: FloatArray
        if self._by == "expected":
            costs = np.einsum("ij,ij->i", proba @ self._extra, proba)
            return costs
        if self._is_least_probability(decisions):
            costs = np.minimum(proba[:, 0], proba[:, 1])
            return costs if self._extra[0, 1] == 1 else costs * self._extra[0, 1]
        table = costs_of_checked(proba, self._extra)
        if self._by == "minimum":
            costs = table.min(axis=1)
            return costs
        return _of_most_probable(table, proba) if decisions is None else _of(table, decisions)


def _of(by_decision: FloatArray, decisions: IntArray) -> FloatArray:
    """Return each row's cost of the decision made: by columns, which is faster than cell by cell."""
    cost: FloatArray = by_decision[:, 0]
    for code in range(1, by_decision.shape[1]):
        cost = _one_of(decisions == code, by_decision[:, code], cost)
    return cost


def _of_most_probable(by_decision: FloatArray, proba: FloatArray) -> FloatArray:
    """Return the cost of the most probable class in each row; of equal ones the first."""
    cost, top = by_decision[:, 0], proba[:, 0]
    for code in range(1, by_decision.shape[1]):
        cost = _one_of(proba[:, code] > top, by_decision[:, code], cost)
        top = np.maximum(top, proba[:, code])
    return cost


def _one_of(is_first: BoolArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Choose between two finite numbers: `np.where` guesses at each row, four times slower."""
    chosen: FloatArray = first * is_first
    chosen += second * ~is_first
    return chosen


def estimate_cost(
    proba: ArrayLike, cost_matrix: CostMatrix, decisions: ArrayLike, *, by: str = "decision"
) -> FloatArray:
    """Return what the model itself estimates that each case costs beyond a right decision."""
    estimate = CostEstimate(cost_matrix, by)
    p = as_probabilities(proba, n_classes=len(cost_matrix.classes))
    if by != "decision":
        return estimate.of(p)
    codes = as_codes(decisions, cost_matrix.classes)
    as_same_length(p, codes, ("probabilities", "decisions"))
    return estimate.of(p, codes)
