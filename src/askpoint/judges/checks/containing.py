"""The surface that contains the truth however errors are correlated (section 5 of the paper)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from askpoint.measures.inputs import as_finite

__all__ = ["containing_distance", "containing_residual"]

_GRID = 201  # prevalences from which the minimum is refined


def containing_residual(p: float, accuracy: ArrayLike, votes_b: ArrayLike) -> float:
    """Say by how much an evaluation misses eqs. 22 and 23.

    The independent evaluator's residual is zero by construction, as of every evaluation that
    agrees with how often judges vote for each label; so it tells nothing about correlation.
    It is meant for evaluations from elsewhere.

    Parameters
    ----------
    p : float
        Prevalence of the first label.
    accuracy : array-like of shape (n_judges, 2)
        P_ia and P_ib.
    votes_b : array-like of shape (n_judges,)
        f_ib, each judge's share of votes for the second label.

    Returns
    -------
    float
        The greatest absolute residual of all equations.

    Examples
    --------
    >>> from askpoint.judges.checks.containing import containing_residual
    >>> containing_residual(0.5, [[1, 1]], [0.5]), containing_residual(0.5, [[1, 1]], [0.25])
    (0.0, 0.25)
    """
    P, f = as_finite(accuracy, "accuracy", ndim=2), as_finite(votes_b, "votes_b")
    u, w = P[:, 0] - (1 - f), P[:, 1] - f
    marginal = p * u - (1 - p) * w
    crossed = np.outer(u, w) - np.outer(w, u)
    return float(max(np.abs(marginal).max(), np.abs(crossed).max()))


def containing_distance(p: float, accuracy: ArrayLike, votes_b: ArrayLike) -> float:
    """Measure how far an estimate is from the surface of eq. 22 within the unit cube.

    For estimates outside the cube, where the residual is zero but the point is impossible.
    """
    P, f = as_finite(accuracy, "accuracy", ndim=2), as_finite(votes_b, "votes_b")

    def squared(share: float) -> float:
        return (share - p) ** 2 + float(_nearest_on_segments(share, P, f).sum())

    # piecewise smooth in one unknown: eq. 22 is a line for each judge once p is given
    grid = np.linspace(0, 1, _GRID)
    best = int(np.argmin([squared(share) for share in grid]))
    bounds = (grid[max(best - 1, 0)], grid[min(best + 1, _GRID - 1)])
    refined = optimize.minimize_scalar(
        squared, bounds=bounds, method="bounded", options={"xatol": 1e-10}
    )
    return float(np.sqrt(min(refined.fun, squared(grid[best]))))


def _nearest_on_segments(
    p: float, P: NDArray[np.floating], f: NDArray[np.floating]
) -> NDArray[np.floating]:
    """Squared distances of (P_ia, P_ib) to the line p (x - f_ia) = q (y - f_ib) in the unit square."""
    q = 1 - p
    along = np.array([q, p]) / np.hypot(p, q)  # direction of all lines
    foot = np.column_stack([1 - f, f])  # each goes through (f_ia, f_ib)
    t = (P - foot) @ along
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([-foot / along, (1 - foot) / along])  # where a coordinate is 0 and 1
    ends[:, :, along == 0] = np.array([-np.inf, np.inf])[:, None, None]
    t = np.clip(t, ends[0].max(axis=1), ends[1].min(axis=1))
    squares: NDArray[np.floating] = ((foot + t[:, None] * along - P) ** 2).sum(axis=1)
    return squares
