"""How many independent judges a panel is worth: the common errors that labelled items show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.families import same_family
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.labelled_patterns import label_patterns
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray, as_level
from askpoint.measures.intervals import Interval

__all__ = ["EffectiveJudges", "effective_judges"]

_LEAST = 10
_MOST = 300


@dataclass(frozen=True, kw_only=True)
class EffectiveJudges:
    """How far judges err together, and how many independent ones would be worth as much.

    Attributes
    ----------
    number : float
        n_eff = k / (1 + (k - 1) max(rho, 0)).
    interval : Interval
        Of `number`.
    correlation : float
        rho, pooled over all pairs of judges.
    within, between : float or None
        The same for pairs of one family and of two, None where there is no such pair.
    judges : tuple of str
        Those with at least one labelled item in common with another, k of them.
    pairs : ndarray of shape (n_judges, n_judges)
        Correlation of each pair's errors; NaN where one of the two made no error on the items
        that both voted on, or was always wrong.
    n_labelled : int
    """

    number: float
    interval: Interval
    correlation: float
    within: float | None
    between: float | None
    judges: tuple[str, ...]
    pairs: FloatArray
    n_labelled: int


def effective_judges(
    gold: GoldSketch,
    *,
    n_items: int | None = None,
    sketch: VoteSketch | None = None,
    families: Mapping[str, str] | None = None,
    level: float = 0.95,
) -> EffectiveJudges:
    """Count the independent judges that a panel is worth, from labelled items.

    Errors of two judges are compared on the items that both voted on. The correlation is
    pooled: covariances of all pairs over products of their deviations, so that a judge without
    errors drops out instead of making it undefined.

    Parameters
    ----------
    gold : GoldSketch
        A sample of the items, with their true labels.
    n_items : int, optional
        All items, of which the labelled ones are a random sample; by default of infinitely many.
    sketch : VoteSketch, optional
        The votes on all items, where labelled ones were drawn as `propose_gold` draws them: each
        then counts for as many items as it stands for.
    families : mapping of judge to family, optional
        For the correlations within and between families.
    level : float, default=0.95
        Interval coverage.

    Returns
    -------
    EffectiveJudges

    Raises
    ------
    InputError
        If there are more than 300 judges, fewer items than labelled ones, or both of `n_items` and
        `sketch`.
    NotEstimableError
        If fewer than 10 items are labelled, or no two judges made errors on common items.

    Notes
    -----
    Jackknife over items, of each stratum that they were drawn from, with the finite-population
    correction, on the scale of Fisher's atanh(rho), with the quantile 2 + 3/n in place of 1.96;
    with several strata 2 + 15/n, and four labels more in each that move rho as the mean of all. Without labels there is no such
    number: an error that all judges share leaves no trace in votes.

    Examples
    --------
    >>> from askpoint import GoldSketch
    >>> from askpoint.judges.checks.effective_number import effective_judges
    >>> gold = GoldSketch(["ann", "bob"], ["no", "yes"])
    >>> gold.update_codes([[0, 0]] * 30 + [[1, 1]] * 10 + [[1, 0]] * 10, [0] * 50)
    >>> round(effective_judges(gold).number, 2)
    1.24
    """
    n = gold.n_items
    if len(gold.judges) > _MOST:
        raise InputError(
            f"the effective number is for panels of at most {_MOST} judges; got {len(gold.judges)}; "
            "choose some of them"
        )
    if n < _LEAST:
        raise NotEstimableError(
            f"the effective number of judges needs at least {_LEAST} labelled items; got {n}"
        )
    if n_items is not None and n_items < n:
        raise InputError(f"{n} items are labelled, so there must be as many; got n_items={n_items}")
    if sketch is not None and n_items is not None:
        raise InputError("n_items is for a random sample, sketch for proposed items: give one")
    cells = gold.cells()
    pattern, truth = np.nonzero(cells.counts)
    drawn = _StrataDraw.of(cells.votes, pattern, gold, sketch, n_items)
    counts = cells.counts[pattern, truth].astype(np.float64)
    votes = cells.votes[pattern]
    voted = votes >= 0
    wrong = (voted & (votes != truth[:, None])).astype(np.float64)
    there = voted.astype(np.float64)
    sums = [
        _Sums.of(wrong[of], there[of], counts[of] * weight)
        for of, weight in ((drawn.stratum == h, w) for h, w in enumerate(drawn.weights))
    ]
    total = reduce(add, sums)
    covariance, scale = total.moments()
    pooled = _ratio(covariance, scale)
    if pooled is None:
        raise NotEstimableError(
            "no two judges both made errors on the labelled items that they have in common; "
            "label more items"
        )
    shared = (total.common > 0) & ~np.eye(len(gold.judges), dtype=bool)
    present: BoolArray = np.any(shared, axis=1)
    k = int(present.sum())
    left_out = np.full(len(counts), np.nan)  # nan where nothing is left to compare
    for cell, h in enumerate(drawn.stratum):
        one = _Sums.of(wrong[[cell]], there[[cell]], drawn.weights[[h]])
        m = drawn.draws[h]  # never 1: strata with fewer than four labels are joined
        left = total - sums[h] + (sums[h] - one).times(m / (m - 1))
        left_out[cell] = np.nan if (ratio := _ratio(*left.moments())) is None else ratio
    z = np.arctanh(np.clip(left_out, -_EDGE, _EDGE))
    variance = drawn.variance(z, counts)
    few = _FEW if len(drawn.draws) == 1 else _FEW_OF_STRATA
    quantile = -special.ndtri((1 - as_level(level, "level")) / 2) * (2 + few / n) / _NORMAL
    reach = quantile * np.sqrt(variance)
    low, high = np.tanh(np.arctanh(np.clip(pooled, -_EDGE, _EDGE)) + reach * _SIDES)
    family = same_family(gold.judges, families)
    with np.errstate(invalid="ignore", divide="ignore"):
        pairs = np.where(shared, covariance / scale, np.nan)
    return EffectiveJudges(
        number=_number(k, pooled),
        interval=Interval(_number(k, high), _number(k, low)),
        correlation=pooled,
        within=_ratio(np.where(family, covariance, 0.0), np.where(family, scale, 0.0)),
        between=None if not family.any() else _ratio(covariance * ~family, scale * ~family),
        judges=tuple(judge for judge, there in zip(gold.judges, present, strict=True) if there),
        pairs=pairs,
        n_labelled=n,
    )


_EDGE = 1 - 1e-9
_IMAGINARY = 4.0  # labels of each stratum
_FEW, _FEW_OF_STRATA = 3, 15  # what n labels are short of the normal quantile
_NOTHING = 1e-6  # of an item: what rounding leaves of none
_NORMAL = 1.959963984540054
_SIDES = np.array([-1.0, 1.0])


def _number(k: int, correlation: float) -> float:
    return float(k / (1 + (k - 1) * max(correlation, 0.0)))


def _ratio(covariance: FloatArray, scale: FloatArray) -> float | None:
    total = float(scale.sum())
    return float(covariance.sum() / total) if total > 0 else None


@dataclass(frozen=True)
class _StrataDraw:
    """From which strata the labelled items were drawn, and what each of them stands for."""

    stratum: IntArray  # of each pattern with labels
    draws: FloatArray  # of each stratum, as all below
    weights: FloatArray
    fractions: FloatArray

    @classmethod
    def of(
        cls,
        votes: NDArray[np.int16],
        pattern: IntArray,
        gold: GoldSketch,
        sketch: VoteSketch | None,
        n_items: int | None,
    ) -> _StrataDraw:
        n = np.array([float(gold.n_items)])
        if sketch is None:
            fraction = np.zeros(1) if n_items is None else n / n_items
            return cls(np.zeros(len(pattern), dtype=np.int64), n, np.ones(1), fraction)
        patterns = label_patterns(sketch, gold).as_drawn("as proposed")
        place = {row.tobytes(): i for i, row in enumerate(patterns.cells.votes)}
        at = np.array([place[row.tobytes()] for row in votes.astype(np.int16)])
        weights = patterns.sizes / patterns.draws
        return cls(patterns.stratum[at[pattern]], patterns.draws, weights, 1 / weights)

    def variance(self, z: FloatArray, counts: FloatArray) -> float:
        """Jackknife variance, the few labels of each of several strata helped out by all of them."""
        defined = ~np.isnan(z)
        stratum, n, z = self.stratum[defined], counts[defined], z[defined]
        left = np.maximum(self.draws - 1, 1)
        mass = np.square(self.weights * self.draws)  # items of the stratum, squared
        seen = np.bincount(stratum, n, len(mass))
        centre = np.bincount(stratum, n * z, len(mass)) / np.maximum(seen, 1)
        moves = np.square((z - centre[stratum]) * left[stratum]) / mass[stratum]
        total = np.bincount(stratum, n * moves, len(mass))
        extra = _IMAGINARY if len(mass) > 1 else 0.0
        mean = (total + extra * total.sum() / n.sum()) / np.maximum(seen + extra, 1)
        return float(np.sum((1 - self.fractions) * mean * mass / left))


@dataclass(frozen=True)
class _Sums:
    """Sums over the labelled items of each pair of judges."""

    common: FloatArray  # items that both voted on
    alone: FloatArray  # errors of the first on these
    both: FloatArray  # errors of both

    @classmethod
    def of(cls, wrong: FloatArray, voted: FloatArray, counts: FloatArray) -> _Sums:
        mass = voted * counts[:, None]
        errors = wrong * counts[:, None]
        return cls(voted.T @ mass, errors.T @ voted, errors.T @ wrong)

    def __add__(self, other: _Sums) -> _Sums:
        return _Sums(self.common + other.common, self.alone + other.alone, self.both + other.both)

    def __sub__(self, other: _Sums) -> _Sums:
        return self + other.times(-1)

    def times(self, factor: float) -> _Sums:
        return _Sums(factor * self.common, factor * self.alone, factor * self.both)

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Covariance, and product of deviations, of each pair's errors; 0 on the diagonal."""
        n = np.where(self.common > _NOTHING, self.common, 1.0)
        rate = self.alone / n
        covariance = self.both / n - rate * rate.T
        spread = rate * (1 - rate)
        deviation = np.sqrt(np.where(spread > _NOTHING, spread, 0.0))
        scale = deviation * deviation.T
        np.fill_diagonal(covariance, 0.0)
        np.fill_diagonal(scale, 0.0)
        return np.where(scale > 0, covariance, 0.0), scale
