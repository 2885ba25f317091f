"""Notifications: what a policy does by itself goes to its owners' endpoints."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.urls import reverse

from askpoint.live.events import Event, event_kind
from askpoint.reports.live.events import event_text
from askpoint.server.deployments.incident_records import IncidentRecord
from askpoint.server.deployments.models import Deployment, Incident, Policy
from askpoint.server.webhooks.services import announce

__all__ = ["incident_page", "notify_appeal", "notify_owners"]


def notify_owners(
    row: Deployment, policy: Policy, events: Iterable[Event], incident: Incident | None = None
) -> None:
    """Put what owners must know into the outbox, within the transaction of what happened.

    With an open incident its number and page go with it, and never what stands in cases.
    """
    page = incident_page(row, incident)
    for event in events:
        record = event_kind(event.kind)
        if webhook := record.webhook:
            counted = "" if incident is None or not record.closes else _count(row, policy, incident)
            owners = row.members.filter(role="owner").values_list("user_id", flat=True)
            data = {
                "classifier": row.pk,
                "title": row.title,
                "incident": None if incident is None else incident.number,
                "page": page,
                "policy": policy.number,
                "decision": event.seq,
                "what": event_text(event),
                "count": counted,
                "numbers": dict(event.numbers),
            }
            announce(row.workspace_id, webhook, list(owners), data)


def notify_appeal(row: Deployment, reviewer: str) -> None:
    """Tell the owners that a reviewer appealed, within its transaction: neither the case nor the reason goes out."""
    page = f"{settings.ASKPOINT.address}{reverse('unsettled', args=[row.pk])}"
    owners = row.members.filter(role="owner").values_list("user_id", flat=True)
    data = {"classifier": row.pk, "title": row.title, "page": page, "what": f"by {reviewer}"}
    announce(row.workspace_id, "case.appealed", list(owners), {**data, "reviewer": reviewer})


def _count(row: Deployment, policy: Policy, incident: Incident) -> str:
    """How many wrong answers went out, as the page of the incident says it."""
    incident.deployment, incident.policy = row, policy
    return IncidentRecord(incident).count_text


def incident_page(row: Deployment, incident: Incident | None) -> str:
    """Return the address of the page that tells of it: of the incident, or of the classifier."""
    path = reverse("classifier", args=[row.pk])
    if incident is not None:
        path = reverse("incident", args=[row.pk, incident.number])
    return f"{settings.ASKPOINT.address}{path}"
