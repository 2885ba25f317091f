"""Reading several tables as of one moment, while others write: no lock is taken, and nobody waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

__all__ = ["read_one_moment"]


@contextmanager
def read_one_moment() -> Iterator[None]:
    """Read as of one moment, in a transaction that takes no lock; within another transaction, as that one reads.

    Whoever writes in it is refused: SQLite could not give that lock later, and would say so only where another one wrote
    meanwhile.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()  # which sets the usual mode: it would do so after the line that sets another
    is_sqlite = connection.vendor == "sqlite"
    usual = getattr(connection, "transaction_mode", None)
    if is_sqlite:
        connection.transaction_mode = "DEFERRED"  # the usual one takes the lock of who writes
        _run("PRAGMA query_only = ON")
    try:
        with transaction.atomic():
            if not is_sqlite:
                _run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        if is_sqlite:
            connection.transaction_mode = usual
            _run("PRAGMA query_only = OFF")


def _run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
