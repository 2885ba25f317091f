"""Confidence measures as expressions that an engine computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import narwhals as nw

from askpoint.value.sketch.bins import Precision

__all__ = ["FRAME_MEASURES", "ROUNDED_MEASURES", "FrameMeasure", "sum_of", "two_greatest"]

FrameMeasure = Callable[[Sequence[nw.Expr], Precision], nw.Expr]


def sum_of(numbers: Sequence[nw.Expr]) -> nw.Expr:
    """Add numbers, halved again and again, for they may be thousand; missing ones make it missing."""
    if len(numbers) == 1:
        return numbers[0]
    middle = len(numbers) // 2
    return sum_of(numbers[:middle]) + sum_of(numbers[middle:])


def two_greatest(p: Sequence[nw.Expr], precision: Precision) -> tuple[nw.Expr, nw.Expr]:
    """Return the two greatest of some probabilities; the expression grows with their square."""
    first, second = p[0], nw.lit(0.0, precision)
    for other in p[1:]:
        first, second = (
            nw.max_horizontal(first, other),
            nw.max_horizontal(second, nw.min_horizontal(first, other)),
        )
    return first, second


def _max_probability(p: Sequence[nw.Expr], precision: Precision) -> nw.Expr:
    # averages may end a little above 1
    return nw.min_horizontal(nw.max_horizontal(*p), nw.lit(1.0, precision))


def _margin(p: Sequence[nw.Expr], precision: Precision) -> nw.Expr:
    first, second = two_greatest(p, precision)
    return nw.min_horizontal(first, nw.lit(1.0, precision)) - second


def _negative_entropy(p: Sequence[nw.Expr], precision: Precision) -> nw.Expr:
    one, zero = nw.lit(1.0, precision), nw.lit(0.0, precision)
    terms = [
        nw.when(each > 0).then(each * nw.min_horizontal(each, one).log()).otherwise(zero)
        for each in p
    ]
    return sum_of(terms).cast(precision)


def _standard_deviation(p: Sequence[nw.Expr], precision: Precision) -> nw.Expr:
    k = len(p)
    parts = [(each - 1 / k) * (each - 1 / k) for each in p]
    return (sum_of(parts) / (k - 1)).sqrt().cast(precision)


def _euclidean_distance(p: Sequence[nw.Expr], precision: Precision) -> nw.Expr:
    first, second = two_greatest(p, precision)
    return ((first - second) / ((first + second) * math.sqrt(2))).cast(precision)


FRAME_MEASURES: dict[str, FrameMeasure] = {
    "max_probability": _max_probability,
    "margin": _margin,
    "negative_entropy": _negative_entropy,
    "standard_deviation": _standard_deviation,
    "euclidean_distance": _euclidean_distance,
}
"""What an engine computes for each of `CONFIDENCE_MEASURES`."""

ROUNDED_MEASURES = frozenset({"negative_entropy", "standard_deviation", "euclidean_distance"})
"""Measures that an engine rounds otherwise than NumPy: a case may lie in the next bin."""
