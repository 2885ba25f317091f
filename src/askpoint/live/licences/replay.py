"""The licence of a unit over the labels of a log: earned, lost, earned again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askpoint.live.licences.certificate import Certificate, grant_bound
from askpoint.live.licences.error_posterior import acting_pays
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
    pays_below : float, optional
        Of the aim money: it acts alone while that costs less than asking, which is below this marked share. By default
        the certificate decides.
    """

    limit: float
    delta: float = 0.05
    watch_delta: float = 0.05
    pays_below: float | None = None


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
    episode, granted, since, wrong = 1, None, 0, 0.0
    lost: list[int] = []
    evidence = np.empty(len(bad))
    certificate, watch = Certificate.start(terms.limit), RiseWatch.start(terms.limit)
    for i, one in enumerate(bad):
        certificate = certificate.update(one)
        evidence[i] = certificate.evidence
        wrong += one
        if granted is None:
            if _may_begin(terms, evidence[i], episode, i + 1 - since, wrong):
                granted, watch = i + 1, RiseWatch.start(terms.limit)
            continue
        watch = watch.hear(one)
        if watch.evidence >= loss_bound(terms.watch_delta, episode):
            lost.append(i + 1)
            episode, granted, since, wrong = episode + 1, None, i + 1, 0.0
            certificate = Certificate.start(terms.limit, again=True)
        elif terms.pays_below is not None and not acting_pays(
            i + 1 - since, wrong, terms.pays_below, acts=True
        ):
            granted = None
    return LicenceHistory(episode, granted, tuple(lost), evidence, certificate, since)


def _may_begin(
    terms: LicenceTerms, evidence: float, episode: int, labels: int, wrong: float
) -> bool:
    if terms.pays_below is not None:
        return acting_pays(labels, wrong, terms.pays_below)
    return evidence >= grant_bound(terms.delta, episode)
