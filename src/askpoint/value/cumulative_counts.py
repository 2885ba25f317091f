"""The one sort: right and wrong answers cumulated from the surest case on.

A confidence and its outcome are packed into one unsigned integer (the float's bits, then the
outcome as the lowest bit), so that a plain sort of integers does what argsort and two
gathers would do, several times faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["count_staircase", "sum_staircase"]

_CHUNK = 1 << 16  # what is computed beside the sorted keys stays in the cache


def count_staircase(
    right: BoolArray, confidence: FloatArray
) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
    """Count right and wrong answers up to the end of each group of equal confidence."""
    low, high = confidence.min(), confidence.max()
    if low < 0 < high:
        positive = confidence >= 0
        upper = count_staircase(right[positive], confidence[positive])
        lower = count_staircase(right[~positive], confidence[~positive])
        thresholds = np.concatenate([upper[0], lower[0][1:]])
        hits, misses, items = (
            np.concatenate([u, u[-1] + v[1:]]) for u, v in zip(upper[1:], lower[1:], strict=True)
        )
        return thresholds, hits, misses, items
    unsigned: type[np.unsignedinteger[Any]] = np.uint32 if confidence.itemsize == 4 else np.uint64
    top, one = unsigned(np.iinfo(unsigned).max >> 1), unsigned(1)
    # keys rise as confidence falls; the sign bit, that of -0.0 too, is shifted out
    keys = np.ascontiguousarray(confidence).view(unsigned) & top
    if low >= 0:
        np.subtract(top, keys, out=keys)
    keys <<= one
    keys |= right
    keys.sort()

    starts = range(0, len(keys), _CHUNK)
    n_groups = 1 + sum(np.count_nonzero(_is_end(keys, start)) for start in starts)
    thresholds = np.full(n_groups + 1, np.inf, confidence.dtype)
    hits, items = np.zeros((2, n_groups + 1), np.int64)
    levels = thresholds.view(unsigned)[1:]
    group = n_hits = 0
    for start in starts:
        ends = np.flatnonzero(_is_end(keys, start))
        chunk = keys[start : start + _CHUNK]
        counts = np.cumsum(chunk & one, dtype=np.int64)
        group, before = group + len(ends), group
        levels[before:group] = chunk[ends]
        hits[before + 1 : group + 1] = counts[ends] + n_hits
        items[before + 1 : group + 1] = ends + (start + 1)
        n_hits += int(counts[-1])
    levels[-1], hits[-1], items[-1] = keys[-1], n_hits, len(keys)
    levels >>= one
    if low >= 0:
        np.subtract(top, levels, out=levels)
    else:
        np.subtract(0, thresholds[1:], out=thresholds[1:])
    return thresholds, hits, items - hits, items


def _is_end(keys: IntArray, start: int) -> BoolArray:
    """Which keys of a chunk are followed by one of another confidence."""
    chunk = keys[start : start + _CHUNK + 1]
    different: BoolArray = (chunk[:-1] ^ chunk[1:]) > 1
    return different


def sum_staircase(
    confidence: FloatArray, *amounts: FloatArray | IntArray | BoolArray
) -> tuple[FloatArray, IntArray, list[NDArray[Any]]]:
    """Sum amounts up to the end of each group of equal confidence."""
    order = np.argsort(-confidence, kind="stable")
    scores = confidence[order]
    ends = np.append(np.flatnonzero(scores[1:] != scores[:-1]), len(scores) - 1)
    thresholds = np.append(np.full(1, np.inf, scores.dtype), scores[ends])
    sums = [
        np.append(0, np.cumsum(amount[order], dtype=np.result_type(amount, np.int64))[ends])
        for amount in amounts
    ]
    return thresholds, np.append(0, ends + 1), sums
