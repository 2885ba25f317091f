"""Known and unknown, knowns and unknowns: what the model thinks against what is so.

Two bounds part the plane of estimated and actual cost. High means above the bound; both bounds
are part of every result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, IntArray, as_level, as_same_length, as_weights
from askpoint.unknowns.case_costs import actual_cost, estimate_cost, mistakes_only
from askpoint.unknowns.population import PopulationEstimate, population_mean
from askpoint.unknowns.severity_scale import normaliser

__all__ = [
    "QUADRANTS",
    "Bounds",
    "Quadrants",
    "RegionQuadrant",
    "bounds_of",
    "item_quadrants",
    "region_quadrants",
]

QUADRANTS = ("known known", "known unknown", "unknown known", "unknown unknown")
"""Low and low, high and high, high estimated but low actual, low estimated but high actual."""


@dataclass(frozen=True)
class Bounds:
    """Above which cost a case counts as high, by the model's estimate and in truth.

    Parameters
    ----------
    estimated, actual : float
        In the unit of the costs.
    by : {"decision", "minimum", "expected"}
        Which estimate.
    normaliser : float
        What a wholly uncertain case costs by that estimate.
    unit : str
        Unit of the costs.
    """

    estimated: float
    actual: float
    by: str
    normaliser: float
    unit: str


def bounds_of(
    cost_matrix: CostMatrix,
    *,
    by: str = "decision",
    estimated: float | None = None,
    actual: float = 0.0,
) -> Bounds:
    """Check the two bounds, or take the usual ones."""
    end = normaliser(cost_matrix, by=by)
    if estimated is None:
        estimated = end / 2
    if not (0 <= estimated < end and 0 <= actual < np.inf):
        raise InputError(
            f"bounds must not be negative, and that on estimated costs must be below {end:g}, "
            f"what a wholly uncertain case costs; got {estimated:g} and {actual:g}"
        )
    return Bounds(float(estimated), float(actual), by, end, cost_matrix.unit)


@dataclass(frozen=True, eq=False)
class Quadrants:
    """Cases by quadrant.

    Made by `item_quadrants`.

    Parameters
    ----------
    which : ndarray of int8 of shape (n_items,)
        Position of each case's quadrant in `QUADRANTS`.
    counts : mapping of str to float
        Cases in each quadrant, by their weights.
    costs : mapping of str to float
        What they cost in all, by their weights.
    bounds : Bounds
        What was called high.
    """

    which: IntArray
    counts: Mapping[str, float]
    costs: Mapping[str, float]
    bounds: Bounds

    def rows(self, quadrant: str) -> IntArray:
        """Return the rows of the cases in one quadrant."""
        rows: IntArray = np.flatnonzero(self.which == QUADRANTS.index(quadrant))
        return rows


def item_quadrants(
    proba: ArrayLike,
    cost_matrix: CostMatrix,
    decisions: ArrayLike,
    truths: ArrayLike,
    *,
    by: str = "decision",
    estimated_bound: float | None = None,
    actual_bound: float = 0.0,
    weights: ArrayLike | None = None,
) -> Quadrants:
    """Put each case into its quadrant.

    Parameters
    ----------
    proba : array-like of shape (n_items, n_classes) or (n_items,)
        Probabilities in the order of ``cost_matrix.classes``.
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns.
    decisions, truths : array-like of shape (n_items,)
        Classes.
    by : {"decision", "minimum", "expected"}
        Which estimate of the cost.
    estimated_bound : float, optional
        See `bounds_of`.
    actual_bound : float, default=0
        See `bounds_of`.
    weights : array-like of shape (n_items,), optional
        How many cases each stands for.

    Returns
    -------
    Quadrants

    Raises
    ------
    InputError
        If the arrays do not fit together, or a bound is out of range.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), figure 1.

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.quadrants import item_quadrants
    >>> costs = CostMatrix.zero_one(["ham", "spam"])
    >>> found = item_quadrants(
    ...     [0.1, 0.1, 0.6], costs, ["ham", "ham", "spam"], ["ham", "spam", "ham"]
    ... )
    >>> found.counts["unknown unknown"], found.bounds.estimated
    (1.0, 0.25)
    """
    bounds = bounds_of(cost_matrix, by=by, estimated=estimated_bound, actual=actual_bound)
    estimated, actual = _costs(proba, cost_matrix, decisions, truths, by)
    weight = as_weights(weights, len(actual))
    which = _which(estimated > bounds.estimated, actual > bounds.actual)
    total = np.ones(len(actual)) if weight is None else weight
    counts = np.bincount(which, total, len(QUADRANTS)).tolist()
    costs = np.bincount(which, total * actual, len(QUADRANTS)).tolist()
    return Quadrants(
        which,
        dict(zip(QUADRANTS, counts, strict=True)),
        dict(zip(QUADRANTS, costs, strict=True)),
        bounds,
    )


@dataclass(frozen=True)
class RegionQuadrant:
    """A region of the problem space, by its mean costs.

    Parameters
    ----------
    name : object
        The region.
    n_items : int
        Cases in it.
    estimated : float
        Mean estimated cost.
    actual : Estimate
        Mean actual cost and its interval.
    quadrant : str
        One of `QUADRANTS`.
    bounds : Bounds
        What was called high.
    """

    name: object
    n_items: int
    estimated: float
    actual: PopulationEstimate
    quadrant: str
    bounds: Bounds


def region_quadrants(
    proba: ArrayLike,
    cost_matrix: CostMatrix,
    decisions: ArrayLike,
    truths: ArrayLike,
    regions: ArrayLike,
    *,
    by: str = "decision",
    estimated_bound: float | None = None,
    actual_bound: float | None = None,
    level: float = 0.95,
) -> tuple[RegionQuadrant, ...]:
    """Put each region into its quadrant, by the means of its cases.

    Parameters
    ----------
    proba : array-like of shape (n_items, n_classes) or (n_items,)
        Probabilities in the order of ``cost_matrix.classes``.
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns.
    decisions, truths : array-like of shape (n_items,)
        Classes.
    regions : array-like of shape (n_items,)
        The region of each case.
    by : {"decision", "minimum", "expected"}
        Which estimate of the cost.
    estimated_bound : float, optional
        Mean estimated cost above which the model knows that the region is hard; by default
        half of what a wholly uncertain case costs.
    actual_bound : float, optional
        Mean actual cost above which it is; by default the same.
    level : float, default=0.95
        Interval coverage.

    Returns
    -------
    tuple of RegionQuadrant
        In the order of the regions' names.

    Raises
    ------
    InputError
        If the arrays do not fit together, or a bound is out of range.

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.quadrants import region_quadrants
    >>> costs = CostMatrix.zero_one(["ham", "spam"])
    >>> truths = ["spam", "spam", "ham", "ham"]
    >>> regions = ["new words", "new words", "old words", "old words"]
    >>> [r.quadrant for r in region_quadrants([0.1] * 4, costs, ["ham"] * 4, truths, regions)]
    ['unknown unknown', 'known known']
    """
    as_level(level, "level")
    bounds = bounds_of(cost_matrix, by=by, estimated=estimated_bound)
    if actual_bound is None:
        actual_bound = bounds.estimated
    bounds = bounds_of(cost_matrix, by=by, estimated=bounds.estimated, actual=actual_bound)
    estimated, actual = _costs(proba, cost_matrix, decisions, truths, by)
    region: NDArray[np.generic] = np.asarray(regions)
    as_same_length(region, actual, ("regions", "truths"))
    names, member = np.unique(region, return_inverse=True)
    largest = float(mistakes_only(cost_matrix).cost.max())
    quadrants = []
    for code, name in enumerate(names.tolist()):
        rows = np.flatnonzero(member == code)
        cost = population_mean(
            actual[rows],
            np.zeros(len(rows)),
            [len(rows)],
            largest=largest,
            level=level,
            finite=False,
        )
        mean = float(estimated[rows].mean())
        which = int(_which(np.array(mean > bounds.estimated), np.array(cost.value > bounds.actual)))
        quadrants.append(RegionQuadrant(name, len(rows), mean, cost, QUADRANTS[which], bounds))
    return tuple(quadrants)


def _costs(
    proba: ArrayLike, cost_matrix: CostMatrix, decisions: ArrayLike, truths: ArrayLike, by: str
) -> tuple[FloatArray, FloatArray]:
    estimated = estimate_cost(proba, cost_matrix, decisions, by=by)
    actual = actual_cost(mistakes_only(cost_matrix), decisions, truths)
    as_same_length(estimated, actual, ("probabilities", "truths"))
    return estimated, actual


def _which(uncertain: NDArray[np.bool_], costly: NDArray[np.bool_]) -> IntArray:
    both = 2 * uncertain.astype(np.int8) + costly.astype(np.int8)
    positions: IntArray = np.array([0, 3, 2, 1], dtype=np.int8)[both]
    return positions
