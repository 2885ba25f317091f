"""Rows and the game's own tags; and what a ruling makes of them."""

from __future__ import annotations

import askpoint.arena.server.probes.models as models
from askpoint.arena.game.challenge import ItemTag, settle_tag
from askpoint.arena.game.probe import ProbeState

__all__ = ["settle_challenge", "store_tag", "tag_of"]


def tag_of(row: models.Tag) -> ItemTag:
    """Return the game's tag; players know an item by its number."""
    return ItemTag(str(row.number), row.label, row.holder, row.at, row.challenge, row.before)


def store_tag(row: models.Tag, tag: ItemTag) -> None:
    """Keep what changed."""
    row.label, row.holder, row.at = tag.label, tag.holder, tag.at
    row.challenge, row.before = tag.challenge, tag.before
    row.save(update_fields=["label", "holder", "at", "challenge", "before"])


def settle_challenge(probe: ProbeState) -> None:
    """Give an item the label that was ruled the better one; the caller holds the campaign."""
    row = models.Tag.objects.get(challenges=probe.id)
    store_tag(row, settle_tag(tag_of(row), probe, max(row.at, probe.at)))
