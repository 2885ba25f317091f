"""A policy that decides by a ladder of models and people: what `askpoint value --rung --policy` writes."""

from __future__ import annotations

import secrets

import numpy as np
import polars as pl

from askpoint.answers.live.first_policy import OpeningQuestion, answer_opening
from askpoint.answers.value.ladder import LadderAnswer
from askpoint.cli.folders import place_name, policy_place
from askpoint.cli.report import say
from askpoint.errors import InputError
from askpoint.live.draws import secret_hash
from askpoint.records.ladder_rule import LadderRule
from askpoint.records.logs import read_log
from askpoint.records.stores.deployment import Deployment
from askpoint.reports.live.deploy import opening_sentence
from askpoint.value.ladder.choice import held_out_walk

__all__ = ["write_policy"]


def write_policy(answer: LadderAnswer, out: str) -> None:
    """Open a policy with the labelled cases of a ladder's log, each decided by rules learned without it."""
    place = policy_place(out, "--policy")
    if answer.rule == "ask_all":
        raise InputError(
            "no policy opens: to ask people at once costs least, which takes no policy"
        )
    classes = list(answer.log.reader.classes)
    rows, walk = held_out_walk(
        answer.cases,
        np.random.default_rng(answer.question.seed),
        is_ladder=answer.choice.guard.is_used,
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
    secret = secrets.token_bytes(32)
    guard = answer.choice.guard
    opening = answer_opening(
        log,
        OpeningQuestion(limit=1 / answer.question.checks, assumed=answer.question.assumed),
        name=place_name(place),
        model={
            "name": "ladder",
            "version": "",
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
        },
        secret_hash=secret_hash(secret),
        labels_are_random=True,
    )
    with Deployment(place, opening.document, secret=secret) as deployment:
        shown = deployment.name
    say(opening_sentence(opening, shown, "cases"), err=True)
