"""A policy that releases whole documents: what `askpoint value --document --policy` writes."""

from __future__ import annotations

import secrets

from askpoint.answers.live.first_policy import OpeningQuestion, answer_opening
from askpoint.answers.value.learned_documents import learn_documents
from askpoint.answers.value.whole_documents import DocumentAnswer
from askpoint.cli.folders import place_name, policy_place
from askpoint.cli.report import say
from askpoint.live.draws import secret_hash
from askpoint.records.stores.deployment import Deployment
from askpoint.reports.live.deploy import opening_sentence

__all__ = ["write_document_policy"]


def write_document_policy(answer: DocumentAnswer, out: str) -> None:
    """Open a policy with the labelled documents of a log, each decided by rates learned without it."""
    place = policy_place(out, "--policy")
    learned = learn_documents(answer)
    secret = secrets.token_bytes(32)
    opening = answer_opening(
        learned.log,
        OpeningQuestion(limit=learned.limit, assumed=answer.question.assumed),
        name=place_name(place),
        model={
            "name": "documents",
            "version": "",
            "classes": list(learned.log.classes),
            "measure": answer.question.measure,
            "documents": learned.rule,
        },
        secret_hash=secret_hash(secret),
        labels_are_random=True,
    )
    with Deployment(place, opening.document, secret=secret) as deployment:
        shown = deployment.name
    say(opening_sentence(opening, shown, "documents"), err=True)
