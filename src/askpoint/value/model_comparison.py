"""Which of several models is best at which price, and by how much.

A model's value curve is the upper envelope of lines, so the best of several models is too: it
changes at finitely many prices, which are found exactly.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, as_level
from askpoint.measures.intervals import Interval
from askpoint.value.curve import ValueCurve
from askpoint.value.labelled_cases import LabelledCases

__all__ = ["BestRange", "ModelDifference", "best_ranges", "paired_difference"]


class BestRange(NamedTuple):
    """Prices at which one model is best.

    Attributes
    ----------
    model : str
        Its name.
    lower, upper : float
        From this omega to that one; upper may be infinite.
    """

    model: str
    lower: float
    upper: float


class ModelDifference(NamedTuple):
    """How much more one model is worth per case than another, on the same cases.

    Attributes
    ----------
    difference : float
        V of the first minus V of the second.
    interval : Interval
        For the difference on new cases, at thresholds fixed before.
    """

    difference: float
    interval: Interval


def best_ranges(curves: Mapping[str, ValueCurve]) -> list[BestRange]:
    """Ranges of omega in which each model is best, from 0 on.

    Parameters
    ----------
    curves : mapping from name to ValueCurve
        At least one; on the same cases.

    Returns
    -------
    list of BestRange
        Without gaps, from 0 to infinity; on a tie the model named first.

    Raises
    ------
    InputError
        If there is no curve.

    Examples
    --------
    >>> from askpoint.value.model_comparison import best_ranges
    >>> from askpoint.value.curve import ValueCurve
    >>> bold = ValueCurve.from_outcomes([1, 1, 0, 1, 1], [0.9, 0.8, 0.8, 0.6, 0.5])
    >>> careful = ValueCurve.from_outcomes([1, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> best_ranges({"bold": bold, "careful": careful})
    [BestRange(model='bold', lower=0.0, upper=1.0),
     BestRange(model='careful', lower=1.0, upper=inf)]
    """
    if not curves:
        raise InputError("give at least one curve to compare")
    names = list(curves)
    bends = np.unique(np.concatenate([[0.0], *(c.breakpoints for c in curves.values())]))
    bends = bends[np.isfinite(bends)]
    ends = np.append(bends[1:], np.inf)
    ranges: list[BestRange] = []
    for low, high in zip(bends.tolist(), ends.tolist(), strict=True):
        inside = (low + high) / 2 if np.isfinite(high) else 2 * low + 1
        lines = [_line(curve, inside) for curve in curves.values()]
        for k, start, stop in _envelope(lines, low, high):
            if ranges and ranges[-1].model == names[k]:
                ranges[-1] = ranges[-1]._replace(upper=stop)
            else:
                ranges.append(BestRange(names[k], start, stop))
    return ranges


class _Line(NamedTuple):
    right: float
    wrong: float
    total: float

    def height(self, omega: float) -> float:
        return (self.right - omega * self.wrong) / self.total


def _line(curve: ValueCurve, omega: float) -> _Line:
    k = int(curve.position(omega))
    return _Line(curve.right[k].item(), curve.wrong[k].item(), curve.total)


def _envelope(lines: list[_Line], low: float, high: float) -> list[tuple[int, float, float]]:
    """Which of the lines right - omega wrong is highest where, between two prices."""
    crossings = {low, high}
    for a, b in itertools.combinations(lines, 2):
        steeper = a.wrong * b.total - b.wrong * a.total
        if steeper:
            at = (a.right * b.total - b.right * a.total) / steeper
            if low < at < high:
                crossings.add(at)
    found = []
    for start, stop in itertools.pairwise(sorted(crossings)):
        inside = (start + stop) / 2 if np.isfinite(stop) else 2 * start + 1
        heights = [line.height(inside) for line in lines]
        best = max(heights)
        close = [i for i, height in enumerate(heights) if height >= best - 1e-12]
        found.append((close[0], start, stop))
    return found


def paired_difference(
    first: LabelledCases,
    second: LabelledCases,
    omega: float,
    *,
    thresholds: tuple[float, float],
    level: float = 0.95,
) -> ModelDifference:
    """Difference in value of two models on the same cases, item by item.

    Parameters
    ----------
    first, second : LabelledCases
        The cases of the two curves (``curve.cases``), in the same order.
    omega : float
        Cost of a mistake.
    thresholds : tuple of float
        Threshold of each model, fixed before.
    level : float, default=0.95
        Interval coverage, for many cases (normal approximation of the mean of differences).

    Returns
    -------
    PairedDifference

    Raises
    ------
    InputError
        If the two do not hold the same labels.

    Examples
    --------
    >>> import askpoint
    >>> from askpoint.value.model_comparison import paired_difference
    >>> y = [1, 1, 0, 0] * 50
    >>> a = askpoint.value_curve(y, [0.9, 0.8, 0.2, 0.4] * 50)
    >>> b = askpoint.value_curve(y, [0.9, 0.4, 0.2, 0.4] * 50)
    >>> paired_difference(a.cases, b.cases, 1.0, thresholds=(0.5, 0.5)).difference
    0.5
    """
    tail = (1 - as_level(level, "level")) / 2
    if len(first.truth) != len(second.truth) or (first.truth != second.truth).any():
        raise InputError("models are compared on the same cases: their labels differ")
    difference = _worth(first, thresholds[0], omega) - _worth(second, thresholds[1], omega)
    weight = np.ones(len(difference)) if first.weight is None else first.weight
    mean = float(np.average(difference, weights=weight))
    spread = np.square(weight * (difference - mean)).sum()
    half = float(special.ndtri(1 - tail) * np.sqrt(spread) / weight.sum())
    return ModelDifference(mean, Interval(mean - half, mean + half))


def _worth(cases: LabelledCases, threshold: float, omega: ArrayLike) -> FloatArray:
    answered = cases.confidence >= threshold
    return np.where(
        answered, np.where(cases.truth == cases.predicted, 1.0, -np.asarray(omega)), 0.0
    )
