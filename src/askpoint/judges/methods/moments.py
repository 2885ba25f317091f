"""How the votes of two labels vary together: means, covariances of pairs, sums over trios."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askpoint.judges.sketch.vote_sketch import VoteCells
from askpoint.measures.inputs import FloatArray

__all__ = ["VoteMoments", "trio_gradient", "vote_moments"]


@dataclass(frozen=True)
class VoteMoments:
    """Moments of the votes for the second label, each over the items that have the votes.

    Attributes
    ----------
    counts : ndarray of shape (n_patterns,)
    cast : ndarray of shape (n_patterns, n_judges)
        1 where there is a vote, 0 where it is missing.
    centred : ndarray of shape (n_patterns, n_judges)
        Vote less the judge's mean, 0 where it is missing.
    n_votes : ndarray of shape (n_judges,)
    means : ndarray of shape (n_judges,)
        Share of votes for the second label (symbol f_ib = n_i / Q).
    n_common : ndarray of shape (n_judges, n_judges)
        Items on which both voted.
    covariance : ndarray of shape (n_judges, n_judges)
        Delta_ij, 0 where no item has both votes.
    """

    counts: FloatArray
    cast: FloatArray
    centred: FloatArray
    n_votes: FloatArray
    means: FloatArray
    n_common: FloatArray
    covariance: FloatArray


def vote_moments(cells: VoteCells) -> VoteMoments:
    """Return the moments of votes on two labels."""
    counts = cells.counts.astype(np.float64)
    cast = (cells.votes >= 0).astype(np.float64)
    n_votes = counts @ cast
    means = counts @ (cells.votes == 1) / n_votes
    centred = cast * ((cells.votes == 1) - means)
    n_common = (cast * counts[:, None]).T @ cast
    covariance = (centred * counts[:, None]).T @ centred / np.maximum(n_common, 1)
    return VoteMoments(counts, cast, centred, n_votes, means, n_common, covariance)


def trio_gradient(values: FloatArray, masked: NDArray[np.bool_]) -> FloatArray:
    """Derivatives of the sum of x_i x_j x_k over all trios that hold no masked pair.

    The sum itself is a third of ``(values * gradient).sum(axis=1)``. Cost n^2 for each row
    instead of n^3: trios with a masked pair are taken off by inclusion and exclusion.
    """
    y = values
    first, second = y.sum(axis=1, keepdims=True), np.square(y).sum(axis=1, keepdims=True)
    gradient: FloatArray = (np.square(first - y) - (second - np.square(y))) / 2
    if not masked.any():
        return gradient
    edges = masked.astype(np.float64)
    near, near2 = y @ edges, np.square(y) @ edges  # sums over a judge's masked partners
    # trios counted once for each masked pair in them ...
    inside = (y * near).sum(axis=1, keepdims=True)
    gradient -= inside / 2 + first * near - 2 * y * near - near2
    # ... less those of two masked pairs, which were counted twice ...
    gradient += (np.square(near) - near2) / 2 + (y * near) @ edges - y * near
    # ... and those of three, counted three times and taken back three times
    for i, j in np.argwhere(np.triu(masked)):
        for k in np.flatnonzero(masked[i] & masked[j]):
            if k > j:
                for a, b, c in ((i, j, k), (j, k, i), (k, i, j)):
                    gradient[:, a] -= y[:, b] * y[:, c]
    return gradient
