"""Evidence of a change that may begin at any time: mixtures over the time at which betting starts.

M <- (M + w_t) f_t over a stream of audited answers, where each factor f_t has mean at most 1 while
nothing is wrong, and the weights w_t of the starts sum to at most 1. Then M + (the weight still to
come) is a supermartingale, and M ever reaches 1 / delta with probability at most delta.
"""

from __future__ import annotations

import math

import numpy as np

from askpoint.measures.inputs import FloatArray

__all__ = [
    "STATED_RISES",
    "bet_factors",
    "level_bets",
    "level_factors",
    "mix_starts",
    "restart_weight",
]

_BETS = (0.5, 1.0, 2.0, 4.0, 8.0, 14.0)
_SUM = 2.11  # of 1 / ((t + 1) ln^2 (t + 1)), t = 1, 2, ..., rounded up
STATED_RISES = np.array([0.03, 0.07, 0.15, 0.3, 0.5])
"""By how much the error may exceed what is stated, one bet each."""
_SUREST = 0.97  # the greatest error that a bet can stand for
_GREATEST = 1e300  # evidence is cut here, which only lowers it


def restart_weight(t: int, horizon: float) -> float:
    """Weight of a start at the t-th audited answer, t = 1, 2, ...: half for ever, half within the horizon."""
    log = math.log(t + 1)
    return 0.5 / (_SUM * (t + 1) * log * log) + (0.5 / horizon if t <= horizon else 0.0)


def level_bets(limit: float) -> FloatArray:
    """The bets against a level: those that leave something after a right answer."""
    return np.array([bet for bet in _BETS if bet * limit < 0.95])


def level_factors(wrong: bool, limit: float, share: float = 1.0) -> FloatArray:
    """Factor of each bet that mistakes are more frequent than `limit`.

    `share` is least audit rate over this one's: answers audited more often count less.
    """
    return 1 + share * level_bets(limit) * ((1.0 if wrong else 0.0) - limit)


def bet_factors(wrong: bool, stated: float, share: float = 1.0) -> FloatArray:
    """Factor of each bet that mistakes are more frequent than was stated for cases like this."""
    s = min(stated, _SUREST)
    q = np.minimum(_SUREST, s + STATED_RISES)
    factor = q / s if wrong else (1 - q) / (1 - s)
    return 1 + share * (factor - 1)


def mix_starts(evidence: FloatArray, weight: float, factors: FloatArray) -> FloatArray:
    """One step of the mixture over starts."""
    return np.minimum((evidence + weight) * factors, _GREATEST)
