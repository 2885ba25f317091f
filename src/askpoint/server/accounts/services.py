"""Invitations: signed links that work once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.core import signing
from django.db import transaction
from django.utils import timezone

from askpoint.errors import RuleError
from askpoint.server.accounts.models import Invitation, User

__all__ = ["accept_invitation", "find_invitation", "invite", "token_of"]

_SALT = "askpoint.invitation"
_VALID = timedelta(days=14)


def invite(
    role: str,
    *,
    campaign: str = "",
    made_by: User | None = None,
    note: str = "",
    now: datetime | None = None,
) -> Invitation:
    """Make a one-time link."""
    now = now or timezone.now()
    return Invitation.objects.create(
        role=role, campaign=campaign, made_by=made_by, note=note, made=now, expires=now + _VALID
    )


def token_of(invitation: Invitation) -> str:
    """Return what stands in the link; it cannot be guessed or altered."""
    return signing.dumps(invitation.pk, salt=_SALT)


def find_invitation(token: str, *, lock: bool = False) -> Invitation:
    """Return the invitation of a link that still works.

    Raises
    ------
    RuleError
        ``invitation``, if the link is none, was used, or is too old.
    """
    try:
        key = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        raise RuleError("invitation", "this is no invitation; ask for a new link") from None
    rows = Invitation.objects.select_for_update() if lock else Invitation.objects
    invitation = rows.filter(pk=key).first()
    if invitation is None or invitation.used is not None:
        raise RuleError("invitation", "this link was used already; ask for a new one")
    if invitation.expires <= timezone.now():
        raise RuleError("invitation", "this link is too old; ask for a new one")
    return invitation


def accept_invitation(
    token: str, person: Callable[[], User], join: Callable[[Invitation, User], None]
) -> User:
    """Use a link: of those who race for it, one gets in.

    Parameters
    ----------
    token : str
        From the link.
    person : callable
        Returns who accepts: a new account, or the one that is signed in.
    join : callable
        Gives them their role in a campaign.
    """
    with transaction.atomic():
        invitation = find_invitation(token, lock=True)
        user = person()
        if invitation.role == "organiser":
            user.is_organiser = True
            user.save(update_fields=["is_organiser"])
        else:
            join(invitation, user)
        invitation.used, invitation.used_by = timezone.now(), user
        invitation.save(update_fields=["used", "used_by"])
    return user
