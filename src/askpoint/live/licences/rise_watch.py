"""Evidence, valid whenever it is looked at, that a licensed unit has become worse than its limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from askpoint.measures.inputs import FloatArray
from askpoint.measures.restarts import mix_starts, restart_weight

__all__ = ["RiseWatch", "loss_bound"]

_RISES = np.array([2.0, 4.0, 8.0, 14.0, 19.0])  # times the limit: what the rate may have become
_SUREST = 0.97  # the greatest rate that it bets on
_HORIZON = 400  # labels within which a turn is looked for first


@dataclass(frozen=True, eq=False)
class RiseWatch:
    """Bets that the rate rose to a multiple of the limit, begun at any label after the grant (A4).

    Parameters
    ----------
    limit : float
        Of the unit.
    bets : ndarray
        Evidence of each multiple that is above the limit and below 1.
    labels : int
        How many it has heard.

    Examples
    --------
    >>> watch = RiseWatch.start(0.05)
    >>> for _ in range(6):
    ...     watch = watch.hear(1.0)
    >>> watch.evidence >= loss_bound(0.05, episode=1)
    True
    """

    limit: float
    bets: FloatArray
    labels: int = 0

    @classmethod
    def start(cls, limit: float) -> Self:
        """Return the watch that has heard nothing."""
        return cls(limit, np.zeros(len(_rates(limit))))

    def hear(self, bad: float) -> Self:
        """Return the watch after a label: 0 right, 1 wrong, or a weight between."""
        rates, labels = _rates(self.limit), self.labels + 1
        factors = bad * rates / self.limit + (1 - bad) * (1 - rates) / (1 - self.limit)
        bets = mix_starts(self.bets, restart_weight(labels, _HORIZON), factors)
        return replace(self, bets=bets, labels=labels)

    @property
    def evidence(self) -> float:
        """Mean of the bets."""
        return float(self.bets.mean())

    def to_list(self) -> list[Any]:
        """Return it as JSON, but for its limit."""
        return [self.labels, *self.bets.tolist()]

    @classmethod
    def from_list(cls, limit: float, given: Sequence[Any]) -> Self:
        """Read what `to_list` wrote."""
        labels, *bets = given
        return cls(limit, np.array(bets, dtype=np.float64), labels)


def loss_bound(watch_delta: float, episode: int) -> float:
    """Return the evidence that ends a licence: over all episodes, false ends sum to `watch_delta`."""
    return episode * (episode + 1) / watch_delta


def _rates(limit: float) -> FloatArray:
    return np.asarray(np.minimum(_SUREST, limit * _RISES[limit * _RISES > limit]))
