"""Metrics: what a confusion matrix is worth."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, as_finite

__all__ = ["LinearFractionalMetric", "LinearMetric", "cost_metric", "diagonal_metric"]


class LinearMetric:
    """A weighted sum of the cells of the confusion matrix.

    Parameters
    ----------
    weights : array-like of shape (k, k) or (k, k + 1)
        Worth of each cell; rows are the truth, columns the decision.

    Examples
    --------
    >>> from askpoint.elicitation.metrics import LinearMetric
    >>> LinearMetric([[0, -5], [-1, 0]])([[0.5, 0.1], [0.2, 0.2]])
    -0.7
    """

    def __init__(self, weights: ArrayLike) -> None:
        self.weights = as_finite(weights, "weights", ndim=2).astype(np.float64)

    def __call__(self, confusion: ArrayLike) -> float:
        """Return the worth of a confusion matrix."""
        matrix = np.asarray(confusion)
        if matrix.shape != self.weights.shape:
            raise InputError(
                f"the metric weighs {self.weights.shape} cells, but the confusion matrix has "
                f"{matrix.shape}"
            )
        return float((self.weights * matrix).sum())


class LinearFractionalMetric:
    """A weighted sum of cells over another one, such as an F-measure.

    Parameters
    ----------
    numerator, denominator : array-like of shape (k, k)
        Weights of the cells; the denominator must be positive wherever it is asked. A constant
        c is a weight c in every cell, as the cells sum to 1.

    Examples
    --------
    >>> from askpoint.elicitation.metrics import LinearFractionalMetric
    >>> f1 = LinearFractionalMetric([[0, 0], [0, 2]], [[0, 1], [1, 2]])
    >>> round(f1([[0.5, 0.1], [0.2, 0.2]]), 3)
    0.571
    """

    def __init__(self, numerator: ArrayLike, denominator: ArrayLike) -> None:
        self.numerator = LinearMetric(numerator)
        self.denominator = LinearMetric(denominator)

    def __call__(self, confusion: ArrayLike) -> float:
        """Return the worth of a confusion matrix."""
        below = self.denominator(confusion)
        if not below > 0:
            raise InputError(f"the denominator of a metric must be positive; got {below:g}")
        return self.numerator(confusion) / below


def diagonal_metric(weights: ArrayLike) -> LinearMetric:
    """Weighted accuracy: each class's right answers count by its weight.

    Parameters
    ----------
    weights : array-like of shape (k,)
        Symbol a of psi(d) = <a, d>.

    Returns
    -------
    LinearMetric

    Examples
    --------
    >>> from askpoint.elicitation.metrics import diagonal_metric
    >>> round(diagonal_metric([0.75, 0.25])([[0.5, 0.1], [0.2, 0.2]]), 3)
    0.425
    """
    return LinearMetric(np.diag(as_finite(weights, "weights")))


def cost_metric(weights: ArrayLike) -> LinearMetric:
    """Weigh each kind of mistake by its own number.

    Parameters
    ----------
    weights : array-like of shape (k * k - k,)
        Symbol a of phi(c) = <a, c>: the cells beside the diagonal, row by row; none positive.

    Returns
    -------
    LinearMetric

    Examples
    --------
    >>> from askpoint.elicitation.metrics import cost_metric
    >>> cost_metric([-5, -1]).weights
    array([[ 0., -5.], [-1.,  0.]])
    """
    vector = as_finite(weights, "weights")
    k = round((1 + np.sqrt(1 + 4 * len(vector))) / 2)
    if k < 2 or k * k - k != len(vector):
        raise InputError(f"k classes have k * k - k kinds of mistakes; got {len(vector)} weights")
    matrix: FloatArray = np.zeros((k, k))
    matrix[~np.eye(k, dtype=bool)] = vector
    return LinearMetric(matrix)
