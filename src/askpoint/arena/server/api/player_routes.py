"""What a player's program does: try cases, submit or drop them, appeal."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import Http404
from ninja import Body, Query, Router

import askpoint.arena.server.players.services as services
from askpoint.arena.server.api.access import player_for
from askpoint.arena.server.api.serializers import (
    serialize_campaign,
    serialize_image,
    serialize_own_case,
)
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.probes.models import Player, Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.wire.campaign_cases import CaseTry, ImageFile, OwnCase, RulingAppeal
from askpoint.arena.wire.campaigns import CampaignStatus
from askpoint.errors import RuleError
from askpoint.server.accounts.access import address_of
from askpoint.server.api.access import Bearer
from askpoint.server.api.idempotency import HEADER, read_key
from askpoint.server.api.paging import Page, Paged, paginate
from askpoint.server.api.problems import ProblemError

__all__ = [
    "appeal_case",
    "drop_case",
    "own_case",
    "own_cases",
    "own_image",
    "played_campaign",
    "plays",
    "router",
    "submit_case",
    "try_case",
]

router = Router(tags=["players"])

_READ = Bearer("player")
_WRITE = Bearer("player", scope="write")


def _find_own(player: Player, case: str) -> Probe:
    row = Probe.objects.filter(player=player, pk=case).first()
    if row is None:
        raise Http404
    row.player, row.campaign = player, player.campaign  # looked up already
    return row


def _serialize(row: Probe) -> OwnCase:
    ruling = None if row.submitted is None else Ruling.objects.filter(pk=row.pk).first()
    return serialize_own_case(row, ruling)


@router.get("", auth=_READ, response=Paged[CampaignStatus])
def plays(request: Any, page: Query[Page]) -> dict[str, Any]:
    """List the campaigns in which you play."""
    rows = Campaign.objects.filter(players__user=request.user).select_related("classifier")
    rows = rows.filter(pk=request.auth.resource) if request.auth.resource else rows
    return paginate(
        rows.order_by("-made", "pk"), page, lambda row: serialize_campaign(row, "player")
    )


@router.get("{campaign}", auth=_READ, response=CampaignStatus)
def played_campaign(request: Any, campaign: str) -> CampaignStatus:
    """Return what a campaign looks for, its rules and its pay."""
    return serialize_campaign(player_for(request, campaign).campaign, "player")


@router.get("{campaign}/cases", auth=_READ, response=Paged[OwnCase])
def own_cases(request: Any, campaign: str, page: Query[Page]) -> dict[str, Any]:
    """List your cases, newest first."""
    player = player_for(request, campaign)
    rows = Probe.objects.filter(player=player).order_by("-tried", "pk")
    rulings: dict[str, Ruling] = {}

    def serialize(row: Probe) -> OwnCase:
        row.player, row.campaign = player, player.campaign
        return serialize_own_case(row, rulings.get(row.pk))

    part = rows[page.offset : page.offset + page.limit]
    rulings |= Ruling.objects.in_bulk([row.pk for row in part])
    return paginate(rows, page, serialize)


@router.post("{campaign}/cases", auth=_WRITE, response=OwnCase)
def try_case(request: Any, campaign: str, body: Body[CaseTry]) -> OwnCase:
    """Try a case on the model. Needs an Idempotency-Key: sent again, it is the same case."""
    player, key = player_for(request, campaign), read_key(request)
    row = Probe.objects.filter(player=player, key=key).first()  # sent again: that is no second try
    if row is None:
        row = services.try_out_case(player.campaign, player, body.case, key, address_of(request))
    if row.case != services.check_case(player.campaign.classifier, body.case):
        raise ProblemError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "idempotency-key",
            f"the {HEADER} {key!r} belongs to another case; give this one a new key",
        )
    return _serialize(_find_own(player, row.pk))


@router.get("{campaign}/cases/{case}", auth=_READ, response=OwnCase)
def own_case(request: Any, campaign: str, case: str) -> OwnCase:
    """Return the model's answer to a case, what the case would pay, and what judges ruled."""
    return _serialize(_find_own(player_for(request, campaign), case))


@router.get("{campaign}/cases/{case}/image", auth=_READ, response=ImageFile)
def own_image(request: Any, campaign: str, case: str) -> ImageFile:
    """Return the image of one of your cases."""
    player = player_for(request, campaign)
    return serialize_image(player.campaign_id, _find_own(player, case).case)


@router.post("{campaign}/cases/{case}/submit", auth=_WRITE, response=OwnCase)
def submit_case(request: Any, campaign: str, case: str) -> OwnCase:
    """Submit a tried case; repeating the request changes nothing."""
    player = player_for(request, campaign)
    row = _find_own(player, case)
    if row.submitted is None:
        try:
            services.submit(player, row)
        except RuleError as error:
            if error.rule != "submitted-before":
                raise
    return _serialize(_find_own(player, case))


@router.post("{campaign}/cases/{case}/drop", auth=_WRITE, response=OwnCase)
def drop_case(request: Any, campaign: str, case: str) -> OwnCase:
    """Discard a tried case; nothing is submitted."""
    player = player_for(request, campaign)
    services.drop(_find_own(player, case))
    return _serialize(_find_own(player, case))


@router.post("{campaign}/cases/{case}/appeal", auth=_WRITE, response=OwnCase)
def appeal_case(request: Any, campaign: str, case: str, body: Body[RulingAppeal]) -> OwnCase:
    """Appeal against a ruling, once; it stays valid until the organiser decides."""
    player = player_for(request, campaign)
    services.appeal(player.campaign_id, _find_own(player, case).pk, player, body.why)
    return _serialize(_find_own(player, case))
