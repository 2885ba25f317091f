"""From rows to the wire types of classifiers in use."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from askpoint.server.api.models import Token
from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.incident_records import IncidentRecord
from askpoint.server.deployments.incidents import open_incident
from askpoint.server.deployments.models import CaseRuling, Deployment, Label
from askpoint.server.deployments.notifications import incident_page
from askpoint.server.deployments.second_opinions import OpinionSummary
from askpoint.server.deployments.state_lines import state_line_of
from askpoint.server.deployments.status_page import standing_of
from askpoint.wire.classifiers import ClassifierIncident, ClassifierState, ClassifierStatus
from askpoint.wire.labels import (
    DifferingOpinion,
    SecondOpinions,
    StoredLabel,
    StoredRuling,
    WaitingAppeal,
)
from askpoint.wire.token_account import TokenAccount

__all__ = [
    "serialize_account",
    "serialize_appeal",
    "serialize_classifier",
    "serialize_label",
    "serialize_opinions",
    "serialize_ruling",
]


def serialize_account(row: Token) -> TokenAccount:
    """Return whom a token stands for."""
    return TokenAccount(
        name=row.user.username,
        role=row.role,
        scope=row.scope,
        campaign=row.resource or None,
        expires=row.expires,
    )


def serialize_label(row: Label) -> StoredLabel:
    """Return a label as programs see it."""
    return StoredLabel(
        key=row.key,
        label=row.label,
        judge=row.judge,
        source=row.source,
        truth=row.truth,
        counts=row.counts,
        at=row.at,
    )


def serialize_classifier(row: Deployment) -> ClassifierStatus:
    """Say how a classifier in use stands."""
    standing = standing_of(row)
    document, state = (None, None) if standing is None else (standing.document, standing.state)
    return ClassifierStatus(
        id=row.pk,
        title=row.title,
        mode=row.mode,
        rollout=row.rollout,
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
        state=ClassifierState(**asdict(state_line_of(row))),
        incident=_serialize_incident(row),
    )


def _serialize_incident(row: Deployment) -> ClassifierIncident | None:
    incident = open_incident(row)
    if incident is None:
        return None
    record = IncidentRecord(incident)
    out = None if record.began is None else record.began.out
    return ClassifierIncident(
        number=incident.number,
        since=incident.at,
        page=incident_page(row, incident),
        count=record.count_text,
        wrong=None if out is None else out.estimate,
        wrong_range=None if out is None else list(out.interval),
    )


def serialize_opinions(found: OpinionSummary) -> SecondOpinions:
    """Return second opinions as programs see them."""
    return SecondOpinions(
        given=found.given,
        agreed=found.agreed,
        agreement=None if found.agreement is None else list(found.agreement),
        waiting=found.waiting,
        not_sure=found.not_sure,
        differing=[DifferingOpinion(**one._asdict()) for one in found.differing],
    )


def serialize_appeal(row: Any) -> WaitingAppeal:
    """Return an appeal, read by `appeals_with_labels`, as programs see it."""
    return WaitingAppeal(
        key=row.case.key,
        reviewer=row.reviewer,
        why=row.why,
        at=row.at,
        said=row.said or "",
        settled=row.settled or "",
    )


def serialize_ruling(row: CaseRuling) -> StoredRuling:
    """Return a ruling as programs see it."""
    return StoredRuling(key=row.key, label=row.label, why=row.why, who=row.who, at=row.at)
