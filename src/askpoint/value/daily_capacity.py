"""How many cases a day asks, and the threshold that keeps a day's capacity.

A capacity is one of days, and days differ by more than chance: a campaign, a Monday. So the number
asked on the next day is a negative binomial variable, whose mean and spread between days are
both learned from the days of the log.

For ``--ask-at-most N/day --time COLUMN``: give the confidence of every case, labelled or not, and the day of
each (a number, a date or a text, equal within a day), whole days only: leave out a first or last
day that the log has in part. Days without any case do not count. ::

    kept = threshold_for_days(confidence, day, capacity=400, kept=0.95)
    load = daily_load(confidence, day, threshold)  # of a threshold chosen elsewhere
    load.chance_above(400), load.mean, load.low, load.high
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from askpoint.errors import InputError, NotEstimableError, UnmetError
from askpoint.measures.inputs import FloatArray, IntArray, as_finite, as_level, as_same_length

__all__ = ["DailyLoad", "DayThreshold", "daily_load", "threshold_for_days"]

_FEWEST = 5  # days, from which their spread is learned at all
_SHAPES = np.geomspace(0.5, 2e4, 16)  # of the gamma variable by which days differ
_NODES = (np.arange(60) + 0.5) / 60  # quantiles at which the mean is summed over


@dataclass(frozen=True, eq=False)
class DailyLoad:
    """Cases asked on the next day like those seen.

    Parameters
    ----------
    counts : ndarray of int of shape (n_days,)
        Cases asked on each day of the log.
    shape_weights : ndarray
        Posterior of how much days differ, over a grid.
    chances : ndarray
        Posterior of the negative binomial's probability, for each shape by equal quantiles.
    """

    counts: IntArray
    shape_weights: FloatArray
    chances: FloatArray

    @property
    def mean(self) -> float:
        """Cases asked on a day of the log, on average."""
        return float(self.counts.mean())

    @property
    def low(self) -> int:
        """The next day asks fewer with probability 1/40."""
        return self.quantile(0.025)

    @property
    def high(self) -> int:
        """The next day asks more with probability 1/40."""
        return self.quantile(0.975)

    def chance_above(self, capacity: float) -> float:
        """Return the chance that the next day asks more than so many."""
        whole = np.floor(capacity)
        if whole < 0:
            return 1.0
        below = special.betainc(_SHAPES[:, None], whole + 1, self.chances).mean(axis=1)
        return float(1 - self.shape_weights @ below)

    def quantile(self, level: float) -> int:
        """Return the least number that the next day does not exceed with probability `level`."""
        low, high = -1, 1
        while self.chance_above(high) > 1 - level:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.chance_above(middle) > 1 - level else (low, middle)
        return high


class DayThreshold(NamedTuple):
    """The highest threshold that keeps a day's capacity, and what the next day asks with it.

    Attributes
    ----------
    threshold : float
        Ask below it.
    load : DailyLoad
        Of the next day.
    chance_above : float
        Chance that the next day asks more than its capacity.
    """

    threshold: float
    load: DailyLoad
    chance_above: float


def daily_load(confidence: ArrayLike, day: ArrayLike, threshold: float) -> DailyLoad:
    """Say how many cases below a threshold the next day holds.

    References
    ----------
    Gelman et al., Bayesian Data Analysis (2013), 2.6: the negative binomial as a gamma mixture.
    """
    score, place, n_days = _days(confidence, day)
    return _load(np.bincount(place[score < threshold], minlength=n_days))


def threshold_for_days(
    confidence: ArrayLike, day: ArrayLike, capacity: float, *, kept: float = 0.95
) -> DayThreshold:
    """Find the highest threshold whose next day keeps the capacity with probability `kept`.

    Found by bisection: the more cases lie below a threshold, the surer a day exceeds its capacity.
    """
    as_level(kept, "kept")
    if not (np.isfinite(capacity) and capacity >= 0):
        raise InputError(f"a day's capacity is a number of cases, 0 or more; got {capacity}")
    score, place, n_days = _days(confidence, day)
    thresholds = np.append(np.unique(score), np.inf).tolist()
    best: DayThreshold | None = None
    low, high = 0, len(thresholds)
    while low < high:
        middle = (low + high) // 2
        load = _load(np.bincount(place[score < thresholds[middle]], minlength=n_days))
        chance = load.chance_above(capacity)
        if chance > 1 - kept:
            high = middle
        else:
            low, best = middle + 1, DayThreshold(thresholds[middle], load, chance)
    if best is None:
        raise UnmetError(
            f"{n_days} days are too few to promise that a day asks at most {capacity:g} with "
            f"probability {kept:g}, even if none is asked about; give more days or a greater capacity"
        )
    return best


def _days(confidence: ArrayLike, day: ArrayLike) -> tuple[FloatArray, IntArray, int]:
    score = as_finite(confidence, "confidence").astype(np.float64, copy=False)
    days = np.asarray(day)
    as_same_length(score, days, ("confidence", "day"))
    names, place = np.unique(days, return_inverse=True)
    if len(names) < _FEWEST:
        raise NotEstimableError(
            f"how much days differ takes at least {_FEWEST} whole days with cases; there are {len(names)}"
        )
    return score, place, len(names)


def _load(counts: IntArray) -> DailyLoad:
    """Posterior of shape r and of p = r / (r + mean); given r, p is a Beta variable."""
    n_days, total = len(counts), counts.sum()
    r = _SHAPES
    # Jeffreys' prior of the mean at a given shape: mean^(-1/2) (1 + mean / r)^(-1/2)
    log_mass = (
        special.gammaln(counts[None, :] + r[:, None]).sum(axis=1)
        - n_days * special.gammaln(r)
        + special.betaln(n_days * r, total + 0.5)
        + np.log(r) / 2
    )
    chances = stats.beta.ppf(_NODES, (n_days * r)[:, None], total + 0.5)
    return DailyLoad(counts, special.softmax(log_mass), chances)
