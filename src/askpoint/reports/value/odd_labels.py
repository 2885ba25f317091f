"""How labels of a log were drawn, in one line of the first screen, where they look odd."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.measures.label_draws import ODD, SELECTED
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.words import amount
from askpoint.value.selection import LabelDependence

__all__ = ["origin_blocks"]


def origin_blocks(selection: LabelDependence, *, is_balanced: bool) -> Iterator[Block]:
    """Yield what a reader must know of labels that hardly are a random draw, and count all the same."""
    where = selection.extremes
    if is_balanced:
        yield Notice(
            f"The labels were not drawn with equal chances: {where}. The numbers below are right only if the person "
            "who chose them saw nothing but the confidence, as in an audit. Where complaints or found mistakes were labelled, "
            "they are wrong, and nothing here can show it. Labels drawn at random settle it.",
            "--propose 100 --random draws them.",
        )
    elif selection.p_random is not None and SELECTED <= selection.p_random < ODD:
        yield Paragraph(
            f"Labels drawn at random would rarely look like these (p {amount(selection.p_random)}): were they? They lie unevenly: "
            f"{where}."
        )
