"""Incidents: each alarm that sends every case to review gets a number and a page, and stays for ever."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Max

from askpoint.live.events import Event, event_kind
from askpoint.server.deployments.models import Deployment, Incident, Policy
from askpoint.server.deployments.notifications import notify_owners
from askpoint.server.jobs.services import add_job

__all__ = ["end_incidents", "follow_events", "open_incident"]


def open_incident(row: Deployment) -> Incident | None:
    """Return the incident that has not ended; at most one of a classifier."""
    return Incident.objects.filter(deployment=row, ended=None).order_by("-number").first()


def follow_events(
    row: Deployment, policy: Policy, events: Sequence[Event], now: datetime
) -> Incident | None:
    """Begin and end incidents by what a policy did, and tell its owners; in the transaction of what happened.

    A closing while another lasts is part of that one; only missing labels are a lesser matter than an alarm,
    which begins an incident of its own. An older version, whose late labels come in, changes none.

    Returns
    -------
    Incident or None
        The one that lasts now.
    """
    if not events:
        return None
    if policy.number != row.adopted:
        notify_owners(row, policy, events)
        return None
    lasting = open_incident(row)
    for event in events:
        record = event_kind(event.kind)
        if record.is_incident and (lasting is None or (record.closes and lasting.kind == _LESSER)):
            end_incidents(row, now)
            lasting = _begin(row, policy, event, now)
        elif record.answers and lasting is not None:
            end_incidents(row, now)
            lasting = None
        notify_owners(row, policy, [event], lasting)
    return lasting


_LESSER = "waiting"


def _begin(row: Deployment, policy: Policy, event: Event, now: datetime) -> Incident:
    newest = Incident.objects.filter(deployment=row).aggregate(newest=Max("number"))["newest"]
    add_job("regions", row.pk)
    return Incident.objects.create(
        deployment=row,
        number=(newest or 0) + 1,
        policy=policy,
        kind=event.kind,
        seq=event.seq,
        at=now,
    )


def end_incidents(row: Deployment, now: datetime, *, successor: int | None = None) -> None:
    """End what lasts: it decides again, or another version does."""
    Incident.objects.filter(deployment=row, ended=None).update(ended=now, successor=successor)
