"""What an organiser's program does: read campaigns, cases, rulings and ledger; fund, open, decide."""

from __future__ import annotations

from typing import Any, Literal

from django.db.models import Q
from django.http import Http404
from ninja import Body, Field, Query, Router

import askpoint.arena.server.campaigns.services as services
import askpoint.server.api.shapes as shapes
from askpoint.arena.game.transaction import LedgerTransaction
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.judges.services import forget_image as take_away
from askpoint.arena.server.ledger.models import Posting
from askpoint.arena.server.ledger.services import transactions
from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.server.accounts.models import User
from askpoint.server.api.access import Bearer, campaign_for
from askpoint.server.api.keys import key_of, once
from askpoint.server.api.saying import (
    campaign_said,
    case_said,
    paged,
    payout_said,
    picture_said,
    ruling_said,
)
from askpoint.server.classifiers.cases import image_of

__all__ = [
    "Decision",
    "Funds",
    "State",
    "cases",
    "change_funds",
    "change_state",
    "decide",
    "forget_image",
    "ledger",
    "payouts",
    "router",
    "rulings",
    "run_campaign",
    "runs",
    "submitted_case",
    "submitted_image",
]

router = Router(tags=["organisers"])

_READ = Bearer("organiser")
_WRITE = Bearer("organiser", scope="write")
_MOST_POINTS = 10**12


class State(shapes.Given):
    """What becomes of a campaign."""

    state: Literal["open", "closed"]


class Funds(shapes.Given):
    """Points for the budget."""

    points: int = Field(
        ge=-_MOST_POINTS,
        le=_MOST_POINTS,
        description="More than 0 to add, less to take out of a campaign that is not open.",
    )


class Decision(shapes.Given):
    """The organiser's word on a case."""

    choice: str


def _campaigns(request: Any) -> Any:
    mine = Q(organiser=request.user) | Q(colleagues__user=request.user)
    rows = Campaign.objects.filter(mine).distinct().select_related("classifier")
    return rows.filter(pk=request.auth.campaign) if request.auth.campaign else rows


