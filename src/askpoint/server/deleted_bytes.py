"""What is deleted leaves SQLite's write-ahead log, too: at once, or in the background as soon as nobody reads in it."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection

from askpoint.records.stores.sqlite import truncate_log
from askpoint.server.jobs.services import add_job

__all__ = ["AGAIN", "clear_deleted_bytes", "queue_clearing"]

AGAIN = timedelta(seconds=30)
"""How long after a try that readers kept from it the next one is made."""


def queue_clearing(delay: timedelta = timedelta(0)) -> None:
    """Have the log cleared once this transaction is committed; PostgreSQL keeps no such file with the database."""
    if connection.vendor == "sqlite":
        add_job("clear", "deleted", delay)


def clear_deleted_bytes(_: str = "") -> None:
    """Clear the log; again later, as often as it takes, while others read in it all the time."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            is_clear = truncate_log(cursor.execute)
        if not is_clear:
            queue_clearing(AGAIN)
