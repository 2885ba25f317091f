"""What a judge's program does: claim a case, vote, skip, give it back."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from ninja import Body, Query, Router

import askpoint.arena.server.judges.services as services
from askpoint.arena.server.api.access import judge_for
from askpoint.arena.server.api.serializers import serialize_campaign, serialize_image
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.judges.comparing import answer_find
from askpoint.arena.server.judges.find_questions import find_question
from askpoint.arena.server.rulings.models import Judge
from askpoint.arena.wire.campaign_cases import (
    FindAnswer,
    FindQuestion,
    FindToCompare,
    ImageFile,
)
from askpoint.arena.wire.campaigns import CampaignStatus
from askpoint.errors import RuleError
from askpoint.server.api.access import Bearer
from askpoint.server.api.paging import Page, Paged, paginate
from askpoint.server.labelling.models import Claim, Vote
from askpoint.wire.review import CaseChoice, CaseReturn, ClaimedCase, HeldCase

__all__ = [
    "answer_find_question",
    "cast_vote",
    "claim_case",
    "find_to_compare",
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


def _lease(judge: Judge) -> Claim | None:
    services.check_pool(judge)
    leases = Claim.objects.select_related("case").filter(
        reviewer=judge.user.username,
        until__gt=timezone.now(),
        said=None,
        case__queue=judge.queue,
    )
    return leases.first()


def _serialize_held(judge: Judge) -> HeldCase:
    lease = _lease(judge)
    if lease is None:
        return HeldCase(held=None)
    case = lease.case
    held = ClaimedCase(id=case.pk, case=case.content, options=list(case.options), until=lease.until)
    return HeldCase(held=held)


@router.get("", auth=_READ, response=Paged[CampaignStatus])
def judges(request: Any, page: Query[Page]) -> dict[str, Any]:
    """List the campaigns in which you judge."""
    rows = Campaign.objects.filter(judges__user=request.user).select_related("classifier")
    rows = rows.filter(pk=request.auth.resource) if request.auth.resource else rows
    return paginate(
        rows.order_by("-made", "pk"), page, lambda row: serialize_campaign(row, "judge")
    )


@router.get("{campaign}", auth=_READ, response=CampaignStatus)
def judged_campaign(request: Any, campaign: str) -> CampaignStatus:
    """Return what judges decide by, and what a vote pays."""
    return serialize_campaign(judge_for(request, campaign).campaign, "judge")


@router.get("{campaign}/case", auth=_READ, response=HeldCase)
def held_case(request: Any, campaign: str) -> HeldCase:
    """Return the case that you hold."""
    return _serialize_held(judge_for(request, campaign))


@router.get("{campaign}/case/image", auth=_READ, response=ImageFile)
def held_image(request: Any, campaign: str) -> ImageFile:
    """Return the image of the case that you hold."""
    judge = judge_for(request, campaign)
    lease = _lease(judge)
    return serialize_image(judge.campaign_id, None if lease is None else lease.case.content)


@router.post("{campaign}/claim", auth=_WRITE, response=HeldCase)
def claim_case(request: Any, campaign: str) -> HeldCase:
    """Claim the next case of the queue; if you hold one, you get the same case."""
    judge = judge_for(request, campaign)
    services.claim(judge.campaign_id, judge.user.username)
    return _serialize_held(judge)


@router.post("{campaign}/vote", auth=_WRITE, response=HeldCase)
def cast_vote(request: Any, campaign: str, body: Body[CaseChoice]) -> HeldCase:
    """Vote on the case that you hold; the same vote again changes nothing."""
    judge = judge_for(request, campaign)
    try:
        services.vote(judge.campaign_id, judge.user.username, body.case, body.choice)
    except RuleError as error:
        mine = Vote.objects.filter(case=body.case, reviewer=judge.user.username).first()
        if error.rule != "second-vote" or mine is None or mine.choice != body.choice:
            raise
    return _serialize_held(judge)


@router.post("{campaign}/skip", auth=_WRITE, response=HeldCase)
def skip_case(request: Any, campaign: str, body: Body[CaseReturn]) -> HeldCase:
    """Skip the case permanently; skips are counted and limited."""
    judge = judge_for(request, campaign)
    services.skip(judge.campaign_id, judge.user.username, body.case)
    return _serialize_held(judge)


@router.post("{campaign}/rest", auth=_WRITE, response=HeldCase)
def give_case_back(request: Any, campaign: str, body: Body[CaseReturn]) -> HeldCase:
    """Give the case back to the queue."""
    judge = judge_for(request, campaign)
    services.rest(judge.campaign_id, judge.user.username, body.case)
    return _serialize_held(judge)


def _serialize_question(judge: Judge) -> FindQuestion:
    found = find_question(judge)
    if found is None:
        return FindQuestion(asked=None)
    return FindQuestion(asked=FindToCompare(case=found.case, text=found.text, others=found.texts))


@router.get("{campaign}/find", auth=_READ, response=FindQuestion)
def find_to_compare(request: Any, campaign: str) -> FindQuestion:
    """Return the find that you are asked to compare, and the finds next to it."""
    return _serialize_question(judge_for(request, campaign))


@router.post("{campaign}/find", auth=_WRITE, response=FindQuestion)
def answer_find_question(request: Any, campaign: str, body: Body[FindAnswer]) -> FindQuestion:
    """Say whether a find is new or the same as another one; returns the next question."""
    judge = judge_for(request, campaign)
    answer_find(judge.campaign_id, judge.user.username, body.case, str(body.same))
    return _serialize_question(judge)
