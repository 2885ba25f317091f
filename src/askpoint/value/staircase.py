"""The one sort: right and wrong answers cumulated from the surest case on.

A confidence and its outcome are packed into one unsigned integer (the float's bits, then the
outcome as the lowest bit), so that a plain sort of integers does what argsort and two
gathers would do, several times faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["Staircase", "count_staircase", "weighted_staircase"]

Staircase = tuple[FloatArray, FloatArray | IntArray, FloatArray | IntArray, IntArray]

_CHUNK = 1 << 20  # keeps what is computed beside the sorted keys in the cache


def count_staircase(right: BoolArray, confidence: FloatArray) -> Staircase:
    """Cumulate counts at the end of each group of equal confidence.

    Parameters
    ----------
    right : ndarray of bool of shape (n_items,)
        Outcomes; at least one.
    confidence : ndarray of float32 or float64 of shape (n_items,)
        Finite scores.

    Returns
    -------
    thresholds, right, wrong, items : ndarray of shape (n_groups + 1,)
        From (infinity, 0, 0, 0) on, by falling confidence.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.staircase import count_staircase
    >>> count_staircase(np.array([True, False, True]), np.array([0.5, 0.5, 0.75]))[1]
    array([0, 1, 2])
    """
    low, high = confidence.min(), confidence.max()
    if low < 0 < high:
        thresholds, *counts = weighted_staircase(right, confidence, np.ones(len(confidence)))
        correct, wrong, items = (count.astype(np.int64) for count in counts)
        return thresholds, correct, wrong, items
    unsigned: type[np.unsignedinteger[Any]] = np.uint32 if confidence.itemsize == 4 else np.uint64
    top, one = unsigned(np.iinfo(unsigned).max >> 1), unsigned(1)
    # keys rise as confidence falls; the sign bit of 0.0 and -0.0 is shifted out
    bits = np.ascontiguousarray(confidence if low >= 0 else -confidence).view(unsigned)
    keys = bits & top
    if low >= 0:
        np.subtract(top, keys, out=keys)
    keys <<= one
    keys |= right
    keys.sort()

    ends, hits, before = [], [], 0
    for start in range(0, len(keys), _CHUNK):
        chunk = keys[start : start + _CHUNK + 1]
        size = min(_CHUNK, len(keys) - start)
        last = np.ones(size, dtype=bool)
        np.greater(chunk[:-1] ^ chunk[1:], one, out=last[: len(chunk) - 1])
        end = np.flatnonzero(last)
        cumulated = np.cumsum(chunk[:size] & one, dtype=np.int64)
        ends.append(end + (start + 1))
        hits.append(cumulated[end] + before)
        before += int(cumulated[-1])
    zero = np.zeros(1, dtype=np.int64)
    items = np.concatenate([zero, *ends])
    correct = np.concatenate([zero, *hits])
    level = keys[items[1:] - 1] >> one
    scores = -level.view(confidence.dtype) if low < 0 else (top - level).view(confidence.dtype)
    thresholds = np.concatenate([np.full(1, np.inf, confidence.dtype), scores])
    return thresholds, correct, items - correct, items


def weighted_staircase(right: BoolArray, confidence: FloatArray, weight: FloatArray) -> Staircase:
    """Cumulate weights at the end of each group of equal confidence.

    Parameters
    ----------
    right : ndarray of bool of shape (n_items,)
        Outcomes; at least one.
    confidence : ndarray of shape (n_items,)
        Finite scores.
    weight : ndarray of shape (n_items,)
        Positive weights.

    Returns
    -------
    thresholds, right, wrong, items : ndarray of shape (n_groups + 1,)
        From (infinity, 0, 0, 0) on, by falling confidence.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.staircase import weighted_staircase
    >>> right, score = np.array([True, False]), np.array([0.5, 0.75])
    >>> weighted_staircase(right, score, np.array([2.0, 3.0]))[2]
    array([0., 3., 3.])
    """
    order = np.argsort(-confidence, kind="stable")
    scores = confidence[order]
    ends = np.append(np.flatnonzero(scores[1:] != scores[:-1]), len(scores) - 1)
    w = weight[order].astype(np.float64)
    hit = right[order]
    correct = np.cumsum(np.where(hit, w, 0.0))[ends]
    mistaken = np.cumsum(np.where(hit, 0.0, w))[ends]
    zero = np.zeros(1)
    return (
        np.concatenate([np.full(1, np.inf, scores.dtype), scores[ends]]),
        np.concatenate([zero, correct]),
        np.concatenate([zero, mistaken]),
        np.concatenate([np.zeros(1, np.int64), ends + 1]),
    )
