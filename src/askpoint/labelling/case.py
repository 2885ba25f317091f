"""A case: who claims it, what reviewers said of it, and what follows from their votes.

::

    open ──votes agree──> ruled ──void votes──> open
     └──all different, or skipped too often──> referred ──owner's word──> final

A case says for what purpose it is labelled. Gold cases have a known answer and are never ruled:
they check the reviewers. A case carries neither the model's answer nor any pay, and reviewers do
not see its purpose: they are blind. Who needs more than that extends it, as
`askpoint.arena.game.ruling.Ruling` does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple, TypeVar

from askpoint.errors import InputError
from askpoint.labelling.protocol import Protocol

__all__ = ["GOLD", "AnyCase", "Case", "Claim", "Vote", "count_votes"]

GOLD = "gold"
"""The purpose of cases with a known answer, in every queue."""


class Claim(NamedTuple):
    """A reviewer's place on a case, for a while; `number` counts the case's claims.

    With a `choice`, said at `said`, it is a held vote: no vote yet, and the reviewer may take it back until `until`.
    Its place stays taken. `before` is the choice that was taken back last.
    """

    reviewer: str
    until: datetime
    number: int = 0
    choice: str | None = None
    said: datetime | None = None
    before: str = ""

    @property
    def is_held(self) -> bool:
        """Whether it is a held vote."""
        return self.said is not None

    def stands(self, now: datetime) -> bool:
        """Tell whether it keeps its place: a held vote always does."""
        return self.is_held or self.until > now


class Vote(NamedTuple):
    """What a reviewer said; void when the reviewer was paused soon after.

    It counts from `at` on; if it was held before, `said` is when the reviewer said it.
    """

    reviewer: str
    choice: str
    at: datetime
    void: bool = False
    said: datetime | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A case that people label.

    Parameters
    ----------
    id : str
        The case.
    queue : str
        The queue in which it lies.
    author : str
        Who submitted it, and so never labels it; empty if nobody did.
    options : tuple of str
        What reviewers choose from.
    opened, at : datetime
        When it came into the queue, and when it last changed.
    state : str, default="open"
        open, ruled, referred or final.
    votes : tuple of Vote
        In their order; void ones do not count, but their reviewers do not vote again.
    claims : tuple of Claim
        Also expired ones until they are dropped.
    answer : str, optional
        What was decided.
    ruled_at : datetime, optional
        When.
    n_claims : int, default=0
        How often it was claimed.
    gold : str, optional
        The known answer of a gold case.
    purpose : str
        Why it is labelled.
    skipped : tuple of str
        Reviewers to whom it is not offered again: they skipped it, or voted on the case that a
        gold case was made of.
    """

    id: str
    queue: str
    author: str
    options: tuple[str, ...]
    opened: datetime
    at: datetime
    state: str = "open"
    votes: tuple[Vote, ...] = ()
    claims: tuple[Claim, ...] = ()
    answer: str | None = None
    ruled_at: datetime | None = None
    n_claims: int = 0
    gold: str | None = None
    purpose: str = "asked"
    skipped: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.purpose == GOLD) != (self.gold is not None):
            raise InputError(
                f"a gold case has a known answer, and no other case has one: case {self.id} is "
                f"{self.purpose} and its known answer {self.gold!r}"
            )

    @property
    def counted(self) -> tuple[Vote, ...]:
        """The votes that are not void."""
        return tuple(vote for vote in self.votes if not vote.void)

    @property
    def n_counted(self) -> int:
        """How many votes are not void."""
        return len(self.counted) if self.votes else 0  # most cases of a queue wait for the first

    @property
    def is_gold(self) -> bool:
        """Whether its answer is known."""
        return self.gold is not None


AnyCase = TypeVar("AnyCase", bound=Case)


def count_votes(case: AnyCase, protocol: Protocol, now: datetime) -> AnyCase:
    """Rule an open case as soon as its votes decide, or refer it when they cannot."""
    counted = case.counted
    if case.is_gold or len(counted) < protocol.votes:
        return case
    choice, most = Counter(vote.choice for vote in counted).most_common(1)[0]
    if 2 * most > len(counted):
        return replace(case, state="ruled", answer=choice, ruled_at=now, claims=())
    if len(counted) >= protocol.most_votes:
        return replace(case, state="referred", claims=())
    return case
