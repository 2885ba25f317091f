"""A log whose rows are kept, as a case: each row is a place of its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from askpoint.answers.value.model_cases import CasePlaces
from askpoint.answers.value.question import ValueQuestion
from askpoint.errors import CostsError, InputError, LogError
from askpoint.measures.clusters import design_effect
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.measures.sampling import effective_size
from askpoint.records.predictions import PredictionLog
from askpoint.value.cost_curves import CostCurve, cost_curve, decisions_and_savings
from askpoint.value.curve import ValueCurve
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.selection import label_selection

__all__ = ["RowCase"]


class RowCase:
    """One model's log and what is asked of it."""

    is_sketched = False
    lost_in_bins: float | None = None

    def __init__(self, log: PredictionLog, question: ValueQuestion) -> None:
        self.log, self.question, self.classes = log, question, log.classes
        self.weight = _label_weight(log)
        self.is_weighted = self.weight is not None
        self.costly: CostCurve | None = None
        self.curve: ValueCurve | None = None
        if question.objective.costs is not None:
            ordered, p = _costs(log, question.objective.costs, question.measure)
            self.decided, self.confidence = decisions_and_savings(p, ordered)
            if log.n_labelled:
                truth = np.asarray(log.classes, dtype=object)[log.label]
                known = p[log.labelled]
                self.costly = cost_curve(truth, known, ordered, sample_weight=self.weight)
                self.curve = self.costly.curve
        else:
            self.decided, self.confidence = log.prediction, log.scores(question.measure)
            if log.n_labelled:
                self.curve = ValueCurve.from_cases(
                    LabelledCases(
                        log.classes,
                        log.label,
                        log.prediction[log.labelled],
                        self.confidence[log.labelled],
                        self.weight,
                    )
                )
        self.is_probability = question.objective.costs is None and _is_probability(
            log, self.confidence, question.measure
        )
        self.places = self._places()
        self.n_effective = self._n_effective()
        self.selection = (
            label_selection(
                self.confidence,
                log.labelled,
                weight=self.weight,
                mass=log.weight,
                cluster=log.cluster,
                rng=np.random.default_rng(question.seed),
            )
            if log.n_labelled
            else None
        )

    def _n_effective(self) -> float:
        """Labels, in numbers that tell as much of the share of mistakes."""
        log, places = self.log, self.places
        if log.n_labelled and (log.cluster is not None or self.weight is not None):
            wrong, weight = places.wrong[log.labelled], places.weight[log.labelled]
            cluster = None if log.cluster is None else log.cluster[log.labelled]
            size = effective_size(weight)
            if cluster is None:
                return float(size)
            return size / design_effect(wrong - np.average(wrong, weights=weight), cluster, weight)
        return float(log.n_labelled)

    def label_masses(self) -> FloatArray | IntArray:
        """How many labelled cases each class has."""
        return np.bincount(self.log.label, self.weight, len(self.classes))

    def groups(self, places: CasePlaces) -> Iterator[tuple[str | None, CasePlaces]]:
        """The places of each group, of these."""
        if self.log.group is None:
            return
        for code, name in enumerate(self.log.group.names):
            rows: BoolArray = self.log.group.codes == code
            if rows.any():
                yield name, places.take(rows)

    def _places(self) -> CasePlaces:
        log, n = self.log, self.log.n_items
        right, wrong, weight = np.zeros(n), np.zeros(n), np.ones(n)
        hit = self.decided[log.labelled] == log.label
        right[log.labelled], wrong[log.labelled] = hit, ~hit
        if self.weight is not None:
            weight[log.labelled] = self.weight
        mass = np.ones(n) if log.weight is None else log.weight.astype(np.float64)
        items = np.ones(n, dtype=np.int64)
        return CasePlaces(
            lowest=self.confidence,
            highest=self.confidence,
            items=items,
            mass=mass,
            right=right,
            wrong=wrong,
            weight=weight,
            cluster=log.cluster,
        )


def _label_weight(log: PredictionLog) -> FloatArray | None:
    if log.propensity is not None:
        return 1 / np.asarray(log.propensity, dtype=np.float64)
    return None if log.weight is None else log.weight[log.labelled]


def _is_probability(log: PredictionLog, confidence: FloatArray, measure: str) -> bool:
    if log.confidence is None:
        return measure == "max_probability"
    return bool(confidence.min() >= 0 and confidence.max() <= 1)


def _costs(log: PredictionLog, costs: CostMatrix, measure: str) -> tuple[CostMatrix, FloatArray]:
    if costs.reject_cost is None:
        raise CostsError(
            "the costs say nothing of asking: add reject_cost to the file, what one check costs"
        )
    if measure != "max_probability":
        raise InputError(
            f"with costs, confidence is the expected saving, so {measure} would not be "
            "used; leave out the costs, or the measure"
        )
    if log.proba is None:
        raise LogError(
            "a cost matrix needs the probabilities of all classes; the log has only predictions with a "
            "confidence: state an objective such as --rho or --ask-at-most"
        )
    return costs.reorder(log.classes), log.proba
