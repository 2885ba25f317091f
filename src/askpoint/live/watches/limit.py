"""Audited answers against the limit: is the model wrong more often than was agreed?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from askpoint.live.terms import Terms
from askpoint.live.watches.base import Audit, Watch
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.restarts import level_bets, level_factors, mix_starts, restart_weight

__all__ = ["LimitWatch"]


@dataclass(frozen=True, eq=False)
class LimitWatch(Watch):
    """Streams of all answers, and for money of their surer and less sure half (spec/live.md, L4).

    Parameters
    ----------
    terms, episode
        As of `Watch`.
    bets : ndarray of shape (n_streams, n_bets)
        Evidence of each bet.
    audits : ndarray of int of shape (n_streams,)
        How far each stream is.
    """

    bets: FloatArray
    audits: IntArray

    @classmethod
    def start(cls, terms: Terms, episode: int = 1) -> Self:
        """Return the watch that has heard nothing."""
        streams = 3 if terms.aim == "money" else 1
        bets = np.zeros((streams, len(level_bets(terms.answer_below))))
        return cls(terms, episode, bets, np.zeros(streams, dtype=np.int64))

    def update(self, finding: Audit) -> Self:
        """Return the watch after an audit."""
        bets, audits = self.bets.copy(), self.audits.copy()
        factors = level_factors(finding.wrong, self.terms.answer_below, finding.share)
        for stream in (0, 1 if finding.is_sure else 2)[: len(bets)]:
            audits[stream] += 1
            weight = restart_weight(int(audits[stream]), self.terms.planned_audits)
            bets[stream] = mix_starts(bets[stream], weight, factors)
        return replace(self, bets=bets, audits=audits)

    @property
    def evidence(self) -> float:
        """Mean over streams and bets."""
        return float(self.bets.mean())
