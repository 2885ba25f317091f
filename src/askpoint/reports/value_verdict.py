"""From a log of predictions to one operating point, its uncertainty and what it is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from askpoint.errors import CostsError, InputError, LogError, NotEstimableError, UnmetError
from askpoint.measures.confidence import confidence_scores
from askpoint.measures.inputs import BoolArray, FloatArray
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.measures.outcomes import Outcomes
from askpoint.measures.sampling import effective_size
from askpoint.records.predictions import PredictionLog
from askpoint.reports.value_answer import GroupLine, ValueAnswer
from askpoint.reports.value_baselines import Baseline, matrix_baselines, priced_baselines
from askpoint.reports.value_guarantee import answering_pays, guarantee_of
from askpoint.reports.value_models import ModelComparison, compare_models
from askpoint.reports.value_people import charged_baselines, people_of
from askpoint.reports.value_question import ASSUMED_CHECKS, ValueQuestion
from askpoint.reports.words import plural, share
from askpoint.value.cases import LabelledCases
from askpoint.value.costs import CostCurve, cost_curve, decisions_and_savings
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import AskAtMost, FBeta, MistakeCost, OperatingPoint
from askpoint.value.people import ErringPeople
from askpoint.value.selection import label_selection
from askpoint.value.uncertainty import OutcomeIntervals, outcome_intervals

__all__ = ["answer_value"]

_PRICE_STEPS = (2, 5, 10, 20, 50, 100, 1000)


def answer_value(log: PredictionLog, question: ValueQuestion) -> ValueAnswer:
    """Answer a question from a log; with several models, for each of them.

    Parameters
    ----------
    log : PredictionLog
        What the model said, and the labels that there are.
    question : ValueQuestion
        What is asked.

    Returns
    -------
    ValueAnswer
        With several models, that of the best one: which costs least at a stated price, or under
        a limit leaves the fewest mistakes or cases to people.

    Raises
    ------
    LogError
        If no row (of a model) has a label.
    InputError
        If the question does not fit the log.
    UnmetError, NotEstimableError
        If no threshold (of any model) meets a constraint, or the log can not tell.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.records.logs import read_log
    >>> from askpoint.reports.value_question import ValueQuestion
    >>> from askpoint.reports.value_verdict import answer_value
    >>> from askpoint.value.objectives import MistakeCost
    >>> frame = pl.DataFrame({"label": [1, 1, 0, 0], "proba": [0.9, 0.8, 0.6, 0.1]})
    >>> answer = answer_value(read_log(frame), ValueQuestion(MistakeCost(4.0)))
    >>> answer.point.threshold, answer.coverage
    (0.8, 0.75)
    """
    if log.model is None:
        return _Case(log, question).answer()
    answers, unmet = [], []
    logs = {str(name): part for name, part in log.by_model()}
    for name, part in logs.items():
        try:
            case = _Case(part, question)
        except LogError as error:
            raise LogError(f"model {name!r}: {error}") from None
        try:
            answers.append((name, case.answer()))
        except (UnmetError, NotEstimableError) as error:
            unmet.append(f"{name!r}: {error}")
            answers.append((name, replace(case.start, refusal=str(error))))
    if len(unmet) == len(answers):
        raise UnmetError("; ".join(unmet))
    answers.sort(key=lambda pair: _rank(pair[1]))
    comparison = _comparison(logs, answers, question)
    return replace(answers[0][1], models=tuple(answers), comparison=comparison)


def _comparison(
    logs: Mapping[str, PredictionLog],
    models: Sequence[tuple[str, ValueAnswer]],
    question: ValueQuestion,
) -> ModelComparison | None:
    """How models compare at prices; None where no one price says what each is worth."""
    points = {name: answer.point for name, answer in models if answer.point is not None}
    priced = question.costs is None and question.check_price is None
    if len(models) < 2 or len(points) < len(models) or not priced:
        return None
    curves = {name: answer.curve for name, answer in models}
    return compare_models(logs, curves, points, level=question.level)


def _rank(answer: ValueAnswer) -> float:
    """What orders models: cost at a stated price; under a limit what it leaves free."""
    objective = answer.question.objective
    if answer.point is None:
        return math.inf
    if isinstance(objective, AskAtMost):
        return answer.point.outcomes.wrong / answer.point.outcomes.total
    if isinstance(objective, FBeta):
        return -answer.point.outcomes.f_beta(objective.beta)
    if answer.question.is_limit:
        return -answer.coverage
    return answer.baselines[0].cost or 0.0


class _Case:
    """One model's log and what is asked of it."""

    def __init__(self, log: PredictionLog, question: ValueQuestion) -> None:
        if not log.n_labelled:
            raise LogError("no row has a label; label at least some rows")
        self.log, self.question = log, question
        self.costly: CostCurve | None = None
        self.weight = _label_weight(log)
        if question.costs is not None:
            self.costly, self.confidence = _by_costs(log, question, self.weight)
            curve = self.costly.curve
        else:
            self.confidence = _confidence(log, question.measure)
            known = self.confidence[log.labelled]
            predicted = log.prediction[log.labelled]
            cases = LabelledCases(log.classes, log.label, predicted, known, self.weight)
            curve = ValueCurve.from_outcomes(
                log.right, known, sample_weight=self.weight, cases=cases
            )
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
            unit=_unit(question),
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
            cases = plural(int(answered.sum()), "case", "cases")
            return replace(
                start,
                refusal=f"the model would decide {cases} of which none has a label, so nothing is "
                "known of its mistakes there; label some of them",
            )
        whole = self._on_all_rows(point)
        coverage = self._share(answered)
        default = _default(self.log, question.default, self.weight)
        n_rows = start.n_items if self.log.weight is None else effective_size(self.log.weight)
        return replace(
            start,
            point=whole,
            coverage=coverage,
            asked=int((~answered).sum()),
            coverage_interval=binomial_interval(coverage * n_rows, n_rows, level=question.level),
            below=float(self.confidence[~answered].max(initial=-np.inf)),
            intervals=self._intervals(whole),
            band=None if curve.is_weighted else curve.band(1 - question.level),
            baselines=self._baselines(point, whole, default, people),
            prices=(
                tuple(
                    self._on_all_rows(MistakeCost(checks - 1).choose(curve))
                    for checks in _PRICE_STEPS
                )
                if self.costly is None and people is None
                else ()
            ),
            groups=tuple(self._groups(point.threshold)),
            people=people,
            guarantee=guarantee_of(question.objective, curve, self.confidence, self.log.weight),
            p_value=answering_pays(curve, point) if self._states_one_price() else None,
        )

    def _people(self) -> ErringPeople | None:
        question = self.question
        if question.check_price is None:
            return None
        return people_of(self.log, self.confidence, question.check_price, question.people_right)

    def _states_one_price(self) -> bool:
        question = self.question
        return question.states_price and question.costs is None and question.check_price is None

    def _baselines(
        self,
        point: OperatingPoint,
        whole: OperatingPoint,
        default: tuple[str, float],
        people: ErringPeople | None,
    ) -> tuple[Baseline, ...]:
        curve, log = self.start.curve, self.log
        if self.costly is not None:
            return matrix_baselines(self.costly, point, default[0])
        found = priced_baselines(curve, whole, default, self.question.prices)
        if people is None:
            return found
        return charged_baselines(found, people, log, curve, self.confidence, point.threshold)

    def _point(self) -> OperatingPoint:
        log, curve, question = self.log, self.start.curve, self.question
        if self.costly is not None:
            return self.costly.choose()
        if question.prices is not None:
            return MistakeCost(question.prices.rate.omega).choose(curve)
        objective = question.objective
        if objective is None:
            return MistakeCost(ASSUMED_CHECKS - 1).choose(curve)
        if isinstance(objective, AskAtMost) and not (self.weight is None and log.labelled.all()):
            # People see the unlabelled cases too, so capacity is counted on all rows (a share on
            # their weights), and used to the full, as if any case not asked might be a mistake.
            everything = ValueCurve.from_outcomes(
                np.zeros(log.n_items, dtype=np.bool_),
                self.confidence,
                sample_weight=log.weight if objective.limit < 1 else None,
            )
            return OperatingPoint.at(curve, objective.choose(everything).threshold)
        return objective.choose(curve)

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
        everyone = np.ones(self.start.n_labelled, dtype=np.bool_)
        return replace(intervals, risk=self._risk(everyone, point.threshold)[1])

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


