"""Whose lines of the log an organiser may read."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.server.accounts.models import User

__all__ = ["readable_lines"]


def readable_lines(user: User) -> tuple[list[str], Any]:
    """Return the campaigns that somebody runs or watches, and a query of the names of who takes part."""
    runs = Q(organiser=user) if user.is_organiser else Q(pk__in=[])
    campaigns = Campaign.objects.filter(runs | Q(colleagues__user=user))
    there = User.objects.filter(
        Q(plays__campaign__in=campaigns) | Q(standings__judge__campaign__in=campaigns)
    )
    return list(campaigns.values_list("pk", flat=True)), there.values("username")
