"""The numbers of the main job: from a log of predictions to one operating point."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from askpoint.errors import CostsError, InputError, LogError
from askpoint.measures.confidence import confidence_scores
from askpoint.measures.costs import CostMatrix
from askpoint.measures.exchange import ExchangeRate, Prices
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.measures.outcomes import Outcomes
from askpoint.measures.sampling import effective_size
from askpoint.records.predictions import PredictionLog
from askpoint.reports.value_guarantee import Guarantee, answering_pays, guarantee_of
from askpoint.reports.value_models import ModelComparison, compare_models
from askpoint.reports.value_people import people_of
from askpoint.reports.words import share
from askpoint.value.costs import CostCurve, cheapest_decisions, cost_curve
from askpoint.value.curve import LabelledCases, ValueCurve
from askpoint.value.objectives import (
    AskAtMost,
    CheckCost,
    FBeta,
    MaxError,
    MinPrecision,
    MinRecall,
    MistakeCost,
    Objective,
    OperatingPoint,
)
from askpoint.value.people import ErringPeople
from askpoint.value.selection import LabelSelection, label_selection
from askpoint.value.uncertainty import OutcomeIntervals, outcome_intervals

__all__ = [
    "ASSUMED_CHECKS",
    "Baseline",
    "GroupLine",
    "ValueAnswer",
    "ValueQuestion",
    "answer_value",
]

ASSUMED_CHECKS = 20
"""Checks taken to be worth one mistake where nobody stated a price."""
_PRICE_STEPS = (2, 5, 10, 20, 50, 100, 1000)


@dataclass(frozen=True)
class ValueQuestion:
    """What is asked of a log.

    Parameters
    ----------
    objective : Objective, optional
        What to want of the threshold; by default 20 checks are taken to be worth one mistake,
        and the report says that this is assumed.
    costs : CostMatrix, optional
        A full cost matrix with a reject cost, instead of an objective.
    prices : Prices, optional
        Worth of a right answer, a case asked and a mistake in money, instead of an objective.
    measure : str, default="max_probability"
        Confidence measure, where the log has probabilities.
    labels_are_random : bool, default=False
        The user's word that labels do not depend on the model's confidence.
    check_price : float, optional
        Work of one check in units of a mistake, for people who err, instead of an objective.
    people_right : float, optional
        Share of cases that people get right; by default what the log shows.
    default : str, optional
        Class that all cases would get without a model; by default the most frequent one.
    level : float, default=0.95
        Interval coverage.
    """

    objective: Objective | None = None
    costs: CostMatrix | None = None
    prices: Prices | None = None
    measure: str = "max_probability"
    labels_are_random: bool = False
    check_price: float | None = None
    people_right: float | None = None
    default: str | None = None
    level: float = 0.95

    def __post_init__(self) -> None:
        wishes = (self.objective, self.costs, self.prices, self.check_price)
        given = [x is not None for x in wishes]
        if sum(given) > 1:
            raise InputError("state one objective: a price, a constraint, costs or prices; not two")

    @property
    def states_a_price(self) -> bool:
        """Whether the exchange rate is the user's, or assumed; not implied by a constraint."""
        if self.costs is not None or self.check_price is not None:
            return False
        return isinstance(self.objective, MistakeCost | CheckCost | None)


@dataclass(frozen=True)
class Baseline:
    """What a policy does to all cases, and what that costs.

    Parameters
    ----------
    name : str
        The policy.
    outcomes : Outcomes
        What becomes of the cases.
    cost : float or None
        Per 1,000 cases, in the answer's unit; less is better. None where a constraint implies
        no finite price.
    people_wrong : float, default=0
        Mistakes that people are expected to make on the cases asked, on top of the outcomes'.
    """

    name: str
    outcomes: Outcomes
    cost: float | None
    people_wrong: float = 0.0


