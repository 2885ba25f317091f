"""Two ways of finding mistakes, by how severe the mistakes are that they find: figure 4.

It is no bake-off. An examination draws from what the model sees; players submit what they
please. So their rates have different denominators, and only an examination says how common
anything is. Every comparison states denominators and what the judging cost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, as_same_length
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.unknowns.severity import MAX_SEVERITY, as_severities

__all__ = ["BUCKETS", "ErrorsFound", "SeverityComparison", "SeverityShares", "compare_severities"]

BUCKETS = (0, 250, 500, 750, 1000)
"""Edges of the four buckets of severity."""


@dataclass(frozen=True, eq=False)
class ErrorsFound:
    """The mistakes that one method found, and what it took.

    Parameters
    ----------
    name : str
        The method: "stratified examination", "Beat the Machine".
    severities : array-like of shape (n_errors,)
        Severity of each mistake found, 0 to 1000.
    n_judged : int
        How many cases were judged: the denominator.
    judged : str
        What they were: "cases inspected", "cases submitted".
    cost : float, optional
        What finding and judging them cost in all.
    unit : str, default=""
        Unit of the cost.
    groups : array-like of shape (n_errors,), optional
        Near-duplicates have the same group and count once together.

    Raises
    ------
    InputError
        If a severity lies outside, or there are more mistakes than cases judged.

    Examples
    --------
    >>> from askpoint.unknowns.severity_comparison import ErrorsFound
    >>> found = ErrorsFound("examination", [100, 200], 50, "cases inspected", cost=25, unit="EUR")
    >>> found.cost_per_error
    12.5
    """

    name: str
    severities: FloatArray
    n_judged: int
    judged: str
    cost: float | None
    unit: str
    weights: FloatArray

    def __init__(
        self,
        name: str,
        severities: ArrayLike,
        n_judged: int,
        judged: str,
        *,
        cost: float | None = None,
        unit: str = "",
        groups: ArrayLike | None = None,
    ) -> None:
        array = as_severities(severities)
        if not len(array) <= n_judged or n_judged < 1:
            raise InputError(
                f"{len(array)} mistakes were found among {n_judged} {judged}; at least one must "
                "have been judged, and no mistake without judging"
            )
        weights = np.ones(len(array))
        if groups is not None:
            as_same_length(groups, array, ("groups", "severities"))
            _, member, size = np.unique(np.asarray(groups), return_inverse=True, return_counts=True)
            weights = 1 / size[member]
        for key, value in {
            "name": name,
            "severities": array,
            "n_judged": int(n_judged),
            "judged": judged,
            "cost": cost,
            "unit": unit,
            "weights": weights,
        }.items():
            object.__setattr__(self, key, value)

    @property
    def n_errors(self) -> int:
        """Mistakes found."""
        return len(self.severities)

    @property
    def n_distinct(self) -> int:
        """Mistakes found, near-duplicates counted once."""
        return round(float(self.weights.sum()))

    @property
    def cost_per_error(self) -> float | None:
        """Cost of each mistake found, duplicates not counted; None without costs or mistakes."""
        return None if self.cost is None or not self.n_distinct else self.cost / self.n_distinct


@dataclass(frozen=True, kw_only=True)
class SeverityShares:
    """How a method's mistakes are spread over the buckets of severity.

    Parameters
    ----------
    name : str
        The method.
    shares : tuple of float, or None
        Share of its mistakes in each bucket; None where it found none.
    intervals : tuple of Interval, or None
        Their intervals.
    n_distinct, n_errors, n_judged : int
        Mistakes found without and with near-duplicates, and cases judged.
    judged : str
        What the cases judged were.
    rate : float
        Mistakes per case judged, with near-duplicates.
    rate_interval : Interval
        Its interval, as if those cases had been drawn.
    cost_per_error, cost_per_severe : float or None
        What one mistake, and one of the severest bucket, cost to find.
    reason : str
        Why something is None.
    """

    name: str
    shares: tuple[float, ...] | None
    intervals: tuple[Interval, ...] | None
    n_distinct: int
    n_errors: int
    n_judged: int
    judged: str
    rate: float
    rate_interval: Interval
    cost_per_error: float | None
    cost_per_severe: float | None
    reason: str = ""


@dataclass(frozen=True)
class SeverityComparison:
    """Two methods side by side.

    Parameters
    ----------
    edges : tuple of float
        Edges of the buckets.
    first, second : SeverityShares
        The methods.
    difference : float or None
        Share of the severest bucket, first less second; None if either found no mistake.
    difference_interval : Interval or None
        Its interval (Newcombe).
    unit : str
        Unit of the costs.
    """

    edges: tuple[float, ...]
    first: SeverityShares
    second: SeverityShares
    difference: float | None
    difference_interval: Interval | None
    unit: str


def compare_severities(
    first: ErrorsFound,
    second: ErrorsFound,
    *,
    edges: tuple[float, ...] = BUCKETS,
    level: float = 0.95,
) -> SeverityComparison:
    """Compare how severe the mistakes are that two methods find.

    Parameters
    ----------
    first, second : ErrorsFound
        What they found.
    edges : tuple of float, default=(0, 250, 500, 750, 1000)
        Edges of the buckets, ascending from 0 to 1000; an inner edge belongs to the bucket
        above it.
    level : float, default=0.95
        Interval coverage.

    Returns
    -------
    SeverityComparison

    Raises
    ------
    InputError
        If the edges do not ascend from 0 to 1000, or the costs have different units.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), figure 4;
    Newcombe, Statistics in Medicine 17 (1998), method 10.

    Examples
    --------
    >>> from askpoint.unknowns.severity_comparison import ErrorsFound, compare_severities
    >>> compared = compare_severities(
    ...     ErrorsFound("players", [300, 600, 800, 900], 15, "cases submitted"),
    ...     ErrorsFound("examination", [100, 200, 700], 30, "cases inspected"),
    ... )
    >>> compared.first.shares
    (0.0, 0.25, 0.25, 0.5)
    >>> compared.difference
    0.5
    """
    if list(edges) != sorted(set(edges)) or (edges[0], edges[-1]) != (0, MAX_SEVERITY):
        raise InputError(f"the edges of the buckets must ascend from 0 to {MAX_SEVERITY}")
    if first.unit != second.unit:
        raise InputError(
            f"the costs must have one unit to be compared: got {first.unit!r} and {second.unit!r}"
        )
    one, two = (_shares(found, edges, level) for found in (first, second))
    difference, interval = None, None
    if one.shares and two.shares and one.intervals and two.intervals:
        a, b = one.shares[-1], two.shares[-1]
        (low_a, high_a), (low_b, high_b) = one.intervals[-1], two.intervals[-1]
        difference = a - b
        interval = Interval(
            difference - float(np.hypot(a - low_a, high_b - b)),
            difference + float(np.hypot(high_a - a, b - low_b)),
        )
    return SeverityComparison(tuple(edges), one, two, difference, interval, first.unit)


def _shares(found: ErrorsFound, edges: tuple[float, ...], level: float) -> SeverityShares:
    total = found.n_distinct
    rate = found.n_errors / found.n_judged
    rate_interval = binomial_interval(found.n_errors, found.n_judged, level=level)
    shares: tuple[float, ...] | None = None
    intervals: tuple[Interval, ...] | None = None
    severe = None
    reason = f"{found.name} found no mistake among {found.n_judged} {found.judged}"
    if total:
        bucket = np.searchsorted(edges[1:-1], found.severities, side="right")
        counts = np.bincount(bucket, found.weights, len(edges) - 1)
        shares = tuple((counts / total).tolist())
        intervals = tuple(_wilson(count, total, level) for count in counts.tolist())
        if found.cost is not None and counts[-1]:
            severe = found.cost / float(counts[-1])
        reason = ""
    return SeverityShares(
        name=found.name,
        shares=shares,
        intervals=intervals,
        n_distinct=total,
        n_errors=found.n_errors,
        n_judged=found.n_judged,
        judged=found.judged,
        rate=rate,
        rate_interval=rate_interval,
        cost_per_error=found.cost_per_error,
        cost_per_severe=severe,
        reason=reason,
    )


def _wilson(count: float, total: int, level: float) -> Interval:
    return binomial_interval(count, total, level=level, method="wilson")
