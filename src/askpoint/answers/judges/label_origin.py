"""Where labels come from: drawn at random, as proposed, in sealed order, or visibly selected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from askpoint.errors import InputError
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.label_selection import (
    LabelSelection,
    bound_share,
    compare_truth,
    find_selection,
)
from askpoint.judges.gold.labelled_patterns import label_items, label_patterns
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.intervals import Interval
from askpoint.measures.seals import count_sealed, order_by_seal, seal_of

__all__ = ["FEWEST_SEALED", "SELECTED_LABELS", "LabelOrigin", "check_seal", "trace_labels"]

SELECTED_LABELS = "the labels were not drawn at random"
FEWEST_SEALED = 30
"""Labels in sealed order that stand for all where others were selected."""
_DIFFERENT = 0.05  # p of the same truth beside the same votes


@dataclass(frozen=True, kw_only=True)
class LabelOrigin:
    """How labels were drawn, as far as votes and the sealed order show.

    Attributes
    ----------
    labels : mapping of str to str
        Those that count, by item; none where no number follows from any.
    counted : GoldSketch or None
        The same by votes; None without any.
    selection : LabelSelection or None
        The test of all labels; None without labels, and where all were drawn in sealed order.
    bounds : mapping of str to Interval
        By label, its share if the chance of being labelled followed the votes alone; empty unless
        labels were selected and none count.
    n_sealed : int
        Labels that are complete from the beginning of the sealed order on.
    n_left_out : int
        Labels that do not count, because only those in sealed order were drawn at random.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    counted: GoldSketch | None = None
    selection: LabelSelection | None = None
    bounds: Mapping[str, Interval] = field(default_factory=dict)
    n_sealed: int = 0
    n_left_out: int = 0

    @property
    def is_refused(self) -> bool:
        """Whether there are labels, and no number follows from them."""
        return bool(self.bounds)

    @property
    def is_sealed(self) -> bool:
        """Whether all labels that count are in sealed order, so that they were drawn at random."""
        return self.n_sealed > 0 and (self.selection is None or self.n_left_out > 0)


def trace_labels(
    table: VoteTable, sketch: VoteSketch, gold: Mapping[str, str], level: float
) -> LabelOrigin:
    """Say which labels count: all, those in sealed order, or none."""
    if not gold:
        return LabelOrigin()
    counted = GoldSketch.from_table(table, gold, unjudged="leave out")
    if not counted.n_items:
        return LabelOrigin(labels=gold, counted=counted)
    n_sealed = count_sealed(table.tasks, gold)
    if n_sealed == counted.n_items:
        return LabelOrigin(labels=gold, counted=counted, n_sealed=n_sealed)
    patterns = label_patterns(sketch, counted)
    selection = find_selection(patterns, np.random.default_rng(0))
    first = {task: gold[task] for task in order_by_seal(table.tasks)[:n_sealed]}
    if n_sealed >= FEWEST_SEALED and (selection.is_odd or _are_others_odd(table, first, gold)):
        return LabelOrigin(
            labels=first,
            counted=GoldSketch.from_table(table, first),
            selection=selection,
            n_sealed=n_sealed,
            n_left_out=counted.n_items - n_sealed,
        )
    if not selection.is_selected:
        return LabelOrigin(labels=gold, counted=counted, selection=selection, n_sealed=n_sealed)
    bounds = {label: bound_share(patterns, code, level) for code, label in enumerate(sketch.labels)}
    return LabelOrigin(selection=selection, bounds=bounds, n_sealed=n_sealed)


def _are_others_odd(table: VoteTable, first: Mapping[str, str], gold: Mapping[str, str]) -> bool:
    """Say whether labels outside of the sealed order are not like those in it: by votes, or by the truth."""
    others = {task: label for task, label in gold.items() if task not in first}
    sealed, left = label_items(table, first), label_items(table, others)
    if compare_truth(sealed, left) < _DIFFERENT:
        return True
    return find_selection(left, np.random.default_rng(0)).is_odd


def check_seal(table: VoteTable, seal: str | None) -> None:
    """Refuse labels that were drawn from other items than these."""
    if seal is not None and seal != (own := seal_of(table.tasks)):
        raise InputError(
            f"the seal of the labels must be {own}, that of these votes; got {seal}. Give the votes on the "
            "items that the labels were drawn from."
        )
