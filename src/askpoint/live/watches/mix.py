"""Confidences without labels: are these still the cases, and the model, of before?

The rank of each confidence among all before it is uniform and independent of the others as long as cases
come as they came: no label is needed to see that they do not. A moved mix is no error, and weekdays alone
may move it. So this watch closes nothing: it has more answers audited for a while, and asks a person.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from askpoint.live.terms import Terms
from askpoint.live.watches.base import Watch
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.restarts import mix_starts, restart_weight

__all__ = ["MixWatch", "mix_codes"]

_LEVELS = np.concatenate([[0.005, 0.01], np.arange(1, 50) / 50, [0.99, 0.995]])
_TIES = 1 << 16
_CLASSES = 64  # predicted classes that are told apart; the rest are one
_TAILS = (0.02, 0.05, 0.1, 0.2, 0.5)  # of the ranks, at the bottom and at the top
_TIMES = (0.25, 0.5, 0.7, 1.3, 1.6, 2.5, 4.0)  # as often as before
_BETS = tuple((tail, times) for tail in _TAILS for times in _TIMES if tail * times < 1)
_TAIL, _FACTOR = (np.array(part) for part in zip(*_BETS, strict=True))
_REST = (1 - _FACTOR * _TAIL) / (1 - _TAIL)
_DIGITS = 2.0**30  # of a draw, those that split ties


@dataclass(frozen=True, eq=False)
class MixWatch(Watch):
    """Bets that some tail of confidences, or of predicted classes, comes more or less often than before.

    Parameters
    ----------
    terms, episode
        As of `Watch`; here an episode ends with each alarm of its own.
    edges : ndarray
        Of the parts into which confidences fall; empty until they are placed, and nothing is heard.
    counts, classes : ndarray of int
        Cases in each part, and of each predicted class, since the last alarm.
    bets : ndarray of shape (4, n_bets)
        Evidence of each bet: on the bottom and the top of the confidences, and of the classes.
    """

    edges: FloatArray
    counts: IntArray
    classes: IntArray
    bets: FloatArray

    hears = "confidences"
    is_lifelong = True

    @classmethod
    def start(cls, terms: Terms, episode: int = 1) -> Self:
        """Return the watch that has heard nothing."""
        counts = np.zeros(len(_LEVELS) + 1, dtype=np.int64)
        classes = np.zeros(_CLASSES, dtype=np.int64)
        return cls(terms, episode, np.empty(0), counts, classes, np.zeros((4, len(_BETS))))

    def place_edges(self, confidence: FloatArray) -> Self:
        """Place the parts once, by confidences that are not heard."""
        if len(self.edges):
            return self
        return replace(self, edges=np.quantile(confidence, _LEVELS))

    def update(self, finding: IntArray) -> Self:
        """Return the watch after some cases, by the codes that `mix_codes` gave them."""
        of_class, tie = np.divmod(finding, _TIES)
        place, own_class = np.divmod(of_class, _CLASSES)
        split = (tie + 0.5) / _TIES
        ranks = np.array(
            [_ranks(self.counts, place, split), _ranks(self.classes, own_class, split)]
        )
        bets, heard = self.bets, int(self.counts.sum())
        for i, p in enumerate(ranks.T[:, :, None]):
            inside = np.array([p < _TAIL, p > 1 - _TAIL]).transpose(1, 0, 2).reshape(4, -1)
            weight = restart_weight(heard + i + 1, self.terms.planned_decisions)
            bets = mix_starts(bets, weight, np.where(inside, _FACTOR, _REST))
        return replace(
            self,
            counts=self.counts + np.bincount(place, minlength=len(self.counts)),
            classes=self.classes + np.bincount(own_class, minlength=_CLASSES),
            bets=bets,
        )

    @property
    def evidence(self) -> float:
        """Mean over bets."""
        return float(self.bets.mean())

    def restart(self) -> Self:
        """Return what goes on after an alarm: what came before is no measure any more."""
        return replace(self.start(self.terms, self.episode + 1), edges=self.edges)


def mix_codes(
    edges: FloatArray, confidence: FloatArray, draw: FloatArray, kind: IntArray | None = None
) -> tuple[int, ...]:
    """Return the part and class of each case, and digits of its draw that split ties, as one number."""
    place = np.searchsorted(edges, confidence, side="right")
    own_class = 0 if kind is None else np.minimum(kind, _CLASSES - 1)
    tie = np.floor((draw * _DIGITS) % 1 * _TIES).astype(np.int64)
    codes: list[int] = ((place * _CLASSES + own_class) * _TIES + tie).tolist()
    return tuple(codes)


def _ranks(counts: IntArray, place: IntArray, split: FloatArray) -> FloatArray:
    """The rank of each case among all before it, between 0 and 1; ties are split."""
    parts = np.arange(len(counts))
    own = place[:, None] == parts
    before = counts + own.cumsum(axis=0) - own
    n = int(counts.sum()) + np.arange(1, len(place) + 1)
    below = (before * (parts < place[:, None])).sum(axis=1)
    same = (before * own).sum(axis=1)
    return np.asarray((below + (same + 1) * split) / n)
