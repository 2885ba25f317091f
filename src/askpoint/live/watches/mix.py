"""Confidences without labels: are these still the cases, and the model, of before?

The rank of each confidence among those before it is uniform and independent of the others as long as cases
come as they came: no label is needed to see that they do not. Weekends and nights come otherwise than days, so
each case is ranked among those of its own hour of the week, and a rhythm of any zone of time shows nothing. What
differs between hours that were seen once only may be a rhythm: a change shows when an hour comes again. A moved
mix is no error. So this watch closes nothing: it has more answers audited for a while, and asks a person.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from askpoint.live.terms import Terms
from askpoint.live.watches.base import Watch
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.restarts import restart_weight

__all__ = ["MixWatch", "hours_of_week", "mix_codes"]

_LEVELS = np.concatenate([[0.005, 0.01], np.arange(1, 50) / 50, [0.99, 0.995]])
_TIES = 1 << 16
_CLASSES = 64  # predicted classes that are told apart; the rest are one
_TAILS = (0.02, 0.05, 0.1, 0.2, 0.5)  # of the ranks, at the bottom and at the top
_TIMES = (0.25, 0.5, 0.7, 1.3, 1.6, 2.5, 4.0)  # as often as before
_BETS = tuple((tail, times) for tail in _TAILS for times in _TIMES if tail * times < 1)
_TAIL, _FACTOR = (np.array(part) for part in zip(*_BETS, strict=True))
_REST = (1 - _FACTOR * _TAIL) / (1 - _TAIL)
_MOST = 600.0  # logarithm at which evidence is cut, which only lowers it
_DIGITS = 2.0**30  # of a draw, those that split ties
_PARTS = len(_LEVELS) + 1
_HOUR, _WEEK = 3_600_000_000, 168  # microseconds; hours


@dataclass(frozen=True, eq=False)
class MixWatch(Watch):
    """Bets that some tail of confidences, or of predicted classes, comes more or less often than before.

    Parameters
    ----------
    terms, episode
        As of `Watch`; here an episode ends with each alarm of its own.
    edges : ndarray
        Of the parts into which confidences fall; empty until they are placed, and nothing is heard.
    hours : ndarray of int
        The hours of the week that were heard, in this order.
    counts, classes : ndarray of int
        For each of these hours, cases in each part, and of each predicted class, since the last alarm.
    bets : ndarray of shape (4, n_bets)
        Evidence of each bet: on the bottom and the top of the confidences, and of the classes.
    """

    edges: FloatArray
    hours: IntArray
    counts: IntArray
    classes: IntArray
    bets: FloatArray

    hears = "confidences"
    is_lifelong = True

    @classmethod
    def start(cls, terms: Terms, episode: int = 1) -> Self:
        """Return the watch that has heard nothing."""
        hours, counts, classes = np.zeros((3, 0), dtype=np.int64)
        return cls(terms, episode, np.empty(0), hours, counts, classes, np.zeros((4, len(_BETS))))

    def place_edges(self, confidence: FloatArray) -> Self:
        """Place the parts once, by confidences that are not heard."""
        if len(self.edges):
            return self
        return replace(self, edges=np.quantile(confidence, _LEVELS))

    def update(self, finding: IntArray) -> Self:
        """Return the watch after some cases, by the codes that `mix_codes` gave them."""
        of_class, tie = np.divmod(finding, _TIES)
        of_place, own_class = np.divmod(of_class, _CLASSES)
        hour, place = np.divmod(of_place, _PARTS)
        split = (tie + 0.5) / _TIES
        fresh = [one for one in _in_order(hour) if one not in self.hours]
        hours = np.append(self.hours, np.array(fresh, dtype=np.int64))
        counts, classes = (
            np.concatenate([old.reshape(-1, n), np.zeros((len(hours) - len(self.hours), n), int)])
            for old, n in ((self.counts, _PARTS), (self.classes, _CLASSES))
        )
        heard = int(counts.sum()) + np.arange(1, len(finding) + 1)
        ranks = np.empty((2, len(finding)))
        for row, one in enumerate(hours.tolist()):
            rows = np.flatnonzero(hour == one)
            if len(rows):
                ranks[0, rows] = _ranks(counts[row], place[rows], split[rows])
                ranks[1, rows] = _ranks(classes[row], own_class[rows], split[rows])
                counts[row] += np.bincount(place[rows], minlength=_PARTS)
                classes[row] += np.bincount(own_class[rows], minlength=_CLASSES)
        weights = [restart_weight(t, self.terms.planned_decisions) for t in heard.tolist()]
        p = ranks.T[:, :, None]
        inside = np.stack([p < _TAIL, p > 1 - _TAIL], axis=2).reshape(len(finding), 4, -1)
        logs = np.where(inside, np.log(_FACTOR), np.log(_REST))
        # what each start has become by now: M <- (M + w) f, over all cases at once
        grown = np.exp(np.minimum(logs[::-1].cumsum(axis=0)[::-1], _MOST))
        bets = self.bets * grown[0] + np.tensordot(weights, grown, axes=1)
        bets = np.minimum(bets, np.exp(_MOST))
        return replace(
            self,
            hours=hours,
            counts=counts,
            classes=classes,
            bets=bets,
        )

    @property
    def evidence(self) -> float:
        """Mean over bets."""
        return float(self.bets.mean())

    def restart(self) -> Self:
        """Return what goes on after an alarm: what came before is no measure any more."""
        return replace(self.start(self.terms, self.episode + 1), edges=self.edges)


def hours_of_week(at: IntArray) -> IntArray:
    """Return in which of the 168 hours of its week each moment lies, in microseconds since 1970."""
    return np.asarray(at) // _HOUR % _WEEK


def mix_codes(
    edges: FloatArray,
    confidence: FloatArray,
    draw: FloatArray,
    kind: IntArray | None = None,
    hour: IntArray | None = None,
) -> tuple[int, ...]:
    """Return hour, part and class of each case, and digits of its draw that split ties, as one number."""
    place = np.searchsorted(edges, confidence, side="right")
    if hour is not None:
        place = place + _PARTS * hour
    own_class = 0 if kind is None else np.minimum(kind, _CLASSES - 1)
    tie = np.floor((draw * _DIGITS) % 1 * _TIES).astype(np.int64)
    codes: list[int] = ((place * _CLASSES + own_class) * _TIES + tie).tolist()
    return tuple(codes)


def _in_order(hour: IntArray) -> list[int]:
    """Return the hours in the order in which they first come."""
    return list(dict.fromkeys(hour.tolist()))


def _ranks(counts: IntArray, place: IntArray, split: FloatArray) -> FloatArray:
    """The rank of each case among all before it, between 0 and 1; ties are split."""
    parts = np.arange(len(counts))
    own = place[:, None] == parts
    before = counts + own.cumsum(axis=0) - own
    n = int(counts.sum()) + np.arange(1, len(place) + 1)
    below = (before * (parts < place[:, None])).sum(axis=1)
    same = (before * own).sum(axis=1)
    return np.asarray((below + (same + 1) * split) / n)
