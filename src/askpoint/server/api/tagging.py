"""What programs do in a tag challenge: list items, propose better labels, read what was ruled.

Judges and organisers rule on proposals as on any case: by ``judge/.../vote`` and
``run/.../rulings``.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import Http404
from ninja import Body, Field, Query, Router

import askpoint.server.api.shapes as shapes
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.probes.models import Probe, Tag
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.tags.bringing import LONGEST_LABEL
from askpoint.arena.server.tags.figures import proposed
from askpoint.arena.server.tags.services import propose
from askpoint.server.accounts.access import address_of
from askpoint.server.api.access import Bearer, campaign_for, player_for
from askpoint.server.api.keys import HEADER, key_of
from askpoint.server.api.problems import ProblemError
from askpoint.server.api.saying import paged

__all__ = [
    "Better",
    "items",
    "own_proposals",
    "players",
    "proposals",
    "propose_label",
    "run_items",
    "runners",
]

players = Router(tags=["players"])
runners = Router(tags=["organisers"])


class Better(shapes.Given):
    """A better label."""

    label: Annotated[str, Field(max_length=LONGEST_LABEL)]


def _challenge(campaign: Campaign) -> Campaign:
    if campaign.kind != "tags":
        raise Http404
    return campaign


def _proposals(**which: Any) -> QuerySet[Probe]:
    rows = Probe.objects.filter(challenge__isnull=False, **which)
    return rows.select_related("challenge__tag", "player__user").order_by("-submitted", "pk")


def _said(row: Probe) -> shapes.Proposal:
    ruling = Ruling.objects.filter(pk=row.pk).only("state").first()
    return shapes.Proposal(
        id=row.pk,
        player=row.player.user.username,
        number=row.challenge.tag.number,
        item=row.challenge.tag.item,
        against=row.decision,
        label=proposed(row),
        submitted=row.submitted,
        ruling=None if ruling is None else ruling.state,
        preferred=row.truth,
        awarded=row.awarded,
    )


def _state(row: Tag) -> str:
    if not row.label:
        return "untagged"
    return "challenged" if row.challenge else "as-tagged" if row.label == row.first else "replaced"


@players.get("{campaign}/items", auth=Bearer("player"), response=shapes.Paged[shapes.Item])
def items(request: Any, campaign: str, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the items of a tag challenge with their labels, in their order."""
    rows = _challenge(player_for(request, campaign).campaign).tags.exclude(label="")
    name = request.user.username

    def say(row: Tag) -> shapes.Item:
        own = row.holder == name
        return shapes.Item(
            number=row.number, item=row.item, label=row.label, state=_state(row), own=own
        )

    return paged(rows, page, say)


@players.get("{campaign}/proposals", auth=Bearer("player"), response=shapes.Paged[shapes.Proposal])
def own_proposals(request: Any, campaign: str, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the own proposals in a tag challenge, the newest first."""
    player = player_for(request, campaign)
    _challenge(player.campaign)
    return paged(_proposals(player=player), page, _said)


@players.post(
    "{campaign}/items/{number}/proposals",
    auth=Bearer("player", scope="write"),
    response=shapes.Proposal,
)
def propose_label(request: Any, campaign: str, number: int, body: Body[Better]) -> shapes.Proposal:
    """Propose a better label for an item; it is submitted at once. Needs an Idempotency-Key."""
    player, key = player_for(request, campaign), key_of(request)
    _challenge(player.campaign)
    row = propose(player, min(max(number, 0), 2**31 - 1), body.label, key, address_of(request))
    said = _said(_proposals(pk=row.pk).get())
    if (said.number, said.label) != (number, " ".join(body.label.split())):
        raise ProblemError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "idempotency-key",
            f"the {HEADER} {key!r} belongs to another request; give this one a new key",
        )
    return said


@runners.get("{campaign}/items", auth=Bearer("organiser"), response=shapes.Paged[shapes.RunItem])
def run_items(request: Any, campaign: str, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the items with their labels, the machine's too, and whose they are."""

    def say(row: Tag) -> shapes.RunItem:
        return shapes.RunItem(
            number=row.number,
            item=row.item,
            label=row.label or None,
            state=_state(row),
            first=row.first or None,
            holder=row.holder or None,
            proposal=row.challenge or None,
        )

    return paged(_challenge(campaign_for(request, campaign)).tags.all(), page, say)


@runners.get(
    "{campaign}/proposals", auth=Bearer("organiser"), response=shapes.Paged[shapes.Proposal]
)
def proposals(request: Any, campaign: str, page: Query[shapes.Page]) -> dict[str, Any]:
    """List all proposals in a tag challenge, the newest first, with what judges preferred."""
    row = _challenge(campaign_for(request, campaign))
    return paged(_proposals(campaign=row), page, _said)