def _unit(question: ValueQuestion) -> str:
    if question.costs is not None:
        return question.costs.unit or "units of cost"
    if question.check_price is not None:
        return "mistakes"
    return "checks" if question.prices is None else "money"


def _label_weight(log: PredictionLog) -> FloatArray | None:
    if log.propensity is not None:
        return 1 / np.asarray(log.propensity, dtype=np.float64)
    return None if log.weight is None else log.weight[log.labelled]


def _confidence(log: PredictionLog, measure: str) -> FloatArray:
    if log.confidence is None:
        return confidence_scores(_probabilities(log, "a confidence measure"), measure)
    if measure != "max_probability":
        raise InputError(
            f"the log brings a confidence of its own, so {measure} would not be used; leave out "
            "the column of confidence, or the measure"
        )
    return log.confidence


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
    log: PredictionLog, question: ValueQuestion, weight: FloatArray | None
) -> tuple[CostCurve, FloatArray]:
    costs = question.costs
    if costs is None or costs.reject_cost is None:
        raise CostsError(
            "the costs say nothing of asking: add reject_cost to the file, what one check costs"
        )
    if question.measure != "max_probability":
        raise InputError(
            f"with costs, confidence is the expected saving, so {question.measure} would not be "
            "used; leave out the costs, or the measure"
        )
    ordered = costs.reordered(log.classes)
    p = _probabilities(log, "a cost matrix")
    truth = np.asarray(log.classes, dtype=object)[log.label]
    curve = cost_curve(truth, p[log.labelled], ordered, sample_weight=weight)
    return curve, decisions_and_savings(p, ordered)[1]


