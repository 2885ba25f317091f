"""Which campaign a token opens, in which of the three roles."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import Http404

from askpoint.arena.server.campaigns.consents import has_agreed
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.probes.models import Player
from askpoint.arena.server.rulings.access import find_campaign, find_judge, find_player
from askpoint.arena.server.rulings.models import Judge
from askpoint.server.api.access import check_writable
from askpoint.server.api.problems import ProblemError

__all__ = ["campaign_for", "judge_for", "player_for"]


def _open(request: Any, campaign: str, row: Any) -> Any:
    if row is None or request.auth.resource not in ("", campaign):
        raise Http404
    if isinstance(row, Player | Judge) and not has_agreed(row.campaign, request.user):
        raise ProblemError(
            HTTPStatus.FORBIDDEN,
            "consent",
            "the organiser asks for consent first: open the campaign in a browser, and agree",
        )
    check_writable(request, (row if isinstance(row, Campaign) else row.campaign).workspace)
    if getattr(request, "watches", False) and request.method != "GET":
        raise ProblemError(HTTPStatus.FORBIDDEN, "watcher", "who watches changes nothing")
    return row


def campaign_for(request: Any, campaign: str) -> Campaign:
    """Return the campaign that the token's owner runs."""
    return _open(request, campaign, find_campaign(request, campaign))


def player_for(request: Any, campaign: str) -> Player:
    """Return the player that the token's owner is in a campaign."""
    return _open(request, campaign, find_player(request, campaign))


def judge_for(request: Any, campaign: str) -> Judge:
    """Return the judge that the token's owner is in a campaign."""
    return _open(request, campaign, find_judge(request, campaign))
