"""What each possible decision is expected to cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, as_probabilities

__all__ = ["costs_by_decision"]


def costs_by_decision(proba: ArrayLike, costs: CostMatrix) -> FloatArray:
    """Return what each decision on each case is expected to cost: sum_i p_i c_ij.

    Parameters
    ----------
    proba : array-like of shape (n_items, n_classes) or (n_items,)
        Probabilities in the order of ``costs.classes`` (symbol p); one column means the second
        of two classes.
    costs : CostMatrix
        Truths in rows, decisions in columns (symbol c_ij).

    Returns
    -------
    ndarray of shape (n_items, n_classes)
        A column for each decision, in the unit of the costs.

    Raises
    ------
    InputError
        If `proba` are no probabilities over as many classes as the costs name.

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.measures.expectations import costs_by_decision
    >>> costs_by_decision([[0.25, 0.75]], CostMatrix(["ham", "spam"], [[0, 5], [1, 0]]))
    array([[0.75, 1.25]])
    """
    p = as_probabilities(proba, n_classes=len(costs.classes))
    table: FloatArray = (
        p.astype(np.float64, copy=False) @ costs.cost
    )  # mixed types take twice as long
    return table
