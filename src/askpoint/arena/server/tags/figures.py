"""A tag challenge in numbers and in files: which labels were replaced, and by whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import F

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.pseudonyms import Called, by_name
from askpoint.arena.server.probes.models import Probe, Tag

__all__ = ["COLUMNS", "TagFigures", "challenge_label", "challenges_of", "tag_figures", "tag_rows"]

COLUMNS = ("item", "text", "label", "first", "holder", "changed", "open", "history")
"""Of the CSV: one row for each item."""


class TagFigures(NamedTuple):
    """Items; those without a label yet, with another one than at first, challenged now, never."""

    items: int
    untagged: int
    replaced: int
    challenged: int
    untouched: int


def tag_figures(campaign: Campaign) -> TagFigures:
    """Count a campaign's items."""
    rows = campaign.tags
    return TagFigures(
        rows.count(),
        rows.filter(label="").count(),
        rows.exclude(label=F("first")).count(),
        rows.exclude(challenge="").count(),
        rows.filter(challenges=None).count(),
    )


def challenges_of(tag: Tag) -> list[Probe]:
    """Return the challenges of an item in their order."""
    rows = Probe.objects.filter(challenge__tag=tag).select_related("player__user")
    return list(rows.order_by("submitted", "pk"))


def tag_rows(campaign: Campaign, called: Called = by_name) -> Iterator[dict[str, Any]]:
    """Yield each item with its label now, the machine's, and what was proposed and ruled."""
    for tag in campaign.tags.all():
        yield {
            "item": tag.number,
            "text": tag.item,
            "label": tag.label,
            "first": tag.first,
            "holder": called(tag.holder) if tag.holder else tag.holder,
            "changed": tag.at.isoformat(),
            "open": bool(tag.challenge),
            "history": [
                {
                    "case_id": probe.pk,
                    "player": called(probe.player.user.username),
                    "against": probe.decision,
                    "proposed": challenge_label(probe),
                    "submitted": None if probe.submitted is None else probe.submitted.isoformat(),
                    "ruled": probe.truth,
                }
                for probe in challenges_of(tag)
            ],
        }


def challenge_label(probe: Probe) -> str:
    """Return the label that a challenge proposes."""
    return str(next(option for option in probe.options if option != probe.decision))
