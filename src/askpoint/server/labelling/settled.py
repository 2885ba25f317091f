"""Cases that were settled otherwise than a reviewer said: what the reviewer is shown of them, and their appeal.

A campaign's player appeals against a ruling and its organiser decides; here the reviewer appeals, and the owner's ruling
answers. Only cases that a policy sent to review or to an audit are shown: gold cases never are, so nobody learns which
they were, and there is no verdict on them to appeal against.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from askpoint.errors import InputError, RuleError
from askpoint.server.labelling.desk import Desk, OpenQueue
from askpoint.server.labelling.models import Appeal, Case, Vote

__all__ = ["LONGEST_APPEAL", "SettledCase", "answer_appeals", "appeal", "list_settled"]

LONGEST_APPEAL = 500
"""Characters of a reviewer's reason."""

_LATELY = timedelta(days=30)
_MOST = 20


class SettledCase(NamedTuple):
    """A case on which the reviewer and others differed, what it was settled as and why, and the reviewer's appeal."""

    key: str
    content: Any
    said: str
    settled: str
    reason: str
    is_answered: bool  # whether somebody answers appeals
    appeal: Appeal | None


def list_settled(desk: Desk) -> list[SettledCase]:
    """Return cases of the last 30 days that were settled otherwise than the reviewer said, the newest first."""
    now = timezone.now()
    found = [one for place in desk.places for one in _of_queue(desk, place, now)]
    return [one for _, one in sorted(found, key=lambda one: one[0], reverse=True)[:_MOST]]


def _of_queue(desk: Desk, place: OpenQueue, now: datetime) -> list[tuple[datetime, SettledCase]]:
    """Return those of a queue, with when they were settled: by votes, or by an owner's ruling, which holds."""
    queue, ruled = place.queue, {} if place.ruled is None else place.ruled(now - _LATELY)
    own = Vote.objects.filter(case=OuterRef("pk"), reviewer=desk.name, void=False)
    differs = Q(Exists(own.exclude(choice=OuterRef("answer"))), state__in=("ruled", "final"))
    rows = Case.objects.filter(
        Exists(own),
        Q(differs, ruled_at__gte=now - _LATELY) | Q(key__in=list(ruled)),
        queue=queue,
        purpose__in=("asked", "audit"),
        content__isnull=False,
        votes__reviewer=desk.name,
    )
    rows = rows.annotate(said=F("votes__choice")).order_by("-ruled_at", "pk")
    appeals = {
        one.case_id: one for one in Appeal.objects.filter(reviewer=desk.name, case__queue=queue)
    }
    made = []
    for row in rows[: _MOST + len(ruled)]:
        ruling, mine = ruled.get(row.key), appeals.get(row.pk)
        settled = row.answer if ruling is None else ruling.label
        if settled is None or (settled == row.said and mine is None):
            continue
        reason, at = ("", row.ruled_at or row.at) if ruling is None else (ruling.why, ruling.at)
        answers = place.ruled is not None
        shown = SettledCase(row.pk, row.content, row.said, settled, reason, answers, mine)
        made.append((at, shown))
    return made


def appeal(desk: Desk, key: str, why: str) -> None:
    """Say that a settled case was settled wrongly, and why; once.

    Raises
    ------
    RuleError
        ``not-own-case``, if it is none of those that the reviewer is shown; ``appealed-before``.
    InputError
        If the reason is missing or too long.
    """
    shown = next((one for one in list_settled(desk) if one.key == key), None)
    if shown is None or not shown.is_answered:
        raise RuleError(
            "not-own-case",
            "this is not a settled case of yours from the last 30 days. Load My work again.",
        )
    if shown.settled == shown.said:
        raise RuleError(
            "not-own-case",
            "this case is settled as you said, so there is nothing to appeal against",
        )
    reason = why.strip().replace("\0", "")
    if not 0 < len(reason) <= LONGEST_APPEAL:
        raise InputError(
            f"an appeal needs a reason of 1 to {LONGEST_APPEAL} characters; got {len(reason)}. Say what was missed."
        )
    try:
        with transaction.atomic():
            made = Appeal.objects.create(
                case_id=key, reviewer=desk.name, why=reason, at=timezone.now()
            )
            for place in desk.places:
                if place.queue == made.case.queue:
                    place.appealed(desk.name)
    except IntegrityError:
        raise RuleError(
            "appealed-before",
            "you appealed on this case before, and that is possible once. The owner answers here.",
        ) from None


def answer_appeals(queue: str, key: str, label: str, reason: str, now: datetime) -> int:
    """Answer the appeals on a case that wait: it is this, for that reason; return how many there were."""
    cases = Case.objects.filter(queue=queue, key=key).exclude(key="")  # by the index of keys
    waiting = Appeal.objects.filter(case__in=cases, answered=None)
    return int(waiting.update(answer=label, reason=reason, answered=now))
