"""A belief on weights, as a cloud of weighted particles, and what can be read from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval

__all__ = ["LEVEL", "Particles"]

LEVEL = 0.9
"""Probability of intervals and regions, unless another is asked for."""


@dataclass(frozen=True, eq=False)
class Particles:
    """Particles of weights.

    Parameters
    ----------
    log_weights : ndarray of shape (n_particles, k)
        Logarithms of the weights; only differences within a row mean something.
    mass : ndarray of shape (n_particles,)
        How much each particle counts; with sum 1.
    """

    log_weights: FloatArray
    mass: FloatArray

    @cached_property
    def shares(self) -> FloatArray:
        """The weights of each particle as shares of one whole, of shape (n_particles, k)."""
        weights = np.exp(self.log_weights - self.log_weights.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    @cached_property
    def weights(self) -> FloatArray:
        """The estimate: the mean of the shares, of shape (k,)."""
        return np.asarray(self.mass @ self.shares)

    def quantiles(self, values: FloatArray, levels: ArrayLike) -> FloatArray:
        """Quantiles of a number that each particle has."""
        order = np.argsort(values)
        mass = self.mass[order]
        middles = np.cumsum(mass) - mass / 2
        return np.asarray(np.interp(np.asarray(levels, np.float64), middles, values[order]))

    def radius(self, level: float = LEVEL) -> float:
        """How far from the estimate the shares may lie, in their greatest difference."""
        distance = np.abs(self.shares - self.weights).max(axis=1)
        return float(self.quantiles(distance, [level])[0])

    def ratio(self, i: int, j: int, level: float = LEVEL) -> tuple[float, Interval]:
        """How many times weight j is weight i?"""
        logs = self.log_weights[:, i] - self.log_weights[:, j]
        tails = ((1 - level) / 2, 0.5, (1 + level) / 2)
        low, middle, high = np.exp(self.quantiles(logs, tails)).tolist()
        return middle, Interval(low, high)

    def widen(self, factor: float) -> Particles:
        """Return the same cloud, so many times as far from its middle in every ratio."""
        logs = self.log_weights - self.log_weights.mean(axis=1, keepdims=True)
        middle = self.mass @ logs
        return Particles(middle + factor * (logs - middle), self.mass)

    def interval(self, level: float = LEVEL) -> FloatArray:
        """Intervals of the shares, with equal tails."""
        tails = ((1 - level) / 2, (1 + level) / 2)
        return np.stack([self.quantiles(column, tails) for column in self.shares.T])
