"""What a log or a sketch can say of one model's cases: the protocol that the answer is built on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from askpoint.answers.value.question import ValueQuestion
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.records.predictions import PredictionLog
from askpoint.value.cost_curves import CostCurve
from askpoint.value.curve import ValueCurve
from askpoint.value.selection import LabelSelection

__all__ = ["Case", "Places"]


class Places(NamedTuple):
    """Where cases lie: each row of a log is a place, and each bin of a sketch.

    `lowest` and `highest` are the confidences of a place, `items` its rows, `mass` the cases that
    these stand for, `right` and `wrong` its labels, `weight` what one of its labels counts.
    """

    lowest: FloatArray
    highest: FloatArray
    items: IntArray
    mass: FloatArray
    right: FloatArray
    wrong: FloatArray
    weight: FloatArray

    def take(self, rows: BoolArray) -> Places:
        """Some of the places."""
        return Places._make(column[rows] for column in self)

    def answered(self, threshold: float) -> BoolArray:
        """Which places a threshold answers."""
        return np.asarray(self.lowest >= threshold)

    def count(self, places: BoolArray) -> int:
        """Rows in some places."""
        return int(self.items[places].sum())

    def share(self, places: BoolArray) -> float:
        """Share of the cases that lie in some places."""
        return float(self.mass[places].sum() / self.mass.sum())

    def risk(self, threshold: float, level: float) -> tuple[float | None, Interval | None]:
        """Share of mistakes among the answers that have a label, and its interval."""
        some = self.answered(threshold)
        labels, weight = (self.right + self.wrong)[some], self.weight[some]
        total = float(labels @ weight)
        if not total:
            return None, None
        n = total**2 / float(labels @ weight**2)  # Kish's
        risk = float(self.wrong[some] @ weight) / total
        return risk, binomial_interval(min(risk * n, n), n, level=level)


class Case(Protocol):
    """One model's cases and what is asked of them."""

    @property
    def question(self) -> ValueQuestion:
        """What is asked."""
        ...

    @property
    def log(self) -> PredictionLog | None:
        """The rows, where they are kept."""
        ...

    @property
    def classes(self) -> tuple[str, ...]:
        """Class names."""
        ...

    @property
    def places(self) -> Places:
        """Where the cases lie."""
        ...

    @property
    def curve(self) -> ValueCurve | None:
        """Of the labelled cases; None where there is none."""
        ...

    @property
    def costly(self) -> CostCurve | None:
        """The same by a cost matrix."""
        ...

    @property
    def selection(self) -> LabelSelection | None:
        """How labelled and other cases differ."""
        ...

    @property
    def n_effective(self) -> float:
        """Labels, in numbers that tell as much."""
        ...

    @property
    def is_probability(self) -> bool:
        """Whether confidence is meant as the probability of being right."""
        ...

    @property
    def is_weighted(self) -> bool:
        """Whether labels are weighted."""
        ...

    @property
    def lost_in_bins(self) -> float | None:
        """What the best threshold inside a bin may be worth more; None for rows, or no price."""
        ...

    @property
    def is_sketched(self) -> bool:
        """Whether cases are only counted."""
        ...

    def label_masses(self) -> FloatArray | IntArray:
        """How many labelled cases each class has."""
        ...

    def groups(self) -> Iterator[tuple[str | None, Places]]:
        """The places of each group."""
        ...