@dataclass(frozen=True)
class GroupLine:
    """What the common threshold does to one group.

    Parameters
    ----------
    name : str or None
        The group; None for rows that name none.
    n_items, n_labelled : int
        Rows in the group.
    coverage : float
        Share of its cases answered.
    outcomes : Outcomes or None
        Of its labelled cases; None if there are none.
    intervals : OutcomeIntervals or None
        Theirs.
    """

    name: str | None
    n_items: int
    n_labelled: int
    coverage: float
    outcomes: Outcomes | None
    intervals: OutcomeIntervals | None


@dataclass(frozen=True)
class ValueAnswer:
    """Everything that report, page and JSON say about a log.

    Parameters
    ----------
    question : ValueQuestion
        What was asked.
    n_items, n_labelled : int
        Rows of the log.
    classes : tuple of str
        Class names.
    curve : ValueCurve
        On the labelled rows, weighted where the log says how.
    n_effective : float
        Effective number of labelled rows.
    selection : LabelSelection or None
        How labelled and other rows differ; None where all are labelled.
    refusal : str or None
        Why no verdict is given.
    point : OperatingPoint or None
        The verdict; its outcomes are those of all rows.
    coverage, asked : float, int
        Share of all cases answered; number of rows asked.
    below : float
        Greatest confidence of a row that is asked; minus infinity if none is.
    intervals : OutcomeIntervals or None
        For a threshold fixed before.
    band : float or None
        Half width on expected profit that also holds for a threshold chosen on these rows.
    baselines : tuple of Baseline
        The verdict's cost first, then the baselines and the upper limit.
    unit : str
        Of the baselines' costs.
    prices : tuple of OperatingPoint
        The best points at a few other prices.
    groups : tuple of GroupLine
        What the threshold does to each group.
    people : ErringPeople or None
        How right people are, where they are said or seen to err.
    guarantee : Guarantee or None
        What is promised of new cases, and its price.
    p_value : float or None
        Of answering being no better than asking at a stated price; at a threshold chosen on
        the same cases.
    models : tuple of (str, ValueAnswer)
        All models of the log, the best first; this answer is the first one's.
    comparison : ModelComparison or None
        Of those models, at prices.
    """

    question: ValueQuestion
    n_items: int
    n_labelled: int
    classes: tuple[str, ...]
    curve: ValueCurve
    n_effective: float
    selection: LabelSelection | None
    refusal: str | None = None
    point: OperatingPoint | None = None
    coverage: float = 0.0
    asked: int = 0
    below: float = -math.inf
    intervals: OutcomeIntervals | None = None
    band: float | None = None
    baselines: tuple[Baseline, ...] = ()
    unit: str = "checks"
    prices: tuple[OperatingPoint, ...] = ()
    groups: tuple[GroupLine, ...] = ()
    people: ErringPeople | None = None
    guarantee: Guarantee | None = None
    p_value: float | None = None
    models: tuple[tuple[str, ValueAnswer], ...] = ()
    comparison: ModelComparison | None = None

    @property
    def n_unlabelled(self) -> int:
        """Number of rows without a label."""
        return self.n_items - self.n_labelled

    @property
    def rate(self) -> ExchangeRate | None:
        """The exchange rate of the verdict."""
        return None if self.point is None else self.point.rate

    @property
    def coverage_interval(self) -> Interval:
        """Interval for the share answered, from all rows, labelled or not."""
        answered = self.n_items - self.asked
        return binomial_interval(answered, self.n_items, level=self.question.level)


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
        With several models, that of the one which costs least.

    Raises
    ------
    LogError
        If no row has a label.
    InputError
        If the question does not fit the log.
    UnmetError
        If no threshold meets a constraint.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.records.logs import read_log
    >>> from askpoint.reports.value_answer import ValueQuestion, answer_value
    >>> from askpoint.value.objectives import MistakeCost
    >>> frame = pl.DataFrame({"label": [1, 1, 0, 0], "proba": [0.9, 0.8, 0.6, 0.1]})
    >>> answer = answer_value(read_log(frame), ValueQuestion(MistakeCost(4.0)))
    >>> answer.point.threshold, answer.coverage
    (0.8, 0.75)
    """
    if log.model is None:
        return _one_model(log, question)
    logs = {str(name): part for name, part in log.by_model()}
    answers = [(name, _one_model(part, question)) for name, part in logs.items()]
    answers.sort(key=lambda pair: _rank(pair[1]))
    models = tuple(answers)
    return replace(answers[0][1], models=models, comparison=_comparison(logs, models, question))


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
    """What orders models: cost at a stated price; under a constraint what it leaves free."""
    if answer.point is None:
        return math.inf
    if isinstance(answer.question.objective, AskAtMost):
        return answer.point.outcomes.wrong / answer.point.outcomes.total
    if isinstance(answer.question.objective, FBeta):
        return -answer.point.outcomes.f_beta(answer.question.objective.beta)
    if isinstance(answer.question.objective, MaxError | MinRecall | MinPrecision):
        return -answer.coverage
    return answer.baselines[0].cost or 0.0


def _one_model(log: PredictionLog, question: ValueQuestion) -> ValueAnswer:
    if not log.n_labelled:
        raise LogError("no row has a label; label at least some rows")
    weight = _weights(log)
    costly = None
    if question.costs is not None:
        costly = _cost_curve(log, question.costs, weight)
        curve, confidence = costly.curve, _savings(log, question.costs)
    else:
        confidence = _confidence(log, question.measure)
        cases = LabelledCases(
            log.classes, log.label, log.prediction[log.labelled], confidence[log.labelled], weight
        )
        curve = ValueCurve.from_outcomes(
            log.right, cases.confidence, sample_weight=weight, cases=cases
        )
    answer = ValueAnswer(
        question,
        log.n_items,
        log.n_labelled,
        log.classes,
        curve,
        log.n_labelled if weight is None else effective_size(weight),
        label_selection(confidence, log.labelled),
    )
    refusal = _refusal(answer, weighted=weight is not None)
    if refusal is not None:
        return replace(answer, refusal=refusal)
    if question.check_price is not None:
        people = people_of(log, confidence, question.check_price, question.people_right)
        answer = replace(answer, people=people, unit="mistakes")
        point = people.choose(curve)
    elif costly is not None:
        point = costly.choose()
        unit = question.costs.unit if question.costs is not None else ""
        answer = replace(answer, unit=unit or "units of cost")
    else:
        point = _point(answer, confidence)
    return _with_verdict(answer, log, confidence, point, costly)


def _with_verdict(
    answer: ValueAnswer,
    log: PredictionLog,
    confidence: FloatArray,
    point: OperatingPoint,
    costly: CostCurve | None,
) -> ValueAnswer:
    question = answer.question
    answered = confidence >= point.threshold
    coverage = float(np.average(answered, weights=log.weight))
    labelled = point.outcomes
    if answer.n_unlabelled and labelled.risk is not None:
        total = labelled.total
        wrong = coverage * labelled.risk * total
        point = replace(
            point, outcomes=Outcomes(coverage * total - wrong, wrong, (1 - coverage) * total)
        )
    omega = point.rate.omega if point.rate is not None else 0.0
    if question.prices is not None:
        answer = replace(answer, unit="money")
    return replace(
        answer,
        point=point,
        coverage=coverage,
        asked=int(answered.size - answered.sum()),
        below=float(confidence[~answered].max(initial=-np.inf)),
        intervals=outcome_intervals(
            labelled, omega=omega, n=answer.n_effective, level=question.level
        ),
        band=(
            answer.curve.band(1 - question.level)
            if answer.n_effective == answer.n_labelled
            else None
        ),
        baselines=(
            _baselines(answer, log, point, costly)
            if answer.people is None
            else tuple(_people_baselines(answer, log, point, confidence))
        ),
        prices=tuple(MistakeCost(checks - 1).choose(answer.curve) for checks in _PRICE_STEPS)
        if costly is None and answer.people is None
        else (),
        groups=tuple(_groups(answer, log, confidence, point.threshold)),
        guarantee=guarantee_of(question.objective, answer.curve, confidence, log.weight),
        p_value=(
            answering_pays(answer.curve, labelled, point) if question.states_a_price else None
        ),
    )


def _weights(log: PredictionLog) -> FloatArray | None:
    if log.propensity is not None:
        return 1 / np.asarray(log.propensity, dtype=np.float64)
    return None if log.weight is None else log.weight[log.labelled]


def _confidence(log: PredictionLog, measure: str) -> FloatArray:
    if log.confidence is not None:
        return log.confidence
    if log.proba is None:  # the reader gives one of both
        raise LogError("the log has neither probabilities nor a confidence")
    return confidence_scores(log.proba, measure)


def _probabilities(log: PredictionLog) -> FloatArray:
    if log.proba is None:
        raise LogError(
            "a cost matrix needs the probabilities of all classes; the log has only predictions "
            "with a confidence: use --rho or --omega"
        )
    return log.proba


def _savings(log: PredictionLog, costs: CostMatrix) -> FloatArray:
    ordered = costs.reordered(log.classes)
    p = _probabilities(log)
    return np.asarray(p @ ordered.reject_costs - cheapest_decisions(p, ordered)[1])


def _cost_curve(log: PredictionLog, costs: CostMatrix, weight: FloatArray | None) -> CostCurve:
    if costs.reject_cost is None:
        raise CostsError(
            "the costs say nothing of asking: add reject_cost to the file, what one check costs"
        )
    ordered = costs.reordered(log.classes)
    truth = np.asarray(log.classes, dtype=object)[log.label]
    p = _probabilities(log)[log.labelled]
    return cost_curve(truth, p, ordered, sample_weight=weight)


def _refusal(answer: ValueAnswer, *, weighted: bool) -> str | None:
    selection = answer.selection
    if selection is None or weighted or answer.question.labels_are_random:
        return None
    if not selection.is_selective:
        return None
    low, high = selection.shares[0], selection.shares[-1]
    return (
        f"labels are not spread evenly over confidence: {share(low)} of the least sure tenth "
        f"have one, {share(high)} of the surest. A verdict from them would mislead. Say how likely each "
        "labelled case was to be looked at (--propensity COLUMN or --weight COLUMN), or label "
        f"{min(400, answer.n_unlabelled)} cases drawn at random from all and use only those, or "
        "state --labels-are-random if you know that they are"
    )


def _point(answer: ValueAnswer, confidence: FloatArray) -> OperatingPoint:
    question = answer.question
    if question.prices is not None:
        return MistakeCost(question.prices.rate.omega).choose(answer.curve)
    objective = question.objective
    if objective is None:
        return MistakeCost(ASSUMED_CHECKS - 1).choose(answer.curve)
    if isinstance(objective, AskAtMost) and answer.n_unlabelled:
        # people see the unlabelled cases too: capacity is counted on all of them
        everything = ValueCurve.from_outcomes(np.ones(len(confidence), np.bool_), confidence)
        return OperatingPoint.at(answer.curve, objective.choose(everything).threshold)
    return objective.choose(answer.curve)


def _baselines(
    answer: ValueAnswer, log: PredictionLog, point: OperatingPoint, costly: CostCurve | None
) -> tuple[Baseline, ...]:
    question, total = answer.question, answer.curve.total
    name, policies = _policies(answer, log, point)
    if costly is not None:
        amounts = _matrix_costs(costly, point, log.classes.index(name))
    elif question.prices is not None:
        amounts = [-outcomes.money(question.prices) for outcomes in policies.values()]
    elif point.rate is not None:
        checks = point.rate.checks_per_mistake
        amounts = [o.asked + checks * o.wrong for o in policies.values()]
    else:
        return tuple(Baseline(name, outcomes, None) for name, outcomes in policies.items())
    return tuple(
        Baseline(name, outcomes, 1000 * amount / total)
        for (name, outcomes), amount in zip(policies.items(), amounts, strict=True)
    )


def _policies(
    answer: ValueAnswer, log: PredictionLog, point: OperatingPoint
) -> tuple[str, dict[str, Outcomes]]:
    """The default class, and what each policy does to the cases."""
    total, right = answer.curve.total, answer.curve.right[-1].item()
    name, share = _default_share(log, answer.question.default, _weights(log))
    return name, {
        "this threshold": point.outcomes,
        "ask people about every case": Outcomes(0, 0, total),
        "let the model decide every case": Outcomes(right, total - right, 0),
        f"decide {name!r} for every case": Outcomes(share * total, (1 - share) * total, 0),
        "upper limit: ask exactly when wrong": Outcomes(right, 0, total - right),
    }


def _people_baselines(
    answer: ValueAnswer, log: PredictionLog, point: OperatingPoint, confidence: FloatArray
) -> Iterator[Baseline]:
    people, cases = answer.people, answer.curve.cases
    if people is None or cases is None:  # _one_model makes both
        raise InputError("people's mistakes are counted on cases: the curve does not know them")
    total = answer.curve.total
    weight = np.ones(len(confidence)) if log.weight is None else log.weight
    everywhere = weight * (total / weight.sum())
    needless = np.zeros(len(confidence))
    mistaken = np.zeros(len(confidence))
    mistaken[log.labelled] = (1.0 if cases.weight is None else cases.weight) * (
        cases.truth != cases.predicted
    )
    asked = (everywhere * (confidence < point.threshold), everywhere, needless, needless, mistaken)
    for (name, outcomes), who in zip(_policies(answer, log, point)[1].items(), asked, strict=True):
        people_wrong = float(who @ people.wrong(confidence))
        cost = outcomes.wrong + people_wrong + people.check_price * float(who.sum())
        yield Baseline(name, outcomes, 1000 * cost / total, people_wrong)


def _matrix_costs(costly: CostCurve, point: OperatingPoint, default: int) -> Sequence[float]:
    curve, cases, costs = costly.curve, costly.curve.cases, costly.costs
    if cases is None:  # cost_curve always keeps them
        raise InputError("the cost curve does not know its cases")
    k = int(np.searchsorted(-curve.thresholds, -point.threshold, side="right")) - 1
    w = np.ones(len(cases.truth)) if cases.weight is None else cases.weight
    wrong = cases.truth != cases.predicted
    diagonal = np.diag(costs.cost)[cases.truth]
    best = np.where(wrong, costs.reject_costs[cases.truth], diagonal)
    return [
        float(costly.cost[k] * curve.total),
        float(costly.asking[0]),
        float(costly.loss[-1]),
        float(w @ costs.cost[cases.truth, default]),
        float(w @ best),
    ]


def _default_share(
    log: PredictionLog, default: str | None, weight: FloatArray | None
) -> tuple[str, float]:
    shares = np.bincount(log.label, weight, len(log.classes))
    shares = shares / shares.sum()
    if default is None:
        code = int(shares.argmax())
    elif default in log.classes:
        code = log.classes.index(default)
    else:
        raise InputError(
            f"the default {default!r} is not among the classes {', '.join(log.classes)}"
        )
    return log.classes[code], float(shares[code])


def _groups(
    answer: ValueAnswer, log: PredictionLog, confidence: FloatArray, threshold: float
) -> Any:
    if log.group is None:
        return
    for code, name in enumerate(log.group.names):
        rows = log.group.codes == code
        if not rows.any():
            continue
        part = log.take(rows)
        coverage = float(np.average(confidence[rows] >= threshold, weights=part.weight))
        outcomes = intervals = None
        if part.n_labelled:
            weight = _weights(part)
            scores = confidence[rows][part.labelled]
            outcomes = ValueCurve.from_outcomes(
                _right(answer, log)[rows[log.labelled]], scores, sample_weight=weight
            ).outcomes(threshold)
            n = part.n_labelled if weight is None else effective_size(weight)
            intervals = outcome_intervals(outcomes, n=n, level=answer.question.level)
        yield GroupLine(name, part.n_items, part.n_labelled, coverage, outcomes, intervals)


def _right(answer: ValueAnswer, log: PredictionLog) -> Any:
    cases = answer.curve.cases
    return log.right if cases is None else cases.truth == cases.predicted
