"""One model's log, what is asked of it, and the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from askpoint.answers.value.answer import GroupLine, ValueAnswer
from askpoint.answers.value.baselines import Baseline, matrix_baselines, priced_baselines
from askpoint.answers.value.guarantee import answering_pays, guarantee_of
from askpoint.answers.value.people import charged_baselines, people_of
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.refusals import SelectiveLabels, UnknownMistakes
from askpoint.errors import CostsError, InputError, LogError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.measures.outcomes import Outcomes
from askpoint.measures.sampling import effective_size
from askpoint.records.predictions import PredictionLog
from askpoint.value.cost_curves import CostCurve, cost_curve, decisions_and_savings
from askpoint.value.curve import ValueCurve
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.objectives import Objective, OperatingPoint
from askpoint.value.people import ErringPeople
from askpoint.value.priced import MistakeCost
from askpoint.value.selection import label_selection
from askpoint.value.uncertainty import OutcomeIntervals, outcome_intervals

__all__ = ["Case"]

_PRICE_STEPS = (2, 5, 10, 20, 50, 100, 1000)


class Case:
    """One model's log and what is asked of it."""

    def __init__(self, log: PredictionLog, question: ValueQuestion) -> None:
        if not log.n_labelled:
            raise LogError("no row has a label; label at least some rows")
        self.log, self.question = log, question
        self.costly: CostCurve | None = None
        self.weight = _label_weight(log)
        if question.objective.costs is not None:
            self.costly, self.confidence = _by_costs(
                log, question.objective.costs, question.measure, self.weight
            )
            curve = self.costly.curve
        else:
            self.confidence = log.scores(question.measure)
            known = self.confidence[log.labelled]
            predicted = log.prediction[log.labelled]
            cases = LabelledCases(log.classes, log.label, predicted, known, self.weight)
            curve = ValueCurve.from_cases(cases)
        self.start = ValueAnswer(
            question,
            log.n_items,
            log.n_labelled,
            log.n_items if log.weight is None else float(log.weight.sum()),
            log.classes,
            self.costly is None and _is_probability(log, self.confidence, question.measure),
            curve,
            log.n_labelled if self.weight is None else effective_size(self.weight),
            label_selection(self.confidence, log.labelled, weight=self.weight, mass=log.weight),
        )

    def answer(self) -> ValueAnswer:
        """Return the verdict, or why there is none."""
        start, curve, question = self.start, self.start.curve, self.question
        refusal = _refusal(start, weighted=self.weight is not None)
        if refusal is not None:
            return replace(start, refusal=refusal)
        people = self._people()
        point = self._point() if people is None else people.choose(curve)
        answered = self.confidence >= point.threshold
        if answered.any() and point.outcomes.risk is None:
            return replace(start, refusal=UnknownMistakes(self._count(answered)))
        whole = self._on_all_rows(point)
        coverage = self._share(answered)
        default = _default(start.classes, self._label_masses(), question.default)
        n_rows = self._n_effective_rows()
        return replace(
            start,
            point=whole,
            coverage=coverage,
            asked=self._count(~answered),
            coverage_interval=binomial_interval(coverage * n_rows, n_rows, level=question.level),
            below=self._greatest(~answered),
            slack=self._slack(point.threshold),
            intervals=self._intervals(whole),
            band=None if curve.is_weighted else curve.band(1 - question.level),
            baselines=self._baselines(point, whole, default, people),
            prices=(
                tuple(
                    self._on_all_rows(MistakeCost(checks - 1).choose(curve))
                    for checks in _PRICE_STEPS
                )
                if question.objective.has_one_price
                else ()
            ),
            groups=tuple(self._groups(point.threshold)),
            people=people,
            guarantee=guarantee_of(question.objective, curve, self.confidence, self._row_weight()),
            p_value=answering_pays(curve, point) if question.objective.rate is not None else None,
        )

    def _people(self) -> ErringPeople | None:
        return people_of(self.log, self.confidence, self.question.objective)

    def _baselines(
        self,
        point: OperatingPoint,
        whole: OperatingPoint,
        default: tuple[str, float],
        people: ErringPeople | None,
    ) -> tuple[Baseline, ...]:
        curve = self.start.curve
        if self.costly is not None:
            return matrix_baselines(self.costly, point, default[0])
        found = priced_baselines(curve, whole, default, self.question.objective)
        if people is None:
            return found
        return charged_baselines(found, people, self.log, curve, self.confidence, point.threshold)

    def _point(self) -> OperatingPoint:
        curve, objective = self.start.curve, self.question.objective
        if self.costly is not None:
            return self.costly.choose()
        if objective.is_capacity and not (self.weight is None and self.start.n_unlabelled == 0):
            # People see the unlabelled cases too, so capacity is counted on all rows (a share on
            # their weights), and used to the full, as if any case not asked might be a mistake.
            everything = self._everything(objective)
            return OperatingPoint.at(curve, objective.choose(everything).threshold)
        return objective.choose(curve)

    def _everything(self, objective: Objective) -> ValueCurve:
        """Return the curve of all rows, as if each were a mistake."""
        return ValueCurve.from_outcomes(
            np.zeros(self.log.n_items, dtype=np.bool_),
            self.confidence,
            sample_weight=self.log.weight if objective.counts_weight else None,
        )

    def _count(self, rows: BoolArray) -> int:
        return int(rows.sum())

    def _greatest(self, rows: BoolArray) -> float:
        return float(self.confidence[rows].max(initial=-np.inf))

    def _slack(self, threshold: float) -> float:
        del threshold
        return 0.0

    def _n_effective_rows(self) -> float:
        return self.start.n_items if self.log.weight is None else effective_size(self.log.weight)

    def _label_masses(self) -> FloatArray | IntArray:
        return np.bincount(self.log.label, self.weight, len(self.log.classes))

    def _row_weight(self) -> FloatArray | None:
        return self.log.weight

    def _share(self, rows: BoolArray) -> float:
        return float(np.average(rows, weights=self.log.weight))

    def _on_all_rows(self, point: OperatingPoint) -> OperatingPoint:
        """Return a point with the coverage of all rows and the risk of the labelled ones."""
        risk, total = point.outcomes.risk, point.outcomes.total
        if risk is None or not self.start.n_unlabelled:
            return point
        answered = self._share(self.confidence >= point.threshold) * total
        outcomes = Outcomes((1 - risk) * answered, risk * answered, max(total - answered, 0))
        return replace(point, outcomes=outcomes)

    def _intervals(self, point: OperatingPoint) -> OutcomeIntervals:
        intervals = outcome_intervals(
            point.outcomes,
            omega=0.0 if point.rate is None else point.rate.omega,
            n=self.start.n_effective,
            level=self.question.level,
        )
        return replace(intervals, risk=self._risk_of_all(point.threshold)[1])

    def _risk_of_all(self, threshold: float) -> tuple[float | None, Interval | None]:
        return self._risk(np.ones(self.start.n_labelled, dtype=np.bool_), threshold)

    def _risk(self, rows: BoolArray, threshold: float) -> tuple[float | None, Interval | None]:
        """Share of mistakes among the answers to some of the labelled rows, and its interval."""
        cases = self.start.curve.cases
        if cases is None:  # this class always keeps them
            raise InputError("the curve does not know its cases")
        rows = rows & (cases.confidence >= threshold)
        if not rows.any():
            return None, None
        wrong = (cases.truth != cases.predicted)[rows]
        weight = np.ones(len(wrong)) if self.weight is None else self.weight[rows]
        n = effective_size(weight)
        risk = float(weight @ wrong / weight.sum())
        return risk, binomial_interval(min(risk * n, n), n, level=self.question.level)

    def _groups(self, threshold: float) -> Iterator[GroupLine]:
        log = self.log
        if log.group is None:
            return
        for code, name in enumerate(log.group.names):
            rows = log.group.codes == code
            if not rows.any():
                continue
            weight = None if log.weight is None else log.weight[rows]
            coverage = float(np.average(self.confidence[rows] >= threshold, weights=weight))
            known = rows[log.labelled]
            yield GroupLine(
                name, int(rows.sum()), int(known.sum()), coverage, *self._risk(known, threshold)
            )


