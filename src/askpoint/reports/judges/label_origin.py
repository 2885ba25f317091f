"""How labels were drawn, in words: refused, uneven, or in sealed order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.judges.gold.label_selection import LabelSelection, VoteStratum
from askpoint.measures.label_draws import ODD
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.objects import as_json
from askpoint.reports.words import amount, count, plural, rough, share_range

__all__ = ["label_origin_object", "origin_blocks", "refusal_blocks"]

_ASKED = 60
_SHOWN = 3


def refusal_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield why no number follows from selected labels, and which to give instead."""
    origin = answer.origin
    if not origin.is_refused or origin.selection is None:
        return
    yield Notice(
        f"These {plural(answer.n_gold, 'label', 'labels')} were not drawn at random, so no number follows from "
        f"them. {_gap(origin.selection)} Label {_ASKED} items that --propose {_ASKED} --random names, and add "
        "them to the same file."
    )
    yield Paragraph(
        f"If the person who chose them saw nothing but the votes, {answer.label} is the true label of "
        f"{share_range(origin.bounds[answer.label])}: items with votes like none that is labelled may all be "
        f"{answer.label}, or none."
    )


def origin_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield what is known of the draw of labels that do count."""
    origin = answer.origin
    if origin.n_left_out:
        yield Notice(
            f"Counted: {plural(origin.n_sealed, 'label', 'labels')} that are first in the sealed order, so drawn "
            f"at random. {plural(origin.n_left_out, 'other does', 'others do')} not count: they do not look like "
            "a random draw."
        )
    elif origin.selection is None:
        if origin.n_sealed:
            yield Paragraph(
                f"Drawn at random: the {plural(origin.n_sealed, 'label is', 'labels are')} the first in the "
                "sealed order."
            )
    elif origin.is_refused:
        return
    elif origin.selection.is_uneven:
        yield Paragraph(
            "The labels were not drawn with equal chances. Strata by votes are weighted for that, which is "
            "right if --propose named the items, or if the person who chose them saw nothing but the votes."
        )
    elif origin.selection.p_random < ODD:
        yield Paragraph(
            f"Labels drawn at random would rarely look like these (p {amount(origin.selection.p_random)}): "
            "were they?"
        )


def _gap(selection: LabelSelection) -> str:
    """Say which items have no label, or too few."""
    empty = sorted(
        (one for one in selection.strata if not one.n_labelled), key=lambda one: -one.n_items
    )
    if not empty:
        return "Their votes are not those of a random draw."
    named = "; ".join(
        f"the {plural(one.n_items, 'item', 'items')} {_where(one, selection.label)}"
        for one in empty[:_SHOWN]
    )
    left = len(empty) - _SHOWN
    more = f"; and {count(left)} more such groups" if left > 0 else ""
    return f"None of them is among {named}{more}."


def _where(stratum: VoteStratum, label: str) -> str:
    low, high = rough(stratum.low), rough(stratum.high)
    if low == high == rough(0):
        return f"for which no judge says {label}"
    if low == high == rough(1):
        return f"for which every judge says {label}"
    return f"for which {low if low == high else f'{low} to {high}'} of the judges say {label}"


def label_origin_object(answer: JudgesAnswer) -> dict[str, Any] | None:
    """Return the same as JSON."""
    origin = answer.origin
    if not answer.n_gold:
        return None
    selection = origin.selection
    return {
        "is_refused": origin.is_refused,
        "p_random": None if selection is None else selection.p_random,
        "p_proposed": None if selection is None else selection.p_proposed,
        "strata": None if selection is None else [dict(vars(one)) for one in selection.strata],
        "bounds": {label: as_json(one) for label, one in origin.bounds.items()} or None,
        "n_sealed": origin.n_sealed,
        "n_left_out": origin.n_left_out,
    }
