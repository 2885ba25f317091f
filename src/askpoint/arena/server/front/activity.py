"""Whose lines of the log an organiser may read."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from askpoint.arena.server.rulings.pools import run_by
from askpoint.server.accounts.models import User

__all__ = ["readable_lines"]


def readable_lines(user: User) -> tuple[list[str], list[tuple[str, Any]]]:
    """Return the campaigns that somebody runs or watches, and by workspace a query of who takes part."""
    campaigns = run_by(user)
    people = []
    for where in sorted(set(campaigns.values_list("workspace", flat=True))):
        mine = campaigns.filter(workspace=where).values("pk")
        there = Q(plays__campaign__in=mine) | Q(standings__judge__campaign__in=mine)
        people.append((where, User.objects.filter(there).values("username")))
    return list(campaigns.values_list("pk", flat=True)), people