def _label_weight(log: PredictionLog) -> FloatArray | None:
    if log.propensity is not None:
        return 1 / np.asarray(log.propensity, dtype=np.float64)
    return None if log.weight is None else log.weight[log.labelled]


def _is_probability(log: PredictionLog, confidence: FloatArray, measure: str) -> bool:
    if log.confidence is None:
        return measure == "max_probability"
    return bool(confidence.min() >= 0 and confidence.max() <= 1)


def _probabilities(log: PredictionLog, who: str) -> FloatArray:
    if log.proba is None:
        raise LogError(
            f"{who} needs the probabilities of all classes; the log has only predictions with a "
            "confidence: state an objective such as --rho or --ask-at-most"
        )
    return log.proba


def _by_costs(
    log: PredictionLog, costs: CostMatrix, measure: str, weight: FloatArray | None
) -> tuple[CostCurve, FloatArray]:
    if costs.reject_cost is None:
        raise CostsError(
            "the costs say nothing of asking: add reject_cost to the file, what one check costs"
        )
    if measure != "max_probability":
        raise InputError(
            f"with costs, confidence is the expected saving, so {measure} would not be "
            "used; leave out the costs, or the measure"
        )
    ordered = costs.reordered(log.classes)
    p = _probabilities(log, "a cost matrix")
    truth = np.asarray(log.classes, dtype=object)[log.label]
    curve = cost_curve(truth, p[log.labelled], ordered, sample_weight=weight)
    return curve, decisions_and_savings(p, ordered)[1]


def _refusal(answer: ValueAnswer, *, weighted: bool) -> SelectiveLabels | None:
    selection = answer.selection
    if selection is None or answer.question.labels_are_random or not selection.is_selective:
        return None
    return SelectiveLabels(selection, weighted)


def _default(
    classes: tuple[str, ...], masses: FloatArray | IntArray, default: str | None
) -> tuple[str, float]:
    """The class that all cases would get without a model, and how many labelled ones have it."""
    if default is None:
        code = int(masses.argmax())
    elif default in classes:
        code = classes.index(default)
    else:
        raise InputError(f"the default {default!r} is not among the classes {', '.join(classes)}")
    return classes[code], masses[code].item()
