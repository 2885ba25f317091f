"""What a log or a sketch can say of one model's cases: the protocol that the answer is built on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from askpoint.answers.value.question import ValueQuestion
from askpoint.measures.clusters import cluster_sums, design_effect
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.measures.intervals import Interval, clopper_pearson
from askpoint.measures.sampling import effective_size
from askpoint.measures.weighted_shares import weighted_share
from askpoint.records.predictions import PredictionLog
from askpoint.value.cost_curves import CostCurve
from askpoint.value.curve import ValueCurve
from askpoint.value.selection import LabelDependence

__all__ = ["CasePlaces", "ModelCases"]


class CasePlaces(NamedTuple):
    """Where cases lie: each row of a log is a place, and each bin of a sketch.

    `lowest` and `highest` are the confidences of a place, `items` its rows, `mass` the cases that
    these stand for, `right` and `wrong` its labels, `weight` what one of its labels counts;
    places of one `cluster` belong together. A place's labels are judged by a threshold chosen
    without them, `judged_from`, where one is given.
    """

    lowest: FloatArray
    highest: FloatArray
    items: IntArray
    mass: FloatArray
    right: FloatArray
    wrong: FloatArray
    weight: FloatArray
    cluster: IntArray | None = None
    judged_from: FloatArray | None = None

    @property
    def is_weighted(self) -> bool:
        """Whether labels count differently."""
        return bool(self.weight.size and self.weight.min() < self.weight.max())

    @property
    def has_unlabelled(self) -> bool:
        """Whether some cases have no label."""
        return bool((self.right + self.wrong).sum() < self.items.sum())

    def take(self, rows: BoolArray) -> CasePlaces:
        """Some of the places."""
        return CasePlaces._make(None if column is None else column[rows] for column in self)

    def above(self, threshold: float) -> BoolArray:
        """Which places a threshold answers."""
        return np.asarray(self.lowest >= threshold)

    def below(self, threshold: float) -> float:
        """Greatest confidence of a case that a threshold asks about; minus infinity if there is none."""
        return float(self.highest.max(initial=-np.inf, where=self.lowest < threshold))

    def slack(self, threshold: float) -> float:
        """How much higher a threshold may be written: a hundredth of its bin."""
        at = np.flatnonzero(self.lowest == threshold)
        return float(self.highest[at[0]] - threshold) / 100 if at.size else 0.0

    def count(self, places: BoolArray) -> int:
        """Rows in some places."""
        return int(self.items[places].sum())

    def share(self, places: BoolArray) -> float:
        """Share of the cases that lie in some places."""
        return float(self.mass[places].sum() / self.mass.sum())

    def above_fitted(self, threshold: float) -> BoolArray:
        """Which places are answered by the thresholds that their labels did not choose."""
        if self.judged_from is None:
            return self.above(threshold)
        return np.asarray(self.lowest >= self.judged_from)

    def risk(self, threshold: float, level: float) -> tuple[float | None, Interval | None]:
        """Share of mistakes among the answers that have a label, and its interval."""
        return self.share_wrong(self.above(threshold), level)

    def share_wrong(self, places: BoolArray, level: float) -> tuple[float | None, Interval | None]:
        """Share of mistakes among the labels of some places, and its interval."""
        return self.share_of(places, self.wrong, level)

    def share_of(
        self, places: BoolArray, happened: FloatArray, level: float
    ) -> tuple[float | None, Interval | None]:
        """Share of the labels of some places for which something happened, and its interval.

        Weighted labels have none where too few of the heaviest are among them.
        """
        labels = self.right + self.wrong
        n = float(labels @ places)
        if not n:
            return None, None
        some = places & (labels > 0)
        if self.cluster is None and not self.is_weighted:
            hits = float(happened @ some)
            return hits / n, clopper_pearson(hits, n, level)
        counted = happened[some]
        cluster = None if self.cluster is None else self.cluster[some]
        found = weighted_share(counted > 0, self.weight[some], level=level, cluster=cluster)
        return found.estimate, found.interval

    def n_labels_of(self, places: BoolArray) -> float:
        """As how many independent labels those of some places count."""
        some = places & (self.right + self.wrong > 0)
        if self.cluster is not None:
            return effective_size(cluster_sums(self.weight[some], self.cluster[some]))
        labels = (self.right + self.wrong)[some]
        return (
            float((labels @ self.weight[some]) ** 2 / (labels @ self.weight[some] ** 2))
            if labels.size
            else 0.0
        )

    def n_cases_of(self, places: BoolArray) -> float:
        """As how many independent cases the share of all cases in some places is known."""
        if self.cluster is None and (self.mass == self.items).all():
            return float(self.items.sum())
        deviations = places - self.share(places)
        n = effective_size(self.mass)
        return n / design_effect(deviations, self.cluster, self.mass)


class ModelCases(Protocol):
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
    def places(self) -> CasePlaces:
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
    def selection(self) -> LabelDependence | None:
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

    def groups(self, places: CasePlaces) -> Iterator[tuple[str | None, CasePlaces]]:
        """The places of each group, of these."""
        ...
