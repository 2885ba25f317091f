"""Who read the contents of how many cases on which day: counted as pages show them, and one line of the log for each day."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from datetime import UTC, date, datetime

from django.db import IntegrityError, OperationalError, connections, transaction
from django.db.models import Count
from django.utils import timezone

from askpoint.reports.words import plural
from askpoint.server.deployments.case_records import CaseRecord
from askpoint.server.deployments.models import CaseReading, Deployment
from askpoint.server.journal.services import acting, note

__all__ = ["WRITER", "count_readings", "log_readings"]

WRITER = "case readings"
"""Name of the threads that count."""

_TRIES = 10  # each as long as a database waits for whoever writes
_one_at_a_time = threading.Lock()


def count_readings(row: Deployment, reader: str, shown: Iterable[CaseRecord]) -> None:
    """Count the cases of a page whose contents somebody is shown; the same case counts once a day.

    It is written beside the request: who looks at a page does not wait for who decides a batch.
    """
    keys = [one.receipt.key for one in shown if one.content is not None]
    today = timezone.now().astimezone(UTC).date()
    if keys:
        made = [CaseReading(deployment=row, reader=reader, date=today, key=key) for key in keys]
        threading.Thread(target=_keep, args=(made,), name=WRITER).start()


def _keep(made: list[CaseReading]) -> None:
    with _one_at_a_time:
        try:
            for _ in range(_TRIES):
                try:
                    CaseReading.objects.bulk_create(made, ignore_conflicts=True)
                except OperationalError as error:  # SQLite has waited for a minute
                    told = error
                else:
                    return
            logging.getLogger(__name__).warning(
                "that %r read %d cases was not counted: %r", made[0].reader, len(made), str(told)
            )
        except IntegrityError:
            pass  # the classifier is gone, and what was read of it with it
        finally:
            connections.close_all()


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
