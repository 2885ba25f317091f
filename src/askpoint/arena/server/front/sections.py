"""What the front page shows of campaigns."""

from __future__ import annotations

from django.db.models import Q
from django.http import HttpRequest

from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns.models import Campaign, Colleague
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.probes.models import Player
from askpoint.arena.server.rulings.models import Judge
from askpoint.server.home.sections import HomeSections

__all__ = ["campaign_sections"]


def campaign_sections(request: HttpRequest) -> HomeSections:
    """Return where a visitor plays, judges and organises."""
    user = request.user
    shared = Colleague.objects.filter(user=user).values("campaign")
    mine = Q(organiser=user) if user.is_organiser else Q(pk="")
    context = {
        "plays": Player.objects.filter(user=user).select_related("campaign"),
        "judges": Judge.objects.filter(user=user).select_related("campaign"),
        "runs": Campaign.objects.filter(Q(pk__in=shared) | mine).order_by("-made"),
        "earned": balance_of(LedgerAccount("earned", user.username)),
    }
    return HomeSections(
        before="front/home-roles.html",
        after="front/home-runs.html",
        context=context,
        takes_part=any(map(bool, (context["plays"], context["judges"], context["runs"]))),
        idle="You are in no campaign yet. An organiser sends you a link.",
    )
