"""A policy of a ladder or of documents in a folder: what `askpoint value --policy` writes."""

from __future__ import annotations

import secrets

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.answers.value.ladder import LadderAnswer
from askpoint.answers.value.whole_documents import DocumentAnswer
from askpoint.cli.folders import place_name, policy_place
from askpoint.cli.report import say
from askpoint.live.draws import secret_hash
from askpoint.records.stores.deployment import Deployment
from askpoint.reports.live.deploy import opening_sentence
from askpoint.reports.rule_openings import open_documents, open_ladder

__all__ = ["write_policy"]


def write_policy(answer: LadderAnswer | DocumentAnswer, out: str) -> None:
    """Open a policy by what was recommended, in a folder of its own, and say with what it begins."""
    place = policy_place(out, "--policy")
    secret = secrets.token_bytes(32)
    terms = {"name": place_name(place), "secret_hash": secret_hash(secret)}
    if isinstance(answer, LadderAnswer):
        opening, cases = open_ladder(answer, OpeningQuestion(), **terms), "cases"
    else:
        opening, cases = open_documents(answer, OpeningQuestion(), **terms), "documents"
    with Deployment(place, opening.document, secret=secret) as deployment:
        shown = deployment.name
    say(opening_sentence(opening, shown, cases), err=True)
