"""What counts as missing, in whatever library's way of saying it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError

__all__ = ["distinct_labels", "is_missing"]


def is_missing(value: object) -> bool:
    """Whether a value is missing: None, NaN, NaT or a dataframe's NA."""
    if value is None:
        return True
    if isinstance(value, str | int | np.integer):
        return False
    try:
        return bool(value != value)  # only NaN and NaT differ from themselves
    except TypeError:  # pandas' NA refuses to be a truth value
        return True


def distinct_labels(labels: ArrayLike) -> list[Any]:
    """Return the labels that occur, in order, where none may be missing."""
    try:
        distinct: list[Any] = np.unique(labels).tolist()
    except TypeError:
        raise InputError(
            "labels are missing (None), or not all of one kind; leave out what has no label"
        ) from None
    if any(map(is_missing, distinct)):
        raise InputError("labels are missing (NaN); leave out what has no label")
    return distinct
