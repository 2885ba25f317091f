"""Ties: many cases of one confidence may be right at a rate of their own, off every curve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.value.posterior.evidence import Evidence
from askpoint.value.posterior.scale import LogitScale

__all__ = ["OwnRates", "own_rates"]

_SATURATED = 0.9999
_CHANCE_SATURATED, _SATURATED_BETA = 0.5, (7.0, 0.55)
_CHANCE, _LIKE, _FARTHEST = 0.3, 4.0, 3.5  # other ties: as from 4 labels, near the curve


class OwnRates(NamedTuple):
    """Of each tie (first axis) and curve: a Beta law of its own rate, with and without labels.

    `groups` are the ties' groups, `chance` the prior probability that a tie has such a rate,
    `log_evidence` the logarithm of the probability of its labels if it does.
    """

    groups: IntArray
    chance: FloatArray
    right: FloatArray
    wrong: FloatArray
    log_evidence: FloatArray

    @property
    def mean(self) -> FloatArray:
        """Posterior mean of each tie's own rate."""
        return self.right / (self.right + self.wrong)


def own_rates(evidence: Evidence, logits: FloatArray) -> OwnRates:
    """Return what each tie's own rate may be under each base curve."""
    groups = np.flatnonzero(evidence.is_tie)
    saturated = np.zeros(len(groups), dtype=np.bool_)
    if isinstance(evidence.scale, LogitScale):
        saturated = evidence.lowest[groups] >= _SATURATED
    near = special.expit(logits[:, groups].T.clip(-_FARTHEST, _FARTHEST))
    a = np.where(saturated[:, None], _SATURATED_BETA[0], _LIKE * near)
    b = np.where(saturated[:, None], _SATURATED_BETA[1], _LIKE * (1 - near))
    right, wrong = a + evidence.right[groups, None], b + evidence.wrong[groups, None]
    return OwnRates(
        groups,
        np.where(saturated, _CHANCE_SATURATED, _CHANCE),
        right,
        wrong,
        special.betaln(right, wrong) - special.betaln(a, b),
    )
