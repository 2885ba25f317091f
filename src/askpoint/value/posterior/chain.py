"""Sums over all paths of the deviation, forwards and backwards; and paths drawn from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.value.posterior.curves import BaseCurves
from askpoint.value.posterior.deviation import STATES, ZERO, chain_laws
from askpoint.value.posterior.evidence import Evidence
from askpoint.value.posterior.ties import OwnRates, own_rates

__all__ = [
    "Emissions",
    "Filtered",
    "draw_states",
    "emissions",
    "filter_forwards",
    "smooth_backwards",
]


_ONES = np.ones(len(STATES), dtype=np.float32)


class Emissions(NamedTuple):
    """Log-probability of the labels of each segment, by curve and state of the deviation.

    `own` is the posterior share of each tie's own rate, by curve and state.
    """

    log_evidence: FloatArray
    rates: OwnRates
    own: FloatArray


class Filtered(NamedTuple):
    """A forward pass: probabilities of the state given labels up to each segment.

    `forward` is by segment, law, curve and state; `log_evidence` by law (none first) and curve.
    """

    forward: FloatArray
    log_evidence: FloatArray


def emissions(evidence: Evidence, curves: BaseCurves) -> Emissions:
    """Return how likely labels are at each deviation from each curve."""
    n_segments = int(evidence.segment[-1]) + 1
    known = np.flatnonzero(evidence.labels)
    total = np.zeros((n_segments, len(curves.logits), len(STATES)), dtype=np.float32)
    if known.size:
        x = (curves.logits[:, known].T[:, :, None] + STATES).astype(np.float32)
        labels, wrong = (
            part[known, None, None].astype(np.float32) for part in (evidence.labels, evidence.wrong)
        )
        # ln expit(x), as logaddexp gives it, which takes ten times as long
        log_right = np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))
        each = labels * log_right - wrong * x
        segment = evidence.segment[known]
        first = np.flatnonzero(np.diff(segment, prepend=-1))
        total[segment[first]] = np.add.reduceat(each, first, axis=0)
    rates = own_rates(evidence, curves.logits)
    place = evidence.segment[rates.groups]
    chance = rates.chance[:, None, None]
    along = np.log1p(-chance) + total[place]
    alone = np.log(chance) + rates.log_evidence[:, :, None]
    both = np.logaddexp(along, alone)
    total[place] = both
    return Emissions(total, rates, np.exp(alone - both).astype(np.float32))


def filter_forwards(seen: Emissions) -> Filtered:
    """Sum over all paths up to each segment, for each law and curve."""
    start, step = chain_laws()
    log_evidence = seen.log_evidence
    n_segments, n_curves, n_states = log_evidence.shape
    top = log_evidence.max(axis=2, keepdims=True)
    factor = np.exp(log_evidence - top)
    forward = np.empty((n_segments, len(start), n_curves, n_states), dtype=np.float32)
    scale = np.empty((n_segments, len(start), n_curves), dtype=np.float32)
    before = np.broadcast_to(start[:, None, :], forward.shape[1:])
    for t in range(n_segments):
        now = before * factor[t]
        total = now @ _ONES  # a sum over few states: a product takes a third of the time
        np.divide(now, total[:, :, None], out=forward[t])
        scale[t] = total
        before = forward[t] @ step
    chained = np.log(scale).sum(axis=0, dtype=np.float64) + top.sum(axis=(0, 2), dtype=np.float64)
    straight = log_evidence[:, :, ZERO].sum(axis=0, dtype=np.float64)
    return Filtered(forward, np.concatenate([straight[None], chained]))


def smooth_backwards(seen: Emissions, filtered: Filtered, weights: FloatArray) -> FloatArray:
    """Probabilities of curve and state in each segment given all labels, summed over the laws.

    `weights` are those of law (none first) and curve, and sum to 1.
    """
    _, step = chain_laws()
    log_evidence, forward = seen.log_evidence, filtered.forward
    factor = np.exp(log_evidence - log_evidence.max(axis=2, keepdims=True))
    share = weights[1:, :, None].astype(np.float32)
    back = np.swapaxes(step, 1, 2)
    found = np.empty_like(log_evidence)
    after = np.ones(forward.shape[1:], dtype=np.float32)
    for t in range(len(log_evidence) - 1, -1, -1):
        both = forward[t] * after
        both *= share / (both @ _ONES)[:, :, None]
        found[t] = both.sum(axis=0)
        after = (after * factor[t]) @ back
        after /= after.max(axis=2, keepdims=True)
    found[:, :, ZERO] += weights[0].astype(np.float32)
    return found


def draw_states(
    filtered: Filtered, laws: IntArray, curves: IntArray, rng: np.random.Generator
) -> IntArray:
    """Draw a path for each law (0 for none) and curve: the state in each segment (columns)."""
    _, step = chain_laws()
    n_segments = len(filtered.forward)
    states = np.full((len(laws), n_segments), ZERO, dtype=np.int64)
    moving = np.flatnonzero(laws)
    law, curve = laws[moving] - 1, curves[moving]
    into = np.ascontiguousarray(np.swapaxes(step, 1, 2))  # by law, state after, state before
    chance = rng.random((n_segments, len(moving)), dtype=np.float32)
    for t in range(n_segments - 1, -1, -1):
        weight = filtered.forward[t][law, curve]
        if t < n_segments - 1:
            weight = weight * into[law, states[moving, t + 1]]
        upto = weight.cumsum(axis=1)
        wanted = chance[t] * upto[:, -1]
        # the sum itself is reached by rounding alone, and then by the last state
        states[moving, t] = (upto[:, :-1] <= wanted[:, None]).sum(axis=1)
    return states
