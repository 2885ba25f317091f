"""Who read the contents of how many cases on which day: counted as pages show them, and one line of the log for each day.

Pages put what they showed into a queue, and one thread writes it, one page after the other, until none is left: forty
pages that are opened while a long batch is decided wait as forty rows and one thread. A server that ends in order waits
for that thread. One that is killed loses the pages that are still in the queue: their cases were shown, and the activity
tells too few. It loses none before: a page that was written is in the database.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Iterable
from datetime import UTC, date, datetime

from django.db import Error, IntegrityError, connections, transaction
from django.db.models import Count
from django.utils import timezone

from askpoint.reports.words import plural
from askpoint.server.deployments.case_records import CaseRecord
from askpoint.server.deployments.models import CaseReading, Deployment
from askpoint.server.journal.services import acting, note

__all__ = ["WRITER", "count_readings", "log_readings"]

WRITER = "case readings"
"""Name of the thread that counts."""

_TRIES = 10  # each as long as a database waits for whoever writes


class _Pages:
    """Pages that were shown and are not counted yet, with at most one thread that counts them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting = deque[list[CaseReading]]()
        self._writer: threading.Thread | None = None

    def add(self, made: list[CaseReading]) -> None:
        """Count a page after those that wait."""
        with self._lock:
            self._waiting.append(made)
            if self._writer is None or not self._writer.is_alive():
                self._writer = threading.Thread(target=self._count, name=WRITER)
                self._writer.start()

    def _next(self) -> list[CaseReading] | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._writer = None  # who adds a page from now on starts another one
            return None

    def _count(self) -> None:
        try:
            while (made := self._next()) is not None:
                _keep(made)
        finally:
            connections.close_all()


_pages = _Pages()


def count_readings(row: Deployment, reader: str, shown: Iterable[CaseRecord]) -> None:
    """Count the cases of a page whose contents somebody is shown; the same case counts once a day.

    It is written beside the request: who looks at a page does not wait for who decides a batch.
    """
    keys = [one.receipt.key for one in shown if one.content is not None]
    today = timezone.now().astimezone(UTC).date()
    if keys:
        made = [CaseReading(deployment=row, reader=reader, date=today, key=key) for key in keys]
        _pages.add(made)


def _keep(made: list[CaseReading]) -> None:
    said = ""  # of the last try
    for _ in range(_TRIES):
        try:
            CaseReading.objects.bulk_create(made, ignore_conflicts=True)
        except IntegrityError:  # the classifier is gone, and what was read of it with it
            return
        except Error as error:  # SQLite has waited for a minute, or the server is gone
            said = str(error)
            connections.close_all()
        else:
            return
    logging.getLogger(__name__).warning(
        "that %r read %d cases was not counted: %r", made[0].reader, len(made), said
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
