"""Decisions: does the policy lately answer far less often than in its whole life?

Prices that follow the world may let a policy ask ever more without ever closing. Nothing is learned
from labels here, so that this watch raises no event: it is looked at when somebody looks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from askpoint.live.terms import Terms
from askpoint.live.watches.base import Watch

__all__ = ["LATELY", "DecidedBlock", "RetreatWatch"]

LATELY = 1000
"""Decisions, or a few more, that say what is so lately."""


class DecidedBlock(NamedTuple):
    """So many decisions, and how many of them were answers."""

    decided: int
    answered: int


@dataclass(frozen=True, eq=False)
class RetreatWatch(Watch):
    """Answers among the last decisions against those of the whole life.

    Parameters
    ----------
    terms, episode
        As of `Watch`.
    decided, answered : int
        Decisions of the whole life, and answers among them.
    recent : tuple of DecidedBlock
        The last blocks that hold `LATELY` decisions together.
    """

    decided: int = 0
    answered: int = 0
    recent: tuple[DecidedBlock, ...] = ()

    hears = "decisions"
    is_lifelong = True

    @classmethod
    def start(cls, terms: Terms, episode: int = 1) -> Self:
        """Return the watch that has heard nothing."""
        return cls(terms, episode)

    def update(self, finding: DecidedBlock) -> Self:
        """Return the watch after a block of decisions."""
        recent = (*self.recent, finding)
        while sum(block.decided for block in recent[1:]) >= LATELY:
            recent = recent[1:]
        return replace(
            self,
            decided=self.decided + finding.decided,
            answered=self.answered + finding.answered,
            recent=recent,
        )

    @property
    def lately(self) -> DecidedBlock:
        """The last decisions, together."""
        return DecidedBlock(
            sum(block.decided for block in self.recent),
            sum(block.answered for block in self.recent),
        )

    @property
    def evidence(self) -> float:
        """The share answered in the whole life over that of the last decisions."""
        decided, answered = self.lately
        if not self.answered or not decided:
            return 0.0
        if not answered:
            return math.inf
        return self.answered * decided / (self.decided * answered)

    @property
    def bound(self) -> float:
        """Twice as often as lately is a retreat."""
        return 2.0

    @property
    def is_alarmed(self) -> bool:
        """Whether it answers less than half as often as in its whole life."""
        decided, answered = self.lately
        return 2 * answered * self.decided < self.answered * decided
