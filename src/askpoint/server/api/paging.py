"""Parts of long lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ninja import Field, Schema

__all__ = ["Page", "Paged", "paginate"]

_T = TypeVar("_T")

_FARTHEST = 10**9


class Page(Schema):
    """Which part of a long list is wanted."""

    limit: int = Field(100, ge=1, le=1000, description="How many at most.")
    offset: int = Field(0, ge=0, le=_FARTHEST, description="How many to leave out before them.")


class Paged(Schema, Generic[_T]):
    """A part of a list, and how long the whole is."""

    items: list[_T]
    count: int


def paginate(rows: Any, page: Page, serialize: Callable[[Any], _T]) -> dict[str, Any]:
    """Return the part of a list or a query that was asked for."""
    count = len(rows) if isinstance(rows, list) else rows.count()
    part = rows[page.offset : page.offset + page.limit]
    return {"items": [serialize(row) for row in part], "count": count}
