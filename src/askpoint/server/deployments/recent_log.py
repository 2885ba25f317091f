"""The newest cases of a policy as a log: from which to choose again, and to tell what another price would do.

Which cases have a label hangs on their confidence and on the draw alone, so given the confidence their labels
are as those of any case (spec/live.md, L3). Where an alarm has closed the policy, cases before it tell of
another world and are left out.
"""

from __future__ import annotations

import numpy as np

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.row_case import RowCase
from askpoint.answers.value.tomorrow import Tomorrow, answer_tomorrow
from askpoint.errors import NotEstimableError
from askpoint.live.ask_rules import ASKED_BY_RULE
from askpoint.records.predictions import PredictionLog
from askpoint.server.deployments.models import Label, Policy, Receipt
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import ASK
from askpoint.value.priced import CheckCost
from askpoint.value.reviewer_errors import ReviewerErrors

__all__ = ["FEWEST_LABELS", "MOST_CASES", "newest_log", "tomorrow_of"]

MOST_CASES = 3000
"""So many of the newest are looked at: a page takes as long after a hundred million."""

FEWEST_LABELS = 50

_NEEDED = ("key", "prediction", "confidence", "episode", "action", "drawn", "group")


def newest_log(policy: Policy, episode: int) -> PredictionLog:
    """Return the newest cases of a policy's episode, and the labels that count of them."""
    rows = Receipt.objects.filter(policy=policy).order_by("-seq")
    found = list(rows.values_list(*_NEEDED)[:MOST_CASES])
    kept = [row for row in reversed(found) if row[3] == episode and row[6] != ASKED_BY_RULE]
    classes: tuple[str, ...] = tuple(document_of(policy).model["classes"])
    codes = {name: code for code, name in enumerate(classes)}
    least = policy.decided - MOST_CASES
    counted = Label.objects.filter(policy=policy, counts=True, seq__gte=least)
    said = dict(counted.exclude(source="gold").values_list("key", "label"))
    rate = document_of(policy).terms.rate  # what only raised audits sent is no sample of the others
    labels = [
        said.get(key) if action == ASK or drawn < rate else None
        for key, _, _, _, action, drawn, _ in kept
    ]
    return PredictionLog(
        classes,
        np.array([row[1] for row in kept], dtype=np.int32),
        None,
        np.array([row[2] for row in kept], dtype=np.float64),
        np.array([one is not None for one in labels], dtype=np.bool_),
        np.array([codes[one] for one in labels if one is not None], dtype=np.int32),
        np.arange(len(kept)),
    )


def tomorrow_of(
    log: PredictionLog, checks: float, wrong: float | None = None, labels: int = 0
) -> Tomorrow:
    """Return what new cases would bring, at a price of a mistake in checks: of the work alone.

    What people get `wrong`, a share known from so many `labels`, is charged at every price.

    Raises
    ------
    NotEstimableError
        If there are too few labels.
    """
    if log.n_labelled < FEWEST_LABELS:
        raise NotEstimableError(
            f"{log.n_labelled} of the newest cases have a label; {FEWEST_LABELS} tell what another price "
            "would do"
        )
    people = None
    if wrong is not None:
        people = ReviewerErrors([], [1 - wrong], 1 / checks, cases=(labels,))
    return answer_tomorrow(RowCase(log, ValueQuestion(CheckCost(1 / checks))), people)
