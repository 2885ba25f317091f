"""An interval for a share behind a sample of unequal chances, or a refusal where it cannot hold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.measures.clusters import cluster_sums
from askpoint.measures.inputs import (
    FloatArray,
    IntArray,
    as_finite,
    as_level,
    as_right,
    as_same_length,
    as_weights,
)
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.measures.sampling import effective_size

__all__ = ["WeightedShare", "weighted_share"]

_FEWEST = 10  # labels in the heaviest tenth of the range of weights
_EPSILON = float(np.finfo(np.float64).eps)


class WeightedShare(NamedTuple):
    """Hajek's estimate of a share, and an interval; None where heavy cases have too few labels."""

    estimate: float
    interval: Interval | None
    heavy_labels: int


def weighted_share(
    happened: ArrayLike,
    weights: ArrayLike,
    *,
    level: float = 0.95,
    cluster: ArrayLike | None = None,
    heaviest: float = 0.0,
) -> WeightedShare:
    """Share of cases where something happened, each label standing for `weights` cases.

    The exact binomial interval of as many cases as the estimator's own variance amounts to,
    widened to what one more event, or one more case without, of the greatest weight would
    make of it: rare heavy cases that were not seen are no proof of absence. Refused while the heaviest
    tenth of the range of weights holds fewer than 10 labels: then coverage was .845, else .967
    or more, in stratified designs with an island that is labelled at 2%. Cases of one cluster
    count as one observation of their sum. `heaviest` is the weight of cases of which perhaps none has a
    label.

    References
    ----------
    Korn and Graubard, Survey Methodology 24 (1998).
    """
    y = as_right(happened).astype(np.float64)
    w = as_finite(weights, "weights").astype(np.float64, copy=False)
    as_same_length(y, w, ("happened", "weights"))
    as_weights(w, len(w))
    z = -float(special.ndtri((1 - as_level(level, "level")) / 2))
    names = np.arange(len(y)) if cluster is None else np.unique(cluster, return_inverse=True)[1]
    as_same_length(y, names, ("happened", "clusters"))
    mean, variance = _hajek(y, w, names)
    top = max(float(w.max()), heaviest)
    heavy = int((w >= top - 0.1 * (top - w.min())).sum())
    if top > w.min() and heavy < _FEWEST:
        return WeightedShare(mean, None, heavy)
    if variance > 0:
        tail = float(special.stdtrit(int(names.max()), special.ndtr(z)))
        size = mean * (1 - mean) / variance * (z / tail) ** 2
    else:
        size = effective_size(cluster_sums(w, names))
    interval = binomial_interval(mean * size, size, level=level)
    one = top * len(y) / (int(names.max()) + 1)
    others = np.append(names, names.max() + 1)
    more, more_variance = _hajek(np.append(y, 1.0), np.append(w, one), others)
    less, less_variance = _hajek(np.append(y, 0.0), np.append(w, one), others)
    size = max(1.0, less * (1 - less) / less_variance) if less_variance else size + 1
    lower = min(interval.lower, binomial_interval(less * size, size, level=level).lower)
    upper = max(interval.upper, more + z * np.sqrt(more_variance))
    return WeightedShare(mean, Interval(lower, min(1.0, float(upper))), heavy)


def _hajek(y: FloatArray, w: FloatArray, cluster: IntArray) -> tuple[float, float]:
    """Weighted mean and its linearised variance."""
    if (y == y[0]).all():
        return float(y[0]), 0.0  # not what round-off would leave
    total, n = w.sum(), int(cluster.max()) + 1
    mean = float(w @ y / total)
    parts = w * (y - mean)
    sums = cluster_sums(parts, cluster)
    # clusters of one composition vary by round-off, which is no variance: its size would be 1e30 cases
    sums[np.abs(sums) <= len(y) * _EPSILON * np.abs(parts).sum()] = 0.0
    square = float(np.square(sums).sum() / total**2)
    return mean, square * n / (n - 1) if n > 1 else 0.0
