"""One model's sketch, what is asked of it, and the answer."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from askpoint.answers.value.answer import GroupLine, ValueAnswer
from askpoint.answers.value.case import Case
from askpoint.answers.value.question import ValueQuestion
from askpoint.errors import InputError, LogError
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.records.streams import SketchedLog
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import Objective
from askpoint.value.selection import counted_selection

__all__ = ["SketchedCase"]


class SketchedCase(Case):
    """A case whose rows are bins of confidence, each standing for so many cases.

    Parameters
    ----------
    log : SketchedLog
        One model's counts.
    question : ValueQuestion
        What is asked.
    """

    def __init__(self, log: SketchedLog, question: ValueQuestion) -> None:
        if question.objective.needs_cases:
            raise InputError(
                "costs, people's answers and limits on single classes look at the cases, which a sketch "
                "does not keep: read the log exactly (--exact), or state another objective"
            )
        whole = log.sketch
        if not whole.n_labelled:
            raise LogError("no row has a label; label at least some rows")
        self.sketched, self.question = log, question
        self.costly, self.weight = None, None
        cells = self.cells = whole.cells()
        self.confidence = cells.lowest
        self.items = cells.right + cells.wrong + cells.unlabelled
        self.start = ValueAnswer(
            question,
            whole.n_items,
            whole.n_labelled,
            float(whole.n_items),
            log.classes,
            log.is_probability,
            whole.curve(),
            whole.n_labelled,
            counted_selection(
                cells.lowest[::-1], (cells.right + cells.wrong)[::-1], cells.unlabelled[::-1]
            ),
            is_sketched=True,
        )

    def _people(self) -> None:
        return None

    def _everything(self, objective: Objective) -> ValueCurve:
        del objective
        ends = np.append(0, self.items.cumsum())
        thresholds = np.append(np.inf, self.confidence)
        return ValueCurve(thresholds, np.zeros_like(ends), ends.copy(), ends)

    def _count(self, rows: BoolArray) -> int:
        return int(self.items[rows].sum())

    def _row_weight(self) -> FloatArray:
        return self.items.astype(np.float64)

    def _share(self, rows: BoolArray) -> float:
        return self._count(rows) / self.start.n_items

    def _greatest(self, rows: BoolArray) -> float:
        return float(self.cells.highest[rows].max(initial=-np.inf))

    def _slack(self, threshold: float) -> float:
        if math.isinf(threshold):
            return 0.0
        k = int(np.flatnonzero(self.confidence == threshold)[0])
        return float(self.cells.highest[k] - threshold) / 100

    def _n_effective_rows(self) -> float:
        return self.start.n_items

    def _label_masses(self) -> IntArray:
        return self.sketched.labels

    def _risk_of_all(self, threshold: float) -> tuple[float | None, Interval | None]:
        answered = self.confidence >= threshold
        right, wrong = self.cells.right[answered].sum(), self.cells.wrong[answered].sum()
        return self._rate(int(wrong), int(right + wrong))

    def _rate(self, wrong: int, n: int) -> tuple[float | None, Interval | None]:
        if not n:
            return None, None
        return wrong / n, binomial_interval(wrong, n, level=self.question.level)

    def _groups(self, threshold: float) -> Iterator[GroupLine]:
        if not self.sketched.has_groups:
            return
        names = [name for name in self.sketched.groups if name is not None]
        for name in [*sorted(names), *([None] if None in self.sketched.groups else [])]:
            sketch = self.sketched.groups[name]
            cells = sketch.cells()
            answered = cells.lowest >= threshold
            right, wrong, unlabelled = (int(kind[answered].sum()) for kind in cells[2:])
            yield GroupLine(
                name,
                sketch.n_items,
                sketch.n_labelled,
                (right + wrong + unlabelled) / sketch.n_items,
                *self._rate(wrong, right + wrong),
            )
