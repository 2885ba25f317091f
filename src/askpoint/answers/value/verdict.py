"""From a log of predictions to one operating point, its uncertainty and what it is worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.case import Case
from askpoint.answers.value.models import ModelComparison, compare_models
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.refusals import Unmet
from askpoint.answers.value.sketched import SketchedCase
from askpoint.errors import LogError, NotEstimableError, UnmetError
from askpoint.records.predictions import PredictionLog
from askpoint.records.streams import SketchedLog
from askpoint.value.objectives import AskAtMost, FBeta

__all__ = ["answer_value"]


def answer_value(
    log: PredictionLog | Mapping[str | None, SketchedLog], question: ValueQuestion
) -> ValueAnswer:
    """Answer a question from a log; with several models, for each of them."""
    if isinstance(log, Mapping):
        logs: dict[str, PredictionLog] = {}
        makers: dict[str | None, Callable[[], Case]] = {
            name: partial(SketchedCase, log[name], question) for name in sorted(log, key=str)
        }
    elif log.model is None:
        return Case(log, question).answer()
    else:
        logs = {str(name): part for name, part in log.by_model()}
        makers = {name: partial(Case, part, question) for name, part in logs.items()}
    if None in makers:
        return makers[None]().answer()
    answers, unmet = [], []
    for name, make in makers.items():
        try:
            case = make()
        except LogError as error:
            raise LogError(f"model {name!r}: {error}") from None
        try:
            answers.append((str(name), case.answer()))
        except (UnmetError, NotEstimableError) as error:
            unmet.append(f"{name!r}: {error}")
            answers.append((str(name), replace(case.start, refusal=Unmet(str(error)))))
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
    if not logs:
        return ModelComparison(curves, reason="only counts")
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
