"""Contents that are older than their owner keeps them: they go, and decision records and labels stay."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from askpoint.labelling.case import GOLD
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.labelling import forget
from askpoint.server.deployments.models import Deployment
from askpoint.server.journal.services import note
from askpoint.server.labelling.blind_queue import OPINION

__all__ = ["delete_old_contents"]

_AT_ONCE = 500  # contents, while the lock of the classifier is held
_MOST = 100  # times for each classifier; the rest goes the next time


def delete_old_contents(now: datetime | None = None) -> int:
    """Delete the contents of all classifiers that are older than their owners keep them; return how many there were."""
    deleted = 0
    for row in Deployment.objects.exclude(keep_days=None):
        oldest = (now or timezone.now()) - timedelta(days=row.keep_days)
        for _ in range(_MOST):
            some = _delete_some(row, oldest)
            deleted += some
            if not some:
                break
    return deleted


@transaction.atomic
def _delete_some(row: Deployment, oldest: datetime) -> int:
    old = cases_of(row).filter(opened__lt=oldest, content__isnull=False).exclude(key="")
    old = old.exclude(purpose__in=(GOLD, OPINION)).order_by("opened")
    keys = list(old.values_list("key", flat=True)[:_AT_ONCE])
    deleted = forget(row.pk, keys) if keys else 0
    if deleted:
        about = f"{deleted} contents older than {row.keep_days} days"
        note("content deleted", campaign=row.pk, about=about)
    return deleted
