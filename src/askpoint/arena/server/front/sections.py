"""What the front page shows of campaigns."""

from __future__ import annotations

from django.http import HttpRequest

from askpoint.arena.server.ledger.people import accounts_of
from askpoint.arena.server.probes.models import Player
from askpoint.arena.server.rulings.models import Judge
from askpoint.arena.server.rulings.pools import run_by
from askpoint.server.home.sections import HomeSections, find_twice

__all__ = ["campaign_sections"]


def campaign_sections(request: HttpRequest) -> HomeSections:
    """Return where a visitor plays, judges and organises."""
    user = request.user
    context = {
        "plays": Player.objects.filter(user=user).select_related("campaign"),
        "judges": Judge.objects.filter(user=user).select_related("campaign"),
        "accounts": accounts_of(user),
        "runs": run_by(user).select_related("workspace").order_by("-made"),
    }
    titles = [it.campaign.title for kind in ("plays", "judges") for it in context[kind]]
    context["same"] = find_twice([*titles, *(it.title for it in context["runs"])])
    return HomeSections(
        before="front/home-roles.html",
        after="front/home-runs.html",
        context=context,
        takes_part=any(map(bool, (context["plays"], context["judges"], context["runs"]))),
        idle="You are in no campaign yet. An organiser sends you a link.",
    )
