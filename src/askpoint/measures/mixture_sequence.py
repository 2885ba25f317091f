"""How many mistakes were made in all, from those that a random audit saw: at all times at once.

Each mistake is seen with a chance of at least h, drawn after the decision. With L the sum of
h p over what was answered (p the chance of a mistake, given the case and the past) and S the
mistakes seen, a Gamma(1/2, 1/2) mixture of exp(-(x - 1) L) x^S is a supermartingale whatever
drifts and whoever decides: one unknown number, one interval.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, as_level
from askpoint.measures.intervals import Interval

__all__ = ["fixed_time_total_interval", "log_gamma_mixture", "total_interval"]

_SHAPE = 0.5
_STEPS = 20  # far more than Newton's method needs from these starts


def log_gamma_mixture(total: ArrayLike, seen: ArrayLike) -> FloatArray:
    """G(L, S): logarithm of the mixture against an expected total L when S is seen.

    References
    ----------
    Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49 (2021), gamma-exponential mixture.
    """
    expected = np.asarray(total, dtype=np.float64)
    s = np.asarray(seen, dtype=np.float64) + _SHAPE
    constant = _SHAPE * math.log(_SHAPE) - special.gammaln(_SHAPE)
    return np.asarray(expected + constant + special.gammaln(s) - s * np.log(expected + _SHAPE))


def total_interval(seen: float, *, delta: float = 0.05) -> Interval:
    """Expected totals L with G(L, seen) below ln(1 / delta): holds at all times with 1 - delta."""
    _check(seen)
    a, s = _SHAPE, seen + _SHAPE
    # with u = (L + a) / s the bound reads u - 1 - ln u = room; in v = ln u both roots are convex
    room = (
        math.log(1 / as_level(delta, "delta"))
        - (a * math.log(a) - math.lgamma(a) + math.lgamma(s))
        + a
        - s
        + s * math.log(s)
    ) / s
    upper = _root(math.log1p(math.sqrt(2 * room) + room), room)
    lower = _root(-(1 + room), room)
    return Interval(max(0.0, s * math.exp(lower) - a), s * math.exp(upper) - a)


def _root(v: float, room: float) -> float:
    """Solve exp(v) - 1 - v = room from a start beyond the root: Newton's steps only go inwards."""
    for _ in range(_STEPS):
        v -= (math.expm1(v) - v - room) / math.expm1(v)
    return v


def fixed_time_total_interval(seen: float, *, level: float = 0.95) -> Interval:
    """Garwood's exact interval for the same total, at one time that was fixed beforehand.

    References
    ----------
    Garwood, Biometrika 28 (1936).
    """
    _check(seen)
    tail = (1 - as_level(level, "level")) / 2
    lower = float(special.gammaincinv(seen, tail)) if seen else 0.0
    return Interval(lower, float(special.gammainccinv(seen + 1, tail)))


def _check(seen: float) -> None:
    if not 0 <= seen < math.inf:
        raise InputError(f"what was seen is a finite number, 0 or more; got {seen}")
