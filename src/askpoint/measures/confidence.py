"""Confidence measures phi(p): how sure a classifier is, from its probability vector.

For two classes all five order the items alike; for more they may differ.
Source: Acid, de Campos and Fernandez (2012), equations 4 to 8.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import InputError
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES
from askpoint.measures.inputs import FloatArray, as_choice, as_finite, as_probabilities

__all__ = [
    "ConfidenceMeasure",
    "confidence_range",
    "confidence_scores",
    "euclidean_distance",
    "margin",
    "max_probability",
    "negative_entropy",
    "standard_deviation",
]

ConfidenceMeasure = str | Callable[[FloatArray], ArrayLike]


def max_probability(p: FloatArray) -> FloatArray:
    """Largest probability, phi_m, from 1/k to 1."""
    # column by column: numpy reduces short rows slowly
    return functools.reduce(np.maximum, p.T) if p.shape[1] < 32 else p.max(axis=1)


def margin(p: FloatArray) -> FloatArray:
    """Difference of the two largest probabilities, phi_d, from 0 to 1."""
    second, first = _two_largest(p)
    return first - second


def negative_entropy(p: FloatArray) -> FloatArray:
    """Sum of p log p, phi_e, from -log k to 0."""
    ascending = _ascending(p)
    terms: FloatArray = special.xlogy(ascending, ascending)
    entropy: FloatArray = terms.sum(axis=1)
    return entropy


def standard_deviation(p: FloatArray) -> FloatArray:
    """Sample standard deviation of the probabilities, phi_s, from 0 to 1/sqrt k."""
    k = p.shape[1]
    variance: FloatArray = np.square(_ascending(p) - 1 / k).sum(axis=1) / (k - 1)
    return np.sqrt(variance)


def euclidean_distance(p: FloatArray) -> FloatArray:
    """Distance of the two largest, normalised, from (1/2, 1/2): phi_ed, from 0 to 1/sqrt 2."""
    second, first = _two_largest(p)
    return (first - second) / ((first + second) * p.dtype.type(np.sqrt(2)))


def confidence_range(measure: str, n_classes: int) -> tuple[float, float]:
    """Return the least and the greatest value that a measure can take."""
    phi = CONFIDENCE_MEASURES[as_choice(measure, tuple(CONFIDENCE_MEASURES), "confidence")]
    if n_classes < 2:
        raise InputError(f"a classifier decides between at least two classes; got {n_classes}")
    flat = np.full((1, n_classes), 1 / n_classes)
    sharp = np.eye(1, n_classes)
    return float(phi(flat)[0]), float(phi(sharp)[0])


def confidence_scores(
    y_proba: ArrayLike,
    measure: ConfidenceMeasure = "max_probability",
    *,
    decimals: int | None = None,
) -> FloatArray:
    """Score each item's confidence by a measure.

    Parameters
    ----------
    y_proba : array-like of shape (n_items, n_classes)
        Probabilities; rows sum to 1.
    measure : str or callable, default="max_probability"
        A name among `CONFIDENCE_MEASURES`, or a function from the array to one number a row.
    decimals : int, optional
        Round the scores, so that items which differ only by round-off are tied.

    Returns
    -------
    ndarray of shape (n_items,)
        Higher is surer.

    Raises
    ------
    InputError
        If the probabilities are not valid, the name is unknown, or the callable does not
        return one finite number per row.

    Examples
    --------
    >>> from askpoint.measures.confidence import confidence_scores
    >>> confidence_scores([[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]], "margin")
    array([0.25 , 0.625])
    """
    p = as_probabilities(y_proba)
    if callable(measure):
        scores = as_finite(measure(p), "confidence")
        if len(scores) != len(p):
            raise InputError(
                f"a confidence measure must return one number per row; got {len(scores)} "
                f"for {len(p)} rows"
            )
    else:
        scores = CONFIDENCE_MEASURES[as_choice(measure, tuple(CONFIDENCE_MEASURES), "confidence")](
            p
        )
    return scores if decimals is None else np.round(scores, decimals)


def _ascending(p: FloatArray) -> FloatArray:
    # sums over the sorted vector in one memory order: round-off splits ties neither between
    # permuted vectors nor between a table and its copy by columns
    return np.sort(np.ascontiguousarray(p), axis=1)


def _two_largest(p: FloatArray) -> tuple[FloatArray, FloatArray]:
    if p.shape[1] == 2:
        return np.minimum(p[:, 0], p[:, 1]), np.maximum(p[:, 0], p[:, 1])
    top = np.partition(p, p.shape[1] - 2, axis=1)
    return top[:, -2], top[:, -1]
