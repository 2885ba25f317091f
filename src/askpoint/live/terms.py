"""What was agreed when a policy went into use: its aim, its audits, its allowance, its life."""

from __future__ import annotations

import math
from dataclasses import dataclass

from askpoint.errors import InputError, ObjectiveError, UnmetError
from askpoint.measures.inputs import as_choice, as_level
from askpoint.measures.mixture_sequence import total_interval

__all__ = ["Terms", "least_allowance", "surely_unseen"]

_PEOPLE_SLACK = 0.03  # people may err so much more often than stated before it matters


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
    allowance : float, optional
        Mistakes that may be lost beyond the limit before it stops answering (symbol B); None
        never stops it. By default 20 / rate.
    gated : bool, default=True
        Whether the allowance is watched.
    delta : float, default=0.05
        Probability with which promise or allowance may fail, over the whole life.
    watch_delta : float, default=0.05
        Probability of any false alarm over the whole life.
    life : int, default=40000
        Decisions that are expected before a new policy comes.
    patience : int, default=2000
        Decisions for which it answers while no labels come; then it asks everything until they
        do. A label counts as lost, and as a mistake, when a case decided so many later has its
        own; after a wait the backlog has as long again.
    people_error : float, default=0.03
        How often the people who label err, as stated; golden items watch it.

    Raises
    ------
    InputError
        If a number lies outside its range.
    ObjectiveError
        If the limit lies outside (0, 1).
    UnmetError
        If the allowance is too small to open with such audits.

    Examples
    --------
    >>> from askpoint import Terms
    >>> terms = Terms(
    ...     "promise", 0.05, rate=0.1
    ... )  # at most 5 % mistakes, every tenth answer audited
    >>> terms.lost_at_most
    200.0
    """

    aim: str
    limit: float
    rate: float = 0.05
    allowance: float | None = None
    gated: bool = True
    delta: float = 0.05
    watch_delta: float = 0.05
    life: int = 40_000
    patience: int = 2000
    people_error: float = 0.03

    def __post_init__(self) -> None:
        as_choice(self.aim, ("money", "promise"), "aim")
        if not 0 < self.limit < 1:
            raise ObjectiveError(f"the limit must lie strictly between 0 and 1, got {self.limit}")
        if not 0 < self.rate < 1:
            raise InputError(
                f"the audit rate must lie strictly between 0 and 1, got {self.rate}: without "
                "audits nothing is ever known about the answers, and who checks all needs no policy"
            )
        as_level(self.delta, "delta")
        as_level(self.watch_delta, "watch_delta")
        if not (self.life >= 1 and self.patience >= 1):
            raise InputError(
                f"life and patience count decisions, 1 or more: {self.life}, {self.patience}"
            )
        if not 0 <= self.people_error < 1 - _PEOPLE_SLACK:
            raise InputError(
                f"people's error lies at 0 or above and below {1 - _PEOPLE_SLACK:g}, got "
                f"{self.people_error}"
            )
        if self.allowance is None:
            object.__setattr__(self, "allowance", 20 / self.rate)
        least = least_allowance(self.rate, self.delta)
        if self.gated and not self.lost_at_most >= least:
            raise UnmetError(
                f"an allowance of {self.allowance:g} mistakes cannot be kept with {self.rate:.1%} "
                f"audits: before anything can be known, {least:.0f} may be lost; allow at least "
                f"{math.ceil(least)}, or audit more"
            )

    @property
    def lost_at_most(self) -> float:
        """The allowance as a number."""
        return 20 / self.rate if self.allowance is None else float(self.allowance)

    @property
    def answer_below(self) -> float:
        """The error above which answering costs more than asking, or breaks the limit."""
        return self.limit * (1 - self.rate) if self.aim == "money" else self.limit

    @property
    def people_limit(self) -> float:
        """The error of people against which golden items are watched."""
        return self.people_error + _PEOPLE_SLACK

    @property
    def audits(self) -> float:
        """Audits that the life would have if everything were answered; the watch's horizon."""
        return max(1.0, self.rate * self.life)

    def episode_delta(self, episode: int) -> float:
        """The share of delta that an episode may spend; over all episodes they sum to delta."""
        return self.delta / (episode * (episode + 1))


def least_allowance(rate: float, delta: float = 0.05) -> float:
    """Least allowance with which a policy may open: even no audited mistake leaves so many possible."""
    return total_interval(0, delta=delta / 2).upper / rate + 1


def surely_unseen(limit: float, rate: float, delta: float = 0.05) -> float:
    """Mistakes beyond the limit that no method can rule out before its first audit (L0).

    If every answer were wrong from some moment on, n of them pass unaudited with probability
    (1 - rate)^n.
    """
    return (1 - limit) * math.log(1 / delta) / -math.log1p(-rate)
