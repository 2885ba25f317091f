"""Several classifiers on several data sets: is there a difference, and between which two?

Friedman's test of the ranks with the correction of Iman and Davenport, then all pairs with the
static procedure of Shaffer.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = [
    "ModelRanking",
    "RankTest",
    "RankedPair",
    "iman_davenport",
    "rank_models",
    "shaffer_factors",
]

_ROUND_OFF = 1e-12


class RankTest(NamedTuple):
    """Whether any of the classifiers differs.

    Attributes
    ----------
    statistic : float
        F; infinite where all data sets rank alike.
    df : tuple of int
        Its degrees of freedom, (k - 1, (k - 1) (N - 1)).
    p_value : float
        Probability of such an F, or a greater one, if all are alike.
    """

    statistic: float
    df: tuple[int, int]
    p_value: float


class RankedPair(NamedTuple):
    """Two classifiers beside each other.

    Attributes
    ----------
    better, worse : str
        Their names; by mean rank.
    z : float
        Difference of the mean ranks in standard errors.
    p_value : float
        Two-sided, for this pair alone.
    adjusted : float
        Adjusted for all pairs.
    """

    better: str
    worse: str
    z: float
    p_value: float
    adjusted: float


@dataclass(frozen=True, eq=False)
class ModelRanking:
    """Classifiers in the order of their mean ranks.

    Parameters
    ----------
    names : tuple of str
        The best first.
    mean_ranks : ndarray of shape (k,)
        Theirs; 1 is best.
    n_sets : int
        Number of data sets (symbol N).
    test : RankTest
        Whether any differs.
    pairs : tuple of RankedPair
        All pairs, the clearest difference first.
    """

    names: tuple[str, ...]
    mean_ranks: FloatArray
    n_sets: int
    test: RankTest
    pairs: tuple[RankedPair, ...]

    def groups(self, level: float = 0.05) -> list[tuple[str, ...]]:
        """Return the largest groups within which no pair differs."""
        differ = {frozenset(pair[:2]) for pair in self.pairs if pair.adjusted <= level}
        groups: list[tuple[str, ...]] = []
        reached = 0
        for start in range(len(self.names)):
            stop = start + 1
            while stop < len(self.names) and (
                frozenset((self.names[start], self.names[stop])) not in differ
            ):
                stop += 1
            if stop > max(reached, start + 1):
                groups.append(self.names[start:stop])
                reached = stop
        return groups


def iman_davenport(mean_ranks: ArrayLike, n_sets: int) -> RankTest:
    """Friedman's test with the correction of Iman and Davenport.

    References
    ----------
    Iman and Davenport, Communications in Statistics A 9 (1980). Demsar, Journal of Machine
    Learning Research 7 (2006).
    """
    ranks = np.asarray(mean_ranks, dtype=np.float64)
    k = len(ranks)
    if k < 2 or n_sets < 2:
        raise InputError(
            f"ranks are compared for at least 2 classifiers on 2 data sets; got {k} on {n_sets}"
        )
    if not np.isclose(ranks.sum(), k * (k + 1) / 2):
        raise InputError(
            f"the mean ranks of {k} classifiers sum to {k * (k + 1) / 2:g}; these sum to "
            f"{ranks.sum():g}"
        )
    chi2 = 12 * n_sets / (k * (k + 1)) * (np.square(ranks).sum() - k * (k + 1) ** 2 / 4)
    rest = n_sets * (k - 1) - chi2
    statistic = float((n_sets - 1) * chi2 / rest) if rest > 1e-9 else math.inf
    df = (k - 1, (k - 1) * (n_sets - 1))
    return RankTest(statistic, df, float(stats.f.sf(statistic, *df)))


def shaffer_factors(k: int) -> tuple[int, ...]:
    """Factors of the ordered p-values of all pairs of k classifiers (static procedure).

    References
    ----------
    Shaffer, Journal of the American Statistical Association 81 (1986).
    """
    if k < 2:
        raise InputError(f"pairs need at least 2 classifiers; got {k}")
    pairs = math.comb(k, 2)
    possible = _possibly_true(k)
    return tuple(max(s for s in possible if s <= left) for left in range(pairs, 0, -1))


@functools.cache
def _possibly_true(k: int) -> frozenset[int]:
    """Numbers of pairs that can be equal at once: the k fall into groups of equals."""
    if k < 2:
        return frozenset({0})
    return frozenset(
        math.comb(j, 2) + rest for j in range(1, k + 1) for rest in _possibly_true(k - j)
    )


def rank_models(scores: ArrayLike, names: Sequence[str]) -> ModelRanking:
    """Rank classifiers by their scores on several data sets.

    Parameters
    ----------
    scores : array-like of shape (n_sets, k)
        One row for each data set; more is better. What differs by round-off is tied.
    names : sequence of str
        Of the classifiers, in the order of the columns.

    Returns
    -------
    Ranking

    Raises
    ------
    InputError
        If a score is missing or infinite, or shape and names do not fit together.

    References
    ----------
    Garcia and Herrera, Journal of Machine Learning Research 9 (2008).

    Examples
    --------
    >>> from askpoint.value.ranking import rank_models
    >>> ranking = rank_models([[0.9, 0.8, 0.7], [0.8, 0.7, 0.7], [0.9, 0.7, 0.8]], ["a", "b", "c"])
    >>> ranking.names, ranking.mean_ranks
    (('a', 'b', 'c'), array([1. , 2.5, 2.5]))
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != len(names) or len(set(names)) != len(names):
        raise InputError(
            "scores must have one row for each data set and one column for each of the "
            f"{len(set(names))} different names; got shape {table.shape}"
        )
    if not np.isfinite(table).all():
        raise InputError(
            "a score is missing or infinite; leave out data sets that not all classifiers have"
        )
    n_sets, k = table.shape
    mean = stats.rankdata(-_levels(table), axis=1).mean(axis=0)
    test = iman_davenport(mean, n_sets)
    order = np.argsort(mean, kind="stable")
    ordered = tuple(names[j] for j in order)
    ranks = mean[order]
    error = math.sqrt(k * (k + 1) / (6 * n_sets))
    found = []
    for i, j in itertools.combinations(range(k), 2):
        z = float((ranks[j] - ranks[i]) / error)
        found.append((2 * float(stats.norm.sf(z)), z, i, j))
    found.sort()
    pairs, adjusted = [], 0.0
    for (p, z, i, j), factor in zip(found, shaffer_factors(k), strict=True):
        adjusted = max(adjusted, min(1.0, factor * p))
        pairs.append(RankedPair(ordered[i], ordered[j], z, p, adjusted))
    return ModelRanking(ordered, ranks, n_sets, test, tuple(pairs))


def _levels(table: FloatArray) -> IntArray:
    """Number the scores of each row from the least up; what round-off parts stays together."""
    order = table.argsort(axis=1, kind="stable")
    rising = np.take_along_axis(table, order, axis=1)
    apart = np.abs(rising[:, 1:]) + np.abs(rising[:, :-1])
    steps = rising[:, 1:] - rising[:, :-1] > _ROUND_OFF * apart
    levels = np.zeros(table.shape, dtype=np.int64)
    np.put_along_axis(levels[:, :], order[:, 1:], steps.cumsum(axis=1), axis=1)
    return levels
