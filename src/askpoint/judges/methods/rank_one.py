"""The off-diagonal covariances of independent judges are of rank one: the fit, and who breaks it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askpoint.judges.methods.moments import VoteMoments
from askpoint.measures.inputs import FloatArray

__all__ = ["RankOneFit", "fit_rank_one", "has_trio"]

_CAUCHY = 2.385  # 95% efficient where errors are normal
_FLAG = 4.0  # robust deviations
_ROUNDS = 30  # of weighing
_STEPS = 1000  # of least squares; a tenth while weights still change


@dataclass(frozen=True)
class RankOneFit:
    """Delta_ij = v_i v_j off the diagonal.

    Attributes
    ----------
    factor : ndarray of shape (n_judges,)
        v_i = sqrt(pq) d_i, signed so that most judges are better than chance.
    weights : ndarray of shape (n_judges, n_judges)
        Of each pair for one item with both votes; 0 for masked pairs.
    residuals : ndarray of shape (n_judges, n_judges)
        Delta_ij - v_i v_j as a correlation of votes.
    deviations : ndarray of shape (n_judges, n_judges)
        Residuals in robust deviations.
    masked : ndarray of bool of shape (n_judges, n_judges)
        Pairs left out of the fit as they did not agree with it; related pairs are not among them.
    """

    factor: FloatArray
    weights: FloatArray
    residuals: FloatArray
    deviations: FloatArray
    masked: NDArray[np.bool_]


def fit_rank_one(
    moments: VoteMoments, *, robust: bool = True, related: NDArray[np.bool_] | None = None
) -> RankOneFit:
    """Fit v v^T to the covariances off the diagonal.

    Alternating least squares, reweighted by Cauchy's weights; pairs more than 4 robust
    deviations off are masked and the rest is fitted anew. The robust deviation is not taken
    below what sampling alone gives.
    """
    covariance, n_common = moments.covariance, moments.n_common
    variance = moments.means * (1 - moments.means)
    spread = np.sqrt(np.outer(variance, variance))
    fitted = (spread > 0) & (n_common > 0)  # a judge of one answer says nothing of the others
    np.fill_diagonal(fitted, val=False)
    if related is not None:
        fitted &= ~related
    scale = np.where(fitted, spread, 1.0)
    error = scale / np.sqrt(np.maximum(n_common, 1))
    base = np.where(fitted, 1 / np.square(scale), 0.0)
    v = _least_squares(covariance, base * n_common, np.sqrt(variance))

    def standardise(v: FloatArray) -> FloatArray:
        return np.where(fitted, (covariance - np.outer(v, v)) / error, 0.0)

    masked = np.zeros_like(fitted)
    deviation = 1.0
    pairs = np.triu(fitted)
    if robust and pairs.any():
        for _ in range(_ROUNDS):
            z = standardise(v)
            deviation = max(1.0, 1.4826 * float(np.median(np.abs(z[pairs]))))
            weights = base * n_common / (1 + np.square(z / (_CAUCHY * deviation)))
            before, v = v, _least_squares(covariance, weights, v, _STEPS // 10)
            if np.abs(v - before).max() < 1e-9:
                break
        masked = _mask(np.abs(standardise(v)) / deviation, fitted)
        base = np.where(masked, 0.0, base)
        v = _least_squares(covariance, base * n_common, v)
    if np.sign(v).sum() < 0 or (np.sign(v).sum() == 0 and v.sum() < 0):
        v = -v
    z = standardise(v)
    return RankOneFit(v, base, z * error / scale, z / deviation, masked)


def _least_squares(
    covariance: FloatArray, weights: FloatArray, start: FloatArray, steps: int = _STEPS
) -> FloatArray:
    """One factor after the other, each the best for the others as they are."""
    v = start.copy()
    for _ in range(steps):
        moved = 0.0
        for i in range(len(v)):
            norm = float(weights[i] @ np.square(v))
            new = float(weights[i] @ (covariance[i] * v)) / norm if norm > 0 else 0.0
            moved, v[i] = max(moved, abs(new - v[i])), new
        if moved < 1e-12:
            break
    return v


def _mask(deviations: FloatArray, fitted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Pairs beyond the limit, the worst first, as far as the others still determine the fit."""
    masked = np.zeros_like(fitted)
    rows, columns = np.nonzero(np.triu((deviations > _FLAG) & fitted))
    for pair in np.argsort(-deviations[rows, columns], kind="stable"):
        i, j = rows[pair], columns[pair]
        masked[i, j] = masked[j, i] = True
        third = np.flatnonzero(fitted[i] & fitted[j])
        if not has_trio(fitted & ~masked, (i, j, *third)):
            masked[i, j] = masked[j, i] = False
    return masked


def has_trio(pairs: NDArray[np.bool_], judges: tuple[int, ...]) -> bool:
    """Whether each of some judges is still in a trio whose three pairs are all there."""
    return all(bool(pairs[np.ix_(pairs[i], pairs[i])].any()) for i in judges)
