"""Gold cases: are the people who label wrong more often than was stated?

An alarm on a model's answers says that people disagree with them more often; it cannot say who
changed. The same evidence on gold cases, of known truth and unmarked in the queue, can.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from askpoint.live.terms import Terms
from askpoint.live.watches.base import GoldLabel, Watch
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import clopper_pearson
from askpoint.measures.restarts import level_bets, level_factors, mix_starts, restart_weight

__all__ = ["ReviewerWatch"]

_LEVEL = 0.95
_MOST_NEEDED = 2000


@dataclass(frozen=True, eq=False)
class ReviewerWatch(Watch):
    """Evidence that reviewers err more often than `terms.reviewer_error` and a little more.

    Parameters
    ----------
    terms, episode
        As of `Watch`; here an episode ends with each alarm of its own.
    bets : ndarray of shape (n_bets,)
        Evidence of each bet.
    labels : int
        Gold labels since the last alarm.
    items, mistakes : int
        Gold labels of the whole life, and those that were wrong.
    """

    bets: FloatArray
    labels: int = 0
    items: int = 0
    mistakes: int = 0

    hears = "gold"
    is_lifelong = True

    @classmethod
    def start(cls, terms: Terms, episode: int = 1) -> Self:
        """Return the watch that has heard nothing."""
        return cls(terms, episode, np.zeros(len(level_bets(terms.reviewer_error_limit))))

    def update(self, finding: GoldLabel) -> Self:
        """Return the watch after a gold label."""
        weight = restart_weight(self.labels + 1, self.terms.planned_audits)
        factors = level_factors(finding.wrong, self.terms.reviewer_error_limit)
        return replace(
            self,
            bets=mix_starts(self.bets, weight, factors),
            labels=self.labels + 1,
            items=self.items + 1,
            mistakes=self.mistakes + finding.wrong,
        )

    @property
    def evidence(self) -> float:
        """Mean over bets."""
        return float(self.bets.mean())

    @property
    def gold_needed(self) -> int | None:
        """How many more gold labels would clear the people; 0 if these do, None if they err too often for that.

        They are cleared where a 95% interval of their errors, of the whole life, ends below what is watched. More
        labels are counted as wrong as often as those so far.
        """
        limit = self.terms.reviewer_error_limit
        for n in range(max(1, self.items), self.items + _MOST_NEEDED):
            mistakes = self.mistakes * n / max(1, self.items)
            if clopper_pearson(mistakes, n, _LEVEL).upper <= limit:
                return n - self.items
        return None

    @property
    def numbers(self) -> dict[str, float]:
        """Evidence, and how many gold labels were wrong."""
        return {**super().numbers, "items": self.items, "mistakes": self.mistakes}

    def restart(self) -> Self:
        """Return what goes on after an alarm: counts of the life stay."""
        return replace(self, episode=self.episode + 1, bets=np.zeros(len(self.bets)), labels=0)
