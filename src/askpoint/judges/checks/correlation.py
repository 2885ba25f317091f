"""Correlated errors where the truth is known, and what they do to the independent evaluator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError
from askpoint.judges.sketch.codes import MISSING
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["ErrorCorrelations", "error_correlations", "first_order_bias"]


@dataclass(frozen=True)
class ErrorCorrelations:
    """Gamma of the paper, for each true label.

    Attributes
    ----------
    judges, labels : tuple of str
        In the order of the arrays.
    n_common : ndarray of int64 of shape (n_labels, n_judges, n_judges)
        Items of a label on which both voted.
    pairs : ndarray of float64 of shape (n_labels, n_judges, n_judges)
        Gamma_ij,l; on the diagonal P (1 - P). Means something where `n_common` is not 0.
    triples : ndarray of float64 of shape (n_labels,), or None
        Gamma_123,l of three judges on the items that all judged; None for other numbers of
        judges, or if there is no such item.
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    n_common: NDArray[np.int64]
    pairs: NDArray[np.float64]
    triples: NDArray[np.float64] | None

    def pair(self, first: str, second: str, label: str) -> float | None:
        """Return Gamma_ij,l of two judges on a label; None if they have no item in common."""
        place = self.labels.index(label), self.judges.index(first), self.judges.index(second)
        return float(self.pairs[place]) if self.n_common[place] else None

    @property
    def greatest(self) -> float:
        """The greatest absolute Gamma_ij,l of two different judges."""
        apart = ~np.eye(len(self.judges), dtype=bool)
        return float(np.abs(self.pairs[:, apart]).max(initial=0))


def error_correlations(by_label: Mapping[str, VoteSketch]) -> ErrorCorrelations:
    """Measure how errors are correlated where the truth is known.

    Parameters
    ----------
    by_label : mapping of str to VoteSketch
        The votes on the items of each true label.

    Returns
    -------
    ErrorCorrelations

    References
    ----------
    Eq. 20 of the paper, and its like for three judges.

    Examples
    --------
    >>> from askpoint.judges.checks.correlation import error_correlations
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> x = VoteSketch(["ann", "bob"], ["x", "y"])
    >>> x.update_codes([[0, 0], [1, 1]], [8, 2])
    >>> round(error_correlations({"x": x}).pair("ann", "bob", "x"), 3)
    0.16
    """
    sketches = list(by_label.values())
    n = len(sketches[0].judges)
    common = np.zeros((len(by_label), n, n), dtype=np.int64)
    pairs = np.zeros((len(by_label), n, n))
    triples: list[float] = []
    for row, (label, sketch) in enumerate(by_label.items()):
        votes, counts = sketch.cells()
        voted = (votes != MISSING).astype(np.int64)
        right = (votes == sketch.labels.index(label)).astype(np.int64)
        weighted = voted * counts[:, None]
        common[row] = weighted.T @ voted
        both = (right * counts[:, None]).T @ right
        alone = (right * counts[:, None]).T @ voted  # i right, on the items that j judged, too
        size = np.maximum(common[row], 1)
        pairs[row] = both / size - alone / size * (alone.T / size)
        full = voted.all(axis=1)
        if n == 3 and full.any():
            weights = counts[full] / counts[full].sum()
            error = right[full] - weights @ right[full]
            triples.append(float(weights @ error.prod(axis=1)))
    whole = len(triples) == len(by_label)
    return ErrorCorrelations(
        sketches[0].judges, tuple(by_label), common, pairs, np.array(triples) if whole else None
    )


def first_order_bias(
    p: float, accuracy: ArrayLike, pairs: ArrayLike, triples: ArrayLike = (0.0, 0.0)
) -> tuple[float, NDArray[np.float64]]:
    """Say by how much small correlations shift the independent evaluator, to first order.

    Parameters
    ----------
    p : float
        True prevalence of the first label.
    accuracy : array-like of shape (3, 2)
        True P_ia and P_ib.
    pairs : array-like of shape (2, 3, 3)
        Gamma_ij,l as in `ErrorCorrelations`.
    triples : array-like of shape (2,), default=(0, 0)
        Gamma_123,l.

    Returns
    -------
    dp : float
        Estimate less truth, of p.
    daccuracy : ndarray of shape (3, 2)
        The same of each accuracy.

    Raises
    ------
    InputError
        At a blind spot: p in {0, 1}, or a judge with P_ia + P_ib = 1.

    Notes
    -----
    P_ka - f_ka is q d_k: the paper's blind spot 1 / (P - f) is d_k = 0.

    References
    ----------
    Section 5 of the paper.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.judges.checks.correlation import first_order_bias
    >>> pairs = np.zeros((2, 3, 3))
    >>> pairs[0, 0, 1] = pairs[0, 1, 0] = 0.01
    >>> round(first_order_bias(0.5, [[0.9, 0.9], [0.9, 0.9], [0.9, 0.9]], pairs)[0], 4)
    -0.0078
    """
    P, (Ga, Gb) = np.asarray(accuracy, dtype=float), np.asarray(pairs, dtype=float)
    (Ta, Tb), q, d = np.asarray(triples, dtype=float), 1 - p, P.sum(axis=1) - 1
    if p * q * d.prod() == 0:
        raise InputError(
            "the evaluator is blind here: one label never occurs, or a judge guesses "
            f"(p = {p:g}, P_ia + P_ib - 1 = {', '.join(f'{x:g}' for x in d)})"
        )
    h = q * Tb - p * Ta
    dp, shifts = 2 * h / d.prod(), np.empty((3, 2))
    for k, (i, j) in enumerate([(1, 2), (0, 2), (0, 1)]):
        dd = d[i] * d[j]
        dp += (q * Gb[i, j] - p * Ga[i, j]) / dd
        shifts[k, 0] = Ga[k, i] / d[i] + Ga[k, j] / d[j] - (q / p * d[k] * Gb[i, j] + h / p) / dd
        shifts[k, 1] = Gb[k, i] / d[i] + Gb[k, j] / d[j] - (p / q * d[k] * Ga[i, j] - h / q) / dd
    return float(dp), shifts
