"""Audited answers against limit and statement together: the alarm that closes a policy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from askpoint.live.terms import Terms
from askpoint.live.watches.base import Audit, Watch
from askpoint.live.watches.limit import LimitWatch
from askpoint.live.watches.stated import StatedWatch

__all__ = ["ModelWatch"]


@dataclass(frozen=True, eq=False)
class ModelWatch(Watch):
    """Half the evidence against the limit, half that against what was stated: one alarm, one delta.

    Parameters
    ----------
    terms, episode
        As of `Watch`.
    limit : LimitWatch
        More mistakes than agreed.
    stated : StatedWatch
        More mistakes than stated.
    """

    limit: LimitWatch
    stated: StatedWatch

    @classmethod
    def start(cls, terms: Terms, episode: int = 1) -> Self:
        """Return the watch that has heard nothing."""
        return cls(
            terms, episode, LimitWatch.start(terms, episode), StatedWatch.start(terms, episode)
        )

    def update(self, finding: Audit) -> Self:
        """Return the watch after an audit."""
        return replace(self, limit=self.limit.update(finding), stated=self.stated.update(finding))

    @property
    def evidence(self) -> float:
        """The mean of both."""
        return (self.limit.evidence + self.stated.evidence) / 2
