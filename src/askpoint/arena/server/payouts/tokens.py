"""A workspace's token at a payout provider: written by its owner, read by nobody, used by the outbox."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from askpoint.arena.server.payouts.models import ProviderToken
from askpoint.errors import InputError, RuleError
from askpoint.server.accounts.models import User
from askpoint.server.journal.services import note
from askpoint.server.workspaces.seals import seal, unseal

__all__ = ["has_token", "keep_token", "open_token"]

_PROLIFIC = "prolific"
_LONGEST = 500


@transaction.atomic
def keep_token(workspace: str, user: User, token: str) -> None:
    """Keep a workspace's token in place of an earlier one; empty takes it away.

    Raises
    ------
    InputError
        If it is no token.
    """
    given = token.strip()
    if len(given) > _LONGEST or not given.isascii() or any(sign.isspace() for sign in given):
        raise InputError(
            f"a token has 1 to {_LONGEST} signs, ASCII and without blanks; got {len(given)}"
        )
    mine = ProviderToken.within(workspace).filter(provider=_PROLIFIC)
    mine.delete()
    if given:
        ProviderToken.objects.create(
            workspace_id=workspace,
            provider=_PROLIFIC,
            sealed=seal(workspace, f"{_PROLIFIC} token", given),
            who=user.username,
            at=timezone.now(),
        )
    note("provider token set" if given else "provider token removed", workspace=workspace)


def has_token(workspace: str) -> ProviderToken | None:
    """Return who set a workspace's token and when, or None where there is none."""
    rows = ProviderToken.within(workspace).filter(provider=_PROLIFIC).defer("sealed")
    found: ProviderToken | None = rows.first()
    return found


def open_token(workspace: str) -> str:
    """Return a workspace's token, for the outbox alone.

    Raises
    ------
    RuleError
        ``no-token``.
    """
    row = ProviderToken.within(workspace).filter(provider=_PROLIFIC).first()
    if row is None:
        raise RuleError(
            "no-token",
            f"this workspace has no token of {_PROLIFIC}: its owner sets one under Payouts",
        )
    return unseal(workspace, f"{_PROLIFIC} token", bytes(row.sealed))
