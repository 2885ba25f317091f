"""Base curves of three numbers: 48 that stand for the whole grid, on two scales.

Half of their choice follows the likelihood, half its fourth root: the latter keeps curves that
fit only once something departs from them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from askpoint.measures.inputs import FloatArray
from askpoint.value.posterior.evidence import Evidence
from askpoint.value.posterior.grid import cell_parameters, log_likelihood
from askpoint.value.posterior.prior import (
    CELLS,
    LOG_SLOPES,
    PROBABILITIES,
    SCORES,
    SHIFTS,
    RightnessPrior,
)
from askpoint.value.posterior.scale import NODES, LogitScale, node

__all__ = ["BaseCurves", "choose_curves"]

_TEMPER = 0.25


class _Share(NamedTuple):
    """How many curves lie on a scale, and its prior probability."""

    curves: int
    prior: float


_OF_PROBABILITIES = (_Share(36, 0.85), _Share(12, 0.15))
_OF_SCORES = (_Share(24, 0.5), _Share(24, 0.5))


class BaseCurves(NamedTuple):
    """Curves that stand for the prior: logits of P(right) by curve (rows) and group (columns).

    Weighted by `log_weights`, they are the prior; the labels have only chosen where they lie.
    """

    logits: FloatArray
    log_weights: FloatArray


def choose_curves(evidence: Evidence, prior: RightnessPrior | None = None) -> BaseCurves:
    """Choose curves where prior and labels want them, by systematic sampling of the grid."""
    is_probability = isinstance(evidence.scale, LogitScale)
    own = prior or (PROBABILITIES if is_probability else SCORES)
    shares = _OF_PROBABILITIES if is_probability else _OF_SCORES
    parts = [
        _choose_curves(evidence, z, known, share)
        for z, known, share in zip(
            (evidence.z, evidence.z_rank), (own, SCORES), shares, strict=True
        )
    ]
    logits, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    return BaseCurves(logits, weights)


def _choose_curves(
    evidence: Evidence, z: FloatArray, prior: RightnessPrior, share: _Share
) -> tuple[FloatArray, FloatArray]:
    known = np.flatnonzero(evidence.labels)
    likelihood = log_likelihood(
        node(z[known].clip(NODES[0], NODES[-1])), evidence.right[known], evidence.wrong[known]
    )
    wanted = (
        special.softmax(prior.log_weights + likelihood)
        + special.softmax(prior.log_weights + _TEMPER * likelihood)
    ) / 2
    n = share.curves
    cells = np.searchsorted(np.cumsum(wanted), (np.arange(n) + 0.5) / n).clip(max=CELLS - 1)
    weights = prior.log_weights[cells] - np.log(n * wanted[cells]) + np.log(share.prior)
    shift, slope, lapse = cell_parameters(cells)
    within = _scatter_points(n)  # anywhere in the cell
    shift = shift + within[0] * (SHIFTS[1] - SHIFTS[0])
    slope = slope * np.exp(within[1] * (LOG_SLOPES[1] - LOG_SLOPES[0]))
    sure = shift[:, None] + slope[:, None] * z
    lapse = lapse[:, None]
    right = lapse / 2 + (1 - lapse) * special.expit(sure)
    wrong = lapse / 2 + (1 - lapse) * special.expit(-sure)
    return np.log(right) - np.log(wrong), weights


def _scatter_points(n: int) -> FloatArray:
    """Points spread evenly over a square, from -.5 to .5: an additive recurrence, no chance."""
    steps = np.arange(1, n + 1)
    return np.array([(steps * ratio) % 1 - 0.5 for ratio in (0.7548776662, 0.5698402910)])
