"""Does confidence mean what it says? How often the model is right where it is equally sure."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.intervals import Interval, clopper_pearson
from askpoint.value.curve import ValueCurve

__all__ = ["ReliabilityBin", "reliability_bins"]

_LEVEL = 0.95


class ReliabilityBin(NamedTuple):
    """Cases next to each other in confidence.

    Attributes
    ----------
    n_items : int
        How many.
    confidence : float
        Their mean confidence.
    right : float
        Share of right answers among them.
    interval : Interval
        Where it may lie, with 95% confidence.
    """

    n_items: int
    confidence: float
    right: float
    interval: Interval


def reliability_bins(
    curve: ValueCurve, *, bins: int = 10, n: float | None = None
) -> list[ReliabilityBin]:
    """Divide the cases by confidence into parts of equal size."""
    if bins < 1:
        raise InputError(f"bins must be 1 or more; got {bins}")
    scale = 1.0 if n is None else n / curve.n_items
    edges = np.linspace(0, curve.n_items, bins + 1).round().astype(np.int64)
    cut = np.unique(np.searchsorted(curve.items, edges))
    mass = np.diff(curve.right + curve.wrong)
    parts = []
    for a, b in itertools.pairwise(cut.tolist()):
        right, wrong = (float(counts[b] - counts[a]) for counts in (curve.right, curve.wrong))
        n_items = int(curve.items[b] - curve.items[a])
        n = n_items * scale
        parts.append(
            ReliabilityBin(
                n_items,
                float(np.average(curve.thresholds[a + 1 : b + 1], weights=mass[a:b])),
                right / (right + wrong),
                clopper_pearson(min(right * n / (right + wrong), n), n, _LEVEL),
            )
        )
    return parts
