"""Numbers cut into intervals by their classes: Fayyad and Irani's entropy and description length.

An interval is cut where the classes' entropy falls most, as long as the gain pays for saying where the
cut is: gain > (log2(N - 1) + log2(3^k - 2) - k E + k1 E1 + k2 E2) / N. Source: Fayyad and Irani, Thirteenth
International Joint Conference on Artificial Intelligence (1993).
"""

from __future__ import annotations

import math

import numpy as np

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["cut_points", "discretise"]


def discretise(x: FloatArray, y: IntArray) -> IntArray:
    """Return the number of each value's interval, 0 for the lowest."""
    return np.searchsorted(cut_points(x, y), x, side="left")


def cut_points(x: FloatArray, y: IntArray) -> FloatArray:
    """Return where to cut, from low to high, half way between two values; a value at a cut lies below it."""
    order = np.argsort(x, kind="stable")
    values = x[order]
    counts = np.zeros((len(y) + 1, int(y.max()) + 1), dtype=np.int64)
    counts[np.arange(1, len(y) + 1), y[order]] = 1
    counts.cumsum(axis=0, out=counts)
    changes = np.flatnonzero(values[1:] > values[:-1]) + 1
    places = sorted(_cuts(changes, counts, 0, len(y)))
    return np.array([(values[place - 1] + values[place]) / 2 for place in places])


def _cuts(changes: IntArray, counts: IntArray, start: int, stop: int) -> list[int]:
    """Return the rows before which to cut between start and stop."""
    inside = changes[np.searchsorted(changes, start, "right") : np.searchsorted(changes, stop)]
    if not len(inside):
        return []
    whole = counts[stop] - counts[start]
    n = stop - start
    left = counts[inside] - counts[start]
    right = whole - left
    below = left.sum(axis=1)
    entropies = (below * _entropy(left) + (n - below) * _entropy(right)) / n
    best = int(np.argmin(entropies))
    entropy = float(_entropy(whole))
    parts = (left[best], right[best])
    k = np.count_nonzero(whole)
    rest = sum(np.count_nonzero(part) * float(_entropy(part)) for part in parts)
    price = math.log2(n - 1) + math.log2(3.0**k - 2) - (k * entropy - rest)
    if entropy - entropies[best] <= price / n:
        return []
    place = int(inside[best])
    return [
        place,
        *_cuts(changes, counts, start, place),
        *_cuts(changes, counts, place, stop),
    ]


def _entropy(counts: IntArray) -> FloatArray:
    """Entropy in bits along the last axis."""
    shares = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    entropy: FloatArray = -(shares * logs).sum(axis=-1)
    return entropy
