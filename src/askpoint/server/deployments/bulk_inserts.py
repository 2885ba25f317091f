"""What a batch leaves is written in bulk, by the quickest way that the database has: thousands a second come.

The ORM makes an object of each row and asks each field of each object how the database wants it. Here a
table's columns are asked once: all but a few hold what the driver takes as it is.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import connection, models

from askpoint.server.deployments.models import Receipt
from askpoint.server.deployments.rows import NewReceipt
from askpoint.server.labelling.models import Case

__all__ = ["write_cases", "write_receipts"]


def write_receipts(rows: Sequence[NewReceipt]) -> None:
    """Write new receipts, within the transaction of what they tell of."""
    names = _names(Receipt)
    _write(Receipt, ([getattr(row, name) for name in names] for row in rows))


def write_cases(rows: Iterable[dict[str, Any]]) -> None:
    """Write cases for people to label; a column that is not named has its default."""
    fields = _fields(Case)
    usual = {field.attname: field.get_default() for field in fields}
    names = list(usual)
    _write(Case, ([row.get(name, usual[name]) for name in names] for row in rows))


def _write(model: Any, rows: Iterable[list[Any]]) -> None:
    said = _converters(model)
    lines = [[say(value) for say, value in zip(said, row, strict=True)] for row in rows]
    if not lines:
        return
    table, columns = model._meta.db_table, ", ".join(f'"{it.column}"' for it in _fields(model))  # noqa: SLF001
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f'COPY "{table}" ({columns}) FROM STDIN') as copy:
                for line in lines:
                    copy.write_row(line)
            return
        marks = ", ".join(["%s"] * len(lines[0]))
        cursor.executemany(f'INSERT INTO "{table}" ({columns}) VALUES ({marks})', lines)  # noqa: S608


@functools.cache
def _fields(model: Any) -> list[Any]:
    fields = model._meta.concrete_fields  # noqa: SLF001
    return [field for field in fields if not isinstance(field, models.AutoField)]


@functools.cache
def _names(model: Any) -> list[str]:
    return [field.attname for field in _fields(model)]


def _converters(model: Any) -> list[Callable[[Any], Any]]:
    """Return for each column what makes of a value what the driver takes."""
    return [_SAID.get(type(field), _as_it_is) for field in _fields(model)]


def _as_it_is(value: Any) -> Any:
    return value


def _moment(value: datetime | None) -> Any:
    return None if value is None else _format_moment(value, connection.vendor)


@functools.lru_cache(maxsize=64)
def _format_moment(value: datetime, vendor: str) -> Any:
    del vendor  # one process may talk to two, in the tests
    return connection.ops.adapt_datetimefield_value(value)


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


_SAID = {models.DateTimeField: _moment, models.JSONField: _json}
