"""A ruling: what judges have said of a case, and what follows from their votes.

::

    open ──votes agree──> ruled ──appeal──> appealed ──decide──> final
     │ ^                   │
     │ └──void votes───────┘
     └──all different, or skipped too often──> referred ──decide──> final

A ruling says what kind of case it is about:

::

    submitted  by a player; what is ruled is settled with its probe
    drawn      from the stream, for an examination: no player, no reward, no appeal
    gold       an item with a known answer, never ruled: it judges the judges

It carries neither the model's answer nor the player's reward, and judges do not see the kind:
they are blind.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from askpoint.errors import InputError
from askpoint.labelling.protocol import Protocol
from askpoint.measures.inputs import as_choice

__all__ = ["RULING_KINDS", "Lease", "Ruling", "Vote", "count_votes"]

RULING_KINDS = ("submitted", "drawn", "gold")


class Lease(NamedTuple):
    """A claim on one vote of a case, for a while; `number` counts the case's claims."""

    judge: str
    until: datetime
    number: int = 0


class Vote(NamedTuple):
    """What a judge said; void when the judge was paused soon after."""

    judge: str
    choice: str
    at: datetime
    void: bool = False


@dataclass(frozen=True, slots=True)
class Ruling:
    """What judges decide on a case.

    Parameters
    ----------
    id : str
        The case.
    campaign : str
        The campaign.
    author : str
        Who submitted it, and so never judges it; empty unless it was submitted.
    options : tuple of str
        What judges choose from.
    opened, at : datetime
        When it came into the queue, and when it last changed.
    state : str, default="open"
        open, ruled, referred, appealed or final.
    votes : tuple of Vote
        In their order; void ones do not count, but their judges do not vote again.
    leases : tuple of Lease
        Claims, also expired ones until they are dropped.
    answer : str, optional
        What was decided.
    ruled_at : datetime, optional
        When; an appeal's window opens.
    reserved : int, default=0
        Points of the campaign's budget that still stand behind it.
    claims : int, default=0
        How often it was claimed.
    gold : str, optional
        The known answer of a gold item.
    kind : {"submitted", "drawn", "gold"}
        What kind of case it is about.
    skipped : tuple of str
        Judges to whom it is not offered again: they skipped it, or ruled the case that a gold
        item was made of.
    """

    id: str
    campaign: str
    author: str
    options: tuple[str, ...]
    opened: datetime
    at: datetime
    state: str = "open"
    votes: tuple[Vote, ...] = ()
    leases: tuple[Lease, ...] = ()
    answer: str | None = None
    ruled_at: datetime | None = None
    reserved: int = 0
    claims: int = 0
    gold: str | None = None
    kind: str = "submitted"
    skipped: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        as_choice(self.kind, RULING_KINDS, "a ruling's kind")
        if (self.kind == "gold") != (self.gold is not None):
            raise InputError(
                f"a gold item has a known answer, and no other case has one: case {self.id} is "
                f"{self.kind} and its known answer {self.gold!r}"
            )

    @property
    def counted(self) -> tuple[Vote, ...]:
        """The votes that are not void."""
        return tuple(vote for vote in self.votes if not vote.void)


def count_votes(ruling: Ruling, protocol: Protocol, now: datetime) -> Ruling:
    """Rule an open case as soon as its votes decide, or refer it when they cannot."""
    counted = ruling.counted
    if ruling.kind == "gold" or len(counted) < protocol.votes:
        return ruling
    choice, most = Counter(vote.choice for vote in counted).most_common(1)[0]
    if 2 * most > len(counted):
        return replace(ruling, state="ruled", answer=choice, ruled_at=now, leases=())
    if len(counted) >= protocol.most_votes:
        return replace(ruling, state="referred", leases=())
    return ruling
