"""Queues of cases and purposes of labelling: what the services ask of whoever has cases labelled.

A queue is named ``kind/owner``: ``classifier/posts``, say. Each kind is a subclass of `Queue`, and each
purpose for which its cases are labelled a `Purpose`; both are registered when their app is ready.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.db.models import Exists, OuterRef, QuerySet

import askpoint.labelling.case as pure
from askpoint.errors import RuleError
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.reviewer import Agreement, check_reviewer
from askpoint.labelling.steps import Step
from askpoint.server.accounts.models import User
from askpoint.server.clock import moment
from askpoint.server.labelling.models import Case, Claim, Reviewer, Vote
from askpoint.server.labelling.records import (
    case_of,
    join_skippers,
    reviewer_of,
    store_case,
    store_reviewer,
)

__all__ = [
    "PURPOSES",
    "QUEUES",
    "Purpose",
    "Queue",
    "claim_of",
    "lock_queue",
    "open_cases",
    "queue_key",
    "register_purpose",
    "register_queue",
]


class Queue(ABC):
    """Where cases lie, under the lock of whoever has them labelled.

    Parameters
    ----------
    row : Model
        The owner of the cases; locked by whoever changes anything.
    """

    kind: ClassVar[str]
    noun: ClassVar[str] = "a vote"

    def __init__(self, row: Any) -> None:
        self.row = row

    @property
    def key(self) -> str:
        """The queue's name."""
        return queue_key(self.kind, self.row.pk)

    @classmethod
    @abstractmethod
    def lock(cls, owner: str) -> Queue:
        """Return the queue of an owner, locked for the transaction."""

    @classmethod
    def titles(cls, user: User, only: str) -> Iterable[str]:
        """Return the titles of what a reviewer labels for in such queues."""
        del user, only
        return ()

    @classmethod
    def places(cls, user: User, only: str) -> Iterable[Any]:
        """Return the queues from which a reviewer is given cases: a `desk.OpenQueue` each.

        `only` names an owner of a classifier's queue to whom the reviewer's program is limited.
        """
        del user, only
        return ()

    @classmethod
    def guests(cls, user: User, only: str) -> Iterable[Any]:
        """Return what such queues add to what a reviewer reads: a `desk.Guest` each."""
        del user, only
        return ()

    @classmethod
    def offers(cls, user: User, only: str) -> Iterable[tuple[str, str]]:
        """Yield title and address of what somebody may accept to label, too; nobody is enrolled by looking."""
        del user, only
        return ()

    @abstractmethod
    def protocol(self, case: Case | None = None) -> Protocol:
        """Return the rules by which a case is labelled."""

    @abstractmethod
    def choose(self, reviewer: Reviewer, now: datetime, *, others: bool | None) -> str | None:
        """Return the id of the case that a reviewer is given next; None where there is none.

        Every claim stands that holds a place. `others` is what `services.claim` was asked for.
        """

    def now(self, *rows: Any) -> datetime:
        """Return the moment of a step that concerns these rows."""
        return moment(self.row, *rows)

    def options(self, case: Case) -> list[str]:
        """Return what reviewers choose from."""
        return list(case.options)

    def rules_case(self, row: Case) -> pure.Case:
        """Return a case for the rules."""
        return case_of(row, self.options(row))

    def find(self, case: str) -> Case:
        """Return a case of the queue.

        Raises
        ------
        RuleError
            ``unknown``.
        """
        rows = Case.objects.filter(queue=self.key).prefetch_related("votes", "claims")
        row = rows.filter(pk=case).first()
        if row is None:
            raise RuleError("unknown", "there is no such case here")
        return row

    def reviewer(self, name: str) -> Reviewer:
        """Return how a reviewer stands."""
        rows = Reviewer.objects.select_related("user")
        row = rows.filter(queue=self.key, user__username=name).first()
        if row is None:
            user = User.objects.get(username=name)
            row = Reviewer.objects.create(queue=self.key, user=user, at=moment(self.row))
        return row

    def agreements(self, reviewer: Reviewer) -> Sequence[Agreement]:
        """Tell of a reviewer's newest votes whether they agree with what was ruled, if it counts."""
        del reviewer
        return ()

    def check_reviewer(self, reviewer: Reviewer, agreements: Sequence[Agreement]) -> None:
        """Check that a reviewer may be given cases."""
        check_reviewer(reviewer_of(reviewer), self.key, self.protocol(), agreements)

    def check_claim(self, reviewer: Reviewer, now: datetime) -> None:  # noqa: B027 - most do nothing
        """Check that a reviewer who holds nothing may be given one more case now."""

    def check_vote(self, reviewer: Reviewer) -> None:  # noqa: B027 - most do nothing
        """Check that a reviewer who holds a case may say what it is."""

    def keep(
        self,
        case: Case,
        before: pure.Case,
        step: Step[Any],
        reviewer: Reviewer | None,
        now: datetime,
    ) -> None:
        """Store what a step changed, and do what follows from it."""
        del now
        store_case(case, before, step.case, self.protocol(case))
        if step.reviewer is not None and reviewer is not None:
            store_reviewer(reviewer, step.reviewer)
        PURPOSES[self.kind, case.purpose].follow(self, case, before, step.case)

    def after_claim(self, reviewer: Reviewer, now: datetime) -> None:  # noqa: B027 - most do nothing
        """Do what follows from a claim."""

    def after_look(self, reviewer: Reviewer, now: datetime) -> None:  # noqa: B027 - most do nothing
        """Count the time of a reviewer who said what a case is, held or not."""

    def after_vote(self, reviewer: Reviewer, now: datetime) -> None:  # noqa: B027 - most do nothing
        """Do what follows from a vote that counts, once everything is stored."""


