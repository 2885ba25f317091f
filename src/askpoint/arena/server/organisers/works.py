"""What the background process does: one function for each kind of job."""

from __future__ import annotations

import numpy as np

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.examinations.services import answer_sample
from askpoint.arena.server.judges.services import expire_leases
from askpoint.arena.server.organisers.simulation import simulate
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.arena.server.probes.similar import learn, wait_to_learn
from askpoint.arena.server.tags.bringing import tag_items
from askpoint.server.deployments.raising import look_for_regions
from askpoint.server.deployments.renewing import renew
from askpoint.server.images.services import expire_images
from askpoint.server.jobs.services import add_job
from askpoint.server.reports.uploads import make_log_report

__all__ = ["ENOUGH", "WORKS", "simulate_campaign"]

ENOUGH = 20
"""Judged cases, before the simulated crowd is made to find like the players."""


def simulate_campaign(campaign: str) -> None:
    """Estimate what a campaign costs, and keep the answer beside it."""
    row = Campaign.objects.get(pk=campaign)
    rows = Probe.objects.filter(campaign=row, state="judged").select_related("player__user")
    judged = [probe_of(probe).prize.found for probe in rows]
    share = float(np.mean(judged)) if len(judged) >= ENOUGH else None
    found = simulate(terms_of(row.terms), np.random.default_rng(0), share)
    found["judged"] = len(judged)
    Campaign.objects.filter(pk=campaign).update(simulated=found)


def _learn(campaign: str) -> None:
    wait = wait_to_learn(campaign)
    if wait:
        add_job("learn", campaign, wait)
    else:
        learn(campaign)


def _expire(campaign: str) -> None:
    expire_leases(campaign)
    expire_images(campaign)


def _compare(examination: str) -> None:
    from askpoint.arena.server.examinations.findings import learn_from_both

    learn_from_both(examination)


WORKS = {
    "learn": _learn,
    "simulate": simulate_campaign,
    "expire": _expire,
    "answer": answer_sample,
    "compare": _compare,
    "tag": tag_items,
    "report": make_log_report,
    "renew": renew,
    "regions": look_for_regions,
}
"""By the kind of job."""
