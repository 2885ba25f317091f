"""The scale z on which rightness is a sigmoid: logits of probabilities, ranks of other scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["NODES", "LogitScale", "RankScale", "Scale", "node"]

_CLOSEST, _FARTHEST = 1e-12, 0.025
_CENTRE = 2.0
_BEND = 8.0  # up to here nodes lie evenly, beyond they part: far from 0 a sigmoid hardly changes
_STEP = 1 / 16
_FAR = int(np.rint(_BEND * np.arcsinh(special.logit(1 - _CLOSEST) / _BEND) / _STEP))
NODES = _BEND * np.sinh(np.arange(-_FAR, _FAR + 1) * _STEP / _BEND)
"""The values of z to which cases are rounded: what a label says hardly changes within a step."""


def node(z: FloatArray) -> IntArray:
    """Position of the nearest node."""
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


@dataclass(frozen=True, eq=False)
class RankScale:
    """z = 2 + probit of the mid-rank among all cases: most models are mostly right, 2 centres A."""

    scores: FloatArray
    below: FloatArray  # the share of cases below each score
    upto: FloatArray  # ... and with those of the very score

    @classmethod
    def of(cls, scores: FloatArray, mass: FloatArray | None = None) -> RankScale:
        """Rank by all scores, each one case or of the mass given."""
        known, place = np.unique(scores, return_inverse=True)
        counts = np.bincount(place, mass).astype(np.float64)
        upto = np.cumsum(counts)
        return cls(known.astype(np.float64), (upto - counts) / upto[-1], upto / upto[-1])

    def z(self, confidence: ArrayLike) -> FloatArray:
        """Return z of any scores."""
        score = np.asarray(confidence, dtype=np.float64)
        place = np.searchsorted(self.scores, score)
        inside = place.clip(max=len(self.scores) - 1)
        tied = self.scores[inside] == score
        between = np.append(self.below, 1.0)[place]
        rank = np.where(tied, (self.below[inside] + self.upto[inside]) / 2, between)
        return np.asarray(_CENTRE + special.ndtri(rank.clip(_CLOSEST, 1 - _CLOSEST)))


Scale = LogitScale | RankScale
