"""The logistic regression of the demo's digits, without the second that importing scikit-learn takes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["SoftmaxRegression", "fit_softmax"]


class SoftmaxRegression(NamedTuple):
    """A fitted model.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        In their order.
    weights : ndarray of shape (n_classes, n_features + 1)
        The intercepts are in the last column.
    """

    classes: NDArray[Any]
    weights: FloatArray

    def predict_proba(self, cases: FloatArray) -> FloatArray:
        """Return P(class) of each case."""
        from scipy import special

        return np.asarray(special.softmax(_logits(cases, self.weights), axis=1))

    def predict(self, cases: FloatArray) -> NDArray[Any]:
        """Return the most probable class of each case."""
        return np.asarray(self.classes[_logits(cases, self.weights).argmax(axis=1)])


def fit_softmax(
    cases: FloatArray, truth: NDArray[Any], *, C: float, max_iter: int
) -> SoftmaxRegression:
    """Fit as scikit-learn's LogisticRegression with these settings does, by the same steps.

    Parameters
    ----------
    cases : ndarray of shape (n_cases, n_features)
        Features.
    truth : ndarray of shape (n_cases,)
        Their classes.
    C : float
        Inverse of the penalty on squared weights.
    max_iter : int
        Most steps of L-BFGS.
    """
    from scipy import optimize

    classes, codes = np.unique(truth, return_inverse=True)
    shape = len(classes), cases.shape[1] + 1
    found = optimize.minimize(
        lambda weights: _loss(weights.reshape(shape, order="F"), cases, codes, 1 / C),
        np.zeros(shape[0] * shape[1]),
        jac=True,
        method="L-BFGS-B",
        options={
            "maxiter": max_iter,
            "maxls": 50,
            "gtol": 1e-4,
            "ftol": 64 * np.finfo(np.float64).eps,
        },
    )
    return SoftmaxRegression(classes, found.x.reshape(shape, order="F"))


def _logits(cases: FloatArray, weights: FloatArray) -> FloatArray:
    return np.asarray(cases @ weights[:, :-1].T + weights[:, -1])


def _loss(
    weights: FloatArray, cases: FloatArray, codes: IntArray, penalty: float
) -> tuple[float, FloatArray]:
    """Mean log loss with the penalty, and its slope."""
    n, rows = len(cases), np.arange(len(cases))
    logits = _logits(cases, weights)
    top = logits.max(axis=1, keepdims=True)
    part = np.exp(logits - top)
    total = part.sum(axis=1, keepdims=True)
    loss = ((np.log(total) + top)[:, 0] - logits[rows, codes]).sum() / n
    loss += penalty / (2 * n) * (weights[:, :-1] ** 2).sum()
    miss = part / total
    miss[rows, codes] -= 1
    slope = np.empty_like(weights)
    slope[:, :-1] = (miss.T @ cases + penalty * weights[:, :-1]) / n
    slope[:, -1] = miss.sum(axis=0) / n
    return float(loss), slope.ravel(order="F")
