"""Roles of a campaign that a token for programs can have."""

from __future__ import annotations

from collections.abc import Iterable

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.probes.models import Player
from askpoint.arena.server.rulings.models import Judge
from askpoint.arena.server.rulings.pools import role_behind, run_by
from askpoint.server.accounts.models import User
from askpoint.server.accounts.seats import organised_workspaces
from askpoint.server.api.roles import TokenRole

__all__ = ["JUDGE", "ORGANISER", "PLAYER"]


def _campaigns(user: User) -> Iterable[tuple[str, str]]:
    mine = (
        run_by(user)
        | Campaign.objects.filter(players__user=user)
        | Campaign.objects.filter(judges__user=user)
    )
    return mine.distinct().order_by("title").values_list("pk", "title")


def _organises(user: User, campaign: str) -> bool:
    row = Campaign.objects.filter(pk=campaign).first()
    return row is not None and role_behind(row, user) is not None


def _role_of(pool: type[Player | Judge]) -> TokenRole:
    return TokenRole(
        is_held=lambda user: pool.objects.filter(user=user).exists(),
        opens=lambda user, campaign: pool.objects.filter(campaign=campaign, user=user).exists(),
        resources=_campaigns,
    )


ORGANISER = TokenRole(
    is_held=lambda user: bool(organised_workspaces(user)),
    opens=_organises,
    resources=_campaigns,
    refusal=lambda user: (
        "" if organised_workspaces(user) else "its owner is no longer an organiser"
    ),
)
"""Runs campaigns."""

PLAYER = _role_of(Player)
"""Plays in them."""

JUDGE = _role_of(Judge)
"""Judges in them."""
