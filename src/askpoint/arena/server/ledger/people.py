"""People's accounts: in which workspaces somebody has one, each apart from the others."""

from __future__ import annotations

from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.ledger.models import Balance
from askpoint.arena.server.ledger.services import balance_of
from askpoint.errors import RuleError
from askpoint.server.accounts.models import User
from askpoint.server.workspaces.models import Workspace

__all__ = ["accounts_of", "choose_workspace", "earning_workspaces"]

_PERSONAL = ("held", "earned", "debt", "paying", "disputed", "paid")


def earning_workspaces(user: User) -> list[Workspace]:
    """Return the workspaces in which somebody has, or had, points, by their names."""
    kept = Balance.objects.filter(kind__in=_PERSONAL, owner=user.username).values("workspace")
    return list(Workspace.objects.filter(pk__in=kept).order_by("name"))


def accounts_of(user: User) -> list[tuple[Workspace, int]]:
    """Return the workspaces in which somebody has an account, and the points that may be withdrawn there."""
    account = LedgerAccount("earned", user.username)
    return [(it, balance_of(it.pk, account)) for it in earning_workspaces(user)]


def choose_workspace(user: User, given: str = "") -> str | None:
    """Return in which workspace somebody's account is meant; None for who earned nothing anywhere.

    Raises
    ------
    RuleError
        ``unknown``, where they have no account; ``which-workspace``, where they have several and none is
        given.
    """
    mine = [it.pk for it in earning_workspaces(user)]
    if given:
        if given not in mine:
            raise RuleError("unknown", f"you have no account in a workspace {given[:40]!r}")
        return given
    if len(mine) > 1:
        raise RuleError(
            "which-workspace",
            f"you have accounts in the workspaces {', '.join(mine)}; add which one: workspace=...",
        )
    return mine[0] if mine else None
