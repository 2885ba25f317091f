"""From rows to what the API says of them, role by role."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, TypeVar

from django.http import Http404

import askpoint.server.api.shapes as shapes
from askpoint.arena.game.probe import feedback_on
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import campaign_of, terms_of
from askpoint.arena.server.campaigns.services import budget_left
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.players.words import rules_of, why
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.arena.server.rulings.models import Ruling
from askpoint.server.classifiers.cases import image_of
from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.living import standing_of
from askpoint.server.deployments.models import Deployment
from askpoint.server.images.services import content_of

__all__ = [
    "campaign_said",
    "case_said",
    "classifier_said",
    "paged",
    "payout_said",
    "picture_said",
    "played_said",
    "ruling_said",
]

_T = TypeVar("_T")


def paged(rows: Any, page: shapes.Page, say: Callable[[Any], _T]) -> dict[str, Any]:
    """Return the part of a list or a query that was asked for."""
    count = len(rows) if isinstance(rows, list) else rows.count()
    part = rows[page.offset : page.offset + page.limit]
    return {"items": [say(row) for row in part], "count": count}


def campaign_said(row: Campaign, role: str) -> shapes.Campaign:
    """Say what a role sees of a campaign."""
    terms = terms_of(row.terms)
    plays, runs = role != "judge", role == "organiser"
    return shapes.Campaign(
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
        reserved=balance_of(LedgerAccount("reserved", campaign_of(row).id)) if runs else None,
    )


def played_said(row: Probe, ruling: Ruling | None) -> shapes.Played:
    """Say what a player sees of the own case."""
    terms, probe = terms_of(row.campaign.terms), probe_of(row)
    feedback = feedback_on(terms, probe)
    prizes = dict(zip(probe.options, probe.prizes, strict=True))
    shown = feedback is not None and not row.reason
    ends = ruling.ruled_at + terms.appeal_window if ruling and ruling.ruled_at else None
    return shapes.Played(
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


def _votes(ruling: Ruling | None) -> list[shapes.Vote]:
    return [
        shapes.Vote(judge=vote.judge, choice=vote.choice, at=vote.at, void=vote.void)
        for vote in (ruling.votes.all() if ruling is not None else ())
    ]


def case_said(row: Probe, ruling: Ruling | None) -> shapes.Case:
    """Say what an organiser sees of a case; prefetch the ruling's votes."""
    return shapes.Case(
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
        votes=_votes(ruling),
    )


def ruling_said(row: Ruling) -> shapes.Ruled:
    """Say what an organiser sees of a ruling; prefetch its votes."""
    return shapes.Ruled(
        id=row.pk,
        kind=row.kind,
        case=row.case,
        state=row.state,
        options=list(row.options),
        answer=row.answer,
        opened=row.opened,
        ruled_at=row.ruled_at,
        reserved=row.reserved,
        votes=_votes(row),
    )


def picture_said(campaign: str, case: Any) -> shapes.Picture:
    """Return the image that a case is, with its content; what is none, or deleted, is not there."""
    image = image_of(case)
    row = None if image is None else content_of(campaign, image["sha256"])
    if row is None:
        raise Http404
    return shapes.Picture(
        kind=row.kind,
        width=row.width,
        height=row.height,
        data=base64.b64encode(row.content).decode(),
    )


def payout_said(row: Payout) -> shapes.Payout:
    """Say where a payout stands."""
    return shapes.Payout(
        id=row.pk,
        payee=row.payee,
        cents=row.cents,
        points=row.points,
        state=row.state,
        planned=row.planned,
        at=row.at,
        reference=row.reference,
    )


def classifier_said(row: Deployment) -> shapes.Classifier:
    """Say how a classifier in use stands."""
    found = standing_of(row)
    document, state = (None, None) if found is None else (found.document, found.state)
    return shapes.Classifier(
        id=row.pk,
        title=row.title,
        mode=row.mode,
        share=row.share,
        policy=None if document is None else document.id,
        hash=None if document is None else document.digest,
        classes=[] if document is None else list(document.model["classes"]),
        model_version="" if document is None else document.model.get("version", ""),
        threshold=None if state is None or state.waiting else state.threshold,
        waiting=state is not None and state.waiting,
        decided=0 if state is None else state.decided,
        answered=0 if state is None else state.answered,
        asked=0 if state is None else state.asked,
        audited=0 if state is None else state.audited,
        to_label=waiting_cases(row).count(),
    )
