"""The surface that contains the truth however errors are correlated (section 5 of the paper)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.inputs import as_finite

__all__ = ["containing_residual"]


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
    >>> from askpoint.papers.containing_variety import containing_residual
    >>> containing_residual(0.5, [[1, 1]], [0.5]), containing_residual(0.5, [[1, 1]], [0.25])
    (0.0, 0.25)
    """
    P, f = as_finite(accuracy, "accuracy", ndim=2), as_finite(votes_b, "votes_b")
    u, w = P[:, 0] - (1 - f), P[:, 1] - f
    marginal = p * u - (1 - p) * w
    crossed = np.outer(u, w) - np.outer(w, u)
    return float(max(np.abs(marginal).max(), np.abs(crossed).max()))
