"""Reading several tables as of one moment, while others write: no lock is taken, and nobody waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

__all__ = ["read_one_moment"]


@contextmanager
def read_one_moment() -> Iterator[None]:
    """Read as of one moment, in a transaction that takes no lock; within another transaction, as that one reads."""
    if connection.in_atomic_block:
        yield
        return
    is_sqlite = connection.vendor == "sqlite"
    usual = getattr(connection, "transaction_mode", None)
    if is_sqlite:
        connection.transaction_mode = "DEFERRED"  # the usual one takes the lock of who writes
    try:
        with transaction.atomic():
            if not is_sqlite:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
    finally:
        if is_sqlite:
            connection.transaction_mode = usual
