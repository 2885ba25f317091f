"""What an elicitation found: weights, what they may be at most and least, and the log."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from askpoint.elicitation.metrics import LinearMetric, cost_metric, diagonal_metric
from askpoint.elicitation.questionnaire import LogEntry
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, IntArray, as_finite

__all__ = ["ElicitedWeights", "Ratios"]


@dataclass(frozen=True, eq=False)
class ElicitedWeights:
    """Weights of a metric that is linear in the confusion matrix.

    Parameters
    ----------
    kind : {"diagonal", "linear"}
        Weights of right answers by class, or of the kinds of mistakes.
    classes : tuple
        Class names.
    weights : ndarray of shape (k,) or (k * k - k,)
        Diagonal: positive with sum 1. Linear: negative with Euclidean length 1, row by row without
        the diagonal. Symbol a-hat.
    interval : ndarray of shape (len(weights), 2), or None
        Least and greatest value of each weight that the answers leave open; None where the method
        does not tell, `warnings` says why.
    warnings : tuple of str
        What to know before the weights are used.
    log : tuple of Entry
        The questions asked, and the answers.
    details : mapping
        What a method knows beyond that.
    """

    kind: Literal["diagonal", "linear"]
    classes: tuple[Any, ...]
    weights: FloatArray
    interval: FloatArray | None
    warnings: tuple[str, ...] = ()
    log: tuple[LogEntry, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_queries(self) -> int:
        """Number of questions that were answered."""
        return len(self.log)

    @property
    def metric(self) -> LinearMetric:
        """The metric: a confusion matrix in, its worth out."""
        make = diagonal_metric if self.kind == "diagonal" else cost_metric
        return make(self.weights)

    def costs(self, deployed: ArrayLike, reject_cost: ArrayLike | None = None) -> CostMatrix:
        """Return the weights as costs of mistakes, in mean mistakes of a deployed classifier.

        Parameters
        ----------
        deployed : array-like of shape (k, k)
            What the classifier does: rates or counts; rows are the truth, columns the decision.
        reject_cost : float or array-like of shape (k,), optional
            Cost of asking a person in that unit, symbol rho = 1 / (1 + omega).

        Returns
        -------
        CostMatrix
            Right decisions cost nothing; c_ij = a_i for class weights, -a_ij for kinds of mistakes.

        Raises
        ------
        InputError
            If the classifier makes no mistake that costs anything: there is no unit.

        Examples
        --------
        >>> import numpy as np
        >>> from askpoint.elicitation.elicited_weights import ElicitedWeights
        >>> found = ElicitedWeights("diagonal", ("ill", "well"), np.array([0.75, 0.25]), None)
        >>> found.costs([[0.2, 0.1], [0.1, 0.6]]).cost
        array([[0. , 1.5],
               [0.5, 0. ]])
        """
        k = len(self.classes)
        beside = ~np.eye(k, dtype=bool)
        weights = np.abs(self.metric.weights)
        cost = np.where(beside, weights.sum(axis=1, keepdims=True), 0.0)
        if self.kind == "linear":
            cost = weights
        mistakes = np.where(beside, as_finite(deployed, "deployed", ndim=2), 0.0)
        spent, made = float((mistakes * cost).sum()), float(mistakes.sum())
        if not spent > 0:
            raise InputError(
                "the deployed classifier makes no mistake that costs anything, so that costs cannot "
                "be stated in its mean mistakes; count it on more labelled cases"
            )
        digest = hashlib.sha256(json.dumps(self.log).encode()).hexdigest()[:16]
        bounds = self.interval
        return CostMatrix(
            self.classes,
            cost * (made / spent),
            reject_cost,
            "mean mistakes",
            None if bounds is None else {"weights": bounds.tolist()},
            {"kind": self.kind, "questions": self.n_queries, "log": digest},
        )


@dataclass(frozen=True, eq=False)
class Ratios:
    """How the weights compare with the greatest one, each known up to an interval.

    Parameters
    ----------
    low, middle, high : ndarray of shape (n,)
        Bounds and estimates; the pivot's are all 1. A high end may be infinite.
    """

    low: FloatArray
    middle: FloatArray
    high: FloatArray

    def weights(self, norm: int) -> FloatArray:
        """Scale the estimates to length 1."""
        return np.asarray(self.middle / np.linalg.norm(self.middle, norm))

    def interval(self, norm: int) -> FloatArray:
        """Bounds of the scaled weights, whatever the others are within theirs."""
        low, high = self.low**norm, self.high**norm
        others = 1 - np.eye(len(low), dtype=int)
        with np.errstate(divide="ignore"):  # a ratio of 0 gives a weight of 0
            least = 1 / (1 + np.where(others, high, 0).sum(axis=1) / low)
            most = 1 / (1 + np.where(others, low, 0).sum(axis=1) / high)
        return np.asarray(np.column_stack([least, most]) ** (1 / norm))

    def take(self, groups: IntArray) -> Ratios:
        """Give each member of a group the group's ratio."""
        return Ratios(self.low[groups], self.middle[groups], self.high[groups])
