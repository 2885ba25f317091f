"""How severe a mistake is: how sure the model was of what turned out wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, as_finite
from askpoint.unknowns.case_costs import actual_cost, estimate_cost, mistakes_only
from askpoint.unknowns.severity_scale import normaliser

__all__ = ["MAX_SEVERITY", "as_severities", "severities"]

MAX_SEVERITY = 1000


def as_severities(values: ArrayLike) -> FloatArray:
    """Check severities."""
    array = as_finite(values, "severities").astype(np.float64)
    outside = (array < 0) | (array > MAX_SEVERITY)
    if outside.any():
        raise InputError(
            f"severities must be between 0 and {MAX_SEVERITY}; got {array[outside][0]:g}"
        )
    return array


def severities(
    proba: ArrayLike,
    cost_matrix: CostMatrix,
    decisions: ArrayLike,
    truths: ArrayLike,
    *,
    by: str = "decision",
) -> FloatArray:
    """How confidently wrong the model was on its mistakes: 1000 (1 - estimated cost / normaliser).

    1000 where the model was certain of a mistake, 0 where it knew that it could not tell, and
    0 where the decision is right or its mistake costs nothing.

    Parameters
    ----------
    proba : array-like of shape (n_items, n_classes) or (n_items,)
        Probabilities in the order of ``cost_matrix.classes`` (symbol p).
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns (symbol c_ij).
    decisions, truths : array-like of shape (n_items,)
        Classes.
    by : {"decision", "minimum", "expected"}
        The estimate to compare with.

    Returns
    -------
    ndarray of shape (n_items,)
        Between 0 and 1000.

    Raises
    ------
    InputError
        If the arrays do not fit together.
    CostsError
        If some decision never costs anything.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), figure 4.

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.severity import severities
    >>> costs = CostMatrix.zero_one(["ham", "spam"])
    >>> severities([0.25, 0.0, 0.0], costs, ["ham"] * 3, ["spam", "spam", "ham"])
    array([ 500., 1000.,    0.])
    """
    share = estimate_cost(proba, cost_matrix, decisions, by=by) / normaliser(cost_matrix, by=by)
    wrong = actual_cost(mistakes_only(cost_matrix), decisions, truths) > 0
    return np.where(wrong, MAX_SEVERITY * np.clip(1 - share, 0, 1), 0.0)
