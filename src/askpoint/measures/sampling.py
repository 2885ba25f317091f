"""Samples with known inclusion probabilities: what they say about all items."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, IntArray, as_finite, as_same_length

__all__ = [
    "as_propensities",
    "effective_size",
    "hajek_mean",
    "horvitz_thompson_total",
    "neyman_allocation",
]


def as_propensities(propensity: ArrayLike) -> FloatArray:
    """Check inclusion probabilities: each above 0 and at most 1.

    Parameters
    ----------
    propensity : array-like of shape (n,)
        The probability with which each item was looked at.

    Returns
    -------
    ndarray of shape (n,)

    Raises
    ------
    InputError
        If one is 0 or below, above 1, missing or infinite.

    Examples
    --------
    >>> from askpoint.measures.sampling import as_propensities
    >>> as_propensities([0.1, 1.0])
    array([0.1, 1. ])
    """
    array = as_finite(propensity, "propensities")
    if array.size and (array.min() <= 0 or array.max() > 1):
        row = int(np.flatnonzero((array <= 0) | (array > 1))[0])
        raise InputError(
            f"propensities are probabilities above 0 and at most 1, got {array[row]} in row {row}"
        )
    return array


def effective_size(weights: ArrayLike) -> float:
    """Kish's effective sample size: (sum w)^2 / sum w^2.

    Parameters
    ----------
    weights : array-like of shape (n,)
        Positive weights.

    Returns
    -------
    float

    References
    ----------
    Kish, Survey Sampling (1965).

    Examples
    --------
    >>> from askpoint.measures.sampling import effective_size
    >>> effective_size([1.0, 1.0, 1.0])
    3.0
    """
    array = as_finite(weights, "weights").astype(np.float64)
    if not array.size:
        return 0.0
    return float(array.sum() ** 2 / np.square(array).sum())


def horvitz_thompson_total(values: ArrayLike, propensity: ArrayLike) -> tuple[float, float]:
    """Horvitz-Thompson estimate of the sum over all items, and its standard error.

    Parameters
    ----------
    values : array-like of shape (n,)
        Values of the items that were looked at.
    propensity : array-like of shape (n,)
        The probability with which each of them was looked at, independently (Poisson sampling).

    Returns
    -------
    total, standard_error : float

    Raises
    ------
    InputError
        If the lengths differ or a propensity is not in (0, 1].

    References
    ----------
    Horvitz and Thompson, JASA 47 (1952).

    Examples
    --------
    >>> from askpoint.measures.sampling import horvitz_thompson_total
    >>> horvitz_thompson_total([1.0, 0.0, 2.0], [0.5, 0.5, 1.0])[0]
    4.0
    """
    y = as_finite(values, "values").astype(np.float64)
    pi = as_propensities(propensity).astype(np.float64)
    as_same_length(y, pi, ("values", "propensities"))
    return float((y / pi).sum()), float(np.sqrt(((1 - pi) * np.square(y / pi)).sum()))


def hajek_mean(values: ArrayLike, propensity: ArrayLike) -> tuple[float, float]:
    """Hajek estimate of the mean over all items, and its standard error.

    The weighted mean with weights 1 / propensity; the error by linearisation, for items
    drawn independently from a population much larger than the sample.

    Parameters
    ----------
    values : array-like of shape (n,)
        Values of the items that were looked at, at least one.
    propensity : array-like of shape (n,)
        The probability with which each of them was looked at.

    Returns
    -------
    mean, standard_error : float

    Raises
    ------
    InputError
        If there is no item, the lengths differ or a propensity is not in (0, 1].

    References
    ----------
    Hajek, in: Foundations of Statistical Inference (1971).

    Examples
    --------
    >>> from askpoint.measures.sampling import hajek_mean
    >>> mean, error = hajek_mean([1.0, 0.0], [0.25, 0.75])
    >>> round(mean, 4)
    0.75
    """
    y = as_finite(values, "values").astype(np.float64)
    pi = as_propensities(propensity).astype(np.float64)
    as_same_length(y, pi, ("values", "propensities"))
    if not y.size:
        raise InputError("a mean needs at least one item that was looked at")
    weight = 1 / pi
    total = weight.sum()
    mean = float((weight * y).sum() / total)
    error = float(np.sqrt((np.square(weight) * np.square(y - mean)).sum()) / total)
    return mean, error


def neyman_allocation(
    sizes: ArrayLike, deviations: ArrayLike, n: int, *, at_least: int = 2
) -> IntArray:
    """Distribute `n` draws over strata in proportion to size times standard deviation.

    No stratum gets more than it holds; each gets `at_least` draws (or all it holds, if
    fewer) as far as `n` reaches.

    Parameters
    ----------
    sizes : array-like of int of shape (n_strata,)
        Number of items in each stratum.
    deviations : array-like of shape (n_strata,)
        Expected standard deviation inside each; it steers precision, not validity.
    n : int
        Number of draws in all, at most the number of items.
    at_least : int, default=2
        Draws that every stratum gets first.

    Returns
    -------
    ndarray of int64 of shape (n_strata,)
        Sums to `n`.

    Raises
    ------
    InputError
        If `n` exceeds the items, or is too small for `at_least` in every stratum.

    References
    ----------
    Neyman, JRSS 97 (1934).

    Examples
    --------
    >>> from askpoint.measures.sampling import neyman_allocation
    >>> neyman_allocation([100, 100], [0.1, 0.3], 40).tolist()
    [10, 30]
    """
    size = np.asarray(sizes, dtype=np.int64)
    spread = as_finite(deviations, "deviations").astype(np.float64)
    as_same_length(size, spread, ("sizes", "deviations"))
    if (size < 0).any() or (spread < 0).any():
        raise InputError("sizes and deviations must not be negative")
    floor = np.minimum(size, at_least)
    if not floor.sum() <= n <= size.sum():
        raise InputError(
            f"n must lie between {floor.sum()} (at least {at_least} in every stratum) and "
            f"{size.sum()} (all items), got {n}"
        )
    share = size * spread
    if not share.any():
        share = size.astype(np.float64)
    taken = floor.astype(np.float64)
    fixed = np.zeros(len(size), dtype=bool)
    while True:  # strata that their share over- or underfills are fixed at their limit
        free = ~fixed
        rest = n - taken[fixed].sum()
        weight = share * free
        if not weight.any():
            weight = np.where(free, size, 0).astype(np.float64)
        if not weight.any():
            break
        ideal = rest * weight / weight.sum()
        low, high = free & (ideal < floor), free & (ideal > size)
        over = (ideal - size)[high].sum() >= (floor - ideal)[low].sum()
        bound = high if over and high.any() else low
        if not bound.any():
            taken[free] = ideal[free]
            break
        taken[bound] = np.where(over, size, floor)[bound]
        fixed |= bound
    whole = np.floor(taken + 1e-9).astype(np.int64)
    order = np.argsort(-(taken - whole), kind="stable")
    order = order[whole[order] < size[order]]
    missing = int(n - whole.sum())
    whole[order[:missing]] += 1
    return whole
