"""Policies that open from a ladder of rungs, or from a rule for documents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from askpoint.answers.live.first_policy import Opening, OpeningQuestion, answer_opening
from askpoint.answers.value.ladder import LadderAnswer
from askpoint.answers.value.learned_documents import learn_documents
from askpoint.answers.value.whole_documents import DocumentAnswer
from askpoint.errors import InputError
from askpoint.records.ladder_rule import LadderRule
from askpoint.records.logs import read_log
from askpoint.value.ladder.choice import held_out_walk

__all__ = ["open_documents", "open_ladder"]


def open_ladder(
    answer: LadderAnswer,
    question: OpeningQuestion,
    *,
    name: str,
    version: str = "",
    secret_hash: str,
) -> Opening:
    """Open a policy with the labelled cases of a ladder's log, each decided by rules learned without it.

    Parameters
    ----------
    answer : LadderAnswer
        What was recommended; its price is the policy's.
    question : OpeningQuestion
        Audits and planned decisions.
    name, version, secret_hash : str
        Of the policy, the model, and the policy's secret.

    Raises
    ------
    InputError
        If people review every case at once.
    """
    if answer.rule == "ask_all":
        raise InputError(
            "no policy opens: sending every case to review at once costs least, which takes no policy"
        )
    classes = list(answer.log.reader.classes)
    guard = answer.choice.guard
    rows, walk = held_out_walk(
        answer.cases, np.random.default_rng(answer.question.seed), is_ladder=guard.is_used
    )
    log = read_log(
        pl.DataFrame(
            {
                "id": rows,
                "label": [classes[code] for code in answer.cases.label[rows]],
                "prediction": [classes[code] for code in walk.answer],
                "confidence": walk.right,
            }
        ),
        classes=classes,
        prediction="prediction",
        confidence="confidence",
    )
    rule = LadderRule(answer.log.reader, answer.choice.learned.ladder)
    model: dict[str, Any] = {
        "name": "ladder",
        "version": version,
        "classes": classes,
        "measure": "max_probability",
        "ladder": rule.to_dict()
        | {
            "prices": [line.price for line in answer.rungs],
            "checks_per_mistake": answer.question.checks,
            "guard": {
                "saved_by_model": guard.saved_by_model,
                "saved_by_labels": guard.saved_by_labels,
                "error": guard.error,
                "is_used": guard.is_used,
            },
        },
    }
    return answer_opening(
        log,
        replace(question, limit=1 / answer.question.checks, assumed=answer.question.assumed),
        name=name,
        model=model,
        secret_hash=secret_hash,
        labels_are_random=True,
    )


def open_documents(
    answer: DocumentAnswer,
    question: OpeningQuestion,
    *,
    name: str,
    version: str = "",
    secret_hash: str,
) -> Opening:
    """Open a policy with the labelled documents of a log, each decided by rates learned without it.

    Parameters
    ----------
    answer : DocumentAnswer
        What was recommended; its price is the policy's.
    question : OpeningQuestion
        Audits and planned decisions.
    name, version, secret_hash : str
        Of the policy, the model, and the policy's secret.
    """
    learned = learn_documents(answer)
    return answer_opening(
        learned.log,
        replace(question, limit=learned.limit, assumed=answer.question.assumed),
        name=name,
        model={
            "name": "documents",
            "version": version,
            "classes": list(learned.log.classes),
            "measure": answer.question.measure,
            "documents": learned.rule,
        },
        secret_hash=secret_hash,
        labels_are_random=True,
    )
