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
from askpoint.value.posterior.correction import rising
from askpoint.value.posterior.grid import cell_parameters, right_probability
from askpoint.value.posterior.prior import CELLS, PROBABILITIES

__all__ = [
    "BINS",
    "ConfidenceBins",
    "StatedErrors",
    "confidence_bins",
    "draw_errors",
    "stated_errors",
]

BINS = 40
"""Bins of confidence, of equal mass."""
_PRIOR_CASES = 100  # what the posterior counts for in each bin
_DRAWN_CASES = 20  # the same where rates are drawn: less, for a curve of few numbers may not fit
_MOST = 4000  # labels that count in a bin
_CLIP = 1e-6


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


def stated_errors(
    centres: FloatArray,
    labelled: IntArray,
    wrong: IntArray | FloatArray,
    recent: FloatArray | None = None,
) -> StatedErrors:
    """Rates of mistakes from labels counted in bins; the posterior is of the `recent` ones if given."""
    n, w = _at_most(labelled, wrong)
    table = _table(tuple(centres.tolist()))
    shown = (n, w) if recent is None else _at_most(recent[0], recent[1])
    predicted = _posterior(table, *shown) @ table.error
    weight = _PRIOR_CASES + n
    return _falling((_PRIOR_CASES * predicted + w) / weight, weight)


def draw_errors(
    centres: FloatArray, labelled: IntArray, wrong: IntArray, rng: np.random.Generator, n: int
) -> FloatArray:
    """Draw rates of mistakes by bin, n times, from what these labels leave possible."""
    counts = _at_most(labelled, wrong)
    table = _table(tuple(centres.tolist()))
    cells = rng.choice(CELLS, n, p=_posterior(table, *counts))
    seen, missed = counts
    expected = _DRAWN_CASES * table.error[cells]
    drawn = rng.beta(expected + missed, _DRAWN_CASES - expected + seen - missed)
    return np.asarray(drawn, dtype=np.float64)


def _posterior(table: _Table, seen: FloatArray, missed: FloatArray) -> FloatArray:
    log_posterior = table.prior + table.log_right @ (seen - missed) + table.log_wrong @ missed
    posterior = np.exp(log_posterior - log_posterior.max())
    return np.asarray(posterior / posterior.sum())


def _at_most(
    labelled: FloatArray | IntArray, wrong: FloatArray | IntArray
) -> tuple[FloatArray, FloatArray]:
    """Counts of labels and mistakes as they weigh in a bin."""
    n = np.minimum(labelled, _MOST).astype(np.float64)
    shown = np.divide(n, labelled, out=np.zeros(len(n)), where=labelled > 0)
    return n, np.asarray(wrong * shown, dtype=np.float64)


class _Table(NamedTuple):
    prior: FloatArray
    log_right: FloatArray
    log_wrong: FloatArray
    error: FloatArray


@functools.lru_cache(maxsize=16)
def _table(centres: tuple[float, ...]) -> _Table:
    z = special.logit(np.clip(np.array(centres), _CLIP, 1 - _CLIP))
    right = right_probability(*cell_parameters(np.arange(CELLS)), z)
    right = np.clip(right, 1e-12, 1 - 1e-12)
    return _Table(PROBABILITIES.log_weights, np.log(right), np.log1p(-right), 1 - right)


def _falling(rate: FloatArray, weight: FloatArray) -> StatedErrors:
    """The nearest rates that fall as confidence rises, and the weight of each pooled block."""
    right = rising(1 - rate, weight)
    block = np.unique(right, return_inverse=True)[1]
    return StatedErrors(1 - right, np.asarray(np.bincount(block, weight)[block], dtype=np.float64))
