"""Waiting cases go to the owners' labelling tools, which asked for them by a webhook of their own.

Only what waits for a label is sent: never an answer that nobody checks, and never what the model says. A
delivery names its cases; what stands in them is read when it goes out, so what was labelled or
deleted meanwhile is not sent.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q

from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.models import Deployment, Pushed
from askpoint.server.deployments.queue import classes_of
from askpoint.server.webhooks.delivery import fill
from askpoint.server.webhooks.models import Delivery, Endpoint
from askpoint.server.webhooks.services import tell

__all__ = ["push_waiting"]

_KIND = "case.waiting"
_TOGETHER = 20
_ON_THE_WAY = 10  # deliveries to one endpoint: more waits here, where it can be labelled meanwhile


def push_waiting() -> int:
    """Put what came since into the outbox of each endpoint that wants it; how many cases."""
    count = 0
    for endpoint in Endpoint.objects.filter(active=True, owner__is_active=True):
        if _KIND in endpoint.events:
            owned = Deployment.within(endpoint.workspace_id).filter(
                members__user=endpoint.owner_id, members__role="owner", adopted__gt=0, archived=None
            )
            for row in owned:
                count += _push(endpoint, row)
    return count


@transaction.atomic
def _push(endpoint: Endpoint, row: Deployment) -> int:
    Pushed.objects.get_or_create(endpoint=endpoint, deployment=row)
    place = Pushed.objects.select_for_update().get(endpoint=endpoint, deployment=row)
    on_the_way = Delivery.objects.filter(endpoint=endpoint, kind=_KIND, state="waiting").count()
    waiting = waiting_cases(row).filter(state="open")
    if place.opened is not None:
        later = Q(opened__gt=place.opened) | Q(opened=place.opened, pk__gt=place.case)
        waiting = waiting.filter(later, opened__gte=place.opened)
    found = list(waiting.order_by("opened", "pk").values_list("opened", "pk")[:_TOGETHER])
    if not found or on_the_way >= _ON_THE_WAY:
        return 0
    tell([endpoint], _KIND, {"classifier": row.pk, "cases": [case for _, case in found]})
    place.opened, place.case = found[-1]
    place.save(update_fields=["opened", "case"])
    return len(found)


def _fill(data: dict[str, Any]) -> dict[str, Any]:
    row = Deployment.objects.get(pk=data["classifier"])
    waiting = waiting_cases(row).filter(pk__in=data["cases"])
    cases = [
        {"key": one.key, "case": one.content, "opened": one.opened.isoformat()}
        for one in waiting.filter(content__isnull=False).order_by("opened", "pk")
    ]
    return {"classifier": row.pk, "labels": classes_of(row), "cases": cases}


fill(_KIND, _fill)
