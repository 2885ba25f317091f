"""Submitted cases join the families that they repeat: in the background, and before anybody rules on one.

Nobody waits for the comparison of prints who submits; the order of rulings changes nobody's pay, so a case may join later.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.services import lock_campaign
from askpoint.arena.server.probes.families import families_of
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.moves import join_cases, join_own_families

__all__ = ["campaigns_to_compare", "compare_submissions", "compare_with_earlier"]

_AT_A_TIME = 50


def _waiting(**of: object) -> QuerySet[Probe]:
    return Probe.objects.filter(print_compared=False, submitted__isnull=False, **of)


def campaigns_to_compare() -> list[str]:
    """Return the campaigns in which submitted cases wait for the comparison."""
    return list(_waiting().order_by().values_list("campaign", flat=True).distinct())


def compare_submissions(campaign: str) -> None:
    """Let all submitted cases of a campaign that wait for it join their families."""
    row = Campaign.objects.get(pk=campaign)
    rows = _waiting(campaign=row).order_by("submitted").select_related("player__user")
    while batch := list(rows[:_AT_A_TIME]):
        heads = {probe.pk: _heads(row, probe) for probe in batch}
        with transaction.atomic():
            locked = lock_campaign(campaign)
            left = _waiting(pk__in=list(heads)).order_by(
                "submitted"
            )  # a judge may have been faster
            for probe in left.select_related("player"):
                _join(locked, probe, heads[probe.pk])
            left.update(print_compared=True)


def compare_with_earlier(campaign: Campaign, case: str) -> None:
    """Let one case join its family, unless that was done. The caller holds the campaign."""
    waiting = _waiting(campaign=campaign, pk=case)
    probe = waiting.select_related("player__user").first()
    if probe is not None:
        _join(campaign, probe, _heads(campaign, probe))
        waiting.update(print_compared=True)


def _heads(campaign: Campaign, probe: Probe) -> list[str]:
    name = probe.player.user.username
    return families_of(campaign).find_repeats(probe.case, probe.print, name, probe.submitted)


def _join(campaign: Campaign, probe: Probe, heads: list[str]) -> None:
    if not heads:
        return
    if probe.family == probe.pk:
        first = Probe.objects.values_list("family", flat=True).get(pk=heads[0])
        if _moves_others(campaign, probe, first):
            join_cases(campaign, first, probe.pk)
        else:  # however large the family is
            Probe.objects.filter(pk=probe.pk).update(family=first)
    join_own_families(campaign, probe.player, heads)


def _moves_others(campaign: Campaign, probe: Probe, first: str) -> bool:
    """Tell whether others come with a case that nobody ruled on, or came before it in the family that it joins."""
    members = Probe.objects.filter(campaign=campaign, submitted__isnull=False)
    mine = members.filter(family=probe.pk).exclude(pk=probe.pk)
    later = members.filter(family=first, state="judged", submitted__gt=probe.submitted)
    return mine.exists() or later.exists()
