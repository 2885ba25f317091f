"""A log that is only counted, as a case: each bin of its sketch is a place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from askpoint.answers.value.model_cases import CasePlaces
from askpoint.answers.value.question import ValueQuestion
from askpoint.errors import InputError, LogError
from askpoint.measures.inputs import IntArray
from askpoint.records.streams import SketchedLog
from askpoint.value.selection import selection_from_counts
from askpoint.value.sketch.score_sketch import ScoreCells

__all__ = ["SketchCase"]


class SketchCase:
    """One model's counts and what is asked of them."""

    is_sketched = True
    is_weighted = False
    costly = None
    log = None

    def __init__(self, log: SketchedLog, question: ValueQuestion) -> None:
        if question.objective.needs_cases:
            raise InputError(
                "costs, people's answers and limits on single classes look at the cases, which a sketch "
                "does not keep: read the log exactly (--exact), or choose another objective"
            )
        whole = log.sketch
        if not whole.n_labelled:
            raise LogError("no row has a label; label at least some rows")
        self.counts, self.question, self.classes = log, question, log.classes
        self.is_probability = log.is_probability
        self.curve = whole.curve()
        self.n_effective = float(whole.n_labelled)
        cells = whole.cells()
        self.places = _places(cells)
        self.selection = selection_from_counts(
            cells.lowest[::-1],
            (cells.right + cells.wrong)[::-1],
            cells.unlabelled[::-1],
            np.random.default_rng(question.seed),
        )
        rate = question.objective.rate
        self.lost_in_bins = (
            None
            if rate is None
            else float(whole.bound(rate.omega)) - float(self.curve.value(rate.omega))
        )

    def label_masses(self) -> IntArray:
        """How many labelled cases each class has."""
        return self.counts.labels

    def groups(self, places: CasePlaces) -> Iterator[tuple[str | None, CasePlaces]]:
        """The places of each group."""
        del places
        if not self.counts.has_groups:
            return
        parts = self.counts.groups
        names = [name for name in parts if name is not None]
        for name in [*sorted(names), *([None] if None in parts else [])]:
            yield name, _places(parts[name].cells())


def _places(cells: ScoreCells) -> CasePlaces:
    items = cells.right + cells.wrong + cells.unlabelled
    return CasePlaces(
        cells.lowest,
        cells.highest,
        items,
        items.astype(np.float64),
        cells.right.astype(np.float64),
        cells.wrong.astype(np.float64),
        np.ones(len(items)),
    )
