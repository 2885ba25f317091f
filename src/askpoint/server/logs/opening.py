"""A first policy, from a log or from nothing, as plain values: its document, and what it would do in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from askpoint.answers.live.first_policy import Opening, OpeningQuestion, answer_opening
from askpoint.answers.value.verdict import answer_value
from askpoint.answers.value.volume import Volume
from askpoint.errors import AskpointError
from askpoint.live.documents import PolicyDocument
from askpoint.records.predictions import PredictionLog
from askpoint.reports.capacity_price import price_capacity
from askpoint.reports.document import Block, Paragraph, Section
from askpoint.reports.live.deploy import beside_report_text, opening_document
from askpoint.reports.live.opening_work import capacity_blocks, opening_work_blocks
from askpoint.reports.value.own_thresholds import group_differences_blocks
from askpoint.server.logs.questions import ReportQuestion
from askpoint.server.report_sections import plain_sections
from askpoint.value.limits import MaxError
from askpoint.value.objectives import Objective
from askpoint.value.priced import CheckCost

__all__ = ["Opened", "Opens", "open_policy"]


class Opened(NamedTuple):
    """A policy that nobody has adopted.

    Parameters
    ----------
    document : PolicyDocument
        What decides.
    told : list of dict
        Sections, as `plain_sections` makes them.
    """

    document: PolicyDocument
    told: list[dict[str, Any]]


Opens = Callable[[OpeningQuestion, str, str], Opened]
"""Chooses a policy for a question, by its name and the hash of its secret."""


def open_policy(
    log: PredictionLog | None,
    question: OpeningQuestion,
    model: Mapping[str, Any],
    name: str,
    secret_hash: str,
    *,
    labels_are_random: bool = False,
    asked: ReportQuestion | None = None,
) -> Opened:
    """Choose a policy; `asked` names volume and money, of which it speaks, and the column of a log's groups.

    Raises
    ------
    AskpointError
        As `askpoint deploy` refuses logs and terms.
    """
    can_check, by = question.limit, (asked.by if asked is not None else "") or None
    if question.aim == "capacity":
        question = price_capacity(
            log, question, measure=model["measure"], labels_are_random=labels_are_random
        )
    opening = answer_opening(
        log,
        question,
        name=name,
        model=dict(model),
        secret_hash=secret_hash,
        labels_are_random=labels_are_random,
        by=by,
    )
    work = tuple(_work_blocks(opening, asked, can_check))
    first, *others = opening_document(opening, name, work).sections[:-1]  # the last names commands
    beside = _beside_report(log, opening, labels_are_random=labels_are_random)
    told = Section(first.title, (*first.blocks, *beside))
    return Opened(opening.document, plain_sections([told, *others]))


def _work_blocks(
    opening: Opening, asked: ReportQuestion | None, can_check: Volume | float
) -> Iterator[Block]:
    """Yield what the policy takes of people's time and money, where it is known how many cases come."""
    load = None if asked is None else asked.workload()
    if asked is None or load is None:
        return
    if asked.aim == "capacity":
        if asked.capacity is not None:
            can_check = Volume(asked.capacity, asked.capacity_period)
        yield from capacity_blocks(opening, load.volume, can_check, 1 / opening.question.limit)
    yield from opening_work_blocks(opening, load, asked.currency or None)


def _beside_report(
    log: PredictionLog | None, opening: Opening, *, labels_are_random: bool
) -> Iterator[Block]:
    """Yield how a report on the same log differs from the policy, where both answer the same question."""
    question, model = opening.question, opening.document.model
    if log is None or model.get("ladder"):
        return
    if question.of_all_cases:
        return  # the report of that question releases a whole batch: another promise
    try:
        objective: Objective = CheckCost(question.limit)
        if question.aim == "promise":
            objective = MaxError(question.limit, question.delta)
        measure = "max_probability" if log.proba is None else model["measure"]
        answer = answer_value(log, objective, measure=measure, labels_are_random=labels_are_random)
    except AskpointError:
        return  # a report on it would say why it answers nothing
    if answer.own_thresholds is not None:
        yield from group_differences_blocks(answer, answer.own_thresholds)
    elif answer.tomorrow is not None and not model.get("groups"):
        best = answer.tomorrow.best
        yield Paragraph(beside_report_text(opening, best.asked, best.threshold))
