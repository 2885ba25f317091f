"""What was agreed when a policy went into use: aim, audits, mistake budget, planned decisions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from askpoint.errors import InputError, ObjectiveError, UnmetError
from askpoint.measures.inputs import as_choice, as_level
from askpoint.measures.mixture_sequence import total_interval

__all__ = ["Terms", "least_budget", "surely_unseen"]

_REVIEWER_SLACK = 0.03  # people may err so much more often than stated before it matters


@dataclass(frozen=True)
class Terms:
    """The terms of a deployment.

    Parameters
    ----------
    aim : {"money", "promise"}
        Least cost, or a limit on the risk of answers that holds while the world holds still.
    limit : float
        Money: what a check costs in units of a mistake (symbol rho). Promise: the greatest risk
        among answers (symbol alpha).
    rate : float, default=0.05
        Share of the answers that are audited at random (symbol pi).
    mistake_budget : float, optional
        Mistakes that may be lost beyond the limit before it stops answering (symbol B); None
        never stops it. By default 20 / rate.
    has_budget : bool, default=True
        Whether the mistake budget is kept to.
    delta : float, default=0.05
        Probability with which promise or budget may fail, over all planned decisions.
    watch_delta : float, default=0.05
        Probability of any false alarm over all planned decisions.
    planned_decisions : int, default=40000
        Decisions that are expected before a new policy comes (symbol L).
    max_label_delay : int, default=2000
        Decisions for which it answers while no labels come; then it asks everything until they
        do. A label counts as lost, and as a mistake, when a case decided so many later has its
        own; after a wait the backlog has as long again.
    reviewer_error : float, default=0.03
        How often the people who label err, as stated; gold cases watch it.

    Raises
    ------
    InputError
        If a number lies outside its range.
    ObjectiveError
        If the limit lies outside (0, 1).
    UnmetError
        If the mistake budget is too small to open with such audits.

    Examples
    --------
    >>> from askpoint import Terms
    >>> terms = Terms("promise", 0.05, rate=0.1)  # at most 5% mistakes, every tenth answer audited
    >>> terms.budget
    200.0
    """

    aim: str
    limit: float
    rate: float = 0.05
    mistake_budget: float | None = None
    has_budget: bool = True
    delta: float = 0.05
    watch_delta: float = 0.05
    planned_decisions: int = 40_000
    max_label_delay: int = 2000
    reviewer_error: float = 0.03

    def __post_init__(self) -> None:
        as_choice(self.aim, ("money", "promise"), "aim")
        if not 0 < self.limit < 1:
            raise ObjectiveError(f"the limit must be strictly between 0 and 1; got {self.limit}")
        if not 0 < self.rate < 1:
            raise InputError(
                f"the audit rate must be above 0 and below 1; got {self.rate}. Without audits "
                "nobody knows how many decisions are wrong."
            )
        as_level(self.delta, "delta")
        as_level(self.watch_delta, "watch_delta")
        if not (self.planned_decisions >= 1 and self.max_label_delay >= 1):
            raise InputError(
                "planned_decisions and max_label_delay must be 1 or more decisions; got "
                f"{self.planned_decisions} and {self.max_label_delay}"
            )
        if not 0 <= self.reviewer_error < 1 - _REVIEWER_SLACK:
            raise InputError(
                f"reviewer_error must be 0 or more and below {1 - _REVIEWER_SLACK:g}; got "
                f"{self.reviewer_error}"
            )
        if self.mistake_budget is None:
            object.__setattr__(self, "mistake_budget", 20 / self.rate)
        least = least_budget(self.rate, self.delta)
        if self.has_budget and not self.budget >= least:
            raise UnmetError(
                f"a mistake budget of {self.mistake_budget:g} cannot be kept with {self.rate:.1%} "
                f"audits: before anything can be known, {least:.0f} may be lost; allow at least "
                f"{math.ceil(least)}, or audit more"
            )

    @property
    def budget(self) -> float:
        """The mistake budget as a number."""
        return 20 / self.rate if self.mistake_budget is None else float(self.mistake_budget)

    @property
    def answer_below(self) -> float:
        """The error above which answering costs more than asking, or breaks the limit."""
        return self.limit * (1 - self.rate) if self.aim == "money" else self.limit

    @property
    def reviewer_error_limit(self) -> float:
        """The error of people against which gold cases are watched."""
        return self.reviewer_error + _REVIEWER_SLACK

    @property
    def planned_audits(self) -> float:
        """Audits of the planned decisions if everything were answered; the horizon of the watches."""
        return max(1.0, self.rate * self.planned_decisions)

    def episode_delta(self, episode: int) -> float:
        """The share of delta that an episode may spend; over all episodes they sum to delta."""
        return self.delta / (episode * (episode + 1))


def least_budget(rate: float, delta: float = 0.05) -> float:
    """Least mistake budget with which a policy may open: even no audited mistake leaves so many possible."""
    return total_interval(0, delta=delta / 2).upper / rate + 1


def surely_unseen(limit: float, rate: float, delta: float = 0.05) -> float:
    """Mistakes beyond the limit that no method can rule out before its first audit (L0).

    If every answer were wrong from some moment on, n of them pass unaudited with probability
    (1 - rate)^n.
    """
    return (1 - limit) * math.log(1 / delta) / -math.log1p(-rate)
