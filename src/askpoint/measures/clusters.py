"""Cases that belong together, or stand for many, tell less than so many: by how much."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.inputs import FloatArray, as_finite, as_same_length
from askpoint.measures.sampling import effective_size

__all__ = ["cluster_sums", "design_effect"]


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
