"""The cases of a classifier that people label."""

from __future__ import annotations

from django.db.models import QuerySet

from askpoint.server.deployments.models import Deployment
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.queues import queue_key

__all__ = ["KIND", "cases_of", "queue_of", "waiting_cases"]

KIND = "classifier"
"""Of its queue."""


def queue_of(deployment: str) -> str:
    """Return the name of a classifier's queue."""
    return queue_key(KIND, deployment)


def cases_of(row: Deployment) -> QuerySet[Case]:
    """Return the cases of a classifier, gold cases too."""
    return Case.objects.filter(queue=queue_of(row.pk))


def waiting_cases(row: Deployment) -> QuerySet[Case]:
    """Return the decided cases that wait for a label."""
    return cases_of(row).filter(labelled=None, purpose__in=("asked", "audit"))
