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
from askpoint.measures.clusters import design_effect
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, IntArray, as_level
from askpoint.unknowns.case_clusters import as_clusters, cluster_mean, halves
from askpoint.unknowns.case_costs import actual_cost, estimate_cost, mistakes_only
from askpoint.unknowns.conditions import Condition, condition_table
from askpoint.unknowns.population import PopulationEstimate
from askpoint.unknowns.quadrants import bounds_of
from askpoint.unknowns.region_search import adjust_p_values, all_hold, search_regions

__all__ = ["Release", "Releases", "find_unknown_knowns"]

_FEW_CLUSTERS = 10  # too few to tell how alike their cases are
_LIKELY = 2.0  # standard errors below the limit, on one half, that the other half mostly certifies


@dataclass(frozen=True, kw_only=True)
class Release:
    """A region of unsure cases whose decisions need no check.

    Parameters
    ----------
    conditions : tuple of Condition
        All hold together, and the model is unsure.
    share : float
        Share of the unsure cases that lie in it.
    n_cases, n_mistakes : int
        Cases of the half that certifies, and mistakes among them.
    p_value : float
        How often so few mistakes come where the limit is broken, for the number of regions
        tried (Holm).
    mistakes : PopulationEstimate
        Share of mistakes with its interval, from the half that certifies.
    estimated : float
        Mean cost that the model estimates in it.
    """

    conditions: tuple[Condition, ...]
    share: float
    n_cases: int
    n_mistakes: int
    p_value: float
    mistakes: PopulationEstimate
    estimated: float

    @property
    def name(self) -> str:
        """Its conditions in words."""
        return " and ".join(map(str, self.conditions))

    def holds(self, columns: Mapping[str, Any], texts: Mapping[str, Sequence[str]]) -> IntArray:
        """Return the rows of other cases that lie in it; they are released where it is unsure."""
        inside = [condition.holds(columns, texts) for condition in self.conditions]
        rows: IntArray = np.flatnonzero(np.logical_and.reduce(inside))
        return rows


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
    proba : array-like of shape (n_items, n_classes) or (n_items,)
        Probabilities in the order of ``cost_matrix.classes``.
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns.
    decisions, truths : array-like of shape (n_items,)
        Classes; the truth must be known for all cases.
    rng : numpy.random.Generator
        Source of the halves.
    limit : float
        Share of mistakes, between 0 and 1, that a released region does not exceed.
    columns : mapping of str to array-like of shape (n_items,), optional
        Features by their names.
    texts : mapping of str to sequence of str, optional
        Segments of text by their names.
    by : {"decision", "minimum", "expected"}
        Which estimate of the cost.
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
    as_level(alpha, "alpha")
    as_level(level, "level")
    if most_conditions < 1 or most_regions < 1:
        raise InputError("most_conditions and most_regions must be at least 1")
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
    effect = 1.0
    if group is not None:
        effect = design_effect(error[rows] - limit, group[rows], few=_FEW_CLUSTERS)
    # clustered cases count as so many fewer, mistakes rounded up
    n, mistakes = np.floor(len(rows) / effect), np.ceil(error[rows].sum() / effect)
    return float(special.bdtr(mistakes, int(n), limit)) if n >= 1 else 1.0
