"""Lanes of work: one job at a time in each, side by side, so that no short job waits for a long one."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping

from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from askpoint.server.jobs.kinds import job_kinds
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import run_next

__all__ = ["LANES", "PATIENT", "drop_strangers", "keep_at"]

LANES = ("moves", "payouts", "models", "computing", "logs")
"""What each waits for: nothing, a provider, a model, a processor, a file."""

PATIENT = frozenset({"computing", "logs"})
"""Lanes that leave the processor to whoever wants it."""

_PAUSE = 0.25


def keep_at(works: Mapping[str, Callable[[str], None]], stop: threading.Event) -> None:
    """Do the jobs of some kinds as they come, one at a time, until told to stop.

    Parameters
    ----------
    works : mapping
        What to do, by the kind of job: those of one lane.
    stop : Event
        Asked between two jobs.
    """
    while not stop.is_set():
        try:
            close_old_connections()
            if run_next(works):
                continue
        except DatabaseError as error:
            logging.getLogger(__name__).warning("the database does not answer: %s", error)
        time.sleep(_PAUSE)


def drop_strangers() -> int:
    """Give up the jobs of kinds that no lane does, which another version left; how many."""
    rows = Job.objects.filter(done=None).exclude(kind__in=list(job_kinds()))
    return rows.update(done=timezone.now(), error="this version knows no such work")
