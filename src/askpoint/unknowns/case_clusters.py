"""Cases that belong together: halved as a whole, and counted by what they tell."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.unknowns.population import PopulationEstimate, population_mean

__all__ = ["as_clusters", "cluster_mean", "halves"]


def as_clusters(clusters: ArrayLike, n: int) -> IntArray:
    """Number the clusters, of which there must be four."""
    names = np.asarray(clusters)
    if names.shape != (n,):
        raise InputError(f"clusters need one name a case: got shape {names.shape} for {n} cases")
    group: IntArray = np.unique(names, return_inverse=True)[1]
    if group.max() < 3:
        raise NotEstimableError(
            f"{group.max() + 1} clusters cannot be halved and compared; collect cases of at least 4"
        )
    return group


def halves(n: int, group: IntArray | None, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Part the cases at random, each cluster as a whole."""
    if group is None:
        search, confirm = np.split(rng.permutation(n), [n // 2])
        return search, confirm
    place = rng.permutation(group.max() + 1)[group]
    order = np.argsort(place, kind="stable")
    sizes = np.cumsum(np.bincount(place))
    cut = int(sizes[np.argmin(np.abs(sizes[:-1] - n / 2))])
    return order[:cut], order[cut:]


def cluster_mean(
    values: FloatArray, largest: float, level: float, group: IntArray | None
) -> PopulationEstimate:
    """Mean of independent cases, or of means of whole clusters where there are such."""
    if group is None:
        one = np.zeros(len(values))
        return population_mean(
            values, one, [len(values)], largest=largest, level=level, finite=False
        )
    place = np.unique(group, return_inverse=True)[1]
    sizes = np.bincount(place)
    # ratio estimate: each cluster's total, in units of the mean size
    totals = np.bincount(place, values) / sizes.mean()
    most = largest * float(sizes.max() / sizes.mean())
    return population_mean(
        totals,
        np.zeros(len(sizes)),
        [len(sizes)],
        largest=most,
        level=level,
        finite=False,
    )
