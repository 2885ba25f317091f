"""How long people take: from the moments of their votes."""

from __future__ import annotations

from datetime import timedelta
from itertools import groupby, pairwise
from statistics import median

from django.db.models.functions import Coalesce

from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.models import Deployment
from askpoint.server.labelling.models import Remark, Vote

__all__ = ["seconds_of_a_label"]

_LATELY = 500  # votes
_AWAY = timedelta(minutes=5)  # after so long a pause somebody did something else
_FEWEST = 20


def seconds_of_a_label(row: Deployment) -> float | None:
    """Return the median time between two cases of one person, labelled or left unsure; None while there are few."""
    votes = Vote.objects.filter(case__queue=queue_of(row.pk)).order_by("-pk")
    moments = votes.annotate(pressed=Coalesce("said", "at"))
    unsure = Remark.objects.filter(case__queue=queue_of(row.pk)).exclude(reason="")
    looks = [*moments.values_list("reviewer", "pressed")[:_LATELY]]
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
