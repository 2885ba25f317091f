"""Chow's rule: leave a case to people where deciding it would cost more than asking."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import CostsError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.expectations import costs_by_decision
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray, as_finite, as_probabilities

__all__ = ["ChowDecisions", "chow_rule"]


class ChowDecisions(NamedTuple):
    """The cheapest decision for each case, and whether asking is cheaper still.

    Parameters
    ----------
    rejected : ndarray of bool of shape (n_items,)
        Where to ask.
    codes : ndarray of int of shape (n_items,)
        Position of the cheapest decision in ``cost_matrix.classes``, rejected or not.
    cost : ndarray of shape (n_items,)
        Expected cost of what is done, in the unit of the costs.
    """

    rejected: BoolArray
    codes: IntArray
    cost: FloatArray


def chow_rule(
    proba: ArrayLike, cost_matrix: CostMatrix, reject_cost: ArrayLike | None = None
) -> ChowDecisions:
    """Decide by least expected cost, or reject where that exceeds the cost of asking.

    Parameters
    ----------
    proba : array-like of shape (n_items, n_classes) or (n_items,)
        Probabilities in the order of ``cost_matrix.classes`` (symbol p).
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns (symbol c_ij).
    reject_cost : float or array-like of shape (n_items,), optional
        What asking costs for each case (symbol q(x)), in the unit of the costs; by default the
        expected reject cost of the cost matrix.

    Returns
    -------
    ChowDecisions
        A tie is decided, not rejected.

    Raises
    ------
    CostsError
        If no cost of asking is given at all, or one is negative.
    InputError
        If the arrays do not fit together.

    References
    ----------
    Chow, IEEE Transactions on Information Theory 16 (1970).

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.rejection import chow_rule
    >>> costs = CostMatrix.zero_one(["ham", "spam"])
    >>> chow_rule([0.4, 0.4, 0.9], costs, [0.3, 0.5, 0.2])
    ChowDecisions(rejected=array([ True, False, False]), codes=array([0, 0, 1]),
    cost=array([0.3, 0.4, 0.1]))
    """
    p = as_probabilities(proba, n_classes=len(cost_matrix.classes))
    by_decision = costs_by_decision(p, cost_matrix)
    codes = by_decision.argmin(axis=1)
    cheapest = by_decision.min(axis=1)
    asking: FloatArray
    if reject_cost is None:
        asking = p @ cost_matrix.reject_costs
    else:
        asking = as_finite(reject_cost, "reject_cost", ndim=np.ndim(reject_cost))
        asking = np.broadcast_to(asking, len(p)) if not asking.ndim else asking
    if len(asking) != len(p):
        raise CostsError(f"reject_cost needs one number per case; got {len(asking)} for {len(p)}")
    if asking.size and asking.min() < 0:
        raise CostsError(f"asking cannot cost less than nothing; got {asking.min():g}")
    rejected = cheapest > asking
    return ChowDecisions(rejected, codes, np.where(rejected, asking, cheapest))
