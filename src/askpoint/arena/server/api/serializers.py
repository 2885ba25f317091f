"""From rows to the wire types of campaigns, role by role."""

from __future__ import annotations

import base64
from typing import Any

from django.http import Http404

from askpoint.arena.game.probe import feedback_on
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import campaign_of, terms_of
from askpoint.arena.server.campaigns.services import budget_left
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.players.words import rules_of, why
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.wire.campaign_cases import (
    ImageFile,
    JudgeVote,
    OwnCase,
    RulingStatus,
    SubmittedCase,
)
from askpoint.arena.wire.campaigns import CampaignStatus
from askpoint.arena.wire.points import PayoutStatus
from askpoint.server.classifiers.cases import image_of
from askpoint.server.images.services import content_of

__all__ = [
    "serialize_campaign",
    "serialize_image",
    "serialize_own_case",
    "serialize_payout",
    "serialize_ruling",
    "serialize_submitted_case",
]


def serialize_campaign(row: Campaign, role: str) -> CampaignStatus:
    """Return what a role sees of a campaign."""
    terms = terms_of(row.terms)
    plays, runs = role != "judge", role == "organiser"
    return CampaignStatus(
        id=row.pk,
        title=row.title,
        state=row.state,
        classes=list(terms.classes),
        warning=row.warning,
        vote=terms.pay.vote,
        wanted=row.wanted if plays else None,
        rules=rules_of(terms) if plays else None,
        guide=row.guide if role != "player" else None,
        features=list(row.classifier.features) if plays else None,
        most=terms.most_promised if plays else None,
        budget=budget_left(row) if runs else None,
        reserved=balance_of(row.workspace_id, campaign_of(row).reserved) if runs else None,
    )


def serialize_own_case(row: Probe, ruling: Ruling | None) -> OwnCase:
    """Return what a player sees of the own case."""
    terms, probe = terms_of(row.campaign.terms), probe_of(row)
    feedback = feedback_on(terms, probe)
    prizes = dict(zip(probe.options, probe.prizes, strict=True))
    shown = feedback is not None and not row.reason
    ends = ruling.ruled_at + terms.appeal_window if ruling and ruling.ruled_at else None
    return OwnCase(
        id=row.pk,
        case=row.case,
        state=row.state,
        reason=row.reason,
        tried=row.tried,
        submitted=row.submitted,
        decision=feedback.decision if feedback else None,
        confidence=feedback.confidence if feedback else None,
        points={name: prize.points + terms.pay.base for name, prize in prizes.items()}
        if shown
        else None,
        why=why(terms, feedback, prizes) if feedback and shown else [],
        ruling=None if ruling is None else ruling.state,
        truth=row.truth,
        awarded=row.awarded,
        appeal_until=ends if ruling is not None and ruling.state == "ruled" else None,
    )


def _serialize_votes(ruling: Ruling | None) -> list[JudgeVote]:
    return [
        JudgeVote(judge=vote.reviewer, choice=vote.choice, at=vote.at, void=vote.void)
        for vote in (ruling.votes.all() if ruling is not None else ())
    ]


def serialize_submitted_case(row: Probe, ruling: Ruling | None) -> SubmittedCase:
    """Return what an organiser sees of a case; prefetch the ruling's votes."""
    return SubmittedCase(
        id=row.pk,
        player=row.player.user.username,
        case=row.case,
        state=row.state,
        tried=row.tried,
        submitted=row.submitted,
        probabilities=dict(zip(row.options, row.probabilities, strict=bool(row.probabilities))),
        decision=row.decision,
        model=row.model,
        family=row.family,
        place=row.place,
        ruling=None if ruling is None else ruling.state,
        appeal="" if ruling is None else ruling.appeal,
        truth=row.truth,
        awarded=row.awarded,
        votes=_serialize_votes(ruling),
    )


def serialize_ruling(row: Ruling) -> RulingStatus:
    """Return what an organiser sees of a ruling; prefetch its votes."""
    return RulingStatus(
        id=row.pk,
        kind=row.purpose,
        case=row.content,
        state=row.state,
        options=list(row.options),
        answer=row.answer,
        opened=row.opened,
        ruled_at=row.ruled_at,
        reserved=row.reserved,
        votes=_serialize_votes(row),
    )


def serialize_image(campaign: str, case: Any) -> ImageFile:
    """Return the image that a case is, with its content; what is none, or deleted, is not there."""
    image = image_of(case)
    row = None if image is None else content_of(campaign, image["sha256"])
    if row is None:
        raise Http404
    return ImageFile(
        kind=row.kind,
        width=row.width,
        height=row.height,
        data=base64.b64encode(row.content).decode(),
    )


def serialize_payout(row: Payout) -> PayoutStatus:
    """Return how a payout stands."""
    return PayoutStatus(
        id=row.pk,
        workspace=row.workspace_id,
        payee=row.payee,
        cents=row.cents,
        points=row.points,
        state=row.state,
        planned=row.planned,
        at=row.at,
        reference=row.reference,
    )
