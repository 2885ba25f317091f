"""What an organiser's program does: read campaigns, cases, rulings and ledger; fund, open, decide."""

from __future__ import annotations

from typing import Any, Literal

from django.db.models import Q, QuerySet
from django.http import Http404
from ninja import Body, Query, Router

import askpoint.arena.server.campaigns.services as services
from askpoint.arena.game.transaction import LedgerTransaction
from askpoint.arena.server.api.access import campaign_for
from askpoint.arena.server.api.serializers import (
    serialize_campaign,
    serialize_image,
    serialize_payout,
    serialize_ruling,
    serialize_submitted_case,
)
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.judges.services import forget_image as take_away
from askpoint.arena.server.ledger.models import Posting
from askpoint.arena.server.ledger.services import transactions
from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.pools import run_by
from askpoint.arena.wire.campaign_cases import (
    ImageFile,
    OrganiserRuling,
    RulingStatus,
    SubmittedCase,
)
from askpoint.arena.wire.campaigns import CampaignStatus, FundsChange, StateChange
from askpoint.arena.wire.points import PayoutStatus, PostedEntry, PostedTransaction
from askpoint.server.accounts.models import User
from askpoint.server.api.access import Bearer
from askpoint.server.api.idempotency import answer_once, read_key
from askpoint.server.api.paging import Page, Paged, paginate
from askpoint.server.classifiers.cases import image_of

