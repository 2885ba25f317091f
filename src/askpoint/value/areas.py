"""Areas under risk-coverage curves: how well confidence ranks the mistakes, in one number."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["RiskAreas", "risk_areas"]

_STRETCH = 1 << 16  # so many groups at a time, so that they stay in the cache
_FEW = 8


class RiskAreas(NamedTuple):
    """Areas under the risk-coverage curve and the generalised one.

    Parameters
    ----------
    aurc : float
        Mean of W_k / k over k = 1 ... N.
    augrc : float
        Mean of W_k / N over k = 1 ... N.
    """

    aurc: float
    augrc: float


def risk_areas(
    right: FloatArray | IntArray, wrong: FloatArray | IntArray, items: IntArray
) -> RiskAreas:
    """Average the risk of the k surest items over k = 1 ... N.

    Inside a group of equal confidence errors are spread evenly, so that the order of rows does
    not matter. A weighted item is one step, as wide as its weight.

    References
    ----------
    Geifman and El-Yaniv, NeurIPS 2017 (AURC); Traub et al., NeurIPS 2024 (AUGRC).
    """
    aurc = augrc = 0.0
    for start in range(0, len(items) - 1, _STRETCH):
        here = slice(start, start + _STRETCH + 1)
        missed = wrong[here].astype(np.float64)
        answered = right[here] + missed
        mass, size = np.diff(answered), np.diff(items[here])
        risk, mean_missed = missed[1:] / answered[1:], missed[1:].copy()

        tied = np.flatnonzero(size > 1)
        m, w = size[tied], mass[tied]
        lost = missed[tied + 1] - missed[tied]
        rate = lost / w
        # mean over j = 1 ... m of (missed + lost j/m) / (answered + w j/m)
        ahead = (missed[tied] - rate * answered[tied]) / w
        risk[tied] = rate + ahead * _reciprocals(answered[tied] / w * m, m)
        mean_missed[tied] -= lost * (1 - 1 / m) / 2

        aurc += float((mass * risk).sum())
        augrc += float((mass * mean_missed).sum())
    total = float(right[-1] + wrong[-1])
    return RiskAreas(aurc / total, augrc / total**2)


def _reciprocals(start: FloatArray, m: IntArray) -> FloatArray:
    """Sum over j = 1 ... m of 1 / (start + j) for m >= 2, term by term where m is small."""
    sums: FloatArray = 1 / (start + 1) + 1 / (start + 2)
    left = np.flatnonzero((m > 2) & (m <= _FEW))
    for j in range(3, _FEW + 1):
        left = left[m[left] >= j]
        sums[left] += 1 / (start[left] + j)
    many = m > _FEW
    a = start[many] + 1
    sums[many] = special.digamma(a + m[many]) - special.digamma(a)
    return sums
