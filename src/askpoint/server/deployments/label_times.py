"""How long people take: from the moments of their votes.

That takes several queries, so the background process measures it and pages read what it wrote: the column
`Deployment.label_seconds`. Whoever decides holds the lock of that row, and only the background waits for it.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import groupby, pairwise
from statistics import median

from django.db.models.functions import Coalesce

from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.models import Deployment
from askpoint.server.labelling.models import Case, Remark, Vote

__all__ = ["measure_label_times", "seconds_of_a_label"]

_LATELY = 500  # votes
_AWAY = timedelta(minutes=5)  # after so long a pause somebody did something else
_FEWEST = 20


def measure_label_times() -> int:
    """Keep how long a label takes for each classifier where that changed; return for how many it did."""
    changed = 0
    for row in Deployment.objects.filter(archived=None, adopted__gt=0):
        seconds = seconds_of_a_label(row)
        if seconds != row.label_seconds:
            changed += Deployment.objects.filter(pk=row.pk).update(label_seconds=seconds)
    return changed


def seconds_of_a_label(row: Deployment) -> float | None:
    """Return the median time between two cases of one person, labelled or left unsure; None while there are few."""
    cases = Case.objects.filter(queue=queue_of(row.pk))
    labelled = cases.exclude(labelled=None).order_by("-labelled").values_list("pk", flat=True)
    lately = list(labelled[:_LATELY])  # those of the queue alone: votes are found by no queue
    votes = Vote.objects.filter(case__in=lately).order_by("-pk")
    moments = votes.annotate(pressed=Coalesce("said", "at"))
    looks = [*moments.values_list("reviewer", "pressed")[:_LATELY]]
    for some in (lately, cases.filter(labelled=None)):
        unsure = Remark.objects.filter(case__in=some).exclude(reason="")
        looks += unsure.order_by("-pk").values_list("reviewer", "at")[:_LATELY]
    said = sorted(looks)
    gaps = []
    for _, part in groupby(said, lambda one: one[0]):
        moments = [at for _, at in part]
        gaps += [
            (later - earlier).total_seconds()
            for earlier, later in pairwise(moments)
            if later - earlier <= _AWAY
        ]
    return median(gaps) if len(gaps) >= _FEWEST else None