def _refusal(answer: ValueAnswer, *, weighted: bool) -> str | None:
    selection = answer.selection
    if selection is None or answer.question.labels_are_random or not selection.is_selective:
        return None
    low, high = selection.shares[0], selection.shares[-1]
    where = f"{share(low)} of the least sure tenth have one, {share(high)} of the surest"
    cases = plural(min(400, answer.n_unlabelled), "case", "cases")
    remedy = (
        f"label {cases} drawn at random from all and use only those, or state "
        "--labels-are-random if you know that they are"
    )
    if weighted:
        return (
            f"labels are not spread evenly over confidence ({where}), and the weights of the log "
            "do not make up for it: so weighted, the labelled cases still look different from all "
            f"(distance {selection.distance:.3f}). Where no case had a chance to be labelled, "
            f"no weight helps: {remedy}"
        )
    return (
        f"labels are not spread evenly over confidence: {where}, so a verdict from them would "
        "mislead. Say how likely each labelled case was to be looked at (--propensity COLUMN), or "
        f"{remedy}"
    )


def _default(
    log: PredictionLog, default: str | None, weight: FloatArray | None
) -> tuple[str, float]:
    """The class that all cases would get without a model, and how many labelled ones have it."""
    masses = np.bincount(log.label, weight, len(log.classes))
    if default is None:
        code = int(masses.argmax())
    elif default in log.classes:
        code = log.classes.index(default)
    else:
        raise InputError(
            f"the default {default!r} is not among the classes {', '.join(log.classes)}"
        )
    return log.classes[code], masses[code].item()
