"""Items with their tags: read from a file, or tagged by the model in the background."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.services import lock_campaign
from askpoint.arena.server.examinations.samples import MOST_CASES, file_text, lines_of
from askpoint.arena.server.players.services import check_text
from askpoint.arena.server.probes.models import Tag
from askpoint.arena.wire.tags import LONGEST_LABEL
from askpoint.errors import InputError, ModelError, RuleError
from askpoint.server.classifiers.services import ask_many
from askpoint.server.jobs.services import add_job
from askpoint.server.journal.services import note
from askpoint.unknowns.duplicates import text_digest

__all__ = ["bring_items", "check_label", "read_items", "tag_items"]

_SLICE = 3.0  # seconds of one job, so that others get their turn
_AT_ONCE = 32
_AGAIN = timedelta(seconds=10)
_ITEM, _LABEL = ("item", "text", "case"), ("label", "tag")


def check_label(given: str) -> str:
    """Return a label as it is stored.

    Raises
    ------
    InputError
        If it is empty, longer than a line of 80 characters, or no text.
    """
    label = " ".join(check_text(given).split())
    if len(label) > LONGEST_LABEL:
        raise InputError(f"a label has at most {LONGEST_LABEL} characters; this has {len(label)}")
    return label


def read_items(name: str, content: bytes) -> list[tuple[str, str]]:
    """Return the items of a file and their labels; an empty label is for the model to give.

    Raises
    ------
    InputError
        If the file is none, or an item or a label is none; it names the line.
    """
    found: list[tuple[str, str]] = []
    for line, value in lines_of(*file_text(name, content)):
        try:
            found.append(_item(value))
        except InputError as error:
            raise InputError(f"line {line}: {error}") from None
    if not found:
        raise InputError("the file is empty: add one item per line")
    return found


def _item(value: Any) -> tuple[str, str]:
    if isinstance(value, str):
        return check_text(value), ""
    if not isinstance(value, dict):
        raise InputError(f"an item is a text, or an object with item and label; got {value!r:.60}")
    item = next((value[name] for name in _ITEM if name in value), None)
    if item is None:
        raise InputError(
            f"which column is the item? Name it {' or '.join(_ITEM)}; it has: "
            f"{', '.join(map(str, value))[:80]}"
        )
    label = next((value[name] for name in _LABEL if name in value), "") or ""
    return check_text(item), check_label(label) if str(label).strip() else ""


@transaction.atomic
def bring_items(campaign: str, items: list[tuple[str, str]]) -> int:
    """Add items to a tag challenge that is not closed; how many there are now.

    Raises
    ------
    RuleError
        ``not-tags`` or ``closed``.
    InputError
        If an item is there already, or there are too many.
    """
    row = lock_campaign(campaign)
    if row.kind != "tags":
        raise RuleError("not-tags", f"campaign {campaign} looks for cases, and has no tags")
    if row.state == "closed":
        raise RuleError("closed", f"campaign {campaign} is closed and takes no more items")
    seen = {text_digest(item) for item in row.tags.values_list("item", flat=True)}
    start, now = len(seen), timezone.now()
    if start + len(items) > MOST_CASES:
        raise InputError(
            f"a campaign has at most {MOST_CASES:,} items; {start:,} are there and "
            f"{len(items):,} came"
        )
    for item, _ in items:
        digest = text_digest(item)
        if digest in seen:
            raise InputError(f"this item is there already: {item[:60]!r}; leave it out")
        seen.add(digest)
    Tag.objects.bulk_create(
        Tag(campaign=row, number=number, item=item, first=label, label=label, at=now)
        for number, (item, label) in enumerate(items, start=start + 1)
    )
    if not all(label for _, label in items):
        add_job("tag", campaign)
    note("items brought", campaign=campaign, items=len(items))
    return start + len(items)


def tag_items(campaign: str) -> None:
    """Let the model tag what has no label, for a few seconds, and queue the rest: a job."""
    row = Campaign.objects.select_related("classifier").get(pk=campaign)
    ends = time.monotonic() + _SLICE
    while batch := list(row.tags.filter(label="")[:_AT_ONCE]):
        if time.monotonic() > ends:
            add_job("tag", campaign)
            return
        try:
            answers = ask_many(row.classifier, [tag.item for tag in batch])
        except ModelError:
            add_job("tag", campaign, _AGAIN)
            return
        for tag, answer in zip(batch, answers, strict=True):
            tag.label = tag.first = answer.decision[:LONGEST_LABEL]
        Tag.objects.bulk_update(batch, ["label", "first"])
