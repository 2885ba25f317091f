"""Who has which part in a classifier in use."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.server.accounts.models import User
from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.guests import queue_guests
from askpoint.server.deployments.models import Member
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.journal.services import note
from askpoint.server.labelling.models import Reviewer

__all__ = ["give_part", "take_part_away"]


@transaction.atomic
def give_part(deployment: str, user: User, role: str) -> Member:
    """Give somebody a part in a classifier; each has one.

    Raises
    ------
    RuleError
        ``other-part``, if they have another one: who has seen what the machine says is no blind
        reviewer any more.
    """
    row = lock_deployment(deployment)
    held = Member.objects.filter(deployment=row, user=user).first()
    if held is not None and held.role == role:
        return held
    if held is not None:
        raise RuleError(
            "other-part",
            f"{user.username} is {held.role} here already; take that part away first, and think of "
            "what they have seen: reviewers label blind",
        )
    made = Member.objects.create(deployment=row, user=user, role=role, at=timezone.now())
    Reviewer.objects.filter(queue=queue_of(row.pk), user=user).delete()  # stands as one who is new
    note("part given", campaign=row.pk, about=user.username, role=role)
    return made


@transaction.atomic
def take_part_away(deployment: str, name: str) -> None:
    """Take somebody's part away; the last owner stays.

    Raises
    ------
    RuleError
        ``unknown`` or ``last-owner``.
    """
    row = lock_deployment(deployment)
    held = Member.objects.filter(deployment=row, user__username=name).first()
    if held is None:
        raise RuleError("unknown", f"{name[:80]} has no part here")
    owners = Member.objects.filter(deployment=row, role="owner")
    if held.role == "owner" and owners.count() == 1:
        raise RuleError("last-owner", f"{name[:80]} is the only owner: make another one first")
    for guests in queue_guests():
        guests.leave(held)
    held.delete()
    note("part taken away", campaign=row.pk, about=name, role=held.role)
