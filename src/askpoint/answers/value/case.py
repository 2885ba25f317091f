"""What a log or a sketch can say of one model's cases: the protocol that the answer is built on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from askpoint.answers.value.question import ValueQuestion
from askpoint.measures.clusters import design_effect
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.measures.sampling import effective_size
from askpoint.measures.weighted_shares import weighted_share
from askpoint.records.predictions import PredictionLog
from askpoint.value.cost_curves import CostCurve
from askpoint.value.curve import ValueCurve
from askpoint.value.selection import LabelSelection

__all__ = ["Case", "Places"]


class Places(NamedTuple):
    """Where cases lie: each row of a log is a place, and each bin of a sketch.

    `lowest` and `highest` are the confidences of a place, `items` its rows, `mass` the cases that
    these stand for, `right` and `wrong` its labels, `weight` what one of its labels counts;
    places of one `cluster` belong together.
    """

    lowest: FloatArray
    highest: FloatArray
    items: IntArray
    mass: FloatArray
    right: FloatArray
    wrong: FloatArray
    weight: FloatArray
    cluster: IntArray | None = None

    @property
    def is_weighted(self) -> bool:
        """Whether labels count differently."""
        return bool(self.weight.size and self.weight.min() < self.weight.max())

    def take(self, rows: BoolArray) -> Places:
        """Some of the places."""
        return Places._make(None if column is None else column[rows] for column in self)

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
        return self.share_wrong(self.answered(threshold), level)

    def share_wrong(self, places: BoolArray, level: float) -> tuple[float | None, Interval | None]:
        """Share of mistakes among the labels of some places, and its interval.

        Weighted labels have none where too few of the heaviest are among them.
        """
        some = places & (self.right + self.wrong > 0)
        right, wrong = self.right[some], self.wrong[some]
        n = float((right + wrong).sum())
        if not n:
            return None, None
        if self.cluster is None and not self.is_weighted:
            return float(wrong.sum()) / n, binomial_interval(wrong.sum(), n, level=level)
        cluster = None if self.cluster is None else self.cluster[some]
        found = weighted_share(wrong > 0, self.weight[some], level=level, cluster=cluster)
        return found.estimate, found.interval

    def cases_told(self, places: BoolArray) -> float:
        """As how many independent cases the share of all cases in some places is known."""
        if self.cluster is None and (self.mass == self.items).all():
            return float(self.items.sum())
        deviations = places - self.share(places)
        n = effective_size(self.mass)
        return n / design_effect(deviations, self.cluster, self.mass)


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
