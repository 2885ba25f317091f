"""How many more labels a unit needs until it may act alone, drawn from what its labels say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askpoint.live.licences.certificate import (
    WEIGHTS,
    Certificate,
    Reserve,
    evidence_step,
    spend_reserves,
    starts_to_come,
)
from askpoint.live.licences.error_posterior import labels_to_pay
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = [
    "FARTHEST",
    "GrantForecast",
    "draw_rates",
    "forecast_grants",
    "forecast_paying",
    "mean_rate",
]

_PRIOR = (0.5, 9.5)  # one in twenty, as ten labels would say it
_AT_ONCE = 64  # certificates whose futures lie in memory together
_HOPELESS = 1e-3  # by Ville: while the rate is at the limit or above, evidence + starts ever reach the bound so rarely
FARTHEST = 3000
"""Labels beyond which a forecast says never."""


@dataclass(frozen=True)
class GrantForecast:
    """When a licence is to be expected.

    Parameters
    ----------
    median : int or None
        Labels until the grant, in the middle one of the futures; None if half of them never grant.
    low, high : int or None
        Of four futures in five; None where they never grant.
    never : float
        Share of the futures that do not grant within 3,000 labels.
    """

    median: int | None
    low: int | None
    high: int | None
    never: float


def draw_rates(bad: float, labels: int, n: int, rng: np.random.Generator) -> FloatArray:
    """Draw rates of bad actions from what labels say."""
    return np.asarray(rng.beta(_PRIOR[0] + bad, _PRIOR[1] + labels - bad, n))


def mean_rate(bad: float, labels: int) -> float:
    """Return the mean of the rates that `draw_rates` draws."""
    return (_PRIOR[0] + bad) / (sum(_PRIOR) + labels)


def forecast_grants(
    certificates: Sequence[Certificate],
    rates: FloatArray,
    bounds: Sequence[float],
    rng: np.random.Generator,
) -> list[GrantForecast]:
    """Continue certificates through futures, one for each rate.

    All certificates meet the same draws: the forecast of each is that of it alone. A future at or above its limit
    ends, ungranted, where evidence is so low that it is granted with a chance below 1 in 1,000.

    Parameters
    ----------
    certificates : sequence of Certificate
        As of now.
    rates : ndarray of shape (n_certificates, n_futures)
        Of bad actions, as `draw_rates` draws them.
    bounds : sequence of float
        The evidence of a grant, of each.
    rng : numpy.random.Generator
    """
    draws = rng.random((FARTHEST, rates.shape[1]), dtype=np.float32)
    found: dict[int, GrantForecast] = {}
    for limit in {one.limit for one in certificates}:
        alike = [i for i, one in enumerate(certificates) if one.limit == limit]
        for begin in range(0, len(alike), _AT_ONCE):
            part = alike[begin : begin + _AT_ONCE]
            some = [certificates[i] for i in part]
            after = _grants(some, limit, rates[part], np.array([bounds[i] for i in part]), draws)
            found |= {i: _summary(labels) for i, labels in zip(part, after, strict=True)}
    return [found[i] for i in range(len(certificates))]


def forecast_paying(
    labels: int, wrong: float, limit: float, rates: FloatArray, rng: np.random.Generator
) -> GrantForecast:
    """Continue labels through futures, one for each rate, until acting alone costs less than asking.

    Parameters
    ----------
    labels, wrong : int, float
        Counted so far.
    limit : float
        As `acting_pays` takes it.
    rates : ndarray of shape (n_futures,)
        Of bad actions.
    rng : numpy.random.Generator
    """
    draws = rng.random((FARTHEST, len(rates)), dtype=np.float32)
    more = np.vstack([np.zeros(len(rates), int), (draws < rates).cumsum(axis=0)])
    needed = labels_to_pay(wrong + np.arange(more.max() + 1), limit, labels + FARTHEST)
    pays = labels + np.arange(FARTHEST + 1)[:, np.newaxis] >= needed[more]
    return _summary(np.where(pays.any(axis=0), pays.argmax(axis=0), FARTHEST + 1))


def _grants(
    certificates: Sequence[Certificate],
    limit: float,
    rates: FloatArray,
    bounds: FloatArray,
    draws: FloatArray,
) -> IntArray:
    """Return after how many labels each future is granted, a row for each certificate."""
    units, futures = rates.shape
    after = np.full(rates.size, FARTHEST + 1)
    live = np.arange(rates.size)
    future, rate = np.tile(np.arange(futures), units), rates.ravel()
    bets = np.repeat(np.array([one.bets for one in certificates]), futures, axis=0)
    labels = np.repeat([one.labels for one in certificates], futures)
    bound = np.repeat(bounds, futures)
    least = np.where(rate >= limit, _HOPELESS * bound, -1.0)
    again = [one.reserve or Reserve(math.nan, 0) for one in certificates]
    has_reserve = any(one.reserve for one in certificates)
    left = np.repeat([one.left for one in again], futures)
    quiet = np.repeat([one.quiet for one in again], futures)
    start = None
    for step in range(1, FARTHEST + 1):
        bad = draws[step - 1, future] < rate
        if has_reserve:
            start, left, quiet = spend_reserves(left, quiet, labels + step, limit, bad)
        bets = evidence_step(bets, labels + step, bad, np.array([limit]), start=start)
        evidence = bets @ WEIGHTS
        granted = evidence >= bound
        after[live[granted]] = step
        to_come = np.where(np.isnan(left), starts_to_come(labels + step), left)
        ended = granted | (evidence + to_come < least)
        if ended.any():
            on = ~ended
            live, future, rate, bets = live[on], future[on], rate[on], bets[on]
            left, quiet = left[on], quiet[on]
            labels, bound, least = labels[on], bound[on], least[on]
            if not len(live):
                break
    return after.reshape(units, futures)


def _summary(after: IntArray) -> GrantForecast:
    low, median, high = (_or_never(q) for q in np.quantile(after, (0.1, 0.5, 0.9), method="higher"))
    return GrantForecast(median, low, high, float((after > FARTHEST).mean()))


def _or_never(labels: float) -> int | None:
    return int(labels) if labels <= FARTHEST else None