__all__ = [
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


def _campaigns(request: Any) -> QuerySet[Campaign]:
    rows = run_by(request.user).select_related("classifier")
    return rows.filter(pk=request.auth.resource) if request.auth.resource else rows


@router.get("", auth=_READ, response=Paged[CampaignStatus])
def runs(request: Any, page: Query[Page]) -> dict[str, Any]:
    """List the campaigns that you organise or watch, newest first."""
    rows = _campaigns(request).order_by("-made", "pk")
    return paginate(rows, page, lambda row: serialize_campaign(row, "organiser"))


@router.get("{campaign}", auth=_READ, response=CampaignStatus)
def run_campaign(request: Any, campaign: str) -> CampaignStatus:
    """Return the state of a campaign."""
    return serialize_campaign(campaign_for(request, campaign), "organiser")


@router.post("{campaign}/state", auth=_WRITE, response=CampaignStatus)
def change_state(request: Any, campaign: str, body: Body[StateChange]) -> Any:
    """Open or close a campaign. Needs an Idempotency-Key."""
    row = campaign_for(request, campaign)

    def work() -> CampaignStatus:
        services.change_state(row.pk, "open" if body.state == "open" else "close")
        return serialize_campaign(campaign_for(request, campaign), "organiser")

    return answer_once(request, work)


@router.post("{campaign}/funds", auth=_WRITE, response=CampaignStatus)
def change_funds(request: Any, campaign: str, body: Body[FundsChange]) -> Any:
    """Add to the budget, or remove from it. Needs an Idempotency-Key."""
    row = campaign_for(request, campaign)

    def work() -> CampaignStatus:
        key = f"api/{request.user.pk}/{read_key(request)}"
        services.fund(row.pk, body.points, key, request.user)
        return serialize_campaign(campaign_for(request, campaign), "organiser")

    return answer_once(request, work)


@router.get("{campaign}/cases", auth=_READ, response=Paged[SubmittedCase])
def cases(request: Any, campaign: str, page: Query[Page], waiting: bool = False) -> dict[str, Any]:
    """List the submitted cases, newest first; with `waiting`, those that wait for a decision."""
    row = campaign_for(request, campaign)
    rows = Probe.objects.filter(campaign=row).exclude(submitted=None)
    if waiting:
        held = Ruling.objects.filter(campaign=row, state__in=["referred", "appealed"])
        rows = rows.filter(pk__in=held.values("pk"))
    rows = rows.select_related("player__user").order_by("-submitted", "pk")
    keys = [case.pk for case in rows[page.offset : page.offset + page.limit]]
    rulings = Ruling.objects.prefetch_related("votes").in_bulk(keys)
    return paginate(rows, page, lambda case: serialize_submitted_case(case, rulings.get(case.pk)))


def _find_content(row: Campaign, name: str) -> Any:
    probes = Probe.objects.filter(campaign=row, pk=name).exclude(submitted=None)
    return probes.values_list("case", flat=True).first()


def _find_case(row: Campaign, name: str) -> SubmittedCase:
    probes = Probe.objects.filter(campaign=row, pk=name).exclude(submitted=None)
    probe = probes.select_related("player__user").first()
    if probe is None:
        raise Http404
    return serialize_submitted_case(
        probe, Ruling.objects.prefetch_related("votes").filter(pk=name).first()
    )


@router.get("{campaign}/cases/{case}", auth=_READ, response=SubmittedCase)
def submitted_case(request: Any, campaign: str, case: str) -> SubmittedCase:
    """Return a submitted case in full, with its votes."""
    return _find_case(campaign_for(request, campaign), case)


@router.get("{campaign}/cases/{case}/image", auth=_READ, response=ImageFile)
def submitted_image(request: Any, campaign: str, case: str) -> ImageFile:
    """Return the image of a submitted case."""
    row = campaign_for(request, campaign)
    return serialize_image(row.pk, _find_content(row, case))


@router.post("{campaign}/cases/{case}/image/delete", auth=_WRITE, response=SubmittedCase)
def forget_image(request: Any, campaign: str, case: str) -> SubmittedCase:
    """Permanently delete the image of a submitted case; repeating the request changes nothing."""
    row = campaign_for(request, campaign)
    image = image_of(_find_content(row, case))
    if image is None:
        raise Http404
    take_away(row.pk, image["sha256"])
    return _find_case(row, case)


@router.get("{campaign}/rulings", auth=_READ, response=Paged[RulingStatus])
def rulings(
    request: Any,
    campaign: str,
    page: Query[Page],
    state: Literal["open", "referred", "ruled", "appealed", "final"] | None = None,
) -> dict[str, Any]:
    """List the cases that judges rule on, submitted or drawn, in the order of the queue."""
    rows = Ruling.objects.filter(campaign=campaign_for(request, campaign)).exclude(purpose="gold")
    rows = rows.filter(state=state) if state else rows
    return paginate(rows.prefetch_related("votes").order_by("opened", "pk"), page, serialize_ruling)


@router.post("{campaign}/rulings/{case}", auth=_WRITE, response=RulingStatus)
def decide(request: Any, campaign: str, case: str, body: Body[OrganiserRuling]) -> Any:
    """Decide a referred or appealed case; that is final. Needs an Idempotency-Key."""
    row = campaign_for(request, campaign)

    def work() -> RulingStatus:
        decide_case_of(row.pk, case, body.choice)
        return serialize_ruling(Ruling.objects.prefetch_related("votes").get(pk=case))

    return answer_once(request, work)


@router.get("{campaign}/ledger", auth=_READ, response=Paged[PostedTransaction])
def ledger(request: Any, campaign: str, page: Query[Page]) -> dict[str, Any]:
    """List a campaign's transactions in their order; the entries of each sum to zero."""
    row = campaign_for(request, campaign)
    rows = Posting.objects.filter(campaign=row.pk).order_by("at", "pk")
    keys = list(rows.values_list("pk", flat=True)[page.offset : page.offset + page.limit])
    items = [
        _serialize_transaction(posted) for posted in transactions(row.workspace_id, pk__in=keys)
    ]
    return {"items": items, "count": rows.count()}


def _serialize_transaction(posted: LedgerTransaction) -> PostedTransaction:
    return PostedTransaction(
        key=posted.key,
        at=posted.at,
        about=posted.about,
        reverses=posted.reverses,
        entries=[
            PostedEntry(account=str(account), points=points) for account, points in posted.entries
        ],
    )


@router.get("{campaign}/payouts", auth=_READ, response=Paged[PayoutStatus])
def payouts(request: Any, campaign: str, page: Query[Page]) -> dict[str, Any]:
    """List the payouts of those who play or judge in a campaign, newest first."""
    row = campaign_for(request, campaign)
    there = User.objects.filter(Q(plays__campaign=row) | Q(standings__judge__campaign=row))
    rows = Payout.within(row.workspace).filter(payee__in=there.values("username"))
    rows = rows.order_by("-planned", "pk")
    return paginate(rows, page, serialize_payout)
