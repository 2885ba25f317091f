"""Intervals and bands: how far a measured rate can be from the true one.

Fixed sample size: `binomial_interval`, `empirical_bernstein_interval`, `dkw_half_width`.
Valid at every moment, however often one looks: `beta_mixture_interval` for counts of
successes, `betting_interval` for values between 0 and 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import FloatArray, as_choice, as_finite, as_level

__all__ = [
    "Interval",
    "beta_mixture_interval",
    "betting_interval",
    "binomial_interval",
    "clopper_pearson",
    "dkw_half_width",
    "empirical_bernstein_interval",
]


class Interval(NamedTuple):
    """A lower and an upper bound.

    Parameters
    ----------
    lower, upper : float
        Both belong to it.

    Examples
    --------
    >>> from askpoint.measures.intervals import Interval
    >>> Interval(0.2, 0.4).upper
    0.4
    """

    lower: float
    upper: float


def _check_counts(successes: float, n: float) -> None:
    if not 0 <= successes <= n < np.inf:
        raise InputError(f"successes must lie between 0 and n: got {successes} of {n}")


def binomial_interval(
    successes: float, n: float, *, level: float = 0.95, method: str = "clopper-pearson"
) -> Interval:
    """Interval for the probability of success behind `successes` out of `n`.

    References
    ----------
    Clopper and Pearson, Biometrika 26 (1934); Wilson, JASA 22 (1927).
    """
    _check_counts(successes, n)
    as_level(level, "level")
    as_choice(method, ("clopper-pearson", "wilson"), "method")
    if method == "wilson" and n:
        z = -float(special.ndtri((1 - level) / 2))
        rate = successes / n
        centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * np.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
        lower = 0.0 if successes == 0 else max(0.0, float(centre - half))
        upper = 1.0 if successes == n else min(1.0, float(centre + half))
        return Interval(lower, upper)
    return clopper_pearson(successes, n, level)


def clopper_pearson(successes: float, n: float, level: float) -> Interval:
    """Return the interval of `binomial_interval`, for counts and a level that are known to be sound.

    Parameters
    ----------
    successes, n : float
        Counts with 0 <= successes <= n; fractions stand for effective numbers.
    level : float
        Interval coverage, strictly between 0 and 1.

    Returns
    -------
    Interval
        From 0 to 1 where n is 0.

    References
    ----------
    Clopper and Pearson, Biometrika 26 (1934).

    Examples
    --------
    >>> from askpoint.measures.intervals import clopper_pearson
    >>> clopper_pearson(0, 0, 0.95)
    Interval(lower=0.0, upper=1.0)
    """
    if n == 0:
        return Interval(0.0, 1.0)
    tail, failures = (1 - level) / 2, n - successes
    lower = 0.0 if successes == 0 else float(special.betaincinv(successes, failures + 1, tail))
    upper = 1.0 if failures == 0 else float(special.betainccinv(successes + 1, failures, tail))
    return Interval(lower, upper)


def dkw_half_width(n: int, *, delta: float = 0.05, n_curves: int = 1) -> float:
    """Half width of the band that holds `n_curves` distribution functions at once.

    The Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant and a union bound:
    sqrt(log(2 n_curves / delta) / (2 n)).

    References
    ----------
    Massart, Annals of Probability 18 (1990).
    """
    if not (n >= 1 and n_curves >= 1):
        raise InputError(f"a band needs at least one item and one curve, got {n} and {n_curves}")
    return float(np.sqrt(np.log(2 * n_curves / as_level(delta, "delta")) / (2 * n)))


def empirical_bernstein_interval(values: ArrayLike, *, level: float = 0.95) -> Interval:
    """Interval for a mean of values between 0 and 1 that narrows with their variance.

    References
    ----------
    Maurer and Pontil, COLT 2009, theorem 4 on both sides.
    """
    array = _unit_values(values)
    n = len(array)
    if n < 2:
        raise InputError(f"an empirical Bernstein interval needs at least 2 values, got {n}")
    log_term = np.log(4 / (1 - as_level(level, "level")))  # two sides, each with 2/delta
    half = np.sqrt(2 * array.var(ddof=1) * log_term / n) + 7 * log_term / (3 * (n - 1))
    mean = array.mean()
    return Interval(float(max(0.0, mean - half)), float(min(1.0, mean + half)))


def _unit_values(values: ArrayLike) -> FloatArray:
    array = as_finite(values, "values").astype(np.float64, copy=False)
    if array.size and (array.min() < 0 or array.max() > 1):
        row = int(np.flatnonzero((array < 0) | (array > 1))[0])
        raise InputError(
            f"values must lie between 0 and 1, got {array[row]:.6g} in row {row}; "
            "rescale them by the least and the greatest value that they can take"
        )
    return array


def beta_mixture_interval(
    successes: int, n: int, *, level: float = 0.95, prior: tuple[float, float] = (0.5, 0.5)
) -> Interval:
    """Interval for a probability that stays valid at every moment of looking.

    The set of all p at which the mixture martingale
    B(a + s, b + n - s) / (B(a, b) p^s (1 - p)^(n - s)) stays below 1 / (1 - level).

    References
    ----------
    Robbins, Annals of Mathematical Statistics 41 (1970); Howard et al., Annals of
    Statistics 49 (2021).
    """
    _check_counts(successes, n)
    log_bound = -np.log1p(-as_level(level, "level"))
    a, b = prior
    if not (0 < a < np.inf and 0 < b < np.inf):
        raise InputError(f"a Beta prior has two finite numbers above 0, got {a} and {b}")
    failures = n - successes
    mixture = special.betaln(a + successes, b + failures) - special.betaln(a, b)

    # on the logit scale the log martingale is convex, and no digit is lost near 0 and 1
    def excess(logit: float) -> float:
        miss = successes * np.logaddexp(0, -logit) + failures * np.logaddexp(0, logit)
        return float(mixture + miss - log_bound)

    def edge(far: float) -> float:
        return float(special.expit(far if excess(far) < 0 else optimize.brentq(excess, best, far)))

    beyond = 800.0  # the logit of what no float tells from 1
    best = float(special.logit(successes / n).clip(-beyond, beyond)) if n else 0.0
    return Interval(edge(-beyond), edge(beyond))


def betting_interval(values: ArrayLike, *, level: float = 0.95) -> Interval:
    """Interval for a mean of values between 0 and 1, valid at every moment of looking.

    Two gamblers bet against each candidate mean, one that the values lie above it, one that
    they lie below, their stakes set by the values seen before. A candidate that made one of
    them rich, at the time of looking or before, is excluded.

    References
    ----------
    Waudby-Smith and Ramdas, JRSS B 86 (2024), theorem 3 (hedged capital, c = 1/2).
    """
    array = _unit_values(values)
    delta = 1 - as_level(level, "level")
    if not array.size:
        return Interval(0.0, 1.0)
    limit = float(np.log(2 / delta))  # each gambler starts with half the money
    steps = np.arange(1, len(array) + 1)
    mean = (0.5 + np.cumsum(array)) / (steps + 1)
    variance = (0.25 + np.cumsum(np.square(array - mean))) / (steps + 1)
    before = np.append(0.25, variance[:-1])
    bets = np.sqrt(2 * limit / (before * steps * np.log(steps + 1)))
    lower = _least_mean(array, bets, limit)
    upper = 1 - _least_mean(1 - array, bets, limit)
    if lower > upper:
        raise NotEstimableError(
            f"no mean fits these {len(array)} values at level {level}: it moved while they came; "
            "give a stretch over which it holds still"
        )
    return Interval(lower, upper)


def _least_mean(values: FloatArray, bets: FloatArray, limit: float) -> float:
    """Least candidate against which betting on higher values never made rich."""

    def excess(mean: float) -> float:
        stakes = np.minimum(bets, 0.5 / mean) if mean > 0 else bets
        return float(np.log1p(stakes * (values - mean)).cumsum().max()) - limit

    if excess(0.0) < 0:
        return 0.0
    precision = 1e-12
    root = float(optimize.brentq(excess, 0.0, 1.0, xtol=precision))
    return max(0.0, root - 2 * precision)  # outwards
