"""How right answers depart from a base curve: a Markov chain along the ranks of confidence.

A deviation on the logit is nothing at all, a slow random walk, or a walk with jumps.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from askpoint.measures.inputs import FloatArray

__all__ = ["DRAWN", "LIKELY", "STATES", "ZERO", "ChainLaws", "chain_laws"]

_HALF = np.array([0.15, 0.35, 0.65, 1.05, 1.6, 2.3, 3.2, 4.3, 5.5])
STATES = np.concatenate([-_HALF[::-1], [0.0], _HALF])
"""Deviations on the logit."""
ZERO = len(_HALF)
"""Position of no deviation among the states."""
_STEPS = 64  # a rate is one per range of ranks, of which a segment is a step
_TERMS = 40  # of the series of an exponential, for rates of at most 2 a step: 2**40 / 40! < 1e-35
_NARROW, _OF_NARROW = 0.3, 0.4  # most of a jump is small, the rest as wide as the law's slab

LIKELY = np.array([0.58, 0.27, 0.08, 0.05, 0.02])
"""Prior weight of no deviation and of each law, for the point: by evidence of 176 real logs."""
DRAWN = np.array([0.15, 0.20, 0.25, 0.20, 0.20])
"""The same for draws, which allow for logs unlike those."""


class _Law(NamedTuple):
    """Standard deviation of the walk over the whole range, jumps over it, and how wide they are."""

    walk: float
    jumps: float = 0.0
    slab: float = 0.0


_LAWS = (_Law(0.5), _Law(0.8, 2, 1.8), _Law(1.5, 6, 1.8), _Law(1.0, 4, 3.2))


class ChainLaws(NamedTuple):
    """First probabilities by law and state, and steps by law, state before and state after."""

    start: FloatArray
    step: FloatArray


@cache
def chain_laws() -> ChainLaws:
    """Return the laws of the deviation, no deviation left out."""
    starts, steps = [], []
    for law in _LAWS:
        jump = np.zeros(len(STATES))
        if law.jumps:
            jump = _OF_NARROW * _normal(_NARROW) + (1 - _OF_NARROW) * _normal(law.slab)
        start = _normal(max(law.walk / 3, 0.15))
        rate = law.jumps / _STEPS
        starts.append(0.9 * start + 0.1 * jump if law.jumps else start)
        steps.append((1 - rate) * _exponential(_generator(law.walk) / _STEPS) + rate * jump)
    return ChainLaws(np.array(starts, np.float32), np.array(steps, np.float32))


def _exponential(rates: FloatArray) -> FloatArray:
    """Chances after one unit of time of a walk with these rates: the exponential of their matrix.

    By uniformisation: all terms of the series are positive, so that small chances are exact, too.
    """
    fastest = -rates.diagonal().min()
    term = np.eye(len(rates)) * np.exp(-fastest)
    found = term
    for k in range(1, _TERMS):
        term = term @ (rates + fastest * np.eye(len(rates))) / k
        found = found + term
    return np.asarray(found)


def _normal(spread: float) -> FloatArray:
    """Normal probabilities of the states, by the width that each stands for."""
    gaps = np.diff(STATES)
    width = np.concatenate([gaps[:1], (gaps[1:] + gaps[:-1]) / 2, gaps[-1:]])
    weight = width * np.exp(-((STATES / spread) ** 2) / 2)
    return np.asarray(weight / weight.sum())


def _generator(walk: float) -> FloatArray:
    """Rates of a walk on the states whose variance over the whole range is that of `walk`."""
    gaps = np.diff(STATES)
    up = np.append(gaps, gaps[-1])
    down = np.append(gaps[0], gaps)
    rate_up = walk**2 / (up * (up + down))
    rate_down = walk**2 / (down * (up + down))
    rates = np.diag(rate_up[:-1], 1) + np.diag(rate_down[1:], -1)
    return np.asarray(rates - np.diag(rates.sum(axis=1)))
