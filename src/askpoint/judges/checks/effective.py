"""How many independent judges a panel is worth: the common errors that labelled items show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.families import related_judges
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.measures.inputs import BoolArray, FloatArray, as_level
from askpoint.measures.intervals import Interval

__all__ = ["EffectiveJudges", "effective_judges"]

_LEAST = 10
_MOST = 300


@dataclass(frozen=True)
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
        A random sample of the items, with their true labels.
    n_items : int, optional
        All items, of which the labelled ones are a sample; by default of infinitely many.
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
        If there are more than 300 judges, or fewer items than labelled ones.
    NotEstimableError
        If fewer than 10 items are labelled, or no two judges made errors on common items.

    Notes
    -----
    Jackknife over items with the finite-population correction, on the scale of Fisher's
    atanh(rho), with the quantile 2 + 3/n in place of 1.96. Without labels there is no such
    number: an error that all judges share leaves no trace in votes.

    Examples
    --------
    >>> from askpoint import GoldSketch
    >>> from askpoint.judges.checks.effective import effective_judges
    >>> gold = GoldSketch(["ann", "bob"], ["no", "yes"])
    >>> gold.update_codes([[0, 0]] * 30 + [[1, 1]] * 10 + [[1, 0]] * 10, [0] * 50)
    >>> round(effective_judges(gold).number, 2)
    1.24
    """
    n = gold.n_items
    if len(gold.judges) > _MOST:
        raise InputError(
            f"the effective number is for panels of at most {_MOST} judges, got {len(gold.judges)}; "
            "choose some of them"
        )
    if n < _LEAST:
        raise NotEstimableError(
            f"the effective number of judges needs at least {_LEAST} labelled items, got {n}"
        )
    if n_items is not None and n_items < n:
        raise InputError(f"{n} items are labelled, so there must be as many; got n_items={n_items}")
    cells = gold.cells()
    pattern, truth = np.nonzero(cells.counts)
    counts = cells.counts[pattern, truth].astype(np.float64)
    votes = cells.votes[pattern]
    voted = votes >= 0
    wrong = (voted & (votes != truth[:, None])).astype(np.float64)
    sums = _Sums.of(wrong, voted.astype(np.float64), counts)
    covariance, scale = sums.moments()
    pooled = _ratio(covariance, scale)
    if pooled is None:
        raise NotEstimableError(
            "no two judges both made errors on the labelled items that they have in common; "
            "label more items"
        )
    shared = (sums.common > 0) & ~np.eye(len(gold.judges), dtype=bool)
    present: BoolArray = np.any(shared, axis=1)
    k = int(present.sum())
    left_out = np.array(
        [
            _ratio(*sums.without(wrong[cell], voted[cell].astype(np.float64)).moments())
            for cell in range(len(counts))
        ],
        dtype=np.float64,
    )  # nan where nothing is left to compare
    known = ~np.isnan(left_out)
    z = np.arctanh(np.clip(left_out[known], -_EDGE, _EDGE))
    weight = counts[known]
    centre = weight @ z / weight.sum()
    fraction = 0.0 if n_items is None else n / n_items
    deviation = np.sqrt((1 - fraction) * (n - 1) / n * (weight @ (z - centre) ** 2))
    quantile = -special.ndtri((1 - as_level(level, "level")) / 2) * (2 + 3 / n) / _NORMAL
    low, high = np.tanh(np.arctanh(np.clip(pooled, -_EDGE, _EDGE)) + quantile * deviation * _SIDES)
    family = related_judges(gold.judges, families)
    with np.errstate(invalid="ignore", divide="ignore"):
        pairs = np.where(shared, covariance / scale, np.nan)
    return EffectiveJudges(
        _number(k, pooled),
        Interval(_number(k, high), _number(k, low)),
        pooled,
        _ratio(np.where(family, covariance, 0.0), np.where(family, scale, 0.0)),
        None if not family.any() else _ratio(covariance * ~family, scale * ~family),
        tuple(judge for judge, there in zip(gold.judges, present, strict=True) if there),
        pairs,
        n,
    )


_EDGE = 1 - 1e-9
_NORMAL = 1.959963984540054
_SIDES = np.array([-1.0, 1.0])


def _number(k: int, correlation: float) -> float:
    return float(k / (1 + (k - 1) * max(correlation, 0.0)))


def _ratio(covariance: FloatArray, scale: FloatArray) -> float | None:
    total = float(scale.sum())
    return float(covariance.sum() / total) if total > 0 else None


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

    def without(self, wrong: FloatArray, voted: FloatArray) -> _Sums:
        return _Sums(
            self.common - np.outer(voted, voted),
            self.alone - np.outer(wrong, voted),
            self.both - np.outer(wrong, wrong),
        )

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Covariance, and product of deviations, of each pair's errors; 0 on the diagonal."""
        n = np.maximum(self.common, 1.0)
        rate = self.alone / n
        covariance = self.both / n - rate * rate.T
        deviation = np.sqrt(np.maximum(rate * (1 - rate), 0.0))
        scale = deviation * deviation.T
        np.fill_diagonal(covariance, 0.0)
        np.fill_diagonal(scale, 0.0)
        return np.where(scale > 0, covariance, 0.0), scale
