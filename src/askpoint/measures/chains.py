"""Chains of tests along thresholds, from cautious to bold: the next one only after the last.

A chain stops for good reason at the first threshold whose risk is too high, so its one error
probability pays for all thresholds: no Bonferroni over them. Several chains with weights start at
several places, since a chain that starts where nothing can be shown waits there for ever.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.eprocess import log_risk_evidence
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray, as_level

__all__ = ["ThresholdChains", "coverage_grid", "thresholds_in_order"]

_GRID = 32  # thresholds, from 8% to 98% of the cases


def coverage_grid(confidence: ArrayLike) -> FloatArray:
    """Thresholds at 32 coverages from .08 to .98 of these confidences, falling; labels play no part."""
    coverage = 0.08 + 0.9 * np.arange(_GRID) / (_GRID - 1)
    return np.quantile(np.asarray(confidence, dtype=np.float64), 1 - coverage)


@dataclass(frozen=True)
class ThresholdChains:
    """Chains over thresholds numbered from cautious to bold.

    Parameters
    ----------
    delta : float
        Probability that any chain ever passes a threshold that breaks the limit, at most.
    starts : tuple of int, default=(0, 7, 16)
        Where each chain begins.
    weights : tuple of float, default=(0.25, 0.5, 0.25)
        Each chain's share of delta; they sum to at most 1.

    Raises
    ------
    InputError
        If starts and weights do not fit, or delta is no probability.
    """

    delta: float
    starts: tuple[int, ...] = (0, 7, 16)
    weights: tuple[float, ...] = (0.25, 0.5, 0.25)

    def __post_init__(self) -> None:
        as_level(self.delta, "delta")
        if len(self.starts) != len(self.weights) or not self.starts:
            raise InputError(f"{len(self.starts)} starts need as many weights: {self.weights}")
        if min(self.weights) <= 0 or sum(self.weights) > 1 + 1e-12 or min(self.starts) < 0:
            raise InputError(
                "starts must be places, the first is 0; weights must be above 0 and sum to at most 1; got "
                f"{self.starts} and {self.weights}"
            )

    @property
    def log_bounds(self) -> FloatArray:
        """What the logarithm of the evidence must reach in each chain."""
        return -np.log(np.asarray(self.weights) * self.delta)

    def advance(self, places: IntArray, log_evidence: FloatArray) -> IntArray:
        """Walk each chain on from its place (the first threshold not passed) as far as it gets."""
        moved = places.copy()
        for chain, bound in enumerate(self.log_bounds.tolist()):
            short = np.flatnonzero(log_evidence[moved[chain] :] < bound)
            moved[chain] = moved[chain] + short[0] if len(short) else len(log_evidence)
        return moved

    def boldest_passed(self, places: IntArray) -> int | None:
        """The boldest threshold that any chain has passed."""
        passed = [p - 1 for p, start in zip(places.tolist(), self.starts, strict=True) if p > start]
        return max(passed, default=None)


def thresholds_in_order(
    confidence: FloatArray,
    wrong: BoolArray,
    grid: FloatArray,
    limit: float,
    chains: ThresholdChains,
) -> IntArray:
    """The boldest certified threshold after each label, -1 while there is none; it never falls.

    Labels come in the order in which they are looked at, and are a random sample given nothing.
    The grid is made of other confidences, or of these without their labels.
    """
    best = np.full(len(confidence), -1)
    for start, bound in zip(chains.starts, chains.log_bounds.tolist(), strict=True):
        since = 0  # the label at which the chain reached this threshold
        for place in range(start, len(grid)):
            above = confidence >= grid[place]
            log_e = log_risk_evidence(np.cumsum(wrong & above), np.cumsum(above), limit)[since:]
            hits = np.flatnonzero(log_e >= bound)
            if not len(hits):
                break
            since += int(hits[0])
            best[since:] = np.maximum(best[since:], place)
    return best
