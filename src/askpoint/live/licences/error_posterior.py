"""What a unit's labels say of its rate, for the aim that counts money: a price, and no promise (spec/approvals.md, A5)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = [
    "CAUTION",
    "LEAST",
    "RatePosterior",
    "acting_pays",
    "acting_regret",
    "bearable_misses",
    "labels_to_pay",
    "rate_posterior",
]

_MEANS = np.geomspace(0.003, 0.4, 12)
_STRENGTHS = np.array([0.7, 2.0, 6.0, 20.0])  # how many labels each prior weighs
_WRONG = (_MEANS[:, np.newaxis] * _STRENGTHS).ravel()
_RIGHT = ((1 - _MEANS[:, np.newaxis]) * _STRENGTHS).ravel()
_PRIOR = special.betaln(_WRONG, _RIGHT)
LEAST = 10
"""Labels before which nothing is said."""
CAUTION = 0.5
"""Standard deviations above the mean: more of hindsight's saving than a promise, less that is bad than without."""


class RatePosterior(NamedTuple):
    """Mean and standard deviation of each rate."""

    mean: FloatArray
    deviation: FloatArray


def rate_posterior(labels: ArrayLike, wrong: ArrayLike) -> RatePosterior:
    """Return what labels say of rates, under an even mixture of 48 Beta priors.

    Parameters
    ----------
    labels, wrong : array-like of shape (...)
        Of each unit.

    Examples
    --------
    >>> float(rate_posterior(100, 1).mean.round(4))
    0.0125
    """
    n, w = (np.asarray(one, dtype=np.float64)[..., np.newaxis] for one in (labels, wrong))
    a, b = _WRONG + w, _RIGHT + n - w
    weights = special.softmax(special.betaln(a, b) - _PRIOR, axis=-1)
    mean = a / (a + b)
    spread = mean * (1 - mean) / (a + b + 1)
    middle = (weights * mean).sum(axis=-1)
    variance = (weights * (spread + mean * mean)).sum(axis=-1) - middle * middle
    return RatePosterior(middle, np.sqrt(np.maximum(0.0, variance)))


def labels_to_pay(wrong: ArrayLike, limit: float, most: int) -> IntArray:
    """Return with how many labels acting begins to pay, so many of them wrong; most + 1 where even most do not do.

    Parameters
    ----------
    wrong : array-like of shape (n,)
        Of the labels.
    limit : float
        As `acting_pays` takes it.
    most : int
        Labels that are looked ahead.

    Examples
    --------
    >>> labels_to_pay([0, 3], 0.0475, 1000).tolist()
    [10, 87]
    """
    bad = np.asarray(wrong, dtype=np.float64)
    low = np.maximum(LEAST, np.ceil(bad)).astype(int) - 1  # does not do, or is too few
    high = np.full(bad.shape, most + 1)
    while (high - low > 1).any():
        middle = np.minimum((low + high + 1) // 2, most)
        found = rate_posterior(middle, bad)
        pays = found.mean + CAUTION * found.deviation < limit
        open_ = high - low > 1
        low = np.where(open_ & ~pays, middle, low)
        high = np.where(open_ & pays, middle, high)
    return np.asarray(high)


def bearable_misses(labels: int, wrong: float, limit: float) -> float:
    """Return the greatest share of bad actions that readers may overlook while acting still costs less than asking.

    Examples
    --------
    >>> round(bearable_misses(100, 1, 0.05), 2)
    0.75
    """
    return max(0.0, 1 - float(rate_posterior(labels, wrong).mean) / limit)


def acting_regret(labels: ArrayLike, wrong: ArrayLike, limit: float) -> FloatArray:
    """Return what acting is expected to cost, in checks an action, by the rates that are above the limit.

    That of a normal distribution of the same mean and deviation: it only says how often to look.

    Parameters
    ----------
    labels, wrong : array-like of shape (...)
        Of each unit.
    limit : float
        As `acting_pays` takes it.

    Examples
    --------
    >>> acting_regret([10, 100, 1000], 0, 0.05).round(3).tolist()
    [0.036, 0.0, 0.0]
    """
    found = rate_posterior(labels, wrong)
    below = (limit - found.mean) / found.deviation
    density = np.exp(-0.5 * below * below) / np.sqrt(2 * np.pi)
    return np.asarray(found.deviation * (density - below * special.ndtr(-below)) / limit)


def acting_pays(labels: int, wrong: float, limit: float, *, acts: bool = False) -> bool:
    """Say whether acting is expected to cost less than asking.

    Parameters
    ----------
    labels, wrong : int, float
        Counted in this episode.
    limit : float
        The price of a check over that of a bad action, less what is audited all the same.
    acts : bool, default=False
        Whether it acts alone already: then the mean alone decides, so that a single label does not toggle it.

    Examples
    --------
    >>> acting_pays(9, 0, 0.0475), acting_pays(10, 0, 0.0475), acting_pays(30, 3, 0.0475)
    (False, True, False)
    """
    if labels < LEAST:
        return False
    found = rate_posterior(labels, wrong)
    return bool(found.mean + (0.0 if acts else CAUTION) * found.deviation < limit)
