"""Which of several models is better, corrected for looking at all of them (max-t)."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, as_finite, as_level
from askpoint.measures.intervals import Interval

__all__ = ["CHOSEN_IN_FOLDS", "ComparedModels", "ModelPair", "compare_costs"]

_DRAWS = 20_000
_FEW = 30

CHOSEN_IN_FOLDS = 1.25
"""Thresholds of ten folds are nearly one threshold, whose luck no spread of cases shows.

Between eight equal models the means vary 1.15 times as the spread of their cases says (Nadeau and
Bengio's 1 + 1/9, Machine Learning 52, 2003, is about that); with 1.25 the greatest of 28 differences keeps 5%.
"""


class ModelPair(NamedTuple):
    """How much more the first model costs per case than the second, of `models` (positions)."""

    models: tuple[int, int]
    difference: float
    interval: Interval
    p_value: float


class ComparedModels(NamedTuple):
    """All pairs, whose intervals and p-values hold at once; the position of the best, if shown."""

    pairs: tuple[ModelPair, ...]
    best: int | None


def compare_costs(
    costs: ArrayLike,
    rng: np.random.Generator,
    *,
    level: float = 0.95,
    cluster: ArrayLike | None = None,
    inflation: float = 1.0,
) -> ComparedModels:
    """Compare mean costs of k models on the same cases (rows), all pairs at once.

    The greatest |t| of all pairs is drawn from the normal distribution of their correlation
    (max-t); cases of one cluster count as one observation of their sum. Variances count
    `inflation` times: give `CHOSEN_IN_FOLDS` where each case is judged at a threshold that the others
    chose.

    References
    ----------
    Hothorn, Bretz and Westfall, Biometrical Journal 50 (2008).
    """
    table = as_finite(costs, "costs", ndim=2)
    n, k = table.shape
    if n < 2 or k < 2:
        raise InputError(f"compare 2 models or more on 2 cases or more; got {k} on {n}")
    rest = 1 - as_level(level, "level")
    pairs = list(itertools.combinations(range(k), 2))
    first, second = np.array(pairs).T
    mean = table.mean(axis=0)
    part = table - mean
    if cluster is not None:
        place = np.unique(cluster, return_inverse=True)[1]
        sums = np.zeros((int(place.max()) + 1, k))
        np.add.at(sums, place, part)
        part = sums
    units = len(part)
    if units < 2:
        raise InputError("all cases are of one cluster; two or more tell how far costs vary")
    spread = part.T @ part * (inflation * units / (units - 1)) / n**2
    drawn = rng.multivariate_normal(np.zeros(k), spread, _DRAWS, method="eigh")
    variance = spread[first, first] + spread[second, second] - 2 * spread[first, second]
    scale = max(float(np.abs(np.diag(spread)).max()), np.finfo(np.float64).tiny)
    error = np.sqrt(np.where(variance > 1e-12 * scale, variance, 0.0))
    known = error > 0
    difference = mean[first] - mean[second]
    greatest = np.abs((drawn[:, first] - drawn[:, second])[:, known] / error[known])
    most = greatest.max(axis=1) if known.any() else np.zeros(_DRAWS)
    # Student's tails for few units
    most = _widen(most, units)
    # where few cases differ, one more of the greatest size may not have been seen yet
    few = (table[:, first] != table[:, second]).sum(axis=0) < _FEW
    error = np.where(known & few, np.hypot(error, np.ptp(table) / n), error)
    half = float(np.quantile(most, 1 - rest)) * error
    found = []
    for i, pair in enumerate(pairs):
        p = float((most >= abs(difference[i]) / error[i]).mean()) if known[i] else 1.0
        interval = Interval(float(difference[i] - half[i]), float(difference[i] + half[i]))
        found.append(ModelPair(pair, float(difference[i]), interval, p))
    return ComparedModels(tuple(found), _best(found, k, rest))


def _widen(most: FloatArray, units: int) -> FloatArray:
    """Map normal deviates to Student's of the same probability."""
    degrees = units - 1
    upper = special.ndtr(-most).clip(1e-300)
    return np.asarray(-special.stdtrit(degrees, upper))


def _best(pairs: list[ModelPair], k: int, rest: float) -> int | None:
    beaten = np.zeros((k, k), dtype=np.bool_)
    for (first, second), difference, _, p in pairs:
        cheap, dear = (first, second) if difference < 0 else (second, first)
        beaten[cheap, dear] = p <= rest
    winners = np.flatnonzero(beaten.sum(axis=1) == k - 1)
    return int(winners[0]) if winners.size else None
