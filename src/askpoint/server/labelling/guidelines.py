"""The guideline of a queue, and its versions."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from askpoint.errors import RuleError
from askpoint.labelling.guideline import Guideline, read_guideline
from askpoint.server.labelling.models import GuidelineVersion

__all__ = [
    "ShownGuideline",
    "add_version",
    "drop_examples",
    "guideline_of",
    "list_versions",
    "version_at",
]


class ShownGuideline(NamedTuple):
    """A version of a guideline as pages show it; `new` is what the one before did not say."""

    number: int
    at: datetime
    who: str
    text: Guideline
    new: frozenset[str]


def list_versions(queue: str) -> list[ShownGuideline]:
    """Return the versions of a queue's guideline, the newest first."""
    rows = list(GuidelineVersion.objects.filter(queue=queue).order_by("number"))
    texts = [read_guideline(row.text) for row in rows]
    shown = []
    for row, text, before in zip(rows, texts, [None, *texts], strict=False):
        new = frozenset() if before is None else text.texts - before.texts
        shown.append(ShownGuideline(row.number, row.at, row.who, text, new))
    return shown[::-1]


def guideline_of(queue: str) -> ShownGuideline | None:
    """Return what reviewers of a queue go by; None where nobody wrote it, or it was emptied."""
    rows = list(GuidelineVersion.objects.filter(queue=queue).order_by("-number")[:2])
    if not rows:
        return None
    text, *before = (read_guideline(row.text) for row in rows)
    new = frozenset[str]() if not before else text.texts - before[0].texts
    shown = ShownGuideline(rows[0].number, rows[0].at, rows[0].who, text, new)
    return None if text.is_empty else shown


def version_at(queue: str, at: datetime) -> int | None:
    """Return the number of the version that stood at a moment; None before the first."""
    rows = GuidelineVersion.objects.filter(queue=queue, at__lte=at).order_by("-number")
    return rows.values_list("number", flat=True).first()


def add_version(queue: str, who: str, text: Guideline, seen: int, now: datetime) -> int:
    """Keep a new version, unless it says what stands; under the queue's lock. Its number.

    Raises
    ------
    RuleError
        ``changed-meanwhile``, if another version than `seen` stands.
    """
    row = GuidelineVersion.objects.filter(queue=queue).order_by("-number").first()
    number = 0 if row is None else row.number
    if number != seen:
        raise RuleError(
            "changed-meanwhile",
            f"version {number} of the guideline came meanwhile: read it, and change that one",
        )
    if row is not None and read_guideline(row.text) == text:
        return number
    GuidelineVersion.objects.create(
        queue=queue, number=number + 1, who=who, text=text.to_json(), at=now
    )
    return number + 1


def drop_examples(queue: str, texts: Collection[str]) -> None:
    """Delete examples from all versions, as the cases of which they were made are deleted."""
    for row in GuidelineVersion.objects.filter(queue=queue):
        text = read_guideline(row.text)
        kept = text.drop_examples(texts)
        if kept != text:
            row.text = kept.to_json()
            row.save(update_fields=["text"])
