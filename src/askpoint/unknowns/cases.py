"""Cases as a learner takes them: texts, or rows of features, dense or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from askpoint.errors import InputError

__all__ = ["are_texts", "as_cases", "stack_cases"]


def as_cases(cases: Any) -> Any:
    """Return cases as something that takes an array of rows."""
    if sparse.issparse(cases):
        return cases.tocsr()
    array = np.asarray(cases)
    return np.array(list(cases), dtype=object) if array.dtype.kind in "UO" else array


def are_texts(cases: Any) -> bool:
    """Say whether cases are texts."""
    return not sparse.issparse(cases) and cases.dtype == object


def stack_cases(first: Any, second: Any) -> Any:
    """Return the cases of two lists, one after the other."""
    if are_texts(first) != are_texts(second) or first.shape[1:] != second.shape[1:]:
        raise InputError(
            "both lists of cases must be texts, or rows of the same features: got shapes "
            f"{first.shape} and {second.shape}"
        )
    if sparse.issparse(first) or sparse.issparse(second):
        return sparse.csr_array(sparse.vstack([first, second]))
    return np.concatenate([first, second])
