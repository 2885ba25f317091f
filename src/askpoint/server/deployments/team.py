"""Who takes part in a classifier, by which link they came, and what reviewers did: lately, and by month."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from django.db.models import Max
from django.db.models.functions import Coalesce
from django.utils import timezone

from askpoint.labelling.case import GOLD
from askpoint.measures.intervals import Interval, clopper_pearson
from askpoint.reports.words import work_time
from askpoint.server.accounts.models import Acceptance
from askpoint.server.deployments.case_marks import unsettled_cases
from askpoint.server.deployments.cases import cases_of, queue_of
from askpoint.server.deployments.models import Deployment, Member
from askpoint.server.labelling.models import GuidelineVersion, Remark, Reviewer, Vote

__all__ = [
    "WORK_COLUMNS",
    "TeamCounts",
    "TeamLine",
    "Work",
    "count_for_team",
    "list_team",
    "list_work_by_month",
]

_LATELY = timedelta(days=7)
_LEVEL = 0.95
_AWAY = timedelta(minutes=5)  # after so long a pause somebody did something else

WORK_COLUMNS = ("month", "reviewer", "cases", "hours", "not_sure", "gold", "gold_right")
"""Of the file of work by month."""


class _Look(NamedTuple):
    """A case that somebody labelled or left unsure; of a gold case, whether the label was right."""

    name: str
    at: datetime
    unsure: bool
    right: bool | None


@dataclass(frozen=True)
class Work:
    """What one person did in a time.

    Parameters
    ----------
    cases, unsure, gold, gold_right : int
        Cases looked at, gold cases among them; of these the ones left unsure; gold cases labelled, and rightly.
    seconds : float
        Between one case and the next, pauses of over five minutes apart.
    """

    cases: int
    unsure: int
    gold: int
    gold_right: int
    seconds: float

    @property
    def time(self) -> str:
        """The seconds, in words."""
        return work_time(self.seconds)


@dataclass(frozen=True)
class TeamLine:
    """A person of the team.

    Parameters
    ----------
    name, role, link : str
        Who, as what, and the line of the link by which they came; else empty.
    since : datetime
        When they got the role.
    work : Work or None
        Of the last seven days; None for who labels nothing.
    gold_right, gold_seen : int
        Of all gold cases that count.
    """

    name: str
    role: str
    link: str
    since: datetime
    work: Work | None
    gold_right: int
    gold_seen: int

    @property
    def gold_range(self) -> Interval:
        """Between what the share right on gold cases lies, 95% sure."""
        return clopper_pearson(self.gold_right, self.gold_seen, _LEVEL)


@dataclass(frozen=True)
class TeamCounts:
    """What else there is for a team.

    Parameters
    ----------
    unsettled, gold : int
        Cases that wait for the owner, and gold cases.
    guideline : int
        The newest version; 0 while there is none.
    """

    unsettled: int
    gold: int
    guideline: int


def count_for_team(row: Deployment) -> TeamCounts:
    """Count what waits for the owner, gold cases, and versions of the guideline."""
    gold = cases_of(row).filter(purpose=GOLD, content__isnull=False)
    versions = GuidelineVersion.objects.filter(queue=queue_of(row.pk))
    newest = versions.aggregate(newest=Max("number"))["newest"]
    return TeamCounts(unsettled_cases(row).count(), gold.count(), newest or 0)


def list_team(row: Deployment) -> list[TeamLine]:
    """Return everybody with a role in a classifier, owners first."""
    queue = queue_of(row.pk)
    came = Acceptance.objects.filter(invitation__campaign=row.pk).order_by("at")
    links = dict(came.values_list("user", "invitation__note"))
    gold = {one.user_id: one for one in Reviewer.objects.filter(queue=queue)}
    looks = list(_looks(queue, since=timezone.now() - _LATELY))
    looks.sort(key=lambda one: (one.name, one.at))
    work = {name: _sum(part) for name, part in groupby(looks, lambda one: one.name)}
    rows = Member.objects.filter(deployment=row).select_related("user")
    return [
        TeamLine(
            one.user.username,
            one.role,
            links.get(one.user_id, ""),
            one.at,
            work.get(one.user.username, _sum(())) if one.role == "reviewer" else None,
            gold[one.user_id].gold_right if one.user_id in gold else 0,
            gold[one.user_id].gold_seen if one.user_id in gold else 0,
        )
        for one in rows.order_by("role", "user__username")
    ]


def list_work_by_month(row: Deployment) -> Iterator[dict[str, Any]]:
    """Yield what each reviewer did in each month (UTC), in order of time."""
    looks = list(_looks(queue_of(row.pk)))
    looks.sort(key=lambda one: (f"{one.at:%Y-%m}", one.name, one.at))
    for (month, name), part in groupby(looks, lambda one: (f"{one.at:%Y-%m}", one.name)):
        work = _sum(part)
        yield {
            "month": month,
            "reviewer": name,
            "cases": work.cases,
            "hours": round(work.seconds / 3600, 2),
            "not_sure": work.unsure,
            "gold": work.gold,
            "gold_right": work.gold_right,
        }


def _looks(queue: str, since: datetime | None = None) -> Iterator[_Look]:
    votes = Vote.objects.filter(case__queue=queue).annotate(pressed=Coalesce("said", "at"))
    unsure = Remark.objects.filter(case__queue=queue).exclude(reason="")
    if since is not None:
        votes, unsure = votes.filter(at__gte=since), unsure.filter(at__gte=since)
    rows = votes.values_list("reviewer", "pressed", "choice", "case__gold")
    for name, at, choice, truth in rows.iterator():
        yield _Look(name, at, unsure=False, right=None if truth is None else choice == truth)
    for name, at in unsure.values_list("reviewer", "at").iterator():
        yield _Look(name, at, unsure=True, right=None)


def _sum(looks: Iterable[_Look]) -> Work:
    """Add up what one person did, in order of time."""
    found = list(looks)
    gaps = (later.at - one.at for one, later in pairwise(found))
    gold = [one.right for one in found if one.right is not None]
    return Work(
        cases=len(found),
        unsure=sum(one.unsure for one in found),
        gold=len(gold),
        gold_right=sum(gold),
        seconds=sum((gap for gap in gaps if gap <= _AWAY), timedelta()).total_seconds(),
    )
