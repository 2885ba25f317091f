"""Who read the contents of how many cases on which day: counted as pages show them, and one line of the log for each day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from askpoint.reports.words import plural
from askpoint.server.deployments.case_records import CaseRecord
from askpoint.server.deployments.models import CaseReading, Deployment
from askpoint.server.journal.services import acting, note

__all__ = ["count_readings", "log_readings"]


def count_readings(row: Deployment, reader: str, shown: Iterable[CaseRecord]) -> None:
    """Count the cases of a page whose contents somebody is shown; the same case counts once a day."""
    keys = [one.receipt.key for one in shown if one.content is not None]
    today = timezone.now().astimezone(UTC).date()
    CaseReading.objects.bulk_create(
        [CaseReading(deployment=row, reader=reader, date=today, key=key) for key in keys],
        ignore_conflicts=True,
    )


def log_readings(now: datetime | None = None) -> int:
    """Write a line of the log for each person and day that is over; return how many."""
    today = (now or timezone.now()).astimezone(UTC).date()
    over = CaseReading.objects.filter(date__lt=today)
    days = over.order_by("date", "deployment", "reader").values_list("deployment", "reader", "date")
    found = list(days.annotate(Count("pk")))
    for deployment, reader, day, n in found:
        _log_day(deployment, reader, day, n)
    return len(found)


@transaction.atomic
def _log_day(deployment: str, reader: str, day: date, n: int) -> None:
    rows = CaseReading.objects.filter(deployment=deployment, reader=reader, date=day)
    if rows.delete()[0]:
        with acting(lambda: reader):
            about = f"{plural(n, 'case', 'cases')} on {day:%Y-%m-%d}"
            note("cases read", campaign=deployment, about=about)
