"""A first policy, from a log or from nothing, as plain values: its document, and what it would do in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from askpoint.answers.live.first_policy import Opening, OpeningQuestion, answer_opening
from askpoint.answers.value.verdict import answer_value
from askpoint.errors import AskpointError
from askpoint.live.documents import PolicyDocument
from askpoint.records.predictions import PredictionLog
from askpoint.reports.document import Block, Paragraph, Section
from askpoint.reports.live.deploy import beside_report_text, opening_document
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
    by: str | None = None,
) -> Opened:
    """Choose a policy.

    Raises
    ------
    AskpointError
        As `askpoint deploy` refuses logs and terms.
    """
    opening = answer_opening(
        log,
        question,
        name=name,
        model=dict(model),
        secret_hash=secret_hash,
        labels_are_random=labels_are_random,
        by=by,
    )
    first, *others = opening_document(opening, name).sections[:-1]  # the last names commands
    beside = _beside_report(log, opening, labels_are_random=labels_are_random)
    told = Section(first.title, (*first.blocks, *beside))
    return Opened(opening.document, plain_sections([told, *others]))


def _beside_report(
    log: PredictionLog | None, opening: Opening, *, labels_are_random: bool
) -> Iterator[Block]:
    """Yield how a report on the same log differs from the policy, where both answer the same question."""
    question, model = opening.question, opening.document.model
    if log is None or model.get("ladder") or model.get("groups"):
        return
    if question.of_all_cases:
        return  # the report of that question releases a whole batch: another promise
    try:
        objective: Objective = CheckCost(question.limit)
        if question.aim == "promise":
            objective = MaxError(question.limit, question.delta)
        answer = answer_value(log, objective, labels_are_random=labels_are_random)
    except AskpointError:
        return  # a report on it would say why it answers nothing
    if answer.tomorrow is not None:
        best = answer.tomorrow.best
        yield Paragraph(beside_report_text(opening, best.asked, best.threshold))
