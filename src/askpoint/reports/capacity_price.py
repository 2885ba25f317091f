"""The price that a capacity of people stands for: a policy weighs mistakes against checks."""

from __future__ import annotations

from dataclasses import replace

from askpoint.answers.live.first_policy import AUDIT_RATE, OpeningQuestion
from askpoint.answers.value.question import ASSUMED_CHECKS
from askpoint.answers.value.verdict import answer_value
from askpoint.errors import InputError
from askpoint.records.predictions import PredictionLog
from askpoint.value.limits import AskAtMost

__all__ = ["price_capacity"]


def price_capacity(
    log: PredictionLog | None,
    question: OpeningQuestion,
    *,
    measure: str = "max_probability",
    labels_are_random: bool = False,
) -> OpeningQuestion:
    """Return the question at the price at which people have as many cases as they can check, audits included.

    Where the labels allow no verdict the usual price is taken, and opening a policy says what is wrong with them.

    Raises
    ------
    InputError
        Without a log, or if audits alone take all that people can check.
    """
    if log is None:
        raise InputError(
            "which price a capacity stands for is learned from a log of cases: name one, or say what a mistake costs"
        )
    answer = answer_value(
        log,
        AskAtMost(question.limit),
        measure="max_probability" if log.proba is None else measure,
        labels_are_random=labels_are_random,
    )
    checks = float(ASSUMED_CHECKS)
    if answer.tomorrow is not None:
        rate = AUDIT_RATE if question.rate is None else question.rate
        checks = answer.tomorrow.price_of_capacity(question.limit, rate)
    return replace(question, aim="money", limit=1 / checks)
