"""A policy of documents: labelled documents as cases, each with a number that was learned without it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from askpoint.answers.value.whole_documents import (
    DocumentAnswer,
    LearnedFields,
    field_confidence,
    kinds_of,
    learn_fields,
)
from askpoint.errors import NotEstimableError
from askpoint.live.group_scale import GroupScale
from askpoint.records.document_rule import RELEASED
from askpoint.records.logs import read_log
from askpoint.records.predictions import PredictionLog
from askpoint.value.document_rule import release_score
from askpoint.value.posterior.correction import rising

__all__ = ["LearnedDocuments", "learn_documents"]

_FOLDS = 4
_FEWEST = 40


class LearnedDocuments(NamedTuple):
    """What a policy opens with.

    Attributes
    ----------
    log : PredictionLog
        One row per document with a label on every field: whether no field was wrong.
    rule : dict
        What the policy keeps, as plain values.
    limit : float
        What a check of a document costs, in mistakes of a document.
    """

    log: PredictionLog
    rule: dict[str, Any]
    limit: float


def learn_documents(answer: DocumentAnswer) -> LearnedDocuments:
    """Return the labelled documents as cases, and the rule for new ones.

    Raises
    ------
    NotEstimableError
        If too few documents have a label on every field, or fields have a price of their own.
    """
    documents, prices = answer.documents, answer.question.prices
    log, document = documents.log, documents.document
    if prices.field:
        raise NotEstimableError(
            "a policy decides whole documents: with a price for each field, only the report shows which fields of an open "
            "document to look at. Leave out --field-check."
        )
    whole = np.bincount(document, ~log.labelled) == 0
    if whole.sum() < _FEWEST:
        raise NotEstimableError(
            f"{int(whole.sum())} documents have a label on every field; a policy opens with {_FEWEST} or more. Label all "
            "fields of documents drawn at random."
        )
    confidence = field_confidence(documents, answer.question.measure)
    score = np.empty(len(documents.names))
    fold = np.random.default_rng(0).permutation(len(documents.names)) % _FOLDS
    for k in range(_FOLDS):
        held = fold == k
        learned = learn_fields(documents, confidence, ~held[document[log.labelled]])
        score[held] = release_score(learned.wrong, document)[held]
    wrong = np.zeros(log.n_items)
    wrong[log.labelled] = ~log.right
    mistaken = np.bincount(document, wrong) > 0
    learned = learn_fields(documents, confidence, np.ones(log.n_labelled, dtype=np.bool_))
    names, _ = kinds_of(documents)
    cases = pl.DataFrame(
        {
            "label": ["wrong" if one else RELEASED for one in mistaken[whole].tolist()],
            "prediction": RELEASED,
            "confidence": score[whole],
        }
    )
    expected = np.bincount(document, answer.wrong)
    # a wrong document holds more than one wrong field now and then, and each of them costs
    together = expected[answer.plan.released] if answer.plan.released.any() else expected
    fields = float(together.sum() / -np.expm1(-together).sum())
    return LearnedDocuments(
        read_log(cases, classes=[RELEASED, "wrong"]),
        {
            "document": documents.column,
            "by": documents.by,
            # of a prediction with its confidence the classes are what stands in the fields, and none of a policy's business
            "classes": [] if log.proba is None else list(log.classes),
            "scale": _scale(learned, documents.by or "", names).to_dict(),
            "checks_per_mistake": prices.mistake,
        },
        min(prices.opening / prices.mistake / fields, 0.999),
    )


def _scale(learned: LearnedFields, column: str, names: tuple[str | None, ...]) -> GroupScale:
    mass = learned.counts.cases.sum(axis=0)
    risen = np.array([rising(row, mass) for row in learned.posterior.right])
    return GroupScale(column, learned.counts.lowest, names, risen[:-1], risen[-1])
