"""Who has which part in a classifier in use."""

from __future__ import annotations

from django.db import transaction

from askpoint.server.accounts.models import User
from askpoint.server.deployments.access import PARTS
from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.guests import queue_guests
from askpoint.server.deployments.models import Member
from askpoint.server.deployments.policies import lock_deployment

__all__ = ["give_part", "take_part_away"]


@transaction.atomic
def give_part(deployment: str, user: User, role: str) -> Member:
    """Give somebody a part in a classifier.

    Raises
    ------
    RuleError
        As `HeldParts.give`.
    """
    row = lock_deployment(deployment)
    made: Member = PARTS.give(row, user, role, queue_of(row.pk))
    return made


@transaction.atomic
def take_part_away(deployment: str, name: str) -> None:
    """Take somebody's part away, and that of a guest of its queue; the last owner stays.

    Raises
    ------
    RuleError
        As `HeldParts.take_away`.
    """

    def leave(held: Member) -> None:
        for guests in queue_guests():
            guests.leave(held)

    PARTS.take_away(lock_deployment(deployment), name, leave)
