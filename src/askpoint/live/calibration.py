"""How often is the model wrong at each confidence? A posterior of few numbers, corrected by counts.

The chance of a right answer is l/2 + (1 - l) sigmoid(a + b logit c): slope and shift of Platt and
a lapse l, summed over a grid; then each of 40 bins of confidence pulls its own rate towards what
was counted there, and rates fall as confidence rises.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from scipy import special

from askpoint.measures.chains import coverage_grid
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["BINS", "ConfidenceBins", "StatedErrors", "confidence_bins", "stated_errors"]

BINS = 40
"""Bins of confidence, of equal mass."""
_PRIOR_CASES = 100  # what the posterior counts for in each bin
_MOST = 4000  # labels that count in a bin
_CLIP = 1e-6
_LAPSES = np.array([0, 0.002, 0.006, 0.02, 0.06, 0.15])
_LAPSE_WEIGHTS = np.array([30, 24, 19, 7, 6, 12]) / 98
_SHIFT, _SLOPE, _CORRELATION = (-0.14, 0.5), (0.04, 0.7), 0.1


class StatedErrors(NamedTuple):
    """Rates of mistakes by bin, falling, and how many cases stand behind each."""

    error: FloatArray
    weight: FloatArray

    @property
    def upper(self) -> FloatArray:
        """What the watch takes as stated: half a standard deviation and .004 above."""
        spread = np.sqrt(self.error * (1 - self.error) / self.weight)
        return np.asarray(self.error + 0.5 * spread + 0.004)


class ConfidenceBins(NamedTuple):
    """Parts of the range of confidence; one on an edge belongs above."""

    edges: FloatArray
    centres: FloatArray
    grid: FloatArray

    def of(self, confidence: FloatArray) -> IntArray:
        """The bin of each confidence."""
        return np.searchsorted(self.edges, confidence, side="right")


def confidence_bins(confidence: FloatArray) -> ConfidenceBins:
    """Bins of equal mass, and thresholds for certificates, from confidences without their labels."""
    return ConfidenceBins(
        np.quantile(confidence, np.arange(1, BINS) / BINS),
        np.quantile(confidence, (np.arange(BINS) + 0.5) / BINS),
        coverage_grid(confidence),
    )


def stated_errors(centres: FloatArray, labelled: IntArray, wrong: IntArray) -> StatedErrors:
    """Rates of mistakes from labels counted in bins."""
    n = np.minimum(labelled, _MOST).astype(np.float64)
    w = wrong * np.divide(n, labelled, out=np.zeros(len(n)), where=labelled > 0)
    table = _table(tuple(centres.tolist()))
    log_posterior = table.prior + table.log_right @ (n - w) + table.log_wrong @ w
    posterior = np.exp(log_posterior - log_posterior.max())
    predicted = (posterior @ table.error) / posterior.sum()
    weight = _PRIOR_CASES + n
    return _falling((_PRIOR_CASES * predicted + w) / weight, weight)


class _Table(NamedTuple):
    prior: FloatArray
    log_right: FloatArray
    log_wrong: FloatArray
    error: FloatArray


@functools.lru_cache(maxsize=16)
def _table(centres: tuple[float, ...]) -> _Table:
    c = np.clip(np.array(centres), _CLIP, 1 - _CLIP)
    shift, log_slope, lapse = (
        axis.ravel()
        for axis in np.meshgrid(
            np.linspace(-3, 3, 21), np.linspace(-2.8, 1.4, 22), _LAPSES, indexing="ij"
        )
    )
    x, y = (shift - _SHIFT[0]) / _SHIFT[1], (log_slope - _SLOPE[0]) / _SLOPE[1]
    prior = -(x * x - 2 * _CORRELATION * x * y + y * y) / (2 * (1 - _CORRELATION**2))
    prior = prior + np.log(np.tile(_LAPSE_WEIGHTS, len(prior) // len(_LAPSES)))
    sure = special.expit(shift[:, None] + np.exp(log_slope)[:, None] * special.logit(c))
    right = lapse[:, None] / 2 + (1 - lapse[:, None]) * sure
    right = np.clip(right, 1e-12, 1 - 1e-12)
    return _Table(prior, np.log(right), np.log1p(-right), 1 - right)


def _falling(rate: FloatArray, weight: FloatArray) -> StatedErrors:
    """The nearest rates that fall as confidence rises: pool adjacent violators."""
    blocks: list[tuple[float, float, int]] = []
    for r, w in zip(rate.tolist(), weight.tolist(), strict=True):
        mean, mass, size = r, w, 1
        while blocks and blocks[-1][0] < mean:
            before, heft, bins = blocks.pop()
            mean = (before * heft + mean * mass) / (heft + mass)
            mass, size = mass + heft, size + bins
        blocks.append((mean, mass, size))
    sizes = [size for _, _, size in blocks]
    return StatedErrors(
        np.repeat([mean for mean, _, _ in blocks], sizes),
        np.repeat([mass for _, mass, _ in blocks], sizes),
    )
