"""Regions where the model is sure and wrong: found on one half of the cases, confirmed on the other.

A region is readable: at most three conditions that hold together. It is sought where mistakes
are more frequent than among other cases with the same decision and the same estimated cost, so
that what the model knows of itself is no finding. The other half, which took no part in the
search, decides whether it is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, IntArray, as_codes, as_weights
from askpoint.unknowns.case_clusters import as_clusters, cluster_mean, halves
from askpoint.unknowns.case_costs import actual_cost, estimate_cost, mistakes_only
from askpoint.unknowns.conditions import condition_table
from askpoint.unknowns.found_regions import FoundRegion, check_search, repeats_in
from askpoint.unknowns.population import PopulationEstimate
from askpoint.unknowns.region_search import (
    adjust_p_values,
    all_hold,
    distinguishing_terms,
    search_regions,
)
from askpoint.unknowns.severity import severities

__all__ = ["Region", "Regions", "find_regions"]

_STEPS, _STEP_SIZE = 10, 50  # of estimated cost, among which cases count as equally sure


@dataclass(frozen=True, kw_only=True)
class Region(FoundRegion):
    """A region where the model is sure and wrong; its share is one of all cases, by their weights.

    Parameters
    ----------
    terms : tuple of str
        Further conditions that set its cases apart from the others.
    expected : float
        Mistakes that as many other cases with the same decisions and estimated costs have.
    cost : PopulationEstimate
        Mean actual cost in it, with its interval, from the other half.
    severity : float or None
        Mean severity of its mistakes; None without any.
    """

    terms: tuple[str, ...]
    expected: float
    cost: PopulationEstimate
    severity: float | None


@dataclass(frozen=True)
class Regions:
    """The regions that were confirmed, and how hard was looked for them.

    Parameters
    ----------
    confirmed : tuple of Region
        By rising p-value.
    n_found : int
        Regions that the first half suggested.
    n_search, n_confirm : int
        Cases in the halves.
    alpha : float
        Chance of reporting any region where there is none, at most.
    """

    confirmed: tuple[Region, ...]
    n_found: int
    n_search: int
    n_confirm: int
    alpha: float


def find_regions(
    proba: ArrayLike,
    cost_matrix: CostMatrix,
    decisions: ArrayLike,
    truths: ArrayLike,
    rng: np.random.Generator,
    *,
    columns: Mapping[str, Any] | None = None,
    texts: Mapping[str, Sequence[str]] | None = None,
    by: str = "decision",
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    most_conditions: int = 3,
    most_regions: int = 6,
    least: int = 8,
    alpha: float = 0.02,
    level: float = 0.95,
) -> Regions:
    """Find regions where the model is wrong more often than where it is equally sure.

    Parameters
    ----------
    proba : array-like of shape (n_items, n_classes) or (n_items,)
        Probabilities in the order of ``cost_matrix.classes``.
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns.
    decisions, truths : array-like of shape (n_items,)
        Classes; the truth must be known for all cases.
    rng : numpy.random.Generator
        Source of the halves.
    columns : mapping of str to array-like of shape (n_items,), optional
        Features by their names.
    texts : mapping of str to sequence of str, optional
        Segments of text by their names: title, body, metadata.
    by : {"decision", "minimum", "expected"}
        Which estimate of the cost.
    weights : array-like of shape (n_items,), optional
        How many cases each stands for; they count for the share of a region, not for its
        rates.
    clusters : array-like of shape (n_items,), optional
        What cases belong together (a user, a template, a conversation). A cluster lies in one
        half as a whole, and where cases of a cluster err together a region counts as so many
        fewer.
    most_conditions : int, default=3
        Conditions of a region, at most.
    most_regions : int, default=6
        Regions that the first half may suggest; the fewer, the surer is each.
    least : int, default=8
        Cases of the first half in a region, at least.
    alpha : float, default=0.02
        Chance of reporting any region where there is none, at most; below the usual 0.05
        because no model is calibrated to perfection everywhere.
    level : float, default=0.95
        Interval coverage.

    Returns
    -------
    Regions

    Raises
    ------
    NotEstimableError
        If there are too few cases to be halved.
    InputError
        If the arrays do not fit together.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979).

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.regions import find_regions
    >>> rng = np.random.default_rng(3)
    >>> place = rng.choice(["north", "south", "east", "west"], 2000)
    >>> p = rng.random(2000) / 4
    >>> truth = np.where(rng.random(2000) < np.where(place == "north", 0.6, p), "hate", "benign")
    >>> found = find_regions(
    ...     p,
    ...     CostMatrix.zero_one(["benign", "hate"]),
    ...     ["benign"] * 2000,
    ...     truth,
    ...     rng,
    ...     columns={"place": place, "age": rng.integers(18, 80, 2000)},
    ... )
    >>> [region.name for region in found.confirmed]
    ["place is 'north'"]
    """
    check_search(
        alpha, level, most_conditions=most_conditions, most_regions=most_regions, least=least
    )
    estimated = estimate_cost(proba, cost_matrix, decisions, by=by)
    mistakes = mistakes_only(cost_matrix)
    cost = actual_cost(mistakes, decisions, truths)
    severity = severities(proba, cost_matrix, decisions, truths, by=by)
    decided = as_codes(decisions, cost_matrix.classes)
    weight = as_weights(weights, len(cost))
    if len(cost) < 4 * least:
        raise NotEstimableError(
            f"{len(cost)} judged cases are too few to find regions of {least} on one half and "
            f"confirm them on the other; collect at least {4 * least}"
        )
    group = None if clusters is None else as_clusters(clusters, len(cost))
    search, confirm = halves(len(cost), group, rng)
    conditions, table = condition_table(columns or {}, texts or {}, search, least=least)
    if table.shape[0] != len(cost):
        raise InputError(
            f"columns and texts need one entry a case: got {table.shape[0]} for {len(cost)} cases"
        )
    wrong = (cost > 0).astype(np.float64)
    rate = np.empty(len(cost))
    for half in (search, confirm):
        rate[half] = _like_cases_rate(wrong[half], estimated[half], decided[half])
    found = search_regions(
        table[search],
        wrong[search] - rate[search],
        rate[search] * (1 - rate[search]),
        most_conditions=most_conditions,
        most_regions=most_regions,
        least=least,
    )
    inside = [all_hold(table, which) for which in found]
    repeats = [repeats_in(confirm[mask[confirm]], wrong - rate, group) for mask in inside]
    tested = [
        _tail(mask[confirm], wrong[confirm], rate[confirm], effect)
        for mask, effect in zip(inside, repeats, strict=True)
    ]
    largest = float(mistakes.cost.max())
    regions = []
    for i, p_value in adjust_p_values(tested, alpha):
        mask = inside[i]
        rows = confirm[mask[confirm]]
        bad = severity[rows][wrong[rows] > 0]
        share = mask.mean() if weight is None else weight[mask].sum() / weight.sum()
        regions.append(
            Region(
                conditions=tuple(conditions[j] for j in found[i]),
                terms=distinguishing_terms(table[search], mask[search], conditions, found[i]),
                share=float(share),
                n_cases=len(rows),
                n_mistakes=int(wrong[rows].sum()),
                expected=float(rate[rows].sum()),
                p_value=p_value,
                mistakes=cluster_mean(
                    wrong[rows], 1.0, level, group if group is None else group[rows]
                ),
                cost=cluster_mean(
                    cost[rows], largest, level, group if group is None else group[rows]
                ),
                estimated=float(estimated[rows].mean()),
                severity=float(bad.mean()) if bad.size else None,
            )
        )
    return Regions(tuple(regions), len(found), len(search), len(confirm), alpha)


def _like_cases_rate(wrong: FloatArray, estimated: FloatArray, decided: IntArray) -> FloatArray:
    """Rate of mistakes among cases with the same decision and about the same estimated cost."""
    rate = np.empty(len(wrong))
    for decision in np.unique(decided):
        rows = np.flatnonzero(decided == decision)
        steps = min(_STEPS, max(1, len(rows) // _STEP_SIZE))
        cuts = np.unique(np.quantile(estimated[rows], np.arange(1, steps) / steps))
        step = np.searchsorted(cuts, estimated[rows])
        rate[rows] = (np.bincount(step, wrong[rows]) / np.maximum(np.bincount(step), 1))[step]
    return rate


def _tail(inside: NDArray[np.bool_], wrong: FloatArray, rate: FloatArray, effect: float) -> float:
    """Chance of so many mistakes among cases that err like others of the same kind."""
    n = int(inside.sum())
    if not n:
        return 1.0
    # a sum of unequal chances spreads less than the binomial of their mean (Hoeffding, 1956)
    # clustered cases count as so many fewer, in whole mistakes rounded down
    mistakes, size = np.floor(wrong[inside].sum() / effect), int(np.ceil(n / effect))
    return float(special.bdtrc(mistakes - 1, size, min(rate[inside].mean(), 1)))
