"""What people have to do a day, what they can, and which threshold would fit them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, timedelta
from math import floor

import numpy as np
from django.utils import timezone

from askpoint.answers.live.checkup import WatchAnswer
from askpoint.measures.inputs import FloatArray
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.words import amount, count, plural, work_time
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.day_counts import cases_a_day, days_of, last_week
from askpoint.server.deployments.models import Deployment, Moment, Policy, Receipt
from askpoint.server.deployments.policy_state import document_of

__all__ = ["Fit", "fit_of", "fitting_threshold", "outgrows_reviewers", "work_of"]

_DAY = timedelta(days=1)
_LEAST = timedelta(hours=1)  # before that nobody knows how many come a day
_LATELY = 2000
_WEEK = 7  # days


@dataclass(frozen=True)
class Fit:
    """What reviewers can do of what comes a day.

    Parameters
    ----------
    per_day : float
        Cases that come.
    capacity : int
        Cases that reviewers label.
    threshold : float or None
        The greatest that sends them no more; None where the audits alone are more.
    rollout : float or None
        The share of the cases of which they label all; None in shadow, where it would make it decide.
    """

    per_day: float
    capacity: int
    threshold: float | None
    rollout: float | None

    @property
    def threshold_text(self) -> str:
        """The threshold; empty where there is none."""
        return "" if self.threshold is None else amount(self.threshold)

    @property
    def rollout_text(self) -> str:
        """The rollout in percent, rounded down; empty where there is none."""
        tenths = floor(1000 * (self.rollout or 0.0))
        return f"{tenths / 10:g}%" if tenths else ""


def outgrows_reviewers(row: Deployment) -> bool:
    """Tell whether more cases come a day than reviewers were said to label."""
    return row.capacity is not None and _cases_a_day(row) > row.capacity


def _cases_a_day(row: Deployment) -> float:
    today = timezone.now().astimezone(UTC).date()
    days = days_of([row], today - (_WEEK - 1) * _DAY)
    return cases_a_day(last_week(row, days, today), today)


def fit_of(row: Deployment, policy: Policy) -> Fit | None:
    """Return what fits what reviewers can do; None where all does, or where nobody stated it."""
    per_day = _cases_a_day(row)
    if row.capacity is None or per_day <= row.capacity or not policy.decided:
        return None
    share = row.capacity / per_day
    rollout = {"shadow": None, "rollout": row.rollout * share, "all": share}[row.mode]
    threshold = _fitting_lately(policy, document_of(policy).terms.rate, share)
    return Fit(per_day, row.capacity, threshold, rollout)


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
    took = "" if row.label_seconds is None else f" ({work_time(row.label_seconds * sent / days)})"
    yield Paragraph(
        f"About {plural(round(sent / days), 'case goes', 'cases go')} to review a day{took}, of "
        f"{count(round(decided / days))} that are decided; reviewers labelled {count(done)} in the last "
        "24 hours."
    )
    if row.capacity is None:
        return
    stated = f"{count(row.capacity)} cases"
    if row.label_seconds is not None:
        stated = work_time(row.label_seconds * row.capacity)
    if sent / days <= row.capacity:
        yield Paragraph(f"That is within the {stated} a day that you stated.")
        return
    text = f"More cases go to review than reviewers can label: you stated {stated} a day. "
    yield Notice(text + _what_fits(told, policy, row.capacity / (decided / days)))


def _what_fits(told: WatchAnswer, policy: Policy, share: float) -> str:
    fits = _fitting_lately(policy, told.terms.rate, share)
    if fits is None:
        return "Not even the audits fit into that: audit less, or find more people."
    return (
        f"With a threshold of {amount(fits)} no more would go to review than they can label, at the risk that such "
        "answers have: propose a version with a higher price of a check, and preview it."
    )


def _fitting_lately(policy: Policy, rate: float, share: float) -> float | None:
    last = Receipt.objects.filter(policy=policy).order_by("-seq")
    confidence = np.array(last.values_list("confidence", flat=True)[:_LATELY], dtype=np.float64)
    return fitting_threshold(confidence, rate, share)


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
