"""Invitations: signed links with one place or several, until a day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.core import signing
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.server.accounts.models import Acceptance, Invitation, User
from askpoint.server.accounts.seats import give_seat

__all__ = [
    "VALID_DAYS",
    "accept_invitation",
    "find_invitation",
    "invite",
    "token_of",
    "waiting",
    "waiting_seats",
    "withdraw_link",
]

_SALT = "askpoint.invitation"

VALID_DAYS = 14
"""How long a link works, unless it is said otherwise."""


def invite(
    workspace: str,
    role: str,
    *,
    campaign: str = "",
    made_by: User | None = None,
    note: str = "",
    places: int = 1,
    days: int = VALID_DAYS,
    now: datetime | None = None,
) -> Invitation:
    """Make a link into a workspace for one person, or for as many as there are places."""
    now = now or timezone.now()
    return Invitation.objects.create(
        workspace_id=workspace,
        role=role,
        campaign=campaign,
        made_by=made_by,
        note=note,
        places=places,
        made=now,
        expires=now + timedelta(days=days),
    )


def waiting(campaign: str) -> QuerySet[Invitation]:
    """Return the links of a campaign that still work, the newest first."""
    live = Invitation.objects.filter(campaign=campaign, expires__gt=timezone.now())
    return live.filter(taken__lt=F("places")).order_by("-made", "-pk")


def withdraw_link(campaign: str, key: str) -> None:
    """End a link of a campaign; one that is over, or is not of it, stays as it is."""
    if key.isdecimal() and len(key) < 10:
        waiting(campaign).filter(pk=key).update(expires=timezone.now())


def waiting_seats(workspace: str) -> QuerySet[Invitation]:
    """Return the links to seats of a workspace that still work, the newest first."""
    rows: QuerySet[Invitation] = Invitation.within(workspace)
    live = rows.filter(campaign="", expires__gt=timezone.now(), taken__lt=F("places"))
    return live.order_by("-made", "-pk")


def token_of(invitation: Invitation) -> str:
    """Return what stands in the link; it cannot be guessed or altered."""
    return signing.dumps(invitation.pk, salt=_SALT)


def find_invitation(token: str, *, lock: bool = False) -> Invitation:
    """Return the invitation of a link that still works.

    Raises
    ------
    RuleError
        ``invitation``, if the link is none, has no place left, or is too old.
    """
    try:
        key = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        raise RuleError("invitation", "this is not an invitation; ask for a new link") from None
    rows = Invitation.objects.select_for_update() if lock else Invitation.objects
    invitation = rows.filter(pk=key).first()
    if invitation is None or invitation.taken >= invitation.places == 1:
        raise RuleError("invitation", "this link has already been used. Ask for a new one.")
    if invitation.taken >= invitation.places:
        raise RuleError(
            "invitation",
            f"all {invitation.places} places of this link are taken; ask for a new one",
        )
    if invitation.expires <= timezone.now():
        raise RuleError("invitation", "this link is too old; ask for a new one")
    return invitation


def accept_invitation(
    token: str, person: Callable[[], User], join: Callable[[Invitation, User], bool]
) -> User:
    """Take a place of a link: of those who race for them, as many get in as there are places.

    Parameters
    ----------
    token : str
        From the link.
    person : callable
        Returns who accepts: a new account, or the one that is signed in.
    join : callable
        Gives them their role in a campaign; false if they have it.

    Raises
    ------
    RuleError
        ``invitation``, or ``already-in``: then the place stays free for whom it is meant.
    """
    with transaction.atomic():
        seen = find_invitation(token)
        if not seen.campaign:  # they die together: one after the other
            list(_first_links(seen).select_for_update().order_by("pk"))
        invitation = find_invitation(token, lock=True)
        user = person()
        if not (join if invitation.campaign else _take_seat)(invitation, user):
            raise RuleError(
                "already-in",
                f"{user.username} already has this role, so the link was not used: it is for "
                "another person",
            )
        Acceptance.objects.create(invitation=invitation, user=user, at=timezone.now())
        invitation.taken = F("taken") + 1
        invitation.save(update_fields=["taken"])
    return user


def _first_links(invitation: Invitation) -> QuerySet[Invitation]:
    """Return the links by which a workspace's first owner comes in: no person made them."""
    mine: QuerySet[Invitation] = Invitation.within(invitation.workspace_id)
    return mine.filter(role="owner", campaign="", made_by=None)


def _take_seat(invitation: Invitation, user: User) -> bool:
    """Give somebody a seat in a workspace; with its first owner other such links die."""
    if not give_seat(invitation.workspace, user, invitation.role):
        return False
    if invitation.made_by_id is None:
        links = _first_links(invitation).filter(taken=0).exclude(pk=invitation.pk)
        links.update(expires=timezone.now())
    return True
