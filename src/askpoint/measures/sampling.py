"""Samples with known inclusion probabilities: what they say about all items."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.inputs import IntArray, as_finite, as_same_length, as_weights

__all__ = [
    "effective_size",
    "neyman_allocation",
]


def effective_size(weights: ArrayLike) -> float:
    """Kish's effective sample size: (sum w)^2 / sum w^2.

    References
    ----------
    Kish, Survey Sampling (1965).
    """
    array = as_finite(weights, "weights").astype(np.float64, copy=False)
    as_weights(array, len(array))
    if not array.size:
        return 0.0
    share = array / array.max()  # whose squares cannot overflow
    return float(share.sum() ** 2 / np.square(share).sum())


def neyman_allocation(
    sizes: ArrayLike, deviations: ArrayLike, n: int, *, at_least: int = 2
) -> IntArray:
    """Distribute `n` draws over strata so that the variance of the stratified total is least.

    In proportion to size times standard deviation, but exact in whole draws: no other
    allocation within the limits has a smaller sum of (size * deviation)^2 / draws. No stratum
    gets more than it holds; each gets `at_least` draws, or all that it holds.

    References
    ----------
    Neyman, JRSS 97 (1934); Wright, Statistics & Probability Letters 129 (2017): draw m + 1
    of a stratum lowers the variance by (size * deviation)^2 / (m (m + 1)).
    """
    size = as_finite(sizes, "sizes").astype(np.float64, copy=False)
    spread = as_finite(deviations, "deviations").astype(np.float64, copy=False)
    as_same_length(size, spread, ("sizes", "deviations"))
    if (size < 0).any() or (size != np.floor(size)).any() or (spread < 0).any():
        raise InputError("sizes are whole numbers and deviations numbers, none negative")
    if at_least < 1:
        raise InputError(f"at_least must be 1 or more; got {at_least}: no draw tells nothing")
    floor = np.minimum(size, at_least)
    if not floor.sum() <= n <= size.sum():
        raise InputError(
            f"n must be between {floor.sum():.0f} (at least {at_least} in every stratum) and "
            f"{size.sum():.0f} (all items); got {n}"
        )
    share = size * spread
    varied = share > 0
    left = int(n - size[varied].sum())
    if left > floor[~varied].sum():  # the strata that vary are taken whole
        full, rest = size.astype(np.int64), size[~varied]
        full[~varied] = neyman_allocation(rest, np.ones(len(rest)), left, at_least=at_least)
        return full
    if n == floor.sum():
        return floor.astype(np.int64)

    def allocation(scale: float) -> IntArray:  # all draws that gain at least 1 / scale^2
        # the greatest m with m (m - 1) <= (scale * share)^2
        return np.floor(0.5 + np.hypot(0.5, scale * share)).clip(floor, size).astype(np.int64)

    low, high = 0.0, float((1 / spread[varied]).max())
    while low < (middle := (low + high) / 2) < high:
        if allocation(middle).sum() <= n:
            low = middle
        else:
            high = middle
    counts = allocation(low)
    next_best = np.flatnonzero(allocation(high) > counts)
    counts[next_best[: n - counts.sum()]] += 1
    return counts
