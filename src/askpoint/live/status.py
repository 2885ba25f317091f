"""How a policy stands now, from its state alone: what a service asks itself each minute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from askpoint.errors import NotEstimableError
from askpoint.live.alarms import evidence_share
from askpoint.live.budget import mistakes_allowed, mistakes_at_most
from askpoint.live.group_scale import GroupScale
from askpoint.live.pending import UNKNOWN
from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.live.worth import LiveCost, LivePrices, worth_so_far

__all__ = ["Status", "Troubles", "status_of"]


class Troubles(NamedTuple):
    """What went wrong around a policy.

    Attributes
    ----------
    dead : int
        Lines that could not be decided.
    clock_back : int
        Decisions and labels that came while the clock stood before the last moment recorded.
    """

    dead: int = 0
    clock_back: int = 0


@dataclass(frozen=True, kw_only=True)
class Status:
    """How a policy stands.

    Parameters
    ----------
    decided, answered, asked, audited : int
        Decisions so far.
    threshold : float or None
        It answers from this confidence on; None sends every case to review.
    waiting : bool
        Whether it sends every case to review because no labels come.
    episode : int
        1, and one more after each closing.
    evidence : float
        Towards an alarm, over what raises one: 1 is the alarm.
    mistakes_at_most, mistakes_allowed : float
        Mistakes to be expected of this episode, at most; and how many are allowed by now.
    booked : int
        Answers of this episode under leases that are not handed in; they are among `mistakes_at_most`.
    awaited : int
        Cases whose label is awaited.
    worth : LiveCost or None
        Mistakes and costs so far, valid however often you look; None while they are not known.
    missing_why : str
        Why there is no worth; empty if there is.
    troubles : Troubles
        What went wrong around it.
    group_thresholds : mapping of str to float or None
        The confidence from which each group is answered, None where all is asked; empty without groups.
    """

    decided: int
    answered: int
    asked: int
    audited: int
    threshold: float | None
    waiting: bool
    episode: int
    evidence: float
    mistakes_at_most: float
    mistakes_allowed: float
    booked: int
    awaited: int
    worth: LiveCost | None
    missing_why: str = ""
    troubles: Troubles
    group_thresholds: Mapping[str | None, float | None] = field(default_factory=dict)


def status_of(
    state: State,
    terms: Terms,
    prices: LivePrices,
    troubles: Troubles,
    scale: GroupScale | None = None,
) -> Status:
    """Return how a policy stands; `scale` is that of its groups."""
    worth, why = None, ""
    try:
        worth = worth_so_far(state, terms, prices)
    except NotEstimableError as error:
        why = str(error)
    return Status(
        decided=state.decided,
        answered=state.answered,
        asked=state.asked,
        audited=state.audited,
        threshold=state.threshold,
        waiting=state.waiting,
        episode=state.episode,
        evidence=evidence_share(state),
        mistakes_at_most=mistakes_at_most(state, terms),
        mistakes_allowed=mistakes_allowed(state, terms),
        booked=state.booked,
        awaited=int((state.pending["wrong"] == UNKNOWN).sum()),
        worth=worth,
        missing_why=why,
        troubles=troubles,
        group_thresholds={} if scale is None else scale.thresholds(state.threshold),
    )
