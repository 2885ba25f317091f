"""What a judge's program does: claim a case, vote, skip, give it back."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from ninja import Body, Query, Router, Schema

import askpoint.arena.server.judges.services as services
import askpoint.server.api.shapes as shapes
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.rulings.models import Judge, Lease, Vote
from askpoint.errors import RuleError
from askpoint.server.api.access import Bearer, judge_for
from askpoint.server.api.saying import campaign_said, paged, picture_said

__all__ = [
    "Back",
    "Choice",
    "Claim",
    "cast_vote",
    "claim_case",
    "give_case_back",
    "held_case",
    "held_image",
    "judged_campaign",
    "judges",
    "router",
    "skip_case",
]

router = Router(tags=["judges"])

_READ = Bearer("judge")
_WRITE = Bearer("judge", scope="write")


class Claim(Schema):
    """The case that one holds; null where none waits."""

    held: shapes.Held | None


class Choice(shapes.Given):
    """A vote on the case that one holds."""

    case: str
    choice: str


class Back(shapes.Given):
    """The case that is given back."""

    case: str


def _lease(judge: Judge) -> Lease | None:
    services.check_pool(judge)
    leases = Lease.objects.select_related("ruling").filter(
        judge=judge.user.username,
        until__gt=timezone.now(),
        ruling__campaign=judge.campaign_id,
    )
    return leases.first()


def _held(judge: Judge) -> Claim:
    lease = _lease(judge)
    if lease is None:
        return Claim(held=None)
    case = lease.ruling
    held = shapes.Held(id=case.pk, case=case.case, options=list(case.options), until=lease.until)
    return Claim(held=held)


@router.get("", auth=_READ, response=shapes.Paged[shapes.Campaign])
def judges(request: Any, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the campaigns in which one judges."""
    rows = Campaign.objects.filter(judges__user=request.user).select_related("classifier")
    rows = rows.filter(pk=request.auth.campaign) if request.auth.campaign else rows
    return paged(rows.order_by("-made", "pk"), page, lambda row: campaign_said(row, "judge"))


@router.get("{campaign}", auth=_READ, response=shapes.Campaign)
def judged_campaign(request: Any, campaign: str) -> shapes.Campaign:
    """Say what judges go by, and what a vote brings."""
    return campaign_said(judge_for(request, campaign).campaign, "judge")


@router.get("{campaign}/case", auth=_READ, response=Claim)
def held_case(request: Any, campaign: str) -> Claim:
    """Say which case one holds."""
    return _held(judge_for(request, campaign))


@router.get("{campaign}/case/image", auth=_READ, response=shapes.Picture)
def held_image(request: Any, campaign: str) -> shapes.Picture:
    """Return the image that the case one holds is."""
    judge = judge_for(request, campaign)
    lease = _lease(judge)
    return picture_said(judge.campaign_id, None if lease is None else lease.ruling.case)


@router.post("{campaign}/claim", auth=_WRITE, response=Claim)
def claim_case(request: Any, campaign: str) -> Claim:
    """Claim the next case of the queue; who holds one is given the same again."""
    judge = judge_for(request, campaign)
    services.claim(judge.campaign_id, judge.user.username)
    return _held(judge)


@router.post("{campaign}/vote", auth=_WRITE, response=Claim)
def cast_vote(request: Any, campaign: str, body: Body[Choice]) -> Claim:
    """Vote on the case that one holds; the same vote again changes nothing."""
    judge = judge_for(request, campaign)
    try:
        services.vote(judge.campaign_id, judge.user.username, body.case, body.choice)
    except RuleError as error:
        mine = Vote.objects.filter(ruling=body.case, judge=judge.user.username).first()
        if error.rule != "second-vote" or mine is None or mine.choice != body.choice:
            raise
    return _held(judge)


@router.post("{campaign}/skip", auth=_WRITE, response=Claim)
def skip_case(request: Any, campaign: str, body: Body[Back]) -> Claim:
    """Give the case back for good; skips are counted and limited."""
    judge = judge_for(request, campaign)
    services.skip(judge.campaign_id, judge.user.username, body.case)
    return _held(judge)


@router.post("{campaign}/rest", auth=_WRITE, response=Claim)
def give_case_back(request: Any, campaign: str, body: Body[Back]) -> Claim:
    """Give the case back to the queue."""
    judge = judge_for(request, campaign)
    services.rest(judge.campaign_id, judge.user.username, body.case)
    return _held(judge)
