"""Limits in money that whoever runs the server sets for a workspace: on what is paid out."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from askpoint.arena.server.payouts.models import Payout
from askpoint.errors import RuleError
from askpoint.server.workspaces.models import Workspace

__all__ = ["check_caps"]

_DAY = timedelta(days=1)


def check_caps(workspace: Workspace, cents: int) -> None:
    """Check that a workspace may plan a payout; the caller holds the workspace.

    Raises
    ------
    RuleError
        ``day-cap``, if what is on its way and what was paid within 24 hours would pass the day's limit;
        ``money-cap``, if all that was ever paid would pass the limit.
    """
    rows = Payout.within(workspace).exclude(state="cancelled")
    now = timezone.now()
    # a payment whose time is in the future is one of a clock that was set back: it counts
    recent = _total(rows.filter(~Q(state="sent") | Q(at__gt=now - _DAY)))
    day, most = workspace.day_cap_cents, workspace.money_cap_cents
    if day is not None and recent + cents > day:
        raise RuleError(
            "day-cap",
            f"{workspace.name} may pay {day:,} cents a day, and {recent:,} are on their way or were paid within "
            f"24 hours: {cents:,} more wait until tomorrow, or until the administrator of the server raises the limit",
        )
    paid = _total(rows)
    if most is not None and paid + cents > most:
        raise RuleError(
            "money-cap",
            f"{workspace.name} may pay {most:,} cents in all, and {paid:,} are paid or on their way: ask the "
            "administrator of the server for more",
        )


def _total(rows: QuerySet[Payout]) -> int:
    return int(rows.aggregate(all=Sum("cents"))["all"] or 0)
