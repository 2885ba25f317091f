"""What a policy does by itself is told to its owners' endpoints."""

from __future__ import annotations

from collections.abc import Iterable

from askpoint.live.state import Event
from askpoint.reports.live.events import event_text
from askpoint.server.deployments.models import Deployment, Policy
from askpoint.server.webhooks.services import announce

__all__ = ["tell_events"]

_KINDS = {
    "opened": "policy.opened",
    "resumed": "policy.opened",
    "alarm": "policy.closed",
    "gate": "policy.closed",
    "waiting": "policy.closed",
    "paused": "policy.closed",
    "people": "people.alarm",
}


def tell_events(row: Deployment, policy: Policy, events: Iterable[Event]) -> None:
    """Put what people must know into the outbox; called within the transaction of what happened."""
    for event in events:
        if event.kind in _KINDS:
            owners = row.members.filter(role="owner").values_list("user_id", flat=True)
            data = {
                "classifier": row.pk,
                "policy": policy.number,
                "decision": event.seq,
                "what": event_text(event),
                "numbers": dict(event.numbers),
            }
            announce(_KINDS[event.kind], list(owners), data)
