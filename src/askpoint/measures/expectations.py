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
    table: FloatArray = (
        p.astype(np.float64, copy=False) @ costs.cost
    )  # mixed types take twice as long
    return table
