"""Rulings: what an owner says that a labelled case is, beside its label.

The first label that counts stays in the evidence: owners see what the model said, and rule on the cases they choose, so
rulings are no sample of anything. They are kept, shown, and downloaded with the cases, to fit the model again. A ruling
answers what reviewers appealed about the case before.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from askpoint.errors import InputError, RuleError
from askpoint.labelling.case import GOLD
from askpoint.measures.inputs import as_choice
from askpoint.server.accounts.models import User
from askpoint.server.clock import moment
from askpoint.server.deployments.cases import cases_of, queue_of
from askpoint.server.deployments.models import CaseRuling, Deployment, Label, Receipt
from askpoint.server.deployments.policies import check_not_deleted, lock_deployment
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.journal.services import note
from askpoint.server.labelling.desk import Ruled
from askpoint.server.labelling.models import Appeal, Vote
from askpoint.server.labelling.settled import answer_appeals

__all__ = [
    "LONGEST_WHY",
    "appeals_with_labels",
    "open_appeals",
    "rule_on_case",
    "rulings_of",
    "rulings_since",
]

LONGEST_WHY = 500
"""Characters of a reason."""

_MOST_LATELY = 200


@transaction.atomic
def rule_on_case(deployment: str, who: User, key: str, label: str, why: str) -> CaseRuling:
    """Keep what an owner says that a labelled case is, and why; the same label again only answers new appeals.

    Raises
    ------
    RuleError
        ``unknown``, if the case was never decided; ``no-label``, if it has no label that counts; ``deleted``.
    InputError
        If the label is no class of the version that decided, or the reason is missing or too long.
    """
    row = lock_deployment(deployment)
    check_not_deleted(row)
    receipt = Receipt.objects.filter(deployment=row, key=key).select_related("policy").first()
    if receipt is None:
        raise RuleError("unknown", f"no case {key[:80]!r} was ever decided here")
    as_choice(label, document_of(receipt.policy).model["classes"], "a ruling")
    reason = why.strip()
    if not 0 < len(reason) <= LONGEST_WHY:
        raise InputError(
            f"a ruling needs a reason of 1 to {LONGEST_WHY} characters; got {len(reason)}. Say what the label misses."
        )
    labels = Label.objects.filter(policy=receipt.policy, key=key, counts=True, seq__gte=0)
    if not labels.exists():
        raise RuleError(
            "no-label",
            "this case has no label yet, and a ruling needs one: wait for a reviewer, or label it under Unsettled",
        )
    last = CaseRuling.objects.filter(policy=receipt.policy, key=key).order_by("-pk").first()
    now = moment(row)
    appeals = answer_appeals(queue_of(row.pk), key, label, reason, now)
    if last is not None and last.label == label and not appeals:
        return last
    made: CaseRuling = CaseRuling.objects.create(
        policy=receipt.policy, key=key, label=label, why=reason, who=who.username, at=now
    )
    gold = cases_of(row).filter(purpose=GOLD, source__in=cases_of(row, [key]).values("pk"))
    gold.update(gold=label)  # who was given it before was measured by the earlier truth
    note("case ruled", campaign=row.pk, about=key, label=label)
    return made


def rulings_of(row: Deployment, keys: Iterable[str]) -> QuerySet[CaseRuling]:
    """Return the rulings on some cases, the oldest first."""
    return CaseRuling.objects.filter(policy__deployment=row, key__in=list(keys)).order_by("pk")


def rulings_since(row: Deployment, since: datetime) -> dict[str, Ruled]:
    """Return what the owners ruled lately, by key: of each case the last, and the newest some hundred."""
    rows = CaseRuling.objects.filter(policy__deployment=row, at__gte=since).order_by("-pk")
    newest = rows.values_list("key", "label", "why", "at")[:_MOST_LATELY]
    return {key: Ruled(*said) for key, *said in reversed(newest)}


def open_appeals(row: Deployment) -> QuerySet[Appeal]:
    """Return the appeals that wait for an owner's ruling, the oldest first."""
    waiting = Appeal.objects.filter(case__queue=queue_of(row.pk), case__content__isnull=False)
    return waiting.filter(answered=None).select_related("case").order_by("pk")


def appeals_with_labels(row: Deployment) -> QuerySet[Appeal]:
    """Return the same with what the reviewer said, and what the case is settled as."""
    vote = Vote.objects.filter(case=OuterRef("case"), reviewer=OuterRef("reviewer"), void=False)
    ruled = CaseRuling.objects.filter(policy__deployment=row, key=OuterRef("case__key"))
    last = Subquery(ruled.order_by("-pk").values("label")[:1])
    return open_appeals(row).annotate(
        said=Subquery(vote.values("choice")[:1]), settled=Coalesce(last, "case__answer")
    )
