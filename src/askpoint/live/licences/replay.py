"""The licence of a unit over the labels of a log: earned, lost, earned again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askpoint.live.licences.certificate import Certificate, grant_bound
from askpoint.measures.inputs import FloatArray
from askpoint.measures.restarts import mix_starts, restart_weight

__all__ = ["LicenceHistory", "LicenceTerms", "replay_labels"]

_RISES = np.array(
    [2.0, 4.0, 8.0, 14.0, 19.0]
)  # times the limit: what the watch bets that the rate has become
_SUREST = 0.97  # the greatest rate that it bets on
_HORIZON = 400  # labels within which a turn is looked for first


@dataclass(frozen=True)
class LicenceTerms:
    """What a licence takes.

    Parameters
    ----------
    limit : float
        On the share of bad actions.
    delta : float, default=0.05
        The chance that a unit at or above the limit is ever licensed while it stays as it is.
    watch_delta : float, default=0.05
        The chance that a licence is ever taken away from a unit that stays below the limit.
    """

    limit: float
    delta: float = 0.05
    watch_delta: float = 0.05


@dataclass(frozen=True)
class LicenceHistory:
    """What became of a unit.

    Parameters
    ----------
    episode : int
        1, and one more after each loss.
    granted : int or None
        After which label the present licence was earned, counted from 1; None while there is none.
    lost : tuple of int
        After which labels a licence was lost.
    evidence : ndarray of shape (n_labels,)
        After each label, of its episode.
    certificate : Certificate
        Of the present episode.
    since : int
        How many labels came before it.
    """

    episode: int
    granted: int | None
    lost: tuple[int, ...]
    evidence: FloatArray
    certificate: Certificate
    since: int

    @property
    def greatest(self) -> float:
        """The greatest evidence of the present episode."""
        return float(self.evidence[self.since :].max(initial=0.0))


def replay_labels(bad: Sequence[float], terms: LicenceTerms) -> LicenceHistory:
    """Replay labels in the order of their actions.

    While it is not licensed each label is evidence; from the grant on each is an audit besides, for in a log of
    approvals everything was still asked.

    Examples
    --------
    >>> history = replay_labels([0.0] * 100, LicenceTerms(0.05))
    >>> history.episode, history.granted
    (1, 76)
    """
    episode, granted, since = 1, None, 0
    lost: list[int] = []
    evidence = np.empty(len(bad))
    certificate, watch = Certificate.start(terms.limit), _Watch(terms)
    for i, one in enumerate(bad):
        certificate = certificate.update(one)
        evidence[i] = certificate.evidence
        if granted is None:
            if evidence[i] >= grant_bound(terms.delta, episode):
                granted, watch = i + 1, _Watch(terms)
            continue
        if watch.hear(one) >= episode * (episode + 1) / terms.watch_delta:
            lost.append(i + 1)
            episode, granted, since = episode + 1, None, i + 1
            certificate = Certificate.start(terms.limit)
    return LicenceHistory(episode, granted, tuple(lost), evidence, certificate, since)


class _Watch:
    """Bets that the rate rose to a multiple of the limit, begun at any label after the grant (A4)."""

    def __init__(self, terms: LicenceTerms) -> None:
        self._limit = terms.limit
        self._rates = np.minimum(_SUREST, terms.limit * _RISES[terms.limit * _RISES > terms.limit])
        self._bets: FloatArray = np.zeros(len(self._rates))
        self._labels = 0

    def hear(self, bad: float) -> float:
        self._labels += 1
        factors = bad * self._rates / self._limit + (1 - bad) * (1 - self._rates) / (
            1 - self._limit
        )
        weight = restart_weight(self._labels, _HORIZON)
        self._bets = mix_starts(self._bets, weight, factors)
        return float(self._bets.mean())
