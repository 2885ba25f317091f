"""What people have to do a day, what they can, and which threshold would fit them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import numpy as np
from django.utils import timezone

from askpoint.answers.live.checkup import WatchAnswer
from askpoint.measures.inputs import FloatArray
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.words import amount, count, plural
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.models import Deployment, Moment, Policy, Receipt

__all__ = ["fitting_threshold", "work_of"]

_DAY = timedelta(days=1)
_LEAST = timedelta(hours=1)  # before that nobody knows how many come a day
_LATELY = 2000


def work_of(told: WatchAnswer, row: Deployment) -> Iterator[Block]:
    """Say how much work comes a day beside what people do, and whether they keep up."""
    policy = Policy.objects.get(deployment=row, number=row.adopted)
    now = timezone.now()
    begun = policy.adopted or now
    before = Moment.objects.filter(policy=policy, at__lte=now - _DAY).order_by("-pk").first()
    since = begun if before is None else before.at
    state, days = told.history.state, (now - since) / _DAY
    if now - since < _LEAST:
        return
    first = told.history.document.state
    decided = state.decided - (first.decided if before is None else before.decided)
    sent = state.asked + state.audited
    sent -= first.asked + first.audited if before is None else before.asked + before.audited
    done = cases_of(row).filter(labelled__gte=now - _DAY).count()
    yield Paragraph(
        f"About {plural(round(sent / days), 'case goes', 'cases go')} to review a day, of "
        f"{count(round(decided / days))} that are decided; reviewers labelled {count(done)} in the last "
        "24 hours."
    )
    if row.capacity is None:
        return
    if sent / days <= row.capacity:
        yield Paragraph(f"That is within the {count(row.capacity)} a day that you stated.")
        return
    yield Notice(_too_much(told, policy, row.capacity, decided / days))


def _too_much(told: WatchAnswer, policy: Policy, capacity: int, a_day: float) -> str:
    text = f"More cases go to review than reviewers can label: you stated {count(capacity)} cases a day. "
    last = Receipt.objects.filter(policy=policy).order_by("-seq")
    confidence = np.array(last.values_list("confidence", flat=True)[:_LATELY], dtype=np.float64)
    fits = fitting_threshold(confidence, told.terms.rate, capacity / a_day)
    if fits is None:
        return f"{text}Not even the audits fit into that: audit less, or find more people."
    return (
        f"{text}With a threshold of {amount(fits)} no more would go to review than they can label, at the risk that such "
        "answers have: propose a version with a higher price of a check, and preview it."
    )


def fitting_threshold(confidence: FloatArray, rate: float, share: float) -> float | None:
    """Return the greatest threshold that sends at most a share of such cases to review.

    Asked is what lies below; of the rest the audit rate comes to people, too. None if the audits alone are
    more.
    """
    if rate > share:
        return None
    ascending = np.sort(confidence)
    below = np.searchsorted(ascending, ascending, side="left") / len(ascending)
    fits = below + rate * (1 - below) <= share
    return float(ascending[fits].max())
