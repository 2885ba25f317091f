"""The cases of a classifier that people label."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from django.db.models import Count, QuerySet

from askpoint.live.canonical import canonical_json
from askpoint.server.deployments.models import Deployment
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.queues import queue_key

__all__ = [
    "KIND",
    "cases_in",
    "cases_of",
    "content_text",
    "count_waiting",
    "queue_of",
    "waiting_cases",
]

_EXACT = (
    1e15  # from here on a float may be written with an exponent, which `jsonb` makes an integer
)

KIND = "classifier"
"""Of its queue."""


def queue_of(deployment: str) -> str:
    """Return the name of a classifier's queue."""
    return queue_key(KIND, deployment)


def cases_of(row: Deployment, keys: Iterable[str] | None = None) -> QuerySet[Case]:
    """Return the cases of a classifier, gold cases too; or those of some keys, by the index of keys."""
    return cases_in(queue_of(row.pk), keys)


def cases_in(queue: str, keys: Iterable[str] | None = None) -> QuerySet[Case]:
    """Return the cases of a queue, or those of some keys.

    The index of keys leaves out cases without one, so it is used only where a query says that it wants none of these.
    """
    rows = Case.objects.filter(queue=queue)
    return rows if keys is None else rows.filter(key__in=list(keys)).exclude(key="")


def waiting_cases(row: Deployment) -> QuerySet[Case]:
    """Return the decided cases that wait for a label; of an archived classifier none does."""
    rows = cases_of(row) if row.archived is None else Case.objects.none()
    return rows.filter(labelled=None, purpose__in=("asked", "audit"))


def count_waiting(rows: Sequence[Deployment]) -> dict[str, int]:
    """Return how many cases of each classifier wait for a label, in one query."""
    names = {queue_of(row.pk): row.pk for row in rows if row.archived is None}
    waiting = Case.objects.filter(
        queue__in=names, labelled=None, purpose__in=("asked", "audit")
    ).values_list("queue")
    return {names[queue]: n for queue, n in waiting.annotate(Count("pk")).order_by()}


def content_text(content: Any) -> str | None:
    """Return what stands for the content of a case in its digest: a text as it is, all else as canonical JSON.

    Numbers are written as the database gives them back, so that they can be compared later.
    """
    if content is None or isinstance(content, str):
        return content
    return canonical_json(_normalise(content))


def _normalise(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _normalise(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_normalise(one) for one in value]
    if isinstance(value, float) and math.isfinite(value):
        if abs(value) >= _EXACT:
            return int(Decimal(repr(value)))
        return value + 0.0  # of -0.0 there is none
    return value
