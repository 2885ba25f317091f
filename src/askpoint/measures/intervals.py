"""Intervals and bands of a fixed sample size: how far a measured rate can be from the true one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from askpoint.errors import InputError
from askpoint.measures.inputs import as_choice, as_level

__all__ = [
    "Interval",
    "binomial_interval",
    "clopper_pearson",
    "dkw_half_width",
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
        raise InputError(f"successes must be between 0 and n: got {successes} of {n}")


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
        raise InputError(f"a band needs at least one item and one curve; got {n} and {n_curves}")
    return float(np.sqrt(np.log(2 * n_curves / as_level(delta, "delta")) / (2 * n)))
