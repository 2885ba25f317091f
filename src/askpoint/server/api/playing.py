"""What a player's program does: try cases, submit or drop them, appeal."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from django.http import Http404
from ninja import Body, Field, Query, Router

import askpoint.arena.server.players.services as services
import askpoint.server.api.shapes as shapes
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.probes.models import Player, Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.errors import RuleError
from askpoint.server.accounts.access import address_of
from askpoint.server.api.access import Bearer, player_for
from askpoint.server.api.keys import HEADER, key_of
from askpoint.server.api.problems import ProblemError
from askpoint.server.api.saying import campaign_said, paged, picture_said, played_said

__all__ = [
    "Appeal",
    "Tried",
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


class Tried(shapes.Given):
    """A case to try."""

    case: str | dict[str, float | str] = Field(
        description="A text, one value for each of the campaign's features, or the address of a web "
        "page where cases are pages; where they are images "
        '{"image": "data:image/png;base64,..."}, in PNG, JPEG or WebP.'
    )


class Appeal(shapes.Given):
    """Why a ruling is wrong."""

    why: Annotated[str, Field(max_length=1000)]


def _own(player: Player, case: str) -> Probe:
    row = Probe.objects.filter(player=player, pk=case).first()
    if row is None:
        raise Http404
    row.player, row.campaign = player, player.campaign  # looked up already
    return row


def _said(row: Probe) -> shapes.Played:
    ruling = None if row.submitted is None else Ruling.objects.filter(pk=row.pk).first()
    return played_said(row, ruling)


@router.get("", auth=_READ, response=shapes.Paged[shapes.Campaign])
def plays(request: Any, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the campaigns in which one plays."""
    rows = Campaign.objects.filter(players__user=request.user).select_related("classifier")
    rows = rows.filter(pk=request.auth.campaign) if request.auth.campaign else rows
    return paged(rows.order_by("-made", "pk"), page, lambda row: campaign_said(row, "player"))


@router.get("{campaign}", auth=_READ, response=shapes.Campaign)
def played_campaign(request: Any, campaign: str) -> shapes.Campaign:
    """Say what a campaign looks for, its rules and its pay."""
    return campaign_said(player_for(request, campaign).campaign, "player")


@router.get("{campaign}/cases", auth=_READ, response=shapes.Paged[shapes.Played])
def own_cases(request: Any, campaign: str, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the own cases, the newest first."""
    player = player_for(request, campaign)
    rows = Probe.objects.filter(player=player).order_by("-tried", "pk")
    rulings: dict[str, Ruling] = {}

    def say(row: Probe) -> shapes.Played:
        row.player, row.campaign = player, player.campaign
        return played_said(row, rulings.get(row.pk))

    part = rows[page.offset : page.offset + page.limit]
    rulings |= Ruling.objects.in_bulk([row.pk for row in part])
    return paged(rows, page, say)


@router.post("{campaign}/cases", auth=_WRITE, response=shapes.Played)
def try_case(request: Any, campaign: str, body: Body[Tried]) -> shapes.Played:
    """Try a case on the model. Needs an Idempotency-Key: sent again, it is the same case."""
    player, key = player_for(request, campaign), key_of(request)
    row = Probe.objects.filter(player=player, key=key).first()  # sent again: that is no second try
    if row is None:
        row = services.try_out_case(player.campaign, player, body.case, key, address_of(request))
    if row.case != services.check_case(player.campaign.classifier, body.case):
        raise ProblemError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "idempotency-key",
            f"the {HEADER} {key!r} belongs to another case; give this one a new key",
        )
    return _said(_own(player, row.pk))


@router.get("{campaign}/cases/{case}", auth=_READ, response=shapes.Played)
def own_case(request: Any, campaign: str, case: str) -> shapes.Played:
    """Say what the model says of a case, what it would bring, and what judges ruled."""
    return _said(_own(player_for(request, campaign), case))


@router.get("{campaign}/cases/{case}/image", auth=_READ, response=shapes.Picture)
def own_image(request: Any, campaign: str, case: str) -> shapes.Picture:
    """Return the image that an own case is."""
    player = player_for(request, campaign)
    return picture_said(player.campaign_id, _own(player, case).case)


@router.post("{campaign}/cases/{case}/submit", auth=_WRITE, response=shapes.Played)
def submit_case(request: Any, campaign: str, case: str) -> shapes.Played:
    """Submit a tried case; the second time changes nothing."""
    player = player_for(request, campaign)
    row = _own(player, case)
    if row.submitted is None:
        try:
            services.submit(player, row)
        except RuleError as error:
            if error.rule != "submitted-before":
                raise
    return _said(_own(player, case))


@router.post("{campaign}/cases/{case}/drop", auth=_WRITE, response=shapes.Played)
def drop_case(request: Any, campaign: str, case: str) -> shapes.Played:
    """Put a tried case aside; nothing is submitted."""
    player = player_for(request, campaign)
    services.drop(_own(player, case))
    return _said(_own(player, case))


@router.post("{campaign}/cases/{case}/appeal", auth=_WRITE, response=shapes.Played)
def appeal_case(request: Any, campaign: str, case: str, body: Body[Appeal]) -> shapes.Played:
    """Appeal against a ruling, once; until the organiser decides, it stands."""
    player = player_for(request, campaign)
    services.appeal(player.campaign_id, _own(player, case).pk, player, body.why)
    return _said(_own(player, case))
