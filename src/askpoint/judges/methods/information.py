"""How far latent labels leave prevalences and accuracies open: the observed information."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, sparse, special

from askpoint.errors import NotEstimableError
from askpoint.judges.sketch.vote_sketch import VoteCells
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval

__all__ = ["effective_interval", "effective_sizes"]

_MOST = 1_500  # parameters, whose matrix is inverted
_DENSE = 20_000_000  # entries of a table that may be filled
_LEAST = 1e-6  # share of the information that votes keep; less is as good as nothing


def effective_sizes(
    cells: VoteCells,
    prevalence: FloatArray,
    confusion: FloatArray,
    posterior: FloatArray,
    prior: float,
) -> tuple[FloatArray, FloatArray]:
    """Return how many items of known truth would tell as much as these votes do.

    Louis' identity: what votes tell is what votes and truths together would tell, less how much
    the score of the latter varies over the truths that the votes leave open. The inverse gives
    the variance V of each share x, and x (1 - x) / V is the effective size.

    References
    ----------
    Louis, JRSS B 44 (1982).
    """
    votes, counts = cells
    (m, n), r, weights = votes.shape, len(prevalence), counts.astype(np.float64)
    n_free = (r - 1) * (1 + n * r)
    if n_free > _MOST:
        raise NotEstimableError(
            f"{n} judges and {r} labels make {n_free} numbers, and intervals are computed for "
            f"{_MOST} at most; leave out judges with few votes"
        )
    rows, judges = np.nonzero(votes >= 0)
    cast = votes[rows, judges]
    mass = posterior * weights[:, None]
    size = sparse.csr_array((np.ones(len(rows)), (judges, rows)), shape=(n, m)) @ mass
    size += r * prior
    # Free numbers: log odds of each label against the last, then for each true label t and judge
    # those of each vote against t. `whole` is their information if all truths were known.
    whole, slopes = np.zeros((n_free, n_free)), np.zeros((r + n * r, n_free))
    spread = np.diag(prevalence) - np.outer(prevalence, prevalence)
    whole[: r - 1, : r - 1] = weights.sum() * spread[:-1, :-1]
    slopes[:r, : r - 1] = spread[:, :-1]
    is_dense = m * n_free < _DENSE and 20 * len(rows) > m * n  # BLAS is faster than sparse products
    zeros = np.zeros if is_dense else sparse.csr_array
    mean, squares = zeros((m, n_free)), zeros((n_free, n_free))
    for t in range(r):
        others = np.flatnonzero(np.arange(r) != t)
        start = (r - 1) * (1 + t * n)
        for j in range(n):
            block = slice(start + j * (r - 1), start + (j + 1) * (r - 1))
            spread = np.diag(confusion[j, t]) - np.outer(confusion[j, t], confusion[j, t])
            whole[block, block] = size[j, t] * spread[np.ix_(others, others)]
            slopes[r + j * r + t, block] = spread[t, others]
        own = (cast[:, None] == others) - confusion[judges, t][:, others]
        columns = start + judges[:, None] * (r - 1) + np.arange(r - 1)
        places = (np.repeat(rows, r - 1), columns.ravel())
        score = sparse.csr_array((own.ravel(), places), shape=(m, n_free))
        if t < r - 1:
            score += sparse.csr_array((np.ones(m), (np.arange(m), np.full(m, t))), score.shape)
        score = _densify(score) if is_dense else score
        mean += score * posterior[:, [t]]
        squares += score.T @ (score * mass[:, [t]])
    lost = _densify(squares - mean.T @ (mean * weights[:, None]))
    whole[np.diag_indices(n_free)] += 1e-9  # of an item, where a label died out
    kept, axes = linalg.eigh(whole - lost, whole)
    variance = (np.square(slopes @ axes) / kept.clip(_LEAST)).sum(axis=1)
    share = np.append(prevalence, np.diagonal(confusion, axis1=1, axis2=2))
    limit = np.append(np.full(r, weights.sum()), size)  # nothing tells more than the truth
    binomial = share * (1 - share)
    enough = np.divide(binomial, variance, out=limit.copy(), where=binomial < limit * variance)
    return enough[:r], enough[r:].reshape(n, r)


def _densify(table: Any) -> Any:
    return table.toarray() if sparse.issparse(table) else table


def effective_interval(share: float, size: float, level: float) -> Interval:
    """Clopper and Pearson's interval for a share known as well as from `size` items.

    Less than half an item on one side is none, so that the interval reaches 0 or 1 there. The
    caller has checked the level.

    References
    ----------
    Korn and Graubard, Survey Methodology 24 (1998).
    """
    tail = (1 - level) / 2
    right, wrong = size * share, size * (1 - share)
    return Interval(
        float(special.betaincinv(right, wrong + 1, tail)) if right >= 0.5 else 0.0,
        float(special.betainccinv(right + 1, wrong, tail)) if wrong >= 0.5 else 1.0,
    )
