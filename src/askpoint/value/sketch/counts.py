"""What a sketch counts: right, wrong and unlabelled cases, as small integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError, SketchError
from askpoint.measures.inputs import IntArray, as_right
from askpoint.measures.missing import is_missing

__all__ = ["KINDS", "MOST", "RIGHT", "UNLABELLED", "WRONG", "as_counts", "as_kinds"]

RIGHT, WRONG, UNLABELLED, KINDS = range(4)
MOST = 2**63 - 1
"""More cases than this cannot be counted."""


def as_kinds(right: ArrayLike) -> NDArray[np.uint8]:
    """Return outcomes as 0 for right, 1 for wrong, 2 for unlabelled."""
    array = np.asarray(right)
    if array.ndim != 1:
        raise InputError(f"right must have 1 dimension; got {array.ndim}")
    missing = np.ma.getmaskarray(right) if np.ma.isMaskedArray(right) else np.False_
    if array.dtype == object:
        gone = [is_missing(entry) for entry in array.tolist()]
        missing = missing | np.array(gone, dtype=np.bool_)
    elif array.dtype.kind == "f":
        missing = missing | np.isnan(array)
    is_labelled = np.broadcast_to(~missing, array.shape)
    kinds = np.full(len(array), UNLABELLED, dtype=np.uint8)
    if is_labelled.any():
        kinds[is_labelled] = WRONG - as_right(array[is_labelled]).view(np.uint8)
    return kinds


def as_counts(counts: ArrayLike, n: int) -> IntArray:
    """Check counts: natural numbers below 2^63."""
    numbers = np.asarray(counts)
    if numbers.shape != (n,):
        raise InputError(f"give one count for each of the {n} confidences; got {numbers.size}")
    if not n:
        return np.zeros(0, dtype=np.int64)
    if numbers.dtype.kind not in "iuO" or numbers.min() < 0:
        raise InputError(f"counts must be integers, 0 or more; got {numbers.min()}")
    if numbers.max() > MOST:
        raise SketchError(f"a sketch counts fewer than 2^63 cases; got {numbers.max()}")
    return numbers.astype(np.int64)
