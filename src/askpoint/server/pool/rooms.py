"""The two rooms that a case may lie in, as one who labels cases sees them: alike.

Each room keeps its own rules: in a campaign votes are paid, and judges trained and paused; what
people say of a classifier's case is told to its policy. Nothing of that is seen beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple, Protocol

from django.utils import timezone
from django.utils.crypto import salted_hmac

import askpoint.arena.server.judges.services as judging
import askpoint.server.labelling.services as labelling
from askpoint.arena.server.campaigns.consents import has_agreed
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.rulings.models import Judge
from askpoint.arena.server.rulings.records import judge_of
from askpoint.errors import RuleError
from askpoint.labelling.reviewer import is_trained, may_skip
from askpoint.server.accounts.models import User
from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.queue import classes_of
from askpoint.server.deployments.sharing import enrol
from askpoint.server.labelling.models import Claim, Vote
from askpoint.server.labelling.queues import held_by

__all__ = ["Held", "InCampaign", "InUse", "Room", "Seen", "is_ready", "rooms_of"]

_NEWEST = 5  # votes that a second click may be about


class Held(NamedTuple):
    """The case that somebody holds: nothing in it says where it lies, or why."""

    ticket: str
    case: Any
    options: list[str]
    until: datetime
    title: str


class Seen(NamedTuple):
    """A case that somebody holds or held, and what they said of it."""

    room: Room
    key: str
    choice: str | None


class Room(Protocol):
    """Where cases lie that somebody may label."""

    def held(self) -> Held | None:
        """Return the case that they hold."""

    def claim(self, *, others: bool) -> Held | None:
        """Claim the next one."""

    def seen(self, ticket: str) -> Seen | None:
        """Return the case of a ticket."""

    def vote(self, key: str, choice: str) -> None:
        """Say what a case is."""

    def skip(self, key: str) -> None:
        """Give it back for good."""

    def give_back(self, key: str) -> None:
        """Give it back."""

    def voted(self) -> int:
        """How many cases they have labelled."""

    def may_skip(self) -> bool:
        """Tell whether a skip is left."""


def _ticket(room: str, key: str) -> str:
    return salted_hmac("askpoint.ticket", f"{room}\0{key}").hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class InUse:
    """The queue of a classifier in use."""

    row: Deployment
    name: str

    def held(self) -> Held | None:
        """Return the case that they hold."""
        return self._held(held_by(queue_of(self.row.pk), self.name, timezone.now()))

    def _held(self, found: Any) -> Held | None:
        if found is None:
            return None
        ticket = _ticket("case", str(found.case_id))
        options = classes_of(self.row)
        return Held(ticket, found.case.content, options, found.until, self.row.title)

    def claim(self, *, others: bool) -> Held | None:
        """Claim the next one."""
        return self._held(labelling.claim(queue_of(self.row.pk), self.name, others=others))

    def seen(self, ticket: str) -> Seen | None:
        """Return the case of a ticket."""
        for key, choice in labelling.last_seen(queue_of(self.row.pk), self.name, _NEWEST):
            if _ticket("case", key) == ticket:
                return Seen(self, key, choice)
        return None

    def vote(self, key: str, choice: str) -> None:
        """Say what a case is; once votes decide, the policy is told."""
        labelling.cast(queue_of(self.row.pk), self.name, key, choice)

    def skip(self, key: str) -> None:
        """Give it back for good."""
        labelling.skip(queue_of(self.row.pk), self.name, key)

    def give_back(self, key: str) -> None:
        """Give it back."""
        labelling.give_back(queue_of(self.row.pk), self.name, key)

    def voted(self) -> int:
        """How many cases they have labelled."""
        return int(
            Vote.objects.filter(reviewer=self.name, case__queue=queue_of(self.row.pk)).count()
        )

    def may_skip(self) -> bool:
        """Tell whether a skip is left: here always."""
        return True


@dataclass(frozen=True, eq=False)
class InCampaign:
    """The queue of a campaign whose cases lie in that of a classifier."""

    row: Deployment
    judge: Judge

    @property
    def name(self) -> str:
        """Who judges."""
        return str(self.judge.user.username)

    def held(self) -> Held | None:
        """Return the case that they hold."""
        rows = Claim.objects.filter(reviewer=self.name, case__queue=self.judge.queue)
        found = rows.filter(until__gt=timezone.now()).select_related("case").first()
        if found is None:
            return None
        ticket, options = _ticket("ruling", found.case_id), classes_of(self.row)
        return Held(ticket, found.case.content, options, found.until, self.row.title)

    def claim(self, *, others: bool) -> Held | None:
        """Claim the next one."""
        del others
        found = judging.claim(self.judge.campaign_id, self.name, pool=self.row.pk)
        return None if found is None else self.held()

    def seen(self, ticket: str) -> Seen | None:
        """Return the case of a ticket."""
        mine = {"reviewer": self.name, "case__queue": self.judge.queue}
        votes = Vote.objects.filter(**mine).order_by("-pk")
        leases = Claim.objects.filter(**mine).order_by("-until").values_list("case", flat=True)
        told = votes.values_list("case", "choice")[:_NEWEST]
        for key, choice in chain(told, ((key, None) for key in leases[:_NEWEST])):
            if _ticket("ruling", key) == ticket:
                return Seen(self, key, choice)
        return None

    def vote(self, key: str, choice: str) -> None:
        """Say what a case is, for the campaign's pay."""
        judging.vote(self.judge.campaign_id, self.name, key, choice)

    def skip(self, key: str) -> None:
        """Give it back for good."""
        judging.skip(self.judge.campaign_id, self.name, key)

    def give_back(self, key: str) -> None:
        """Give it back."""
        judging.rest(self.judge.campaign_id, self.name, key)

    def voted(self) -> int:
        """How many cases they have labelled."""
        mine = {"reviewer": self.name, "case__queue": self.judge.queue}
        return int(Vote.objects.filter(**mine).count())

    def may_skip(self) -> bool:
        """Tell whether a skip is left."""
        return may_skip(judge_of(self.judge), terms_of(self.judge.campaign.terms).protocol)


def is_ready(judge: Judge) -> bool:
    """Tell whether a judge has agreed to what the campaign asks, and seen its training items."""
    protocol = terms_of(judge.campaign.terms).protocol
    return has_agreed(judge.campaign, judge.user) and is_trained(judge_of(judge), protocol)


def rooms_of(row: Deployment, user: User) -> Iterator[Room]:
    """Yield where the cases lie that a reviewer may label in the queue of a classifier."""
    yield InUse(row, user.username)
    try:
        judges = enrol(row, user)
    except RuleError:  # no policy is in use yet
        return
    for judge in judges:
        if is_ready(judge):
            yield InCampaign(row, judge)
