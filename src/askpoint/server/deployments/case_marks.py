"""Marks of decided cases on which reviewers differ, or one was not sure; and those that wait for their owner."""

from __future__ import annotations

from django.db.models import QuerySet

from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.models import CaseMark, Deployment, Receipt
from askpoint.server.labelling.models import Case

__all__ = ["mark_case", "unsettled_cases"]


def mark_case(row: Deployment, key: str, kind: str) -> None:
    """Mark a decided case; the second time changes nothing."""
    decided = Receipt.objects.filter(deployment=row, key=key).values("policy_id", "seq").first()
    if decided is not None:
        CaseMark.objects.get_or_create(kind=kind, **decided)


def unsettled_cases(row: Deployment) -> QuerySet[Case]:
    """Return the decided cases that wait for their owner, as reviewers differ or were not sure."""
    return cases_of(row).filter(labelled=None, state="referred", purpose__in=("asked", "audit"))
