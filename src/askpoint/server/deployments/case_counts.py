"""How many cases each list holds, where that is known without going through them."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import QuerySet, Sum

from askpoint.server.deployments.case_filters import CaseFilter
from askpoint.server.deployments.case_marks import unsettled_cases
from askpoint.server.deployments.models import CaseMark, Day, Deployment, Label

__all__ = ["CaseCount", "count_cases"]

_MOST = 10_000


class CaseCount(NamedTuple):
    """How many there are; `is_cut` where there are more than that."""

    n: int
    is_cut: bool


def count_cases(row: Deployment, which: CaseFilter) -> dict[str, CaseCount]:
    """Return how many cases each filter shows of the versions and days of one, by `show`.

    Decisions are counted by day when they are made, and the rest by indexes, up to 10,000. Labels and marks know no days,
    and cases no versions: there these have no number. With any other filter each case would have to be looked at, so
    there is none at all.
    """
    if which.region or which.label or which.answer or which.group or which.key or which.deleted:
        return {}
    days = Day.objects.filter(policy__deployment=row)
    if which.version is not None:
        days = days.filter(policy__number=which.version)
    if which.since is not None:
        days = days.filter(date__gte=which.since)
    if which.until is not None:
        days = days.filter(date__lte=which.until)
    told = days.aggregate(*(Sum(name, default=0) for name in ("decided", "answered", "audited")))
    decided, alone = told["decided__sum"], told["answered__sum"]
    sums = {"all": decided, "audited": told["audited__sum"]}
    sums |= {"review": decided - alone, "alone": alone}
    found = {name: CaseCount(n, is_cut=False) for name, n in sums.items()}
    if which.since is not None or which.until is not None:
        return found
    labels = Label.objects.filter(policy__deployment=row, wrong__in=(True,), counts=True)
    marks = CaseMark.objects.filter(policy__deployment=row)
    if which.version is not None:
        labels = labels.filter(policy__number=which.version)
        marks = marks.filter(policy__number=which.version)
    found["wrong"] = _count(labels)
    for kind in (CaseMark.DIFFER, CaseMark.UNSURE):
        found[kind] = _count(marks.filter(kind=kind))
    if which.version is None:
        found["unsettled"] = _count(unsettled_cases(row))
    return found


def _count(rows: QuerySet[Any]) -> CaseCount:
    n = rows.order_by()[: _MOST + 1].count()
    return CaseCount(min(n, _MOST), is_cut=n > _MOST)
