"""A first policy, from a log or from nothing, as plain values: its document, and what it would do in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from askpoint.answers.live.first_policy import OpeningQuestion, answer_opening
from askpoint.live.documents import PolicyDocument
from askpoint.records.predictions import PredictionLog
from askpoint.reports.live.deploy import opening_document
from askpoint.server.report_sections import plain_sections

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
    sections = opening_document(opening, name).sections[:-1]  # the last names commands
    return Opened(opening.document, plain_sections(sections))
