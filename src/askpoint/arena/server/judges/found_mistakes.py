"""What players found in the campaigns that share a classifier's queue: where it is sure and wrong."""

from __future__ import annotations

from typing import Any, NamedTuple

from askpoint.arena.game.family import is_new_find
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.judges.shared_campaigns import guests_of
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.server.deployments.models import Deployment

__all__ = ["Find", "Finds", "finds_of"]

_NEWEST = 10


class Find(NamedTuple):
    """A case that a player found, what the model said of it, and what judges ruled."""

    case: Any
    decision: str
    truth: str


class Finds(NamedTuple):
    """What players found in a campaign.

    Attributes
    ----------
    campaign : str
        Its title.
    judged, found, repeats : int
        Cases that judges ruled on; errors of the kind that is sought; errors that repeat an earlier one.
    share : Interval or None
        95% interval of found among judged: of cases as players bring them, not of the stream.
    newest : list of Find
        The newest of the errors found, ten at most.
    """

    campaign: str
    judged: int
    found: int
    repeats: int
    share: Interval | None
    newest: list[Find]


def finds_of(row: Deployment) -> list[Finds]:
    """Return what players found in each campaign of a classifier's queue."""
    return [_finds(campaign) for campaign in guests_of(row)]


def _finds(campaign: Campaign) -> Finds:
    rows = Probe.objects.filter(campaign=campaign, state="judged").select_related("player__user")
    judged = [(probe_of(one), one) for one in rows.order_by("-submitted")]
    errors = [(probe, one) for probe, one in judged if probe.prize.found]
    found = [one for probe, one in errors if is_new_find(probe)]
    return Finds(
        campaign.title,
        len(judged),
        len(found),
        len(errors) - len(found),
        binomial_interval(len(found), len(judged)) if judged else None,
        [Find(one.case, one.decision, str(one.truth)) for one in found[:_NEWEST]],
    )
