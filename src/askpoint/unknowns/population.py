"""What a stratified sample says about all cases: an estimate and its intervals.

Two intervals with the same words: `population_mean` for a sample that was judged as planned,
`looking_interval` for whoever looks after each judgement and stops when enough is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import FloatArray, IntArray, as_finite, as_same_length
from askpoint.measures.intervals import Interval

__all__ = ["PopulationEstimate", "looking_interval", "population_mean"]

_BOLDEST = 0.75  # share of the capital that one bet may lose


class PopulationEstimate(NamedTuple):
    """An estimated mean and the interval that holds the true one."""

    value: float
    interval: Interval


def population_mean(
    values: ArrayLike,
    strata: ArrayLike,
    sizes: ArrayLike,
    *,
    largest: float = 1.0,
    level: float = 0.95,
    finite: bool = True,
) -> PopulationEstimate:
    """Estimate the mean over all cases from a random sample of each stratum.

    The Horvitz-Thompson estimate with inclusion probabilities n_b / N_b. Its interval treats
    the weighted sum of rare events as a gamma variable: half of it with the events found,
    half with one more of the heaviest. So it stays honest when a handful was found, or
    nothing; a stratum that was judged whole adds no uncertainty.

    References
    ----------
    Horvitz and Thompson, JASA 47 (1952); Fay and Kim, Biometrical Journal 59 (2017), mid-p
    gamma interval.
    """
    y, of, size = _sample(values, strata, sizes, largest)
    alpha = 1 - level
    judged = np.bincount(of, minlength=len(size))
    if finite and (judged > size).any():
        bad = int(np.flatnonzero(judged > size)[0])
        raise InputError(
            f"stratum {bad} holds {size[bad]} cases, but {judged[bad]} of it were judged"
        )
    empty = np.flatnonzero((judged == 0) & (size > 0))
    if empty.size:
        raise NotEstimableError(
            f"no case of stratum {empty[0]} was judged, so nothing is known of it; judge at "
            "least one case of each"
        )
    weight = size / size.sum() / np.maximum(judged, 1)  # of one judged case
    left = 1 - judged / np.maximum(size, 1) if finite else np.ones(len(size))
    open_ = (left > 0) & (size > 0)
    total = np.bincount(of, y, len(size))
    known = float((weight * total)[~open_].sum())
    found = float((weight * total)[open_].sum())
    most = float((weight * judged)[open_].sum()) * largest
    heaviest = float((weight * np.sqrt(left)).max()) * largest
    if not heaviest:
        return PopulationEstimate(known, Interval(known, known))
    rare = found <= most / 2  # else count what is lacking to the largest
    parts = y if rare else largest - y
    # as if each stratum had one more case without an event: a few that agree are no certainty
    sums, squares = (np.bincount(of, term, len(size)) for term in (parts, np.square(parts)))
    spread = squares - np.square(sums) / (judged + 1)
    variance = float((np.square(weight) * spread * left)[open_].sum())
    lower, upper = _gamma_bounds(found if rare else most - found, variance, heaviest, alpha)
    if not rare:
        lower, upper = most - upper, most - lower
    return PopulationEstimate(
        known + found, Interval(known + max(lower, 0.0), known + min(upper, most))
    )


def looking_interval(
    values: ArrayLike,
    strata: ArrayLike,
    planned: ArrayLike,
    sizes: ArrayLike,
    *,
    largest: float = 1.0,
    level: float = 0.95,
) -> Interval:
    """Interval for the mean over all cases, valid however often one looks and stops.

    Two gamblers bet against each candidate mean, one that it is too low and one that it is
    too high; a candidate that made one of them rich, now or before, is excluded. What they bet
    on is the total found so far plus what the next case stands for, which is unbiased while
    the cases come in random order out of a sample planned by strata.

    References
    ----------
    Waudby-Smith and Ramdas, JRSS B 86 (2024), betting without replacement; here with strata.
    """
    y, of, size = _sample(values, strata, sizes, largest)
    plan = np.asarray(planned, dtype=np.int64)
    as_same_length(plan, size, ("planned", "sizes"))
    if (np.bincount(of, minlength=len(size)) > plan).any() or (plan > size).any():
        raise InputError("a stratum has at most its size planned, and at most that judged")
    log_bound = np.log(2 / (1 - level))
    n_all = size.sum()
    drawn = np.cumsum(np.eye(len(size), dtype=np.int64)[of], axis=0)
    before = np.vstack([np.zeros((1, len(size)), dtype=np.int64), drawn[:-1]])[: len(y)]
    unseen, rest = size - before, plan - before
    # what a case of each stratum stands for, if it is the next one
    stands_for = unseen * rest.sum(axis=1, keepdims=True) / np.maximum(rest, 1) * (rest > 0)
    seen = np.concatenate([[0.0], np.cumsum(y)[:-1]])[: len(y)] / largest
    guess = (seen + y / largest * stands_for[np.arange(len(y)), of]) / n_all
    most = (seen + stands_for.max(axis=1, initial=0)) / n_all
    # cases that no draw can reach any more: up to here the guess may be too low
    missed = (unseen * (rest == 0)).sum(axis=1) / n_all
    steps = np.arange(1, len(y) + 1)
    mean = np.cumsum(guess) / steps
    prior = np.square(most[:1] / 4)
    variance = (prior + np.append(0, np.cumsum(np.square(guess - mean)))[:-1]) / steps
    bet = np.sqrt(2 * log_bound / (variance * plan.sum()))

    def too_low(m: float) -> float:
        stake = np.minimum(bet, _BOLDEST / max(m, 1e-300))
        return float(np.cumsum(np.log1p(stake * (guess - m))).max(initial=0) - log_bound)

    def too_high(m: float) -> float:
        reach = np.maximum(most - (m - missed), 1e-300)
        stake = np.minimum(bet, _BOLDEST / reach)
        return float(
            np.cumsum(np.log1p(-stake * (guess - (m - missed)))).max(initial=0) - log_bound
        )

    surely = float(y.sum() / largest / n_all)
    possibly = surely + float((n_all - len(y)) / n_all)
    lower = max(surely, _crossing(too_low, 0.0, 1.0))
    upper = min(possibly, _crossing(too_high, 1.0, 0.0))
    return Interval(min(lower, upper) * largest, upper * largest)


def _sample(
    values: ArrayLike, strata: ArrayLike, sizes: ArrayLike, largest: float
) -> tuple[FloatArray, IntArray, IntArray]:
    y = as_finite(values, "values").astype(np.float64)
    of = np.asarray(strata, dtype=np.int64)
    size = np.asarray(sizes, dtype=np.int64)
    as_same_length(y, of, ("values", "strata"))
    if y.size and (y.min() < 0 or y.max() > largest):
        raise InputError(f"values must be between 0 and the largest, {largest:g}")
    if of.size and (of.min() < 0 or of.max() >= len(size)):
        raise InputError(f"strata are numbered from 0 to {len(size) - 1}; got {of.max()}")
    if size.sum() <= 0 or size.min() < 0:
        raise InputError("sizes must not be negative, and one must be above 0")
    return y, of, size


def _gamma_bounds(
    found: float, variance: float, heaviest: float, alpha: float
) -> tuple[float, float]:
    """Quantiles of half the sum as found, half the sum with one more of the heaviest."""

    def share_below(x: float, mean: float, spread: float) -> float:
        if not mean:
            return float(x >= 0)
        return float(special.gammainc(mean * mean / spread, x * mean / spread))

    def both(x: float) -> float:
        more = share_below(x, found + heaviest, variance + heaviest**2)
        return (share_below(x, found, variance) + more) / 2

    top = found + heaviest + 40 * np.sqrt(variance + heaviest**2)

    def quantile(share: float) -> float:
        if both(0.0) >= share:
            return 0.0
        return float(optimize.brentq(lambda x: both(x) - share, 0.0, top, xtol=1e-15))

    return quantile(alpha / 2), quantile(1 - alpha / 2)


def _crossing(excess: Callable[[float], float], rich: float, poor: float) -> float:
    """Where a monotone excess turns from positive at `rich` to negative at `poor`."""
    if excess(rich) < 0:
        return rich
    for _ in range(60):
        middle = (rich + poor) / 2
        if excess(middle) >= 0:
            rich = middle
        else:
            poor = middle
    return rich
