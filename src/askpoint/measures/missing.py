"""What counts as missing, in whatever library's way of saying it."""

from __future__ import annotations

import numpy as np

__all__ = ["is_missing"]


def is_missing(value: object) -> bool:
    """Whether a value is missing: None, NaN, NaT or a dataframe's NA.

    Parameters
    ----------
    value : object
        A label, a vote, an outcome.

    Returns
    -------
    bool

    Examples
    --------
    >>> from askpoint.measures.missing import is_missing
    >>> is_missing(None), is_missing(float("nan")), is_missing("ham")
    (True, True, False)
    """
    if value is None:
        return True
    if isinstance(value, str | int | np.integer):
        return False
    try:
        return bool(value != value)  # only NaN and NaT differ from themselves
    except TypeError:  # pandas' NA refuses to be a truth value
        return True
