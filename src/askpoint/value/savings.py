"""Costs that differ from case to case: what answering is expected to save against asking."""

from __future__ import annotations

import numpy as np

from askpoint.measures.inputs import FloatArray
from askpoint.value.curve import ValueCurve

__all__ = ["best_gain_threshold", "expected_savings"]


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


def best_gain_threshold(gain: FloatArray, score: FloatArray) -> float:
    """Threshold on a score at which the summed gains of the cases above it are greatest.

    Parameters
    ----------
    gain : ndarray of shape (n_items,)
        What answering a case turned out to gain against asking: q if it is right, q - m if it is
        wrong; negative where asking would have been better. Times a weight, if there are some.
    score : ndarray of shape (n_items,)
        What is compared with the threshold: an expected saving, a confidence.

    Returns
    -------
    float
        Answer where the score is at least this; infinity means never.

    Notes
    -----
    With the amounts as weights this is the value curve at omega = 1: the same one sort.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.savings import best_gain_threshold
    >>> best_gain_threshold(np.array([0.5, 0.5, -0.5]), np.array([0.4, 0.1, -0.2]))
    0.1
    """
    matters = gain != 0
    if not matters.any():  # both cost the same everywhere: ask
        return float("inf")
    curve = ValueCurve.from_outcomes(
        gain[matters] > 0, score[matters], sample_weight=np.abs(gain[matters])
    )
    return curve.threshold(1.0)
