"""Early notices: topics in which more errors are found than used to be, and a blind classifier."""

from __future__ import annotations

from typing import NamedTuple

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.arena.server.probes.similar import newest_floor
from askpoint.arena.server.rulings.models import Ruling
from askpoint.errors import NotEstimableError
from askpoint.server.classifiers.cases import case_text
from askpoint.unknowns.topic_drift import TopicDrift, watch_topics

__all__ = ["Drift", "drift_of", "noise_floor"]

_BLURRED = 0.8  # from here on most of what a find scores, everyday texts score, too


class Drift(NamedTuple):
    """What the watch says, or why it says nothing yet."""

    found: TopicDrift | None
    reason: str


def drift_of(row: Campaign) -> Drift:
    """Watch a campaign's judged cases in the order of their rulings."""
    if row.classifier.cases == "image":
        return Drift(None, "topics are recognised by words, and images have none")
    ruled = Ruling.objects.filter(campaign=row, purpose="submitted", ruled_at__isnull=False)
    order = list(ruled.order_by("ruled_at", "pk").values_list("pk", flat=True))
    probes = Probe.objects.select_related("player__user").in_bulk(order)
    judged = [probes[key] for key in order if probes[key].truth is not None]
    texts = [case_text(probe.case) for probe in judged]
    try:
        return Drift(watch_topics(texts, [probe_of(it).prize.found for it in judged]), "")
    except NotEstimableError as error:
        return Drift(None, str(error))


def noise_floor(row: Campaign) -> float | None:
    """Return what everyday texts score as finds, where that is too much to tell finds by."""
    floor = newest_floor(row)
    return floor if floor is not None and floor >= _BLURRED else None
