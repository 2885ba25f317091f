"""Numbers about something chosen on the same rows: chosen on some, stated on the others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import NotEstimableError
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["cross_fit", "draw_folds"]


def draw_folds(
    n: int, rng: np.random.Generator, *, n_folds: int = 10, cluster: ArrayLike | None = None
) -> IntArray:
    """The fold of each row, about equally many in each; a cluster lies in one fold."""
    names = np.arange(n) if cluster is None else np.unique(cluster, return_inverse=True)[1]
    units = int(names.max()) + 1 if n else 0
    if units < 2:
        raise NotEstimableError(
            f"cross-fitting needs 2 labelled cases (or clusters) or more; there are {units}"
        )
    folds = rng.permutation(units) % min(n_folds, units)
    return np.asarray(folds[names])


def cross_fit(folds: IntArray, state: Callable[[BoolArray, BoolArray], FloatArray]) -> FloatArray:
    """Values of all rows, each stated by what was chosen without its fold.

    `state(chosen_on, stated_on)` gets two masks of rows and returns one value for each row of the
    second.
    """
    values = np.empty(len(folds))
    for fold in np.unique(folds):
        held = folds == fold
        values[held] = state(~held, held)
    return values
