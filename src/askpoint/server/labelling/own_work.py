"""What reviewers learn of their own work: today's cases, and once in a while how often they were right.

Nothing here tells which case was gold: right answers are told at the end of a week, over at least 20 cases, rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from askpoint.labelling.case import GOLD
from askpoint.measures.intervals import Interval, clopper_pearson
from askpoint.server.labelling.desk import Desk
from askpoint.server.labelling.models import Case, Claim, Remark, Vote

__all__ = [
    "OwnDay",
    "ToldShare",
    "count_waiting_about",
    "day_of",
    "told_agreement",
    "told_right",
]

_AWAY = timedelta(minutes=5)  # after so long a pause somebody did something else
_LATELY = 500  # looks, of which the time a case takes is the median
_FEWEST_RIGHT = 20  # gold cases before their share is told
_FEWEST_PAIRS = 10
_STEP = 20  # shares are rounded to 1/20: of 20 and more cases, no answer tells by itself


class OwnDay(NamedTuple):
    """A reviewer's day: cases looked at, minutes, seconds a case (None while there are few), and the goal if any."""

    cases: int
    minutes: int
    seconds: float | None
    goal: int | None


@dataclass(frozen=True)
class ToldShare:
    """A share that is told at the end of weeks, in steps of 5%.

    Parameters
    ----------
    share : float
        Rounded.
    interval : Interval
        Its 95% interval, rounded outwards.
    first, last : datetime
        The days that it is told of.
    """

    share: float
    interval: Interval
    first: datetime
    last: datetime


def _queues(desk: Desk) -> list[str]:
    return [place.queue for place in desk.places]


def day_of(desk: Desk) -> OwnDay:
    """Return a reviewer's day so far, gold cases and those left unsure among it."""
    now = timezone.now()
    begun = now.replace(hour=0, minute=0, second=0, microsecond=0)
    looks = _looks(desk)
    today = [at for at in looks if at >= begun]
    gaps = [later - earlier for earlier, later in pairwise(today) if later - earlier <= _AWAY]
    usual = [later - earlier for earlier, later in pairwise(looks) if later - earlier <= _AWAY]
    seconds = median(it.total_seconds() for it in usual) if len(usual) >= _FEWEST_RIGHT else None
    goals = [place.goal for place in desk.places if place.goal is not None]
    minutes = round(sum(gaps, timedelta()) / timedelta(minutes=1))
    return OwnDay(len(today), minutes, seconds, sum(goals) if goals else None)


def _looks(desk: Desk) -> list[datetime]:
    """Return when the reviewer said something of a case, the newest 500 and all of today, in their order."""
    queues, name = _queues(desk), desk.name
    votes = Vote.objects.filter(reviewer=name, case__queue__in=queues)
    unsure = Remark.objects.filter(reviewer=name, case__queue__in=queues).exclude(reason="")
    held = Claim.objects.filter(reviewer=name, case__queue__in=queues, said__isnull=False)
    begun = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    pressed = votes.annotate(pressed=Coalesce("said", "at")).values_list("pressed", flat=True)
    found = {*pressed.order_by("-at")[:_LATELY], *pressed.filter(at__gte=begun)}
    found |= {*unsure.order_by("-at").values_list("at", flat=True)[:_LATELY]}
    found |= {*held.values_list("said", flat=True)}
    return sorted(found)


def count_waiting_about(desk: Desk) -> int:
    """Return how many cases wait, in two figures, as it was at the last full ten minutes.

    A number that fell with each label, but not with a gold case, would tell which it was.
    """
    now = timezone.now()
    then = now - timedelta(
        minutes=now.minute % 10, seconds=now.second, microseconds=now.microsecond
    )
    rows = Case.objects.filter(queue__in=_queues(desk), purpose__in=("asked", "audit"))
    rows = rows.filter(opened__lte=then)
    n = rows.filter(labelled=None, state="open").count() + rows.filter(labelled__gt=then).count()
    return int(float(f"{n:.2g}"))


def _told_weeks(
    found: Sequence[tuple[datetime, bool]], fewest: int, now: datetime
) -> ToldShare | None:
    """Return the share of the newest weeks that have enough; each is told once, when it is over."""
    told, begun, n, right = None, None, 0, 0
    for week, part in groupby(found, lambda one: _find_monday(one[0])):
        if week >= _find_monday(now):
            break
        good = [fits for _, fits in part]
        begun, n, right = begun or week, n + len(good), right + sum(good)
        if n >= fewest:
            low, high = clopper_pearson(right, n, 0.95)
            band = Interval(_floor(low), -_floor(-high))
            last = week + timedelta(6)
            told = ToldShare(round(_STEP * right / n) / _STEP, band, begun, last)
            begun, n, right = None, 0, 0
    return told


def _find_monday(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(at.weekday())


def _floor(value: float) -> float:
    return (_STEP * value // 1) / _STEP


def told_right(desk: Desk) -> ToldShare | None:
    """Return how often the reviewer was right where the answer is known; None before 20 such cases and a week's end."""
    rows = _own_votes(desk).filter(case__purpose=GOLD, void=False)
    found = [
        (at, choice == gold) for at, choice, gold in rows.values_list("at", "choice", "case__gold")
    ]
    return _told_weeks(found, _FEWEST_RIGHT, timezone.now())


def told_agreement(desk: Desk) -> ToldShare | None:
    """Return how often the reviewer said what a second person said, each case once; None before 10 and a week's end.

    Second persons are those who labelled the same case, and those who were asked for a second opinion on it.
    """
    rows = _own_votes(desk).exclude(case__purpose=GOLD).filter(void=False)
    mine = {case: (at, choice) for case, at, choice in rows.values_list("case", "at", "choice")}
    theirs: dict[str, tuple[datetime, str]] = {}
    own = rows.order_by().values(
        "case"
    )  # a query: a long-serving reviewer has more cases than one may name
    same = Q(case__in=own) | Q(case__source__in=own, case__purpose="opinion")
    others = Vote.objects.filter(same, void=False).exclude(reviewer=desk.name)
    said = others.order_by("at", "pk").values_list("case", "case__source", "at", "choice")
    for case, source, at, choice in said:
        theirs.setdefault(case if case in mine else source, (at, choice))
    found = [
        (max(at, mine[case][0]), choice == mine[case][1]) for case, (at, choice) in theirs.items()
    ]
    return _told_weeks(sorted(found), _FEWEST_PAIRS, timezone.now())


def _own_votes(desk: Desk) -> QuerySet[Vote]:
    rows = Vote.objects.filter(reviewer=desk.name, case__queue__in=_queues(desk))
    return rows.order_by("at", "pk")
