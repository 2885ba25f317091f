"""Costs that differ from case to case: what answering is expected to save against asking."""

from __future__ import annotations

import numpy as np

from askpoint.measures.inputs import BoolArray, FloatArray
from askpoint.value.curve import ValueCurve

__all__ = ["best_saving", "expected_savings"]


def expected_savings(
    confidence: FloatArray, mistake_cost: FloatArray, reject_cost: FloatArray
) -> FloatArray:
    """What answering each case is expected to save: q - (1 - c) m.

    Parameters
    ----------
    confidence : ndarray of shape (n_items,)
        Probability that the answer is right (symbol c).
    mistake_cost, reject_cost : ndarray of shape (n_items,)
        Cost of a mistake (m) and of asking (q), in one unit.

    Returns
    -------
    ndarray of shape (n_items,)
        In the same unit. With calibrated probabilities one should answer where it is above 0
        (Chow's rule with a reject cost by case).

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.savings import expected_savings
    >>> expected_savings(np.array([0.75]), np.array([4.0]), np.array([0.5]))
    array([-0.5])
    """
    return reject_cost - (1 - confidence) * mistake_cost


def best_saving(
    right: BoolArray,
    saving: FloatArray,
    mistake_cost: FloatArray,
    reject_cost: FloatArray,
    weight: FloatArray | None = None,
) -> float:
    """Threshold on the expected saving at which the cases cost least.

    Parameters
    ----------
    right : ndarray of bool of shape (n_items,)
        Whether each answer is right.
    saving : ndarray of shape (n_items,)
        What `expected_savings` returned.
    mistake_cost, reject_cost : ndarray of shape (n_items,)
        The costs.
    weight : ndarray of shape (n_items,), optional
        Positive weights.

    Returns
    -------
    float
        Answer where the saving is at least this; infinity means never.

    Notes
    -----
    A case gains q if it is answered right, and q - m if wrong, against asking. With the
    amounts as weights this is the value curve at omega = 1: the same one sort.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.savings import best_saving
    >>> right, saving = np.array([True, True, False]), np.array([0.4, 0.1, -0.2])
    >>> best_saving(right, saving, np.ones(3), np.full(3, 0.5))
    0.1
    """
    gain = np.where(right, reject_cost, reject_cost - mistake_cost)
    if weight is not None:
        gain = gain * weight
    matters = gain != 0  # what costs the same either way is asked where it may
    if not matters.any():
        return float("inf")
    curve = ValueCurve.from_outcomes(
        gain[matters] > 0, saving[matters], sample_weight=np.abs(gain[matters])
    )
    return curve.threshold(1.0)
