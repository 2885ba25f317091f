"""Scales z on which rightness is a sigmoid: logits, standardised scores, and ranks for both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["NODES", "LinearScale", "LogitScale", "Scale", "node", "scale_of", "z_of_ranks"]

_CLOSEST, _FARTHEST = 1e-12, 0.025
_CENTRE = 2.0  # most models are mostly right: sigmoid(2) = .88
_LOWEST, _HIGHEST = -6.0, 10.0  # of standardised scores
_NORMAL_RANGE = 1.349  # interquartile range of a standard normal variable
_BEND = 8.0  # up to here nodes lie evenly, beyond they part: far from 0 a sigmoid hardly changes
_STEP = 1 / 16
_FAR = int(np.rint(_BEND * np.arcsinh(special.logit(1 - _CLOSEST) / _BEND) / _STEP))
NODES = _BEND * np.sinh(np.arange(-_FAR, _FAR + 1) * _STEP / _BEND)
"""The values of z to which groups are rounded when base curves are chosen, and only then."""


def node(z: FloatArray) -> IntArray:
    """Return the position of the nearest node."""
    place: IntArray = np.rint(_BEND * np.arcsinh(z / _BEND) / _STEP).astype(np.int64) + _FAR
    return place


@dataclass(frozen=True)
class LogitScale:
    """z = ln(c / (1 - c)); a confidence of 1 counts as half as far from 1 as the nearest below."""

    closest: float = _CLOSEST

    @classmethod
    def of(cls, confidence: FloatArray) -> LogitScale:
        """Find how near to 1 these confidences tell cases apart."""
        below = confidence.max(where=confidence < 1, initial=0)
        return cls(float(np.clip((1 - below) / 2, _CLOSEST, _FARTHEST)))

    def z(self, confidence: ArrayLike) -> FloatArray:
        """Return z of confidences between 0 and 1."""
        clipped = np.asarray(confidence, dtype=np.float64).clip(self.closest, 1 - self.closest)
        return np.asarray(special.logit(clipped))


@dataclass(frozen=True)
class LinearScale:
    """z = 2 + (score - median) / (interquartile range / 1.349), between -6 and 10."""

    median: float
    spread: float

    @classmethod
    def of(cls, scores: FloatArray, mass: FloatArray | None = None) -> LinearScale:
        """Standardise by all scores, each one case or of the mass given."""
        order = np.argsort(scores)
        share = np.cumsum(np.ones(len(scores)) if mass is None else mass[order])
        low, middle, high = scores[order][
            np.searchsorted(share, share[-1] * np.array([1, 2, 3]) / 4)
        ]
        spread = (high - low) / _NORMAL_RANGE
        if not spread > 0:  # half of the cases are tied
            spread = float(scores.std()) or 1.0
        return cls(float(middle), float(spread))

    def z(self, confidence: ArrayLike) -> FloatArray:
        """Return z of any scores."""
        score = np.asarray(confidence, dtype=np.float64)
        return np.asarray((_CENTRE + (score - self.median) / self.spread).clip(_LOWEST, _HIGHEST))


Scale = LogitScale | LinearScale


def scale_of(confidence: FloatArray, mass: FloatArray | None = None) -> Scale:
    """Return logits where all confidences lie between 0 and 1, else standardised scores."""
    if confidence.size and (confidence.min() < 0 or confidence.max() > 1):
        return LinearScale.of(confidence, mass)
    return LogitScale.of(confidence)


def z_of_ranks(rank: FloatArray) -> FloatArray:
    """Return the second scale: 2 + the probit of the mid-rank among all cases."""
    return np.asarray(_CENTRE + special.ndtri(rank.clip(_CLOSEST, 1 - _CLOSEST)))
