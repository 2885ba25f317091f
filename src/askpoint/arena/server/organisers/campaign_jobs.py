"""What the background process does for campaigns."""

from __future__ import annotations

import numpy as np

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.judges.services import expire_claims
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.arena.server.probes.similar import learn, wait_to_learn
from askpoint.arena.server.rulings.held_pay import finish_pay
from askpoint.arena.server.rulings.repeats import campaigns_to_compare
from askpoint.server.images.services import expire_images
from askpoint.server.jobs.services import add_job

__all__ = ["ENOUGH", "expire", "expire_all", "learn_finds", "simulate_campaign"]

ENOUGH = 20
"""Judged cases, before the simulated crowd is made to find like the players."""


def simulate_campaign(campaign: str) -> None:
    """Estimate what a campaign costs, and keep the answer beside it."""
    from askpoint.arena.server.organisers.simulation import simulate  # loads scikit-learn

    row = Campaign.objects.get(pk=campaign)
    rows = Probe.objects.filter(campaign=row, state="judged").select_related("player__user")
    judged = [probe_of(probe).prize.found for probe in rows]
    share = float(np.mean(judged)) if len(judged) >= ENOUGH else None
    found = simulate(terms_of(row.terms), np.random.default_rng(0), share)
    found["judged"] = len(judged)
    Campaign.objects.filter(pk=campaign).update(simulated=found)


def learn_finds(campaign: str) -> None:
    """Learn what finds look like, or try again when it is due."""
    wait = wait_to_learn(campaign)
    if wait:
        add_job("learn", campaign, wait)
    else:
        learn(campaign)


def expire(campaign: str) -> None:
    """Give claims that have ended back to the queue, let pay go that is due, drop images that nobody sent."""
    expire_claims(campaign)
    finish_pay(campaign)
    expire_images(campaign)


def expire_all() -> None:
    """Queue that for every campaign that runs."""
    for key in Campaign.objects.exclude(state="draft").values_list("pk", flat=True):
        add_job("expire", key)
    for key in campaigns_to_compare():  # whose job a kill has lost
        add_job("repeats", key)
