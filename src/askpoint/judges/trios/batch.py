"""The independent evaluator on all trios of many judges at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askpoint.judges.methods.algebra import OUTCOMES, TrioAlgebra
from askpoint.judges.trios.counts import TrioMoments

__all__ = ["TrioEvaluations", "evaluate_moments"]

_NEAR = 1e-7  # nearer to a boundary than this, relatively, integers decide
_ROUNDING = 1e-12  # moments are differences of numbers near 1


@dataclass(frozen=True)
class TrioEvaluations:
    """Evaluations of many trios, at the point where most of the three are better than chance.

    Attributes
    ----------
    trios : ndarray of int64 of shape (n_trios, 3)
        Places of the judges.
    n_items : ndarray of int64 of shape (n_trios,)
        Items that all three judged.
    outcomes : ndarray of int8 of shape (n_trios,)
        Places in `askpoint.judges.methods.algebra.OUTCOMES`; "empty" if there was no item.
    rows : ndarray of int64 of shape (n_points,)
        The trios that have real points; what follows is about these alone.
    prevalence : ndarray of float64 of shape (n_points,)
        P_a.
    accuracy : ndarray of float64 of shape (n_points, 3, 2)
        P_ia and P_ib.
    """

    trios: NDArray[np.int64]
    n_items: NDArray[np.int64]
    outcomes: NDArray[np.int8]
    rows: NDArray[np.int64]
    prevalence: NDArray[np.float64]
    accuracy: NDArray[np.float64]

    @property
    def is_inside(self) -> NDArray[np.bool_]:
        """Which trios are seemingly correct."""
        inside: NDArray[np.bool_] = self.outcomes == _CODE["inside"]
        return inside

    @property
    def share_inside(self) -> float:
        """Share of the trios that are seemingly correct."""
        return float(self.is_inside.mean())


def evaluate_moments(moments: TrioMoments) -> TrioEvaluations:
    """Evaluate trios from their counts."""
    Q = np.maximum(moments.n_items, 1).astype(np.float64)
    f = np.ascontiguousarray(moments.singles.T) / Q
    D = np.ascontiguousarray(moments.pairs.T) / Q - np.stack(
        [f[1] * f[2], f[0] * f[2], f[0] * f[1]]
    )
    T = moments.triples / Q - f[0] * f[1] * f[2] - (f * D).sum(axis=0)
    Pi = D[0] * D[1] * D[2]
    N = T * T + 4 * Pi
    R = np.sqrt(np.maximum(N, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = f + T / (2 * D)  # of P_kb at both roots, and of 1 - P_ka
        half = np.abs(R / (2 * D))
        low, high = middle - half, 1 - middle - half
    fits = ((low >= 0) & (high >= 0)).all(axis=0)
    outcomes = np.where(
        N < 0, _CODE["complex"], np.where((Pi > 0) & fits, _CODE["inside"], _CODE["outside"])
    )
    outcomes = outcomes.astype(np.int8)
    # what rounding could turn over, integers decide
    certain = np.abs(N) > _NEAR * (T * T + np.abs(Pi)) + _ROUNDING * np.abs(T)
    certain &= (np.abs(D) > _ROUNDING).all(axis=0)
    certain &= (Pi < 0) | ((np.abs(low) > _NEAR) & (np.abs(high) > _NEAR)).all(axis=0)
    doubtful = ~certain
    for row in np.flatnonzero(doubtful):
        outcomes[row] = _CODE[_exact(moments, row).outcome] if moments.n_items[row] else 0
    rows = np.flatnonzero(outcomes >= _CODE["outside"])
    # d_k = R / D_ij: the sign of R that makes most of the three positive
    positive = (D[:, rows] > 0).sum(axis=0)
    sign = np.where(positive >= 2, 1.0, -1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = sign * R[rows] / (2 * D[:, rows])
        prevalence = 0.5 + T[rows] / (2 * sign * R[rows])
    accuracy = np.stack([1 - middle[:, rows] + ratio, middle[:, rows] + ratio], axis=-1)
    accuracy = accuracy.transpose(1, 0, 2)
    for place in np.flatnonzero(doubtful[rows]):
        p, pairs = _exact(moments, rows[place]).point(int(sign[place]))
        prevalence[place], accuracy[place] = float(p), np.array(pairs, dtype=np.float64)
    return TrioEvaluations(moments.trios, moments.n_items, outcomes, rows, prevalence, accuracy)


_CODE = {name: code for code, name in enumerate(OUTCOMES)}


def _exact(moments: TrioMoments, row: int | np.integer) -> TrioAlgebra:
    (n1, n2, n3), (n23, n13, n12) = moments.singles[row].tolist(), moments.pairs[row].tolist()
    return TrioAlgebra(
        int(moments.n_items[row]), (n1, n2, n3), (n23, n13, n12), int(moments.triples[row])
    )
