"""Notifications: what a policy does by itself goes to its owners' endpoints."""

from __future__ import annotations

from collections.abc import Iterable

from askpoint.live.events import Event, event_kind
from askpoint.reports.live.events import event_text
from askpoint.server.deployments.models import Deployment, Policy
from askpoint.server.webhooks.services import announce

__all__ = ["notify_owners"]


def notify_owners(row: Deployment, policy: Policy, events: Iterable[Event]) -> None:
    """Put what owners must know into the outbox, within the transaction of what happened."""
    for event in events:
        webhook = event_kind(event.kind).webhook
        if webhook:
            owners = row.members.filter(role="owner").values_list("user_id", flat=True)
            data = {
                "classifier": row.pk,
                "policy": policy.number,
                "decision": event.seq,
                "what": event_text(event),
                "numbers": dict(event.numbers),
            }
            announce(row.workspace_id, webhook, list(owners), data)