def _nothing(queue: Any, case: Case, before: pure.Case, after: pure.Case) -> None:
    """Do nothing more: the queue's `keep` did it all."""


@dataclass(frozen=True, kw_only=True)
class Purpose:
    """Why cases of a queue are labelled.

    Parameters
    ----------
    name : str
        As it is stored with a case.
    queue : str
        The kind of queue in which such cases lie: its protocol, who may see them, what a vote brings.
    meaning : str
        In a sentence, for the documentation.
    follow : callable
        Called with the queue, the case's row, and the case before and after each step, once the step
        is stored: what to do when votes decide.
    """

    name: str
    queue: str
    meaning: str
    follow: Callable[[Any, Case, pure.Case, pure.Case], None] = _nothing


QUEUES: dict[str, type[Queue]] = {}
"""Kinds of queues, in the order in which they were registered."""

PURPOSES: dict[tuple[str, str], Purpose] = {}
"""By kind of queue and name."""


def register_queue(kind: type[Queue]) -> type[Queue]:
    """Make a kind of queue known; a decorator."""
    QUEUES[kind.kind] = kind
    return kind


def register_purpose(purpose: Purpose) -> None:
    """Make a purpose known."""
    PURPOSES[purpose.queue, purpose.name] = purpose


def queue_key(kind: str, owner: str) -> str:
    """Return the name of an owner's queue."""
    return f"{kind}/{owner}"


def lock_queue(key: str) -> Queue:
    """Return a queue by its name, locked for the transaction."""
    kind, _, owner = key.partition("/")
    return QUEUES[kind].lock(owner)


def open_cases(queue: str, name: str) -> QuerySet[Case]:
    """Return the open cases of a queue that a reviewer neither submitted, voted on, holds nor skipped."""
    mine = Vote.objects.filter(case=OuterRef("pk"), reviewer=name)
    held = Claim.objects.filter(case=OuterRef("pk"), reviewer=name, said__isnull=False)
    rows = Case.objects.filter(~Exists(mine), ~Exists(held), queue=queue, state="open")
    rows = rows.filter(labelled=None)
    return rows.exclude(author=name).exclude(skipped__contains=join_skippers(name))


def claim_of(queue: str, name: str, now: datetime) -> Claim | None:
    """Return the claim that a reviewer holds in a queue, and has said nothing of yet: the newest."""
    held = Claim.objects.filter(case__queue=queue, reviewer=name, until__gt=now, said=None)
    return held.select_related("case").order_by("-until").first()
