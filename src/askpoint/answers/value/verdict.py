"""From a log of predictions to one operating point, its uncertainty and what it is worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from askpoint.answers.value.accounts import accounts_of, cross_fit_places
from askpoint.answers.value.answer import GroupLine, ValueAnswer
from askpoint.answers.value.guarantee import guarantee_of
from askpoint.answers.value.hindsight import (
    check_default,
    describe_rows,
    group_lines,
    hindsight_point,
)
from askpoint.answers.value.model_cases import ModelCases
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.refusals import (
    Refusal,
    SelectiveLabels,
    UnknownMistakes,
    Unmet,
    count_proposed,
    find_refusal,
)
from askpoint.answers.value.row_case import RowCase
from askpoint.answers.value.tomorrow import Tomorrow, answer_tomorrow
from askpoint.errors import LogError, NotEstimableError, UnmetError
from askpoint.measures.exchange import Prices
from askpoint.measures.inputs import as_level
from askpoint.measures.outcomes import Outcomes
from askpoint.records.lost_parts import guard_part
from askpoint.records.predictions import PredictionLog
from askpoint.value.cost_curves import as_objective, as_one_price
from askpoint.value.objectives import Objective

if TYPE_CHECKING:
    from askpoint.answers.value.current_threshold import InUse
    from askpoint.answers.value.models import ModelComparison
    from askpoint.answers.value.recall_promise import RecallPromise
    from askpoint.answers.value.whole_output import WholeOutput
    from askpoint.answers.value.worst_cases import WorstCase
    from askpoint.measures.cost_matrix import CostMatrix
    from askpoint.records.streams import SketchedLog
    from askpoint.value.reviewer_errors import ReviewerErrors

__all__ = ["answer_case", "answer_question", "answer_value"]

_LOOKED_AT = (
    "nothing more is known: labels that were not drawn at random lie where a person looked, which says "
    "little of the rows as a whole"
)


def answer_value(
    log: PredictionLog | Mapping[str | None, SketchedLog],
    objective: Objective | CostMatrix | Prices | None = None,
    *,
    measure: str = "max_probability",
    labels_are_random: bool = False,
    default: str | None = None,
    level: float = 0.95,
    in_use: float | None = None,
    since: Mapping[str, Any] | None = None,
    look: Literal["once", "again"] | None = None,
    daily: float | None = None,
    audit_share: float | None = None,
    currency: str | None = None,
    check: float | None = None,
) -> ValueAnswer:
    """Say which decisions of a log the model may take alone, and what that costs.

    Parameters
    ----------
    log : PredictionLog, or mapping of SketchedLog
        What `read_log` returns, or `sketch_log` by model.
    objective : Objective, CostMatrix or Prices, optional
        What to want: a price such as `CheckCost`, a limit such as `AskAtMost` or `MaxError`, a
        cost matrix with a reject cost, prices in money, or `CheckWork` for people who err. Without
        one, 20 checks are taken to be worth one mistake.
    measure : str, default="max_probability"
        Confidence measure, where the log has probabilities.
    labels_are_random : bool, default=False
        Your word that labels do not depend on the model's confidence.
    default : str, optional
        Class that all cases would get without a model; by default the most frequent one.
    level : float, default=0.95
        Interval coverage.
    in_use : float, optional
        A threshold in use, to be judged on this log.
    since : mapping, optional
        The report that chose it, as ``askpoint value --json`` printed it.
    look : {"once", "again"}, optional
        Whether a promise (``MaxError`` with delta) is asked for once, or again while the log
        grows. Without, what is safe either way is answered, and both are told.
    daily : float, optional
        ``AskAtMost`` a number of cases a day, to be kept with this probability; the log's column
        of time says which day.
    audit_share : float, optional
        ``MaxMistakes`` rests on audits from the surest case down, each case with this chance, instead
        of labels drawn at random from all.
    currency : str, optional
        What prices in money are in, such as EUR: the report says so.
    check : float, optional
        What a check costs in money, where the objective states the price of a mistake in checks.

    Returns
    -------
    ValueAnswer
        Of the best model, if the log holds several; ``.models`` has all.

    Raises
    ------
    LogError
        If no row has a label, or the log lacks what the objective needs.
    UnmetError, NotEstimableError
        If no model can meet the objective, or promise it.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint import CheckCost, read_log
    >>> from askpoint.answers.value.verdict import answer_value
    >>> log = read_log(pl.DataFrame({"label": [1, 1, 0, 1], "proba": [0.9, 0.8, 0.7, 0.6]}))
    >>> answer_value(log, CheckCost(0.25)).point.threshold
    0.8
    """
    question = ValueQuestion(
        ValueQuestion.objective if objective is None else _one_price(as_objective(objective), log),
        objective is None,
        measure,
        labels_are_random,
        default,
        as_level(level, "level"),
        in_use=in_use,
        since=since,
        look=look,
        daily=daily,
        audit_share=None if audit_share is None else as_level(audit_share, "audit-share"),
        currency=currency,
        check=check,
    )
    return answer_question(log, question)


def _one_price(
    objective: Objective, log: PredictionLog | Mapping[str | None, SketchedLog]
) -> Objective:
    """Costs that are alike for all classes as the one price that they are: it takes fewer labels."""
    price = None if objective.costs is None else as_one_price(objective.costs)
    if objective.costs is None or price is None:
        return objective
    for one in log.values() if isinstance(log, Mapping) else [log]:
        objective.costs.reorder(one.classes)  # they name the same classes
    return price


def answer_question(
    log: PredictionLog | Mapping[str | None, SketchedLog], question: ValueQuestion
) -> ValueAnswer:
    """Answer a question from a log; with several models, for each of them."""
    if isinstance(log, Mapping):
        from askpoint.answers.value.sketch_case import SketchCase

        question = replace(question, n_models=len(log))
        logs: dict[str, PredictionLog] = {}
        makers: dict[str | None, Callable[[], ModelCases]] = {
            name: partial(SketchCase, log[name], question) for name in sorted(log, key=str)
        }
    elif log.model is None:
        return answer_case(RowCase(log, question))
    else:
        question = replace(question, n_models=sum(1 for _ in log.by_model()))
        logs = {str(name): part for name, part in log.by_model()}
        makers = {name: partial(RowCase, part, question) for name, part in logs.items()}
    if None in makers:
        return answer_case(makers[None]())
    answers = []
    for name, make in makers.items():
        try:
            answers.append((str(name), answer_case(make())))
        except LogError as error:
            raise LogError(f"model {name!r}: {error}") from None
    answers.sort(key=lambda pair: _rank(pair[1]))
    comparison, lost = None, dict(answers[0][1].lost)
    with guard_part("comparison", lost):
        comparison = _comparison(logs, answers, question)
    return replace(answers[0][1], models=tuple(answers), comparison=comparison, lost=lost)


def answer_case(case: ModelCases) -> ValueAnswer:
    """Answer for one of several models: new cases first, then what holds of the rows themselves."""
    check_default(case.classes, case.question.default)  # before the parts that may fail alone
    balanced = None
    if case.selection is not None and case.selection.is_selective:
        from askpoint.answers.value.balanced_labels import balance_labels

        balanced = balance_labels(case)
        case = case if balanced is None else balanced
    places, curve, question = case.places, case.curve, case.question
    lost: dict[str, str] = {}
    start = ValueAnswer(
        question=question,
        n_items=int(places.items.sum()),
        n_labelled=round(float((places.right + places.wrong).sum())),
        mass=float(places.mass.sum()),
        classes=case.classes,
        is_probability=case.is_probability,
        curve_of_labels=curve,
        n_effective=case.n_effective,
        selection=case.selection,
        is_sketched=case.is_sketched,
        n_proposed=count_proposed(case),
        n_uncounted=0 if case.log is None else case.log.n_uncounted,
        is_balanced=balanced is not None,
        lost_in_bins=case.lost_in_bins,
        places=places,
    )
    if question.audit_share is not None:  # a promise that needs no label elsewhere
        start = replace(start, whole_output=_whole_output(case))
    refusal = find_refusal(case, is_balanced=start.is_balanced)
    if refusal is not None or curve is None:
        return replace(start, refusal=refusal, worst=_worst(case, refusal))
    guarantee = guarantee_of(case, curve)
    fixed = days = None
    if question.daily is not None:
        from askpoint.answers.value.daily_load import daily_load_of

        days = daily_load_of(case, question.daily)
    output = start.whole_output or _whole_output(case)
    if output is not None:
        start, fixed = replace(start, whole_output=output), output.kept.threshold
    elif guarantee is not None:
        fixed = guarantee.kept.threshold
    elif (recall := _recall(case)) is not None:
        start, fixed = replace(start, recall_promise=recall), recall.threshold
    elif days is not None:
        fixed = days.found.threshold
    people: ReviewerErrors | None = None
    try:
        point, people = hindsight_point(case, curve, fixed)
    except (UnmetError, NotEstimableError) as error:
        start = replace(start, unmet=str(error))
    else:
        answered = places.above(point.threshold)
        if answered.any() and point.outcomes.risk is None:
            return replace(start, refusal=UnknownMistakes(places.count(answered)))
        with guard_part("rows", lost):
            start = replace(start, **describe_rows(case, curve, point, people))
    if start.n_proposed and start.selection is not None and start.selection.is_selective:
        start = replace(start, point=None, unmet=_LOOKED_AT)
    try:
        tomorrow = answer_tomorrow(case, people, fixed)
    except NotEstimableError as error:
        return replace(start, refusal=Unmet(str(error)))
    best = tomorrow.best.threshold
    judged, accounts = places, None
    groups: tuple[GroupLine, ...] = ()
    with guard_part("accounts", lost):
        judged = cross_fit_places(case, best)
        accounts = accounts_of(case, judged, best)
    with guard_part("groups", lost):
        groups = group_lines(case, judged, best)
    with guard_part("own_thresholds", lost):
        start = _by_group(start, case, tomorrow)
    return replace(
        start,
        tomorrow=tomorrow,
        in_use=_in_use(case, people),
        groups=groups,
        accounts=accounts,
        guarantee=guarantee,
        days=days,
        lost=lost,
    )


def _by_group(start: ValueAnswer, case: ModelCases, tomorrow: Tomorrow) -> ValueAnswer:
    """Add a threshold, or a promise, for each group of a log that names groups."""
    if case.log is None or case.log.group is None:
        return start
    from askpoint.answers.value.by_group import group_promises, group_thresholds

    return replace(
        start,
        own_thresholds=group_thresholds(case, tomorrow),
        group_promises=group_promises(case),
    )


def _whole_output(case: ModelCases) -> WholeOutput | None:
    if case.question.objective.output_limit is None:
        return None
    from askpoint.answers.value.whole_output import whole_output_of

    return whole_output_of(case)


def _recall(case: ModelCases) -> RecallPromise | None:
    if case.question.objective.class_limit is None:
        return None
    from askpoint.answers.value.recall_promise import recall_promise_of

    return recall_promise_of(case)


def _worst(case: ModelCases, refusal: Refusal | None) -> WorstCase | None:
    if not isinstance(refusal, SelectiveLabels):
        return None
    from askpoint.answers.value.worst_cases import worst_case

    return worst_case(case)


def _in_use(case: ModelCases, people: ReviewerErrors | None) -> InUse | None:
    question = case.question
    if question.in_use is None and question.since is None:
        return None
    from askpoint.answers.value.current_threshold import judge_current, since_report

    since = None if question.since is None else since_report(question.since, case.classes)
    used = question.in_use
    if used is None and since is not None:
        used = since.threshold
    return judge_current(case, float(used or 0.0), people, since)


def _comparison(
    logs: Mapping[str, PredictionLog],
    models: Sequence[tuple[str, ValueAnswer]],
    question: ValueQuestion,
) -> ModelComparison | None:
    """How models compare at prices; None where no one price says what each is worth."""
    points = {name: answer.point for name, answer in models if answer.point is not None}
    if len(models) < 2 or len(points) < len(models) or not question.objective.has_one_price:
        return None
    from askpoint.answers.value.models import ModelComparison, compare_models

    curves = {name: answer.curve for name, answer in models}
    if not logs:
        return ModelComparison(curves, reason="only counts")
    return compare_models(logs, curves, points, question)


def _rank(answer: ValueAnswer) -> tuple[float, float]:
    """What orders models: expected cost at a stated price; under a limit what it leaves free.

    Of equal ones the model that errs less if it decides everything.
    """
    if answer.tomorrow is None:
        return math.inf, math.inf
    best, alone = answer.tomorrow.best, answer.tomorrow.answer_all.mistakes.mean
    if best.cost_per_1000 is not None:
        return best.cost_per_1000.mean, alone
    asked = best.asked.mean
    wrong = min(best.mistakes.mean, 1 - asked)
    loss = answer.question.objective.loss(Outcomes(1 - asked - wrong, wrong, asked))
    return 0.0 if loss is None else loss, alone
