"""Make tokens, find whom one stands for, and revoke them."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.utils import timezone

from askpoint.errors import InputError, RuleError
from askpoint.measures.inputs import as_choice
from askpoint.server.accounts.models import User
from askpoint.server.api.models import Token
from askpoint.server.api.roles import list_roles, token_roles
from askpoint.server.journal.services import note

__all__ = ["LONGEST_DAYS", "PREFIX", "find_token", "make_token", "revoke_token"]

LONGEST_DAYS = 365
"""A token's life."""

PREFIX = "askpoint_"
"""Of each: so that whoever finds one in a repository knows what it is."""
_SEEN_EVERY = timedelta(minutes=1)


def _digest(words: str) -> str:
    # 256 random bits cannot be guessed: a slow hash would protect nothing
    return hashlib.sha256(words.encode()).hexdigest()


def make_token(
    user: User, role: str, *, label: str, scope: str = "read", resource: str = "", days: int = 90,
    chosen: str = "",
) -> tuple[Token, str]:  # fmt: skip
    """Make a token; return its row, and the words that are shown now and never again.

    Parameters
    ----------
    user : User
        For whom it acts.
    role : str
        One that the person has.
    label : str
        What it is for.
    scope : str, default="read"
        "read", or "write" for both.
    resource : str, default=""
        The only one that it opens: a classifier in use, or what else the role is for; without, all in which
        the person has the role.
    days : int, default=90
        How long it lives.
    chosen : str, optional
        256 secret bits or more that the token is made of; by default they are drawn.

    Raises
    ------
    InputError
        If the person has no such role, or there is no such scope or life.
    """
    held = list_roles(user)
    if not held:
        raise InputError(f"{user.username} has no role yet: a token opens a role")
    as_choice(role, held, f"a role of {user.username}")
    as_choice(scope, [name for name, _ in Token.SCOPES], "a scope")
    if not label.strip():
        raise InputError("say what the token is for, so that you know later which one to revoke")
    if not 1 <= days <= LONGEST_DAYS:
        raise InputError(f"a token lives 1 to {LONGEST_DAYS} days; got {days}")
    if resource and not token_roles()[role].opens(user, resource):
        raise InputError(f"{user.username} is no {role} of {resource[:40]!r}")
    words, now = PREFIX + (chosen or secrets.token_urlsafe(32)), timezone.now()
    row = Token.objects.create(
        user=user,
        digest=_digest(words),
        label=label.strip()[:80],
        role=role,
        scope=scope,
        resource=resource,
        made=now,
        expires=now + timedelta(days=days),
    )
    note("token made", campaign=resource, about=user.username, role=role, scope=scope, token=row.pk)
    return row, words


def find_token(words: str) -> Token | None:
    """Return a token that holds: not revoked, not too old, of somebody who may sign in."""
    now = timezone.now()
    rows = Token.objects.select_related("user").filter(
        digest=_digest(words), revoked=None, expires__gt=now, user__is_active=True
    )
    row = rows.first()
    if row is not None and (row.used is None or not now - _SEEN_EVERY < row.used <= now):
        Token.objects.filter(pk=row.pk).update(used=now)
    return row


def revoke_token(user: User, key: int) -> Token:
    """End one of a person's tokens; ending it twice changes nothing.

    Raises
    ------
    RuleError
        ``unknown``.
    """
    row = Token.objects.filter(user=user, pk=key).first()
    if row is None:
        raise RuleError("unknown", f"{user.username} has no token {key}")
    if row.revoked is None:
        row.revoked = timezone.now()
        row.save(update_fields=["revoked"])
        note("token revoked", about=user.username, token=row.pk)
    return row
