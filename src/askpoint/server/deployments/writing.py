"""Receipts are written in bulk, by the quickest way that the database has: they come by thousands a second."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from askpoint.server.deployments.models import Receipt

__all__ = ["write_receipts"]

_FIELDS = [field for field in Receipt._meta.concrete_fields if not field.primary_key]  # noqa: SLF001
_NAMES = [field.attname for field in _FIELDS]
_COLUMNS = ", ".join(f'"{field.column}"' for field in _FIELDS)
_COPY = f'COPY "{Receipt._meta.db_table}" ({_COLUMNS}) FROM STDIN'  # noqa: SLF001


def write_receipts(rows: Sequence[Receipt]) -> None:
    """Write new receipts, within the transaction of what they tell of."""
    if connection.vendor != "postgresql":
        Receipt.objects.bulk_create(rows)
        return
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        for row in rows:
            copy.write_row([getattr(row, name) for name in _NAMES])
