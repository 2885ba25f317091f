"""What each possible decision is expected to cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, as_probabilities

__all__ = ["costs_by_decision", "costs_of_checked"]


def costs_by_decision(proba: ArrayLike, costs: CostMatrix) -> FloatArray:
    """Return what each decision on each case is expected to cost: sum_i p_i c_ij."""
    return costs_of_checked(as_probabilities(proba, n_classes=len(costs.classes)), costs.cost)


def costs_of_checked(proba: FloatArray, cost: FloatArray) -> FloatArray:
    """Return the same for probabilities that were checked already, and costs as a table."""
    costly = cost != 0
    table: FloatArray
    if (costly.sum(axis=0) > 1).any():
        table = proba.astype(np.float64, copy=False) @ cost  # mixed types take twice as long
    else:  # sums of one term, as of the mistakes between two classes: the same at a third of the time
        table = np.empty(proba.shape, order="F")
        for decision, truth in enumerate(costly.argmax(axis=0)):
            table[:, decision] = proba[:, truth]
            if cost[truth, decision] != 1:
                table[:, decision] *= cost[truth, decision]
    return table
