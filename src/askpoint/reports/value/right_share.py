"""How often a model is right on the cases of its log, beside a gate's verdict: in words, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askpoint.answers.value.refusals import HeavyLabels, SelectiveLabels
from askpoint.answers.value.right_share import RightShare
from askpoint.reports.document import Block, Notice, Paragraph, Section
from askpoint.reports.objects import as_json
from askpoint.reports.value.odd_labels import origin_blocks
from askpoint.reports.verdicts import refusal_text
from askpoint.reports.words import plural, share_range

__all__ = ["right_share_object", "right_share_section"]


def right_share_section(found: RightShare, n_uncounted: int, seal: str | None) -> Section:
    """Return the section on the labels behind a verdict; `seal` is of the order in which cases are named."""
    return Section("The labels", tuple(_blocks(found, n_uncounted, seal)))


def _blocks(found: RightShare, n_uncounted: int, seal: str | None) -> Iterator[Block]:
    if isinstance(found.refusal, SelectiveLabels) and found.bounds is not None:
        yield Notice(
            "No number follows from these labels. If the person who chose them saw nothing but the confidence, the model is "
            f"right on {share_range(found.bounds)} of the cases: those at confidences without a label may all be "
            "right, or all wrong."
        )
    elif isinstance(found.refusal, HeavyLabels):
        yield Notice(f"Nothing follows from these labels: {refusal_text(found.refusal)}.")
    if n_uncounted:
        yield Notice(
            f"Counted: {plural(found.n_labels, 'label', 'labels')} that are first in the sealed order, so drawn "
            f"at random. {plural(n_uncounted, 'other does', 'others do')} not count: all together were not drawn "
            "with equal chances."
        )
    if found.refusal is None and found.selection is not None:
        yield from origin_blocks(found.selection, is_balanced=found.is_balanced)
    counted = plural(found.n_items, "case", "cases")
    yield Paragraph(
        f"{counted}, {plural(found.n_labels, 'label', 'labels')}. The model is right where its prediction is the "
        "label, and decides every case here; askpoint value says which it may decide alone."
    )
    if seal is not None:
        yield Paragraph(
            f"The cases to label next are in a random order that follows from the names of all cases (seal {seal}). "
            "Label them from the first one on: then anybody can see that nobody chose them."
        )


def right_share_object(found: RightShare, n_uncounted: int, seal: str | None) -> dict[str, Any]:
    """Return the same as JSON."""
    selection = found.selection
    return {
        "n_items": found.n_items,
        "n_labels": found.n_labels,
        "n_uncounted": n_uncounted,
        "right": found.value,
        "interval": as_json(found.interval),
        "bounds": as_json(found.bounds),
        "p_random": None if selection is None else selection.p_random,
        "is_refused": isinstance(found.refusal, SelectiveLabels),
        "is_balanced": found.is_balanced,
        "gaps": [list(gap) for gap in found.refusal.gaps]
        if isinstance(found.refusal, SelectiveLabels)
        else None,
        "seal": seal,
    }