@router.get("", auth=_READ, response=shapes.Paged[shapes.Campaign])
def runs(request: Any, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the campaigns that one organises or watches, the newest first."""
    rows = _campaigns(request).order_by("-made", "pk")
    return paged(rows, page, lambda row: campaign_said(row, "organiser"))


@router.get("{campaign}", auth=_READ, response=shapes.Campaign)
def run_campaign(request: Any, campaign: str) -> shapes.Campaign:
    """Say how a campaign stands."""
    return campaign_said(campaign_for(request, campaign), "organiser")


@router.post("{campaign}/state", auth=_WRITE, response=shapes.Campaign)
def change_state(request: Any, campaign: str, body: Body[State]) -> Any:
    """Open or close a campaign. Needs an Idempotency-Key."""
    row = campaign_for(request, campaign)

    def work() -> shapes.Campaign:
        services.change_state(row.pk, "open" if body.state == "open" else "close")
        return campaign_said(campaign_for(request, campaign), "organiser")

    return once(request, work)


@router.post("{campaign}/funds", auth=_WRITE, response=shapes.Campaign)
def change_funds(request: Any, campaign: str, body: Body[Funds]) -> Any:
    """Add to the budget, or take out of it. Needs an Idempotency-Key."""
    row = campaign_for(request, campaign)

    def work() -> shapes.Campaign:
        services.fund(row.pk, body.points, f"api/{request.user.pk}/{key_of(request)}")
        return campaign_said(campaign_for(request, campaign), "organiser")

    return once(request, work)


@router.get("{campaign}/cases", auth=_READ, response=shapes.Paged[shapes.Case])
def cases(
    request: Any, campaign: str, page: Query[shapes.Page], waiting: bool = False
) -> dict[str, Any]:
    """List the submitted cases, the newest first; with `waiting`, those that wait for a decision."""
    row = campaign_for(request, campaign)
    rows = Probe.objects.filter(campaign=row).exclude(submitted=None)
    if waiting:
        held = Ruling.objects.filter(campaign=row, state__in=["referred", "appealed"])
        rows = rows.filter(pk__in=held.values("pk"))
    rows = rows.select_related("player__user").order_by("-submitted", "pk")
    keys = [case.pk for case in rows[page.offset : page.offset + page.limit]]
    rulings = Ruling.objects.prefetch_related("votes").in_bulk(keys)
    return paged(rows, page, lambda case: case_said(case, rulings.get(case.pk)))


def _content(row: Campaign, name: str) -> Any:
    found = Probe.objects.filter(campaign=row, pk=name).exclude(submitted=None)
    return found.values_list("case", flat=True).first()


def _case(row: Campaign, name: str) -> shapes.Case:
    found = Probe.objects.filter(campaign=row, pk=name).exclude(submitted=None)
    probe = found.select_related("player__user").first()
    if probe is None:
        raise Http404
    return case_said(probe, Ruling.objects.prefetch_related("votes").filter(pk=name).first())


@router.get("{campaign}/cases/{case}", auth=_READ, response=shapes.Case)
def submitted_case(request: Any, campaign: str, case: str) -> shapes.Case:
    """Say all about a submitted case, with its votes."""
    return _case(campaign_for(request, campaign), case)


@router.get("{campaign}/cases/{case}/image", auth=_READ, response=shapes.Picture)
def submitted_image(request: Any, campaign: str, case: str) -> shapes.Picture:
    """Return the image that a submitted case is."""
    row = campaign_for(request, campaign)
    return picture_said(row.pk, _content(row, case))


@router.post("{campaign}/cases/{case}/image/delete", auth=_WRITE, response=shapes.Case)
def forget_image(request: Any, campaign: str, case: str) -> shapes.Case:
    """Delete the image that a submitted case is, for good; the second time changes nothing."""
    row = campaign_for(request, campaign)
    image = image_of(_content(row, case))
    if image is None:
        raise Http404
    take_away(row.pk, image["sha256"])
    return _case(row, case)


@router.get("{campaign}/rulings", auth=_READ, response=shapes.Paged[shapes.Ruled])
def rulings(
    request: Any,
    campaign: str,
    page: Query[shapes.Page],
    state: Literal["open", "referred", "ruled", "appealed", "final"] | None = None,
) -> dict[str, Any]:
    """List what judges rule on, submitted and drawn cases alike, in the order of the queue."""
    rows = Ruling.objects.filter(campaign=campaign_for(request, campaign)).exclude(kind="gold")
    rows = rows.filter(state=state) if state else rows
    return paged(rows.prefetch_related("votes").order_by("opened", "pk"), page, ruling_said)


@router.post("{campaign}/rulings/{case}", auth=_WRITE, response=shapes.Ruled)
def decide(request: Any, campaign: str, case: str, body: Body[Decision]) -> Any:
    """Decide a referred or appealed case; that is final. Needs an Idempotency-Key."""
    row = campaign_for(request, campaign)

    def work() -> shapes.Ruled:
        decide_case_of(row.pk, case, body.choice)
        return ruling_said(Ruling.objects.prefetch_related("votes").get(pk=case))

    return once(request, work)


@router.get("{campaign}/ledger", auth=_READ, response=shapes.Paged[shapes.Transaction])
def ledger(request: Any, campaign: str, page: Query[shapes.Page]) -> dict[str, Any]:
    """List a campaign's transactions in their order; the entries of each sum to zero."""
    row = campaign_for(request, campaign)
    rows = Posting.objects.filter(campaign=row.pk).order_by("at", "pk")
    keys = list(rows.values_list("pk", flat=True)[page.offset : page.offset + page.limit])
    items = [_transaction(posted) for posted in transactions(pk__in=keys)]
    return {"items": items, "count": rows.count()}


def _transaction(posted: LedgerTransaction) -> shapes.Transaction:
    return shapes.Transaction(
        key=posted.key,
        at=posted.at,
        about=posted.about,
        reverses=posted.reverses,
        entries=[
            shapes.Entry(account=str(account), points=points) for account, points in posted.entries
        ],
    )


@router.get("{campaign}/payouts", auth=_READ, response=shapes.Paged[shapes.Payout])
def payouts(request: Any, campaign: str, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the payouts of those who play or judge in a campaign, the newest first."""
    row = campaign_for(request, campaign)
    there = User.objects.filter(Q(plays__campaign=row) | Q(judges__campaign=row))
    rows = Payout.objects.filter(payee__in=there.values("username")).order_by("-planned", "pk")
    return paged(rows, page, payout_said)
