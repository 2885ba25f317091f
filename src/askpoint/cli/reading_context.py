"""What was read, or opened, for a command, instead of a file that it reads by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from askpoint.records.readers.reading import Choices, Reading

__all__ = ["OpenedSource", "ReadingContext", "current_reading", "current_source"]


class ReadingContext(NamedTuple):
    """A reading, and the choices that made it."""

    reading: Reading
    choices: Choices


class OpenedSource(NamedTuple):
    """A dataframe whose rows are read or counted by the command itself."""

    source: Any


def current_reading() -> ReadingContext | None:
    """Return what was read for the command that runs, or None."""
    found = click.get_current_context().obj
    return found if isinstance(found, ReadingContext) else None


def current_source(name: str) -> Any:
    """Return what was opened for the command that runs, or else the name of its file."""
    found = click.get_current_context().obj
    return found.source if isinstance(found, OpenedSource) else name
