"""What a deployment needs of the database in which it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from askpoint.errors import StoreError

__all__ = ["BrokenOffError", "Database", "RowWriter", "StoreReader"]


class StoreReader(Protocol):
    """Statements on what is committed as of one moment; their values stand where a question mark does."""

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""

    def find(self, select: str, values: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement for some values; it ends with ``WHERE column IN``."""

    def stream(self, statement: str) -> Iterable[tuple[Any, ...]]:
        """Yield the rows of a statement one by one."""


class RowWriter(Protocol):
    """Within a transaction of whoever holds the lock."""

    def insert(self, table: str, fields: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Write new rows."""


class Database(StoreReader, RowWriter, Protocol):
    """One writer at a time, whatever thread, process or machine; and readers beside it."""

    @property
    def is_memory(self) -> bool:
        """Whether readers see what is not committed yet, on the one connection that there is."""

    @property
    def is_new(self) -> bool:
        """Whether it has no tables yet; within a transaction."""

    def create(self, tables: Sequence[str] = ...) -> None:
        """Make tables, by default those of a policy that decides cases, within a transaction."""

    def writing(self) -> AbstractContextManager[None]:
        """A transaction that nobody else writes beside; committed at the end unless it was rolled back.

        Raises `BrokenOffError` if the database went away, is back and nothing was committed.
        """

    def roll_back(self) -> None:
        """End the transaction without a change."""

    def change(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement for each row of values within the transaction."""

    def reading(self) -> AbstractContextManager[StoreReader]:
        """A look at what is committed."""

    def clean(self) -> None:
        """Let what was deleted leave the database's files, too."""

    def close(self) -> None:
        """Close it; what was committed stays."""


class BrokenOffError(StoreError):
    """A transaction was broken off and nothing of it is there; it may be tried again at once."""
