"""Who may open a page: one of the three pools; to everybody else it is not there."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.arena.server.campaigns.consents import has_agreed
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.probes.models import Player
from askpoint.arena.server.rulings.models import Judge
from askpoint.arena.server.rulings.pools import role_behind
from askpoint.server.accounts.access import refuse_frozen

__all__ = [
    "find_campaign",
    "find_judge",
    "find_player",
    "for_judge",
    "for_organiser",
    "for_player",
]

_View = Callable[..., HttpResponse]

_UNSEEN = ("campaign__reference", "campaign__simulated")  # long, and nothing for these pools


def _for(find: Callable[[HttpRequest, str], Any]) -> Callable[[_View], _View]:
    def decorate(view: _View) -> _View:
        @login_required
        @functools.wraps(view)
        def wrapper(request: HttpRequest, campaign: str, *args: Any, **named: Any) -> HttpResponse:
            found = find(request, campaign)
            if found is None:
                raise Http404
            row = found if isinstance(found, Campaign) else found.campaign
            refusal = refuse_frozen(request, row.workspace)
            if refusal is not None:
                return refusal
            if isinstance(found, Player | Judge) and not has_agreed(found.campaign, request.user):
                return redirect("agree", campaign)
            if getattr(request, "watches", False) and request.method not in ("GET", "HEAD"):
                problem = "You may watch this campaign, and change nothing: ask its organiser."
                return render(request, "home/refused.html", {"problem": problem}, status=403)
            return view(request, found, *args, **named)

        return wrapper

    return decorate


def _member(pool: Any, request: HttpRequest, campaign: str) -> Any:
    rows = pool.objects.select_related("campaign__classifier", "campaign__workspace").defer(
        *_UNSEEN
    )
    row = rows.filter(campaign=campaign, user=request.user).first()
    if row is not None:
        row.user = request.user  # looked up already
    return row


def find_player(request: HttpRequest, campaign: str) -> Player | None:
    """Return the player that the visitor is in a campaign."""
    return _member(Player, request, campaign)


def find_judge(request: HttpRequest, campaign: str) -> Judge | None:
    """Return the judge that the visitor is in a campaign."""
    return _member(Judge, request, campaign)


def find_campaign(request: HttpRequest, campaign: str) -> Campaign | None:
    """Return a campaign that the visitor runs or watches; `request.watches` says which."""
    rows = Campaign.objects.select_related("classifier", "organiser", "workspace")
    row = rows.filter(pk=campaign).first()
    role = None if row is None else role_behind(row, request.user)
    if role is None:
        return None
    request.watches = role == "watcher"
    return row


for_player = _for(find_player)
"""The view gets the `Player` that the visitor is, once agreed to what the organiser asks."""

for_judge = _for(find_judge)
"""The view gets the `Judge`."""

for_organiser = _for(find_campaign)
"""The view gets the `Campaign` that the visitor runs, or watches: then only looks."""
