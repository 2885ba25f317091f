"""Finds beside the nearest earlier ones: opened when a find is ruled; what judges said, and of whom too often."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from askpoint.arena.game.family import is_new_find
from askpoint.arena.game.nearness import EarlierFind, nearest_finds
from askpoint.arena.game.probe import ProbeState
from askpoint.arena.game.same_finds import NEW, is_repeating, is_surely_repeating
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.probes.records import probe_of
from askpoint.arena.server.rulings.models import Comparison
from askpoint.server.classifiers.cases import case_text

__all__ = ["OwnRepeats", "is_compared", "open_comparison", "own_repeats", "uncompared_finds"]

_OF_OTHERS = 500  # finds of other players that are looked through, the newest


class OwnRepeats(NamedTuple):
    """How many finds of a player judges have taken for own earlier ones, of how many that they compared."""

    same: int
    compared: int

    @property
    def too_many(self) -> bool:
        """Whether that is no chance."""
        return is_repeating(self.same, self.compared)

    @property
    def surely(self) -> bool:
        """Whether that is so rare that without the organiser's word these finds pay nothing."""
        return is_surely_repeating(self.same, self.compared)


def open_comparison(campaign: Campaign, probe: ProbeState, at: datetime) -> None:
    """Have a new find compared with the nearest ones, whichever came first; nothing where there is no other.

    Nor where its award is final: nobody is asked for an answer that changes no pay.
    """
    if probe.final or not is_new_find(probe) or not terms_of(campaign.terms).holds_awards:
        return
    if campaign.kind == "tags" or campaign.classifier.cases not in ("text", "page"):
        return
    if Comparison.objects.filter(pk=probe.id).exists():
        return
    rows = Probe.objects.filter(campaign=campaign, state="judged", place__in=("first", "waits"))
    rows = rows.exclude(pk=probe.id).exclude(family=probe.family).order_by("-submitted")
    rows = rows.select_related("player__user")
    own = rows.filter(player__user__username=probe.player)
    others = rows.exclude(player__user__username=probe.player)[:_OF_OTHERS]
    finds = [
        EarlierFind(row.pk, case_text(row.case), row.player.user.username)
        for row in (*own, *others)
        if probe_of(row).prize.found
    ]
    if finds:
        text = case_text(Probe.objects.get(pk=probe.id).case)
        shown = [find.id for find in nearest_finds(text, probe.player, finds)]
        Comparison.objects.create(probe_id=probe.id, campaign=campaign, shown=shown, at=at)


def uncompared_finds(campaign: Campaign) -> frozenset[str]:
    """Return the finds of a campaign of which judges have not said all that is asked."""
    rows = Comparison.objects.filter(campaign=campaign, answer="")
    return frozenset(rows.values_list("pk", flat=True))


def is_compared(probe: ProbeState, uncompared: Collection[str]) -> bool:
    """Tell whether judges have said all that is asked of a find, given those of which they have not."""
    return not (is_new_find(probe) and probe.id in uncompared)


def own_repeats(campaign: Campaign, player: str) -> OwnRepeats:
    """Return how many finds of a player judges took for own earlier ones."""
    rows = Comparison.objects.filter(campaign=campaign, probe__player__user__username=player)
    answers = list(rows.exclude(answer="").values_list("answer", flat=True))
    same = Probe.objects.filter(pk__in=set(answers) - {NEW}, player__user__username=player)
    own = set(same.values_list("pk", flat=True))
    return OwnRepeats(sum(answer in own for answer in answers), len(answers))
