"""Which cases to label next: those near where the boundary may lie, some anywhere, all by known chances.

Thompson sampling of the boundary (curves are drawn from the posterior, each has a confidence from
which answering pays), as a sample of fixed size with known chances of inclusion.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import FloatArray, IntArray, as_finite
from askpoint.value.posterior.grid import cell_parameters
from askpoint.value.posterior.prior import CELLS
from askpoint.value.posterior.rightness import RightnessPosterior

__all__ = ["Proposal", "propose_cases"]

_FIRST = 20  # so many labels are spread over the range of z before anything is believed
_UNIFORM = 0.2
_NEAR = 0.25  # how far from a boundary, on the scale of z, a case still tells of it


class Proposal(NamedTuple):
    """Cases to label, as positions among those given, and the chance that each had."""

    rows: IntArray
    chances: FloatArray


def propose_cases(
    posterior: RightnessPosterior,
    confidence: ArrayLike,
    n: int,
    rng: np.random.Generator,
    *,
    checks: float,
) -> Proposal:
    """Choose unlabelled cases to label next, for a price of a mistake in checks.

    The first 20 labels are spread evenly over the range of z, not over its ranks; of the others
    four fifths follow the boundary and one fifth is uniform. The likelihood of the posterior needs
    no weights for labels so chosen, since q conditions on the confidence; averages over cases do:
    the chances.
    """
    score = as_finite(confidence, "confidence")
    if not len(score):
        raise NotEstimableError("every case has a label, so there is none to propose")
    if not 1 <= n <= len(score):
        raise InputError(f"propose from 1 to {len(score)} cases, as many as have no label; got {n}")
    if not (np.isfinite(checks) and checks >= 1):
        raise InputError(f"checks worth one mistake must be at least 1, got {checks}")
    z = posterior.evidence_.scale.z(score)
    order = np.argsort(z, kind="stable")
    first = int(np.clip(_FIRST - posterior.n_labelled_, 0, n))
    wanted = first * _spread(z[order]) + (n - first) * (
        (1 - _UNIFORM) * _near_boundary(posterior, z[order], 1 / checks) + _UNIFORM / len(z)
    )
    chance = _at_most_one(wanted, n)
    picks = np.searchsorted(np.cumsum(chance), np.arange(n) + rng.random())
    chosen = picks.clip(max=len(z) - 1)
    return Proposal(order[chosen], chance[chosen])


def _spread(z: FloatArray) -> FloatArray:
    """Equal shares for equal stretches of the range of z, evenly within each."""
    span = z[-1] - z[0]
    stretch = np.zeros(len(z), dtype=np.int64)
    if span > 0:
        stretch = ((z - z[0]) / span * _FIRST).astype(np.int64).clip(max=_FIRST - 1)
    counts = np.bincount(stretch)
    return np.asarray(1 / counts[stretch] / np.count_nonzero(counts))


def _near_boundary(posterior: RightnessPosterior, z: FloatArray, rho: float) -> FloatArray:
    """Chance of each case (z rising) to be near the boundary of a curve drawn from the posterior."""
    weight = posterior.grid_weights_
    shift, slope, lapse = cell_parameters(np.arange(CELLS))
    wanted = ((1 - rho - lapse / 2) / (1 - lapse)).clip(0, 1)
    boundary = ((special.logit(wanted) - shift) / slope).clip(z[0], z[-1])
    edges = np.linspace(z[0] - _NEAR, z[-1] + _NEAR, 257)
    middle = (edges[1:] + edges[:-1]) / 2
    held = np.bincount(np.searchsorted(edges, boundary) - 1, weight, len(middle))
    kernel = np.exp(-np.abs(middle[:, None] - middle) / _NEAR)
    stretch = np.searchsorted(edges, z) - 1
    cases = np.bincount(stretch, minlength=len(middle))
    kernel *= cases > 0
    # each boundary shares its weight among the cases near it, the nearest most
    share = held @ (kernel / kernel.sum(axis=1, keepdims=True).clip(np.finfo(np.float64).tiny))
    near = share[stretch] / cases[stretch]
    return np.asarray(near / near.sum())


def _at_most_one(wanted: FloatArray, n: int) -> FloatArray:
    """Chances in proportion to what is wanted, none above 1, that sum to n."""
    chance = np.ones(len(wanted))
    sure = np.zeros(len(wanted), dtype=np.bool_)
    while True:
        # fewer than what is left exceed 1 at a time, so some is always left for the others
        left = n - np.count_nonzero(sure)
        chance[~sure] = wanted[~sure] * (left / wanted[~sure].sum())
        over = chance > 1
        if not over.any():
            return chance
        chance[over] = 1.0
        sure |= over
