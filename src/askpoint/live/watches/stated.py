"""Audited answers against what the policy itself states: is the model wrong more often than that?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from askpoint.live.calibration import BINS
from askpoint.live.terms import Terms
from askpoint.live.watches.base import Audit, Watch
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.restarts import STATED_RISES, bet_factors, mix_starts, restart_weight

__all__ = ["REGIONS", "StatedWatch"]

REGIONS = 8
"""Parts of the range of confidence that are watched each on its own."""


@dataclass(frozen=True, eq=False)
class StatedWatch(Watch):
    """A stream of all answers, and one of each region of confidence (spec/live.md, L4).

    Parameters
    ----------
    terms, episode
        As of `Watch`.
    bets : ndarray of shape (9, n_rises)
        Evidence of each bet.
    audits : ndarray of int of shape (9,)
        How far each stream is.
    """

    bets: FloatArray
    audits: IntArray

    @classmethod
    def start(cls, terms: Terms, episode: int = 1) -> Self:
        """Return the watch that has heard nothing."""
        bets = np.zeros((1 + REGIONS, len(STATED_RISES)))
        return cls(terms, episode, bets, np.zeros(1 + REGIONS, dtype=np.int64))

    def update(self, finding: Audit) -> Self:
        """Return the watch after an audit; before an error is stated nothing changes."""
        if finding.stated is None:
            return self
        bets, audits = self.bets.copy(), self.audits.copy()
        factors = bet_factors(finding.wrong, finding.stated, finding.share)
        for stream in (0, 1 + finding.place * REGIONS // BINS):
            audits[stream] += 1
            weight = restart_weight(int(audits[stream]), self.terms.planned_audits)
            bets[stream] = mix_starts(bets[stream], weight, factors)
        return replace(self, bets=bets, audits=audits)

    @property
    def evidence(self) -> float:
        """Half that of all answers, half the mean over regions."""
        streams = self.bets.mean(axis=1)
        return float(streams[0] / 2 + streams[1:].mean() / 2)
