"""What programs do in a tag challenge: list items, propose better labels, read what was ruled.

Judges and organisers rule on proposals as on any case: by ``judge/.../vote`` and
``run/.../rulings``.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from ninja import Body, Query, Router

from askpoint.arena.server.api.access import campaign_for, player_for
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.probes.models import Probe, Tag
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.tags.figures import challenge_label
from askpoint.arena.server.tags.services import propose
from askpoint.arena.wire.tags import LabelProposal, OrganiserTagItem, ProposedLabel, TagItem
from askpoint.server.accounts.access import address_of
from askpoint.server.api.access import Bearer
from askpoint.server.api.idempotency import HEADER, read_key
from askpoint.server.api.paging import Page, Paged, paginate
from askpoint.server.api.problems import ProblemError

__all__ = [
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


def _challenge(campaign: Campaign) -> Campaign:
    if campaign.kind != "tags":
        raise Http404
    return campaign


def _proposals(**which: Any) -> QuerySet[Probe]:
    rows = Probe.objects.filter(challenge__isnull=False, **which)
    return rows.select_related("challenge__tag", "player__user").order_by("-submitted", "pk")


def _serialize_proposal(row: Probe) -> LabelProposal:
    ruling = Ruling.objects.filter(pk=row.pk).only("state").first()
    return LabelProposal(
        id=row.pk,
        player=row.player.user.username,
        number=row.challenge.tag.number,
        item=row.challenge.tag.item,
        against=row.decision,
        label=challenge_label(row),
        submitted=row.submitted,
        ruling=None if ruling is None else ruling.state,
        preferred=row.truth,
        awarded=row.awarded,
    )


def _state(row: Tag) -> str:
    if not row.label:
        return "untagged"
    return "challenged" if row.challenge else "as-tagged" if row.label == row.first else "replaced"


@players.get("{campaign}/items", auth=Bearer("player"), response=Paged[TagItem])
def items(request: Any, campaign: str, page: Query[Page]) -> dict[str, Any]:
    """List the items of a tag challenge with their labels, in their order."""
    rows = _challenge(player_for(request, campaign).campaign).tags.exclude(label="")
    name = request.user.username

    def serialize(row: Tag) -> TagItem:
        own = row.holder == name
        return TagItem(
            number=row.number, item=row.item, label=row.label, state=_state(row), own=own
        )

    return paginate(rows, page, serialize)


@players.get("{campaign}/proposals", auth=Bearer("player"), response=Paged[LabelProposal])
def own_proposals(request: Any, campaign: str, page: Query[Page]) -> dict[str, Any]:
    """List your proposals in a tag challenge, newest first."""
    player = player_for(request, campaign)
    _challenge(player.campaign)
    return paginate(_proposals(player=player), page, _serialize_proposal)


@players.post(
    "{campaign}/items/{number}/proposals",
    auth=Bearer("player", scope="write"),
    response=LabelProposal,
)
def propose_label(
    request: Any, campaign: str, number: int, body: Body[ProposedLabel]
) -> LabelProposal:
    """Propose a better label for an item; it is submitted at once. Needs an Idempotency-Key."""
    player, key = player_for(request, campaign), read_key(request)
    _challenge(player.campaign)
    row = propose(player, min(max(number, 0), 2**31 - 1), body.label, key, address_of(request))
    proposal = _serialize_proposal(_proposals(pk=row.pk).get())
    if (proposal.number, proposal.label) != (number, " ".join(body.label.split())):
        raise ProblemError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "idempotency-key",
            f"the {HEADER} {key!r} belongs to another request; give this one a new key",
        )
    return proposal


@runners.get("{campaign}/items", auth=Bearer("organiser"), response=Paged[OrganiserTagItem])
def run_items(request: Any, campaign: str, page: Query[Page]) -> dict[str, Any]:
    """List the items with their labels, the machine's too, and who gave each label."""

    def serialize(row: Tag) -> OrganiserTagItem:
        return OrganiserTagItem(
            number=row.number,
            item=row.item,
            label=row.label or None,
            state=_state(row),
            first=row.first or None,
            holder=row.holder or None,
            proposal=row.challenge or None,
        )

    return paginate(_challenge(campaign_for(request, campaign)).tags.all(), page, serialize)


@runners.get("{campaign}/proposals", auth=Bearer("organiser"), response=Paged[LabelProposal])
def proposals(request: Any, campaign: str, page: Query[Page]) -> dict[str, Any]:
    """List all proposals in a tag challenge, newest first, with what judges preferred."""
    row = _challenge(campaign_for(request, campaign))
    return paginate(_proposals(campaign=row), page, _serialize_proposal)
