"""The licence of a unit over the labels of a log: earned, lost, earned again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askpoint.live.licences.certificate import Certificate, grant_bound
from askpoint.live.licences.rise_watch import RiseWatch, loss_bound
from askpoint.measures.inputs import FloatArray

__all__ = ["LicenceHistory", "LicenceTerms", "replay_labels"]


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
    certificate, watch = Certificate.start(terms.limit), RiseWatch.start(terms.limit)
    for i, one in enumerate(bad):
        certificate = certificate.update(one)
        evidence[i] = certificate.evidence
        if granted is None:
            if evidence[i] >= grant_bound(terms.delta, episode):
                granted, watch = i + 1, RiseWatch.start(terms.limit)
            continue
        watch = watch.hear(one)
        if watch.evidence >= loss_bound(terms.watch_delta, episode):
            lost.append(i + 1)
            episode, granted, since = episode + 1, None, i + 1
            certificate = Certificate.start(terms.limit, again=True)
    return LicenceHistory(episode, granted, tuple(lost), evidence, certificate, since)
