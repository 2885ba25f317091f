"""Notifications of the Agent Approval Protocol: that a request is no longer open, to the program that made it.

Each waits from the moment of its request, due at the deadline; a decision makes it due at once.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime

from django.db import transaction
from django.utils import timezone

from askpoint.server.journal.services import note
from askpoint.server.licences.models import Agent, AgentInstance, ApprovalRequest
from askpoint.server.webhooks.delivery import Send, add_way, send_signed
from askpoint.server.webhooks.models import Delivery, Endpoint
from askpoint.server.webhooks.services import INSTANCE
from askpoint.server.workspaces.seals import unseal

__all__ = ["SECRET", "await_resolution", "remove_instance", "stamp", "tell_resolved"]

SECRET = "instance's signing secret"  # noqa: S105 - what is sealed by that name
"""Of a receiver, as it is sealed."""
_KIND = "request.resolved"


def stamp(at: datetime) -> str:
    """Return a moment as the protocol writes it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _body(row: ApprovalRequest, at: datetime) -> str:
    return json.dumps(
        {
            "id": row.pk.hex,
            "type": _KIND,
            "instance_id": str(row.instance_id),
            "request_id": str(row.pk),
            "created_at": stamp(at),
        }
    )


def await_resolution(row: ApprovalRequest) -> None:
    """Keep the notification of a request that waits for an approver, where its program wants one."""
    if row.instance is None or row.instance.endpoint is None or not row.instance.endpoint.active:
        return
    Delivery.objects.create(
        endpoint=row.instance.endpoint, event=row.pk.hex, kind=_KIND, body=_body(row, row.deadline),
        made=row.created, due=row.deadline,
    )  # fmt: skip


def tell_resolved(agent: Agent, keys: Iterable[str]) -> None:
    """Let the notifications of requests that were decided go out, within the transaction of what was decided."""
    names = [name for key in keys if (name := _name(key)) is not None]
    if not names:
        return
    now = timezone.now()
    rows = ApprovalRequest.objects.filter(
        agent=agent, pk__in=names, instance__endpoint__active=True
    )
    for row in rows.select_related("instance"):
        waiting = Delivery.objects.filter(
            endpoint=row.instance.endpoint_id, event=row.pk.hex, state="waiting", attempts=0
        )
        waiting.update(due=now, body=_body(row, now))


@transaction.atomic
def remove_instance(agent: str, name: str) -> None:
    """End a program's credential, and what it is told; once more changes nothing."""
    rows = AgentInstance.objects.select_related("token").filter(agent=agent, removed=None)
    row = next((one for one in rows if str(one.pk) == name), None)
    if row is None:
        return
    row.removed = row.token.revoked = timezone.now()
    row.token.save(update_fields=["revoked"])
    row.save(update_fields=["removed"])
    Endpoint.objects.filter(pk=row.endpoint_id).update(active=False)
    waiting = Delivery.objects.filter(endpoint=row.endpoint_id, state="waiting")
    waiting.update(state="dropped", due=None)
    note("instance removed", campaign=agent, about=row.name)


def _name(key: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(key)
    except ValueError:  # of an action that was proposed another way
        return None


def _post(row: Delivery, text: str, ask: Send) -> tuple[int | None, str]:
    instance = AgentInstance.objects.get(endpoint=row.endpoint_id)
    secret = unseal(row.endpoint.workspace_id, SECRET, bytes(instance.secret))
    return send_signed(row.endpoint.url, secret, row.event, text, ask).status, ""


add_way(INSTANCE, _post)
