"""Make tokens, find whom one stands for, and revoke them."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.utils import timezone

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.probes.models import Player
from askpoint.arena.server.rulings.models import Judge
from askpoint.arena.server.rulings.pools import role_behind
from askpoint.errors import InputError, RuleError
from askpoint.measures.inputs import as_choice
from askpoint.server.accounts.models import User
from askpoint.server.api.models import Token
from askpoint.server.deployments.access import part_of
from askpoint.server.deployments.models import Member
from askpoint.server.journal.services import note

__all__ = ["LONGEST_DAYS", "find_token", "make_token", "revoke_token", "roles_of"]

LONGEST_DAYS = 365
"""A token's life."""

_PREFIX = "askpoint_"  # so that whoever finds one in a repository knows what it is
_SEEN_EVERY = timedelta(minutes=1)


def _digest(words: str) -> str:
    # 256 random bits cannot be guessed: a slow hash would protect nothing
    return hashlib.sha256(words.encode()).hexdigest()


def roles_of(user: User) -> list[str]:
    """Return the roles that a person has somewhere."""
    found = ["organiser"] if user.is_organiser else []
    found += ["player"] if Player.objects.filter(user=user).exists() else []
    found += ["judge"] if Judge.objects.filter(user=user).exists() else []
    parts = set(Member.objects.filter(user=user).values_list("role", flat=True))
    return found + [role for role, _ in Member.ROLES if role in parts]


def _takes_part(user: User, role: str, campaign: str) -> bool:
    if role in dict(Member.ROLES):
        return part_of(user, campaign, role) is not None
    if role == "organiser":
        row = Campaign.objects.filter(pk=campaign).first()
        return row is not None and role_behind(row, user) is not None
    pool = Player if role == "player" else Judge
    return bool(pool.objects.filter(campaign=campaign, user=user).exists())


def make_token(
    user: User, role: str, *, label: str, scope: str = "read", campaign: str = "", days: int = 90
) -> tuple[Token, str]:
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
    campaign : str, default=""
        The only one that it opens, or the only classifier in use; without, all in which the
        person has the role.
    days : int, default=90
        How long it lives.

    Raises
    ------
    InputError
        If the person has no such role, or there is no such scope or life.
    """
    held = roles_of(user)
    if not held:
        raise InputError(
            f"{user.username} plays, judges and organises nowhere, and has no part in a classifier: a "
            "token opens a role"
        )
    as_choice(role, held, f"a role of {user.username}")
    as_choice(scope, [name for name, _ in Token.SCOPES], "a scope")
    if not label.strip():
        raise InputError("say what the token is for, so that you know later which one to revoke")
    if not 1 <= days <= LONGEST_DAYS:
        raise InputError(f"a token lives 1 to {LONGEST_DAYS} days, got {days}")
    if campaign and not _takes_part(user, role, campaign):
        raise InputError(f"{user.username} is no {role} of {campaign[:40]!r}")
    words, now = _PREFIX + secrets.token_urlsafe(32), timezone.now()
    row = Token.objects.create(
        user=user,
        digest=_digest(words),
        label=label.strip()[:80],
        role=role,
        scope=scope,
        campaign=campaign,
        made=now,
        expires=now + timedelta(days=days),
    )
    note("token made", campaign=campaign, about=user.username, role=role, scope=scope, token=row.pk)
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
