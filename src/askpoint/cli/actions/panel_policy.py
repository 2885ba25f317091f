"""Verdicts that a panel gives alone, and the policy of a panel."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

import click
import numpy as np

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.panel_verdicts import (
    PanelVerdicts,
    VerdictsQuestion,
    answer_panel,
)
from askpoint.errors import InputError
from askpoint.judges.panel_classifier import PanelOpinion, pool_probabilities
from askpoint.judges.sketch.tables import VoteTable
from askpoint.measures.inputs import FloatArray
from askpoint.reports.judges.panel_verdicts import verdicts_object

__all__ = ["PanelReport", "report_panel"]


class PanelReport(NamedTuple):
    """What verdicts that the panel gives alone add to a report."""

    verdicts: PanelVerdicts
    content: dict[str, Any]


def _verdicts_question(options: Mapping[str, Any]) -> VerdictsQuestion:
    """Read a price or a limit."""
    mistake, check, rho = (options[name] for name in ("mistake", "check", "rho"))
    if mistake is not None and check is None:
        raise InputError("--mistake takes what a check costs, too: add --check AMOUNT")
    if mistake is not None and rho is not None:
        raise InputError("add --mistake and --check, or --rho; got both")
    checks = None
    if mistake is not None:
        if not 0 < check < mistake < float("inf"):
            raise InputError(
                f"--mistake must be more than --check, and both above 0; got {mistake:g} and {check:g}"
            )
        checks = mistake / check
    elif options["currency"] is not None:
        raise InputError("--currency names what costs are in: add --mistake AMOUNT --check AMOUNT")
    if rho is not None:
        if not 0 < rho < 1:
            raise InputError(f"--rho must be between 0 and 1; got {rho:g}")
        checks = 1 / rho
    return VerdictsQuestion(
        checks=checks,
        check_in_money=None if mistake is None else check,
        currency=options["currency"],
        max_error=options["max_error"],
        guarantee=options["guarantee"],
        look=options["look"],
    )


def report_panel(
    answer: JudgesAnswer,
    table: object,
    probability: Mapping[str, FloatArray] | None,
    options: Mapping[str, Any],
) -> PanelReport | None:
    """Say which verdicts the panel may give alone, where labels or an option ask for it."""
    question = _verdicts_question(options)
    is_asked = not question.is_assumed or options["policy"] is not None
    if not (is_asked or answer.n_gold) or not isinstance(table, VoteTable):
        return None
    opinion = None
    if probability is not None:
        own = np.column_stack([probability[judge] for judge in answer.sketch.judges])
        opinion = pool_probabilities(own)
        # the pooled label by the table's order, in which LABEL may be the first
        first = table.labels.index(options["probability_of"]) == 0
        opinion = PanelOpinion(
            1 - opinion.prediction if first else opinion.prediction, opinion.confidence
        )
    found = answer_panel(answer, question, opinion=opinion)
    if options["policy"] is not None:
        _write_policy(answer, found, options)
    return PanelReport(found, {"panel_verdicts": verdicts_object(found)})


def _write_policy(answer: JudgesAnswer, found: PanelVerdicts, options: Mapping[str, Any]) -> None:
    """Open a policy with the labels of this panel's items."""
    import polars as pl

    from askpoint.answers.live.first_policy import OpeningQuestion, answer_opening
    from askpoint.cli.folders import place_name, policy_place
    from askpoint.live.draws import secret_hash
    from askpoint.records.logs import read_log
    from askpoint.records.panel_votes import PanelReader
    from askpoint.records.stores.deployment import Deployment
    from askpoint.reports.live.deploy import opening_sentence

    place = policy_place(options["policy"], "--policy")
    if found.reason:
        raise InputError(f"no policy opens: {found.reason}")
    if not found.is_even:
        raise InputError(
            "a policy opens with labels drawn at random only, and these were not: label what --propose 100 "
            "--random names"
        )
    question, labels = found.question, answer.sketch.labels
    is_promise = question.max_error is not None
    reader = PanelReader.of(
        found.panel,
        labels=labels,
        judges=answer.sketch.judges,
        probability_of=options["probability_of"],
        pass_at=options["pass_at"],
        no_vote=(*answer.notes.missing, *answer.abstentions),
        spellings={
            spelling: label
            for label, of in answer.notes.joined.items()
            if label in labels
            for spelling in of
        },
    )
    gold = answer.origin.labels
    log = read_log(
        pl.DataFrame(
            {
                "id": list(found.tasks),
                "label": [gold.get(task) for task in found.tasks],
                "prediction": [labels[code] for code in found.opinion.prediction],
                "confidence": found.opinion.confidence,
            }
        ),
        classes=list(labels),
        prediction="prediction",
        confidence="confidence",
    )
    secret = secrets.token_bytes(32)
    opening = answer_opening(
        log,
        OpeningQuestion(
            aim="promise" if is_promise else "money",
            limit=question.max_error if question.max_error is not None else 1 / question.price,
            delta=0.05 if question.guarantee is None else question.guarantee,
            assumed=question.is_assumed,
        ),
        name=place_name(place),
        model={
            "name": "panel",
            "version": "",
            "classes": list(labels),
            "measure": "max_probability",
            "panel": reader.to_dict(),
        },
        secret_hash=secret_hash(secret),
        labels_are_random=True,
    )
    with Deployment(place, opening.document, secret=secret) as deployment:
        shown = deployment.name
    click.echo(opening_sentence(opening, shown, "items", found.coverage), err=True)
