"""Cases as a learner takes them: texts, or rows of features, dense or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from askpoint.errors import InputError

__all__ = ["are_texts", "as_cases", "stack_cases"]


def as_cases(cases: Any) -> Any:
    """Return cases as something that takes an array of rows.

    Parameters
    ----------
    cases : sequence of str, or array of shape (n_cases, n_features)
        Texts in any sequence, or features.

    Returns
    -------
    ndarray or sparse array
        Texts as an array of objects.

    Examples
    --------
    >>> from askpoint.unknowns.cases import as_cases
    >>> as_cases(["one", "two"])[[1]].tolist()
    ['two']
    """
    if sparse.issparse(cases):
        return cases.tocsr()
    array = np.asarray(cases)
    return np.array(list(cases), dtype=object) if array.dtype.kind in "UO" else array


def are_texts(cases: Any) -> bool:
    """Say whether cases are texts.

    Parameters
    ----------
    cases : array
        As `as_cases` returns them.

    Returns
    -------
    bool

    Examples
    --------
    >>> from askpoint.unknowns.cases import are_texts, as_cases
    >>> are_texts(as_cases(["one"])), are_texts(as_cases([[1.0]]))
    (True, False)
    """
    return not sparse.issparse(cases) and cases.dtype == object


def stack_cases(first: Any, second: Any) -> Any:
    """Return the cases of two lists, one after the other.

    Parameters
    ----------
    first, second : arrays
        As `as_cases` returns them, of one kind.

    Returns
    -------
    array

    Raises
    ------
    InputError
        If one list holds texts and the other features, or their features differ in number.

    Examples
    --------
    >>> from askpoint.unknowns.cases import as_cases, stack_cases
    >>> len(stack_cases(as_cases(["one"]), as_cases(["two", "three"])))
    3
    """
    if are_texts(first) != are_texts(second) or first.shape[1:] != second.shape[1:]:
        raise InputError(
            "both lists of cases must be texts, or rows of the same features: got shapes "
            f"{first.shape} and {second.shape}"
        )
    if sparse.issparse(first) or sparse.issparse(second):
        return sparse.csr_array(sparse.vstack([first, second]))
    return np.concatenate([first, second])
