"""What confidences say of themselves: calibration error, discrimination, hard labels, scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import InputError
from askpoint.measures.inputs import (
    FloatArray,
    IntArray,
    as_choice,
    as_finite,
    as_right,
    as_same_length,
)

__all__ = [
    "discrimination",
    "expected_calibration_error",
    "hard_label_probabilities",
    "normalise_scores",
]


def discrimination(confidence: ArrayLike) -> float:
    """Mean of (1/2 - c)^2: how decided a calibrated model is.

    A function of its own, beside accuracy and calibration: for calibrated confidences of two
    classes the mean of EP_rho over all rho is 7/8 + D/2 - err/2.

    Parameters
    ----------
    confidence : array-like of shape (n_items,)
        Calibrated confidences, from 0 to 1 (symbol c).

    Returns
    -------
    float
        D, from 0 to 1/4.

    References
    ----------
    Casati, Noel and Yang, On the Value of ML Models (2021).

    Examples
    --------
    >>> from askpoint.value.calibration_error import discrimination
    >>> discrimination([0.5, 1.0])
    0.125
    """
    c = _unit(confidence)
    return float(np.square(0.5 - c).mean())


def expected_calibration_error(
    right: ArrayLike, confidence: ArrayLike, *, n_bins: int = 15
) -> float:
    """Mean distance of confidence and share of right answers over equal-width bins (ECE).

    It says little about value: a constant confidence equal to the accuracy has an ECE of 0 and
    no use, and calibration does not change value where the threshold is tuned.

    Parameters
    ----------
    right : array-like of bool of shape (n_items,)
        Whether each answer is right.
    confidence : array-like of shape (n_items,)
        Confidences from 0 to 1.
    n_bins : int, default=15
        Number of bins.

    Returns
    -------
    float
        From 0 to 1.

    References
    ----------
    Guo, Pleiss, Sun and Weinberger, ICML 2017.

    Examples
    --------
    >>> from askpoint.value.calibration_error import expected_calibration_error
    >>> expected_calibration_error([1, 1, 0, 0], [1.0, 1.0, 1.0, 1.0])
    0.5
    """
    outcome, c = as_right(right), _unit(confidence)
    as_same_length(outcome, c, ("right", "confidence"))
    if n_bins < 1:
        raise InputError(f"n_bins must be at least 1; got {n_bins}")
    bins = np.minimum((c * n_bins).astype(np.int64), n_bins - 1)
    gap = np.bincount(bins, c - outcome, n_bins)
    return float(np.abs(gap).sum() / len(c))


def normalise_scores(scores: ArrayLike, method: str) -> FloatArray:
    """Turn scores that are not probabilities into probabilities.

    Parameters
    ----------
    scores : array-like of shape (n_items, n_classes)
        One score a class; higher is more likely.
    method : {"softmax", "division"}
        "softmax" takes any numbers (logits), "division" takes numbers of 0 or more.

    Returns
    -------
    ndarray of shape (n_items, n_classes)
        Rows sum to 1.

    Raises
    ------
    InputError
        If "division" meets a negative score or a row of zeros.

    Examples
    --------
    >>> from askpoint import normalise_scores
    >>> normalise_scores([[3.0, 1.0]], "division")
    array([[0.75, 0.25]])
    """
    array = as_finite(scores, "scores", ndim=2)
    as_choice(method, ("softmax", "division"), "method")
    if method == "softmax":
        return np.asarray(special.softmax(array, axis=1))
    sums = array.sum(axis=1, keepdims=True)
    if (array < 0).any() or (sums <= 0).any():
        row = int(np.flatnonzero((array < 0).any(axis=1) | (sums[:, 0] <= 0))[0])
        raise InputError(
            f"scores that are divided by their sum must be 0 or more, and one above 0; row {row} "
            "is not like that: use 'softmax'"
        )
    return np.asarray(array / sums)


def hard_label_probabilities(truth: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:
    """Probabilities for a classifier that gives labels only, from a validation set.

    Parameters
    ----------
    truth, predicted : ndarray of int of shape (n_items,)
        Positions of the classes on labelled cases.
    n_classes : int
        Number of classes.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Row j holds P(truth | predicted j), with one case of each class added (Laplace), so that
        ``table[predicted]`` are the probabilities of new cases.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint import hard_label_probabilities
    >>> hard_label_probabilities(np.array([0, 1, 1]), np.array([0, 1, 0]), 2)[1].round(3)
    array([0.333, 0.667])
    """
    as_same_length(truth, predicted, ("truth", "predicted"))
    counts = np.bincount(predicted * n_classes + truth, minlength=n_classes**2)
    table = counts.reshape(n_classes, n_classes) + 1.0
    return np.asarray(table / table.sum(axis=1, keepdims=True))


def _unit(confidence: ArrayLike) -> FloatArray:
    c = as_finite(confidence, "confidence")
    if not c.size:
        raise InputError("there is no confidence to look at")
    if c.min() < 0 or c.max() > 1:
        raise InputError(f"confidence must be between 0 and 1 here; got {c.min():g} to {c.max():g}")
    return c
