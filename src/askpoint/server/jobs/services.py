"""Queue work, claim it for a while, and say that it is done."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta

from django.db import DatabaseError, close_old_connections, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from askpoint.server.jobs.models import Beat, Job

__all__ = ["LEASE", "add_job", "beat", "hold_leases", "run_next", "unheld"]

LEASE = timedelta(seconds=20)
"""How long a job stays its worker's once the worker is gone; who lives holds it longer, by `hold_leases`."""

_HOLD_EVERY = 5.0
_held: set[int] = set()

_MOST_ATTEMPTS = 5
_KEPT = timedelta(days=7)


def add_job(kind: str, about: str, delay: timedelta = timedelta(0)) -> None:
    """Queue work, unless the same waits already."""
    waiting = Job.objects.filter(kind=kind, about=about, done=None, until=None)
    if not waiting.exists():
        Job.objects.get_or_create(
            kind=kind,
            about=about,
            done=None,
            until=None,
            defaults={"due": timezone.now() + delay},
        )


def unheld(now: datetime) -> QuerySet[Job]:
    """Return the jobs that are due, and that nobody is at."""
    return Job.objects.filter(Q(until=None) | Q(until__lte=now), done=None, due__lte=now)


def _claim(kinds: Collection[str]) -> Job | None:
    if not unheld(timezone.now()).filter(kind__in=kinds).exists():
        return None  # who only looks takes no lock
    with transaction.atomic():
        now = timezone.now()
        due = unheld(now).filter(kind__in=kinds).order_by("due")
        job = due.select_for_update(skip_locked=True, of=("self",)).first()
        if job is not None:
            job.until, job.begun, job.attempts, job.error = now + LEASE, now, job.attempts + 1, ""
            job.save(update_fields=["until", "begun", "attempts", "error"])
            _held.add(job.pk)
    return job


def hold_leases(gone: threading.Event) -> None:
    """Hold the leases of what this process is at, until it is `gone`: then others take it up within `LEASE`."""
    while not gone.wait(_HOLD_EVERY):
        try:
            close_old_connections()
            rows = Job.objects.filter(pk__in=list(_held), done=None)
            if _held:
                rows.update(until=timezone.now() + LEASE)
        except DatabaseError as error:
            logging.getLogger(__name__).warning("the database does not answer: %s", error)


def run_next(works: Mapping[str, Callable[[str], None]]) -> bool:
    """Do one job; a worker that dies in it leaves it to the next one, after its lease.

    Parameters
    ----------
    works : mapping
        What to do, by the kind of job; jobs of other kinds are left alone.

    Returns
    -------
    bool
        Whether there was one.
    """
    job = _claim(works)
    if job is None:
        return False
    error = ""
    try:
        works[job.kind](job.about)
    except Exception as problem:  # noqa: BLE001 - noted, and tried again
        error = f"{type(problem).__name__}: {problem}"[:500]
    finally:
        _held.discard(job.pk)
    now = timezone.now()
    if not error or job.attempts >= _MOST_ATTEMPTS:
        Job.objects.filter(pk=job.pk).update(done=now, error=error)
        Job.objects.filter(done__lt=now - _KEPT).delete()
    else:
        wait = timedelta(seconds=2**job.attempts)
        Job.objects.filter(pk=job.pk).update(until=now + wait, error=error)
    return True


def beat() -> None:
    """Say that the background process is alive."""
    Beat.objects.update_or_create(pk=1, defaults={"at": timezone.now()})
