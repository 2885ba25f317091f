"""How much a workspace, and an organiser in it, may promise to people."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Sum

from askpoint.arena.game.transaction import POINTS_PER_CENT
from askpoint.arena.server.ledger.models import Balance
from askpoint.errors import RuleError
from askpoint.server.accounts.models import Seat
from askpoint.server.workspaces.models import Workspace

__all__ = ["check_funding", "check_share", "funded_cents"]


def funded_cents(workspace: str, campaigns: Collection[str] | None = None) -> int:
    """Return what was funded in a workspace, or in some of its campaigns, in cents, rounded up."""
    rows = Balance.objects.filter(workspace=workspace, kind="funding")
    if campaigns is not None:
        rows = rows.filter(owner__in=campaigns)
    return _cents(-int(rows.aggregate(all=Sum("points"))["all"] or 0))


def _cents(points: int) -> int:
    return -(-points // POINTS_PER_CENT)


def check_funding(workspace: Workspace, points: int) -> None:
    """Check that a workspace may promise so many points more; the caller holds the workspace.

    Raises
    ------
    RuleError
        ``money-cap``.
    """
    most, funded = workspace.money_cap_cents, funded_cents(workspace.pk)
    if most is not None and funded + _cents(points) > most:
        raise RuleError(
            "money-cap",
            f"{workspace.name} may promise {most:,} cents in all, and its campaigns were given {funded:,}: "
            f"{_cents(points):,} more are too many; ask the administrator of the server for more",
        )


def check_share(seat: Seat, campaigns: Collection[str], points: int) -> None:
    """Check that an organiser may fund the own campaigns with so many points more.

    Raises
    ------
    RuleError
        ``share``.
    """
    funded = funded_cents(seat.workspace_id, campaigns)
    if seat.share_cents is not None and funded + _cents(points) > seat.share_cents:
        raise RuleError(
            "share",
            f"you may fund {seat.share_cents:,} cents in {seat.workspace.name}, and your campaigns have "
            f"{funded:,}: ask an owner of the workspace for more",
        )
