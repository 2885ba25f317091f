"""What the rungs of a ladder said of each case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = [
    "LEAST",
    "MOST_RUNGS",
    "RungOutputs",
    "log_answers",
    "log_probabilities",
    "share_right",
]

LEAST = 1e-4
"""Probabilities below count as this: a rung that says 0 is not taken at its word."""
MOST_RUNGS = 5
"""A ladder of k rungs has 2^k - 1 states, each with a curve of its own to learn."""


@dataclass(frozen=True, eq=False)
class RungOutputs:
    """Class probabilities of each rung, where it was called.

    Parameters
    ----------
    log_p : ndarray of shape (n_rungs, n_items, n_classes)
        Logarithms of the probabilities, 0 where a rung was not called.
    seen : ndarray of bool of shape (n_rungs, n_items)
        Where it was called.

    Examples
    --------
    >>> from askpoint.value.ladder.outputs import RungOutputs
    >>> outputs = RungOutputs.of([[[0.9, 0.1], [0.2, 0.8]], [[0.6, 0.4], None]], 2)
    >>> outputs.seen.tolist()
    [[True, True], [True, False]]
    """

    log_p: FloatArray
    seen: BoolArray

    @classmethod
    def of(cls, rungs: Sequence[Sequence[ArrayLike | None]], n_classes: int) -> RungOutputs:
        """Take probabilities by rung and case; None where a rung was not called."""
        n = len(rungs[0])
        log_p = np.zeros((len(rungs), n, n_classes))
        seen = np.zeros((len(rungs), n), dtype=np.bool_)
        for rung, cases in enumerate(rungs):
            for case, row in enumerate(cases):
                if row is not None:
                    log_p[rung, case] = log_probabilities(np.asarray(row, dtype=np.float64))
                    seen[rung, case] = True
        return cls(log_p, seen)

    @property
    def n_rungs(self) -> int:
        """Number of rungs."""
        return len(self.seen)

    @property
    def n_items(self) -> int:
        """Number of cases."""
        return int(self.seen.shape[1])

    def take(self, rows: BoolArray | IntArray) -> RungOutputs:
        """Return the outputs on some cases."""
        return RungOutputs(self.log_p[:, rows], self.seen[:, rows])

    def rows_of(self, state: int) -> BoolArray:
        """Return on which cases all rungs of a state, a set of bits, were called."""
        rungs = [rung for rung in range(self.n_rungs) if state >> rung & 1]
        return np.asarray(self.seen[rungs].all(axis=0))


def log_probabilities(proba: FloatArray) -> FloatArray:
    """Return logarithms of probabilities, none of them below that of `LEAST`."""
    return np.asarray(np.log(proba.clip(LEAST, 1)))


def log_answers(answer: IntArray, right: float, n_classes: int) -> FloatArray:
    """Return logarithms of the probabilities of a rung that gives a class and no confidence.

    Parameters
    ----------
    answer : ndarray of int of shape (n_items,)
        Positions of classes.
    right : float
        How often it is right.
    n_classes : int
        Number of classes.

    Returns
    -------
    ndarray of shape (n_items, n_classes)
    """
    proba = np.full((len(answer), n_classes), (1 - right) / (n_classes - 1))
    proba[np.arange(len(answer)), answer] = right
    return log_probabilities(proba)


def share_right(right: BoolArray) -> float:
    """Return how often a rung without a confidence is right, by Laplace's rule of succession."""
    return float((right.sum() + 1) / (len(right) + 2))
