"""Unknown knowns: regions where the model asks though it knows, released under a certified limit.

The mirror of `regions`. Among the cases that the model is unsure of, one half suggests regions
with few mistakes; the other half, which took no part, certifies that at most a stated share of
the decisions there is wrong. What is certified needs no check.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, IntArray, as_level
from askpoint.unknowns.case_clusters import as_clusters, cluster_mean, halves
from askpoint.unknowns.case_costs import actual_cost, estimate_cost, mistakes_only
from askpoint.unknowns.conditions import condition_table
from askpoint.unknowns.found_regions import FoundRegion, check_search, repeats_in
from askpoint.unknowns.quadrants import bounds_of
from askpoint.unknowns.region_search import adjust_p_values, all_hold, search_regions

__all__ = ["Release", "Releases", "find_unknown_knowns"]

_LIKELY = 2.0  # standard errors below the limit, on one half, that the other half mostly certifies


class Release(FoundRegion):
    """A region of unsure cases whose decisions need no check; its share is one of the unsure cases.

    Others lie in it where they meet its conditions and the model is unsure of them.
    """


@dataclass(frozen=True)
class Releases:
    """The regions that were certified, and how hard was looked for them.

    Parameters
    ----------
    certified : tuple of Release
        By rising p-value.
    limit : float
        Share of mistakes that none of them exceeds.
    n_cases, n_unsure : int
        Cases with a known truth, and those of them that the model is unsure of.
    n_released : int
        Unsure cases that lie in a certified region: checks that can be saved.
    n_found : int
        Regions that the first half suggested.
    n_search, n_certify : int
        Unsure cases in the halves.
    alpha : float
        Chance that any region is certified whose share of mistakes exceeds the limit, at most.
    unsure_above : float
        Estimated cost above which the model counts as unsure.
    plain_bound : float or None
        The honest rival, a lower threshold alone: unsure cases up to this estimated cost keep
        the limit, too, with the same chance; None where not even the surest of them do.
    n_plain : int
        Unsure cases that it would release.
    """

    certified: tuple[Release, ...]
    limit: float
    n_cases: int
    n_unsure: int
    n_released: int
    n_found: int
    n_search: int
    n_certify: int
    alpha: float
    unsure_above: float
    plain_bound: float | None
    n_plain: int


def find_unknown_knowns(
    proba: ArrayLike,
    cost_matrix: CostMatrix,
    decisions: ArrayLike,
    truths: ArrayLike,
    rng: np.random.Generator,
    *,
    limit: float,
    columns: Mapping[str, Any] | None = None,
    texts: Mapping[str, Sequence[str]] | None = None,
    by: str = "decision",
    estimated_bound: float | None = None,
    clusters: ArrayLike | None = None,
    most_conditions: int = 2,
    most_regions: int = 4,
    alpha: float = 0.05,
    level: float = 0.95,
) -> Releases:
    """Find regions where the model is unsure, and yet at most `limit` of its decisions are wrong.

    Parameters
    ----------
    proba, cost_matrix, decisions, truths, columns, texts, by
        As of `find_regions`; the truth must be known for all cases.
    rng : numpy.random.Generator
        Source of the halves.
    limit : float
        Share of mistakes, between 0 and 1, that a released region does not exceed.
    estimated_bound : float, optional
        Estimated cost above which the model is unsure; see `bounds_of`.
    clusters : array-like of shape (n_items,), optional
        What cases belong together. A cluster lies in one half as a whole, and where cases of a
        cluster are right together a region counts as so many fewer.
    most_conditions : int, default=2
        Conditions of a region, at most.
    most_regions : int, default=4
        Regions that the first half may suggest; the fewer, the sooner is each certified.
    alpha : float, default=0.05
        Chance that any region is certified whose share of mistakes exceeds `limit`, at most.
    level : float, default=0.95
        Interval coverage.

    Returns
    -------
    Releases

    Raises
    ------
    NotEstimableError
        If so few cases are unsure that not even a region without a mistake could be certified.
    InputError
        If the arrays do not fit together, or a number is out of range.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), figure 1; Holm,
    Scandinavian Journal of Statistics 6 (1979); Maurer, Hothorn and Lehmacher (1995), fixed
    sequences.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.unknown_knowns import find_unknown_knowns
    >>> rng = np.random.default_rng(3)
    >>> scanner = rng.choice(["new", "old"], 2000)
    >>> p = rng.uniform(0.3, 0.45, 2000)  # unsure everywhere, yet right on the new scanner
    >>> truth = np.where(rng.random(2000) < np.where(scanner == "new", 0.01, p), "ill", "well")
    >>> found = find_unknown_knowns(
    ...     p,
    ...     CostMatrix.zero_one(["well", "ill"]),
    ...     ["well"] * 2000,
    ...     truth,
    ...     rng,
    ...     limit=0.05,
    ...     columns={"scanner": scanner},
    ... )
    >>> [release.name for release in found.certified]
    ["scanner is 'new'"]
    """
    as_level(limit, "limit")
    check_search(alpha, level, most_conditions=most_conditions, most_regions=most_regions)
    bounds = bounds_of(cost_matrix, by=by, estimated=estimated_bound)
    estimated = estimate_cost(proba, cost_matrix, decisions, by=by)
    wrong = (actual_cost(mistakes_only(cost_matrix), decisions, truths) > 0).astype(np.float64)
    unsure = np.flatnonzero(estimated > bounds.estimated)
    least = int(np.ceil(np.log(alpha) / np.log1p(-limit)))
    if len(unsure) < 2 * least:
        raise NotEstimableError(
            f"the model is unsure of {len(unsure)} of {len(wrong)} cases with a known truth; a "
            f"limit of {limit:g} can be certified from {2 * least} such cases on"
        )
    group = None if clusters is None else as_clusters(clusters, len(wrong))[unsure]
    if group is not None:
        group = as_clusters(group, len(unsure))
    search, certify = halves(len(unsure), group, rng)
    conditions, whole = condition_table(
        columns or {}, texts or {}, unsure[search], least=least // 2
    )
    if whole.shape[0] != len(wrong):
        raise InputError(
            f"columns and texts need one entry a case: got {whole.shape[0]} for {len(wrong)} cases"
        )
    table, error = whole[unsure], wrong[unsure]
    suggested = search_regions(
        table[search],
        limit - error[search],
        np.full(len(search), limit * (1 - limit)),
        most_conditions=most_conditions,
        most_regions=most_regions,
        least=least // 2,
        score=_mistakes_to_spare,
    )
    inside = [all_hold(table, which) for which in suggested]
    tested = [_chance_of_so_few(certify[mask[certify]], error, limit, group) for mask in inside]
    certified, released = [], np.zeros(len(unsure), dtype=np.bool_)
    for i, p_value in adjust_p_values(tested, alpha):
        mask = inside[i]
        rows = certify[mask[certify]]
        released |= mask
        certified.append(
            Release(
                conditions=tuple(conditions[j] for j in suggested[i]),
                share=float(mask.mean()),
                n_cases=len(rows),
                n_mistakes=int(error[rows].sum()),
                p_value=p_value,
                mistakes=cluster_mean(
                    error[rows], 1.0, level, None if group is None else group[rows]
                ),
                estimated=float(estimated[unsure[rows]].mean()),
            )
        )
    plain_bound = _lower_threshold(estimated[unsure], error, limit, group, alpha)
    return Releases(
        certified=tuple(certified),
        limit=limit,
        n_cases=len(wrong),
        n_unsure=len(unsure),
        n_released=int(released.sum()),
        n_found=len(suggested),
        n_search=len(search),
        n_certify=len(certify),
        alpha=alpha,
        unsure_above=bounds.estimated,
        plain_bound=plain_bound,
        n_plain=0 if plain_bound is None else int((estimated[unsure] <= plain_bound).sum()),
    )


def _lower_threshold(
    estimated: FloatArray, error: FloatArray, limit: float, group: IntArray | None, alpha: float
) -> float | None:
    """Return the estimated cost up to which unsure cases keep the limit, without regions.

    Ten shares of them from the surest on, each tested at `alpha`, end at the first that fails: a
    fixed sequence, so that all hold at once.
    """
    kept = None
    for bound in np.quantile(estimated, np.arange(1, 11) / 10, method="higher"):
        rows = np.flatnonzero(estimated <= bound)
        if _chance_of_so_few(rows, error, limit, group) > alpha:
            break
        kept = float(bound)
    return kept


def _mistakes_to_spare(excess: FloatArray, variance: FloatArray) -> FloatArray:
    """Prefer large regions among those likely to be certified: what is pure is small."""
    errors = excess / np.sqrt(variance + 0.5)
    return np.where(errors >= _LIKELY, _LIKELY + excess, errors)


def _chance_of_so_few(
    rows: IntArray, error: FloatArray, limit: float, group: IntArray | None
) -> float:
    """Chance of so few mistakes among cases of which `limit` are wrong; 1 where there is no case."""
    if not len(rows):
        return 1.0
    effect = repeats_in(rows, error - limit, group)
    # clustered cases count as so many fewer, mistakes rounded up
    n, mistakes = np.floor(len(rows) / effect), np.ceil(error[rows].sum() / effect)
    return float(special.bdtr(mistakes, int(n), limit)) if n >= 1 else 1.0
