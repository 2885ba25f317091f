"""What each possible decision is expected to cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, as_probabilities

__all__ = ["costs_by_decision"]


def costs_by_decision(proba: ArrayLike, costs: CostMatrix) -> FloatArray:
    """Return what each decision on each case is expected to cost: sum_i p_i c_ij."""
    p = as_probabilities(proba, n_classes=len(costs.classes))
    p = p.astype(np.float64, copy=False)  # mixed types take twice as long
    costly = costs.cost != 0
    table: FloatArray
    if (costly.sum(axis=0) > 1).any():
        table = p @ costs.cost
    else:  # sums of one term, as of the mistakes between two classes: the same at a third of the time
        table = np.empty(p.shape, order="F")
        for decision, truth in enumerate(costly.argmax(axis=0)):
            np.multiply(p[:, truth], costs.cost[truth, decision], out=table[:, decision])
    return table
