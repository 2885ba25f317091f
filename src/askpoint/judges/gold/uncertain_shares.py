"""Where intervals around a share or a difference end."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

from scipy import special

from askpoint.measures.inputs import as_level
from askpoint.measures.intervals import Interval

__all__ = [
    "UncertainShare",
    "chance_above",
    "difference_interval",
    "share_interval_around",
    "student_quantile",
]

_PLANNED = 100  # labels at which the interval for any stopping time is narrowest
_MIXTURE = 7.94 / _PLANNED


@dataclass(frozen=True)
class UncertainShare:
    """An estimate and what bounds it.

    Attributes
    ----------
    value, variance, freedom : float
        Estimate, its variance and the degrees of freedom of that.
    size : float
        Items of which it is a mean: it changes in steps of one of them.
    labels : float
        Effective number of labelled items that bear on it.
    lower, upper : float
        Between which it lies for certain, labelled items being known.
    open_below, open_above : bool
        Whether no labelled item spoke against that end.
    """

    value: float
    variance: float
    freedom: float
    size: float
    labels: float
    lower: float
    upper: float
    open_below: bool
    open_above: bool


def student_quantile(freedom: float, level: float, n_looked: int | None) -> float:
    """Half width in standard errors; for any stopping time if it is told how many labels there are.

    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52 (2024), with the
    normal's tail read on Student's t.
    """
    tail = (1 - as_level(level, "level")) / 2
    if n_looked is not None:
        mixed = n_looked * _MIXTURE
        z = sqrt(2 * (mixed + 1) / mixed * log(sqrt(mixed + 1) / (2 * tail)))
        tail = float(special.ndtr(-z))
    return -float(special.stdtrit(freedom, tail))


def share_interval_around(at: UncertainShare, level: float, n_looked: int | None) -> Interval:
    """Wilson's interval on the effective number of items, half an item wider, inside the certain."""
    as_level(level, "level")
    p, half = at.value, 0.5 / at.size
    low = high = p
    if at.variance > 0:
        n = 1 / (4 * at.variance)
        drawn_in = (n * p + 2) / (n + 4)
        spread = max(p * (1 - p), drawn_in * (1 - drawn_in))
        effective = max(spread / at.variance, at.labels)  # where all labels agree, these count
        k = student_quantile(at.freedom, level, n_looked) ** 2 / effective
        reach = sqrt(k * p * (1 - p) + k * k / 4)
        low, high = (p + k / 2 - reach) / (1 + k), (p + k / 2 + reach) / (1 + k)
    return _inside(at, low - half, high + half)


def difference_interval(at: UncertainShare, level: float, n_looked: int | None) -> Interval:
    """Student's interval, cut where no difference can lie, then half an item wider."""
    reach = student_quantile(at.freedom, level, n_looked) * sqrt(at.variance)
    interval = _inside(at, at.value - reach, at.value + reach)
    return Interval(
        max(-1.0, interval.lower - 0.5 / at.size), min(1.0, interval.upper + 0.5 / at.size)
    )


def chance_above(at: UncertainShare, edge: float) -> float:
    """Share of Student's distribution around an estimate that lies above an edge."""
    if at.lower > edge or at.upper <= edge:
        return float(at.lower > edge)
    return float(special.stdtr(at.freedom, (at.value - edge) / sqrt(at.variance)))


def _inside(at: UncertainShare, low: float, high: float) -> Interval:
    return Interval(
        at.lower if at.open_below else min(max(low, at.lower), at.value),
        at.upper if at.open_above else max(min(high, at.upper), at.value),
    )
