"""A promise on a log that grows: looked at again and again, and never less with more labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import NotEstimableError
from askpoint.measures.chains import ThresholdChains, coverage_grid, thresholds_in_order
from askpoint.measures.inputs import as_finite, as_level, as_right, as_same_length

__all__ = ["GrowingPromise", "growing_promise"]

_FIRST = 200  # so many confidences fix the thresholds


@dataclass(frozen=True)
class GrowingPromise:
    """The boldest threshold proven so far, and after how many labels; None while there is none."""

    threshold: float | None
    since: int | None
    n_labels: int


def growing_promise(
    confidence: ArrayLike,
    right: ArrayLike,
    risk: float,
    delta: float = 0.05,
    *,
    n_models: int = 1,
) -> GrowingPromise:
    """The threshold that is proven to keep the error among the answers, in order of time.

    With probability 1 - delta no threshold ever given, after whatever number of labels, exceeds
    `risk` on new cases: the log may be looked at after each label, and more labels only make
    the threshold bolder. The rows must stay in their order and labels be random given
    nothing. Thresholds are fixed at the first 200 confidences, whose labels play no part in that.
    """
    score, hit = as_finite(confidence, "confidence"), as_right(right)
    as_same_length(score, hit, ("confidence", "right"))
    as_level(risk, "max-error")
    chains = ThresholdChains(as_level(delta, "delta") / n_models)
    if len(score) < _FIRST:
        raise NotEstimableError(
            f"thresholds of a growing log are fixed at its first {_FIRST} labelled cases; there "
            f"are {len(score)}"
        )
    grid = coverage_grid(score[:_FIRST])
    best = thresholds_in_order(score, ~hit, grid, risk, chains)
    place = int(best[-1])
    if place < 0:
        return GrowingPromise(None, None, len(score))
    since = int(np.argmax(best == place)) + 1
    return GrowingPromise(float(grid[place]), since, len(score))
