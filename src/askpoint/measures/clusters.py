"""Cases that belong together, or stand for many, tell less than so many: by how much."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.inputs import FloatArray, as_finite, as_same_length
from askpoint.measures.sampling import effective_size

__all__ = ["cluster_sums", "design_effect", "intraclass_correlation", "shares_of_clusters"]


def cluster_sums(values: FloatArray, cluster: ArrayLike) -> FloatArray:
    """Sums over the cases of each cluster."""
    place = np.unique(cluster, return_inverse=True)[1]
    return np.bincount(place, values).astype(np.float64)


def design_effect(
    deviations: ArrayLike,
    cluster: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    *,
    few: int = 30,
) -> float:
    """How many times the variance of a mean exceeds that of Kish's number of cases; 1 or more.

    `deviations` are values less what is expected of each. A cluster of equal cases counts once;
    with fewer than `few` clusters all are taken to be so. Weights count beyond Kish's number where
    heavy cases deviate more.

    References
    ----------
    Kish, Survey Sampling (1965); Liang and Zeger, Biometrika 73 (1986).
    """
    part = as_finite(deviations, "deviations").astype(np.float64, copy=False)
    if not len(part):
        return 1.0
    weight = np.ones(len(part)) if weights is None else as_finite(weights, "weights")
    names = np.arange(len(part)) if cluster is None else np.asarray(cluster)
    as_same_length(part, names, ("deviations", "clusters"))
    as_same_length(part, weight, ("deviations", "weights"))
    units = cluster_sums(weight, names)
    size = effective_size(weight)
    most = size / effective_size(units) if cluster is not None else size
    square = float(weight @ np.square(part) / weight.sum())
    if not square or (cluster is not None and len(units) < few):
        return max(most, 1.0) if cluster is not None else 1.0
    variance = float(np.square(cluster_sums(weight * part, names)).sum() / weight.sum() ** 2)
    correction = len(units) / (len(units) - 1) if len(units) > 1 else 1.0
    return float(np.clip(size * variance / square * correction, 1.0, max(most, 1.0)))


def intraclass_correlation(deviations: ArrayLike, cluster: ArrayLike, *, few: int = 30) -> float:
    """How alike cases of one cluster are, from 0 to 1, by analysis of variance; 1 from few clusters.

    `deviations` are values less what is expected of each.

    References
    ----------
    Donner, International Statistical Review 54 (1986).
    """
    part = as_finite(deviations, "deviations").astype(np.float64, copy=False)
    names = np.asarray(cluster)
    as_same_length(part, names, ("deviations", "clusters"))
    place = np.unique(names, return_inverse=True)[1]
    sizes = np.bincount(place).astype(np.float64)
    n, k = len(part), len(sizes)
    if k < few:
        return 1.0
    if n == k:
        return 0.0
    part = part - part.mean()
    means = np.bincount(place, part) / sizes
    between = float(sizes @ means**2) / (k - 1)
    within = float(np.square(part - means[place]).sum()) / (n - k)
    usual = (n - float(sizes @ sizes) / n) / (k - 1)
    whole = between + (usual - 1) * within
    return float(np.clip((between - within) / whole, 0, 1)) if whole > 0 else 1.0


def shares_of_clusters(cluster: ArrayLike, correlation: float) -> FloatArray:
    """What each case counts: 1 / (1 + (s - 1) correlation) in a cluster of s cases."""
    place = np.unique(cluster, return_inverse=True)[1]
    size = np.bincount(place)[place]
    return np.asarray(1 / (1 + (size - 1) * correlation))
