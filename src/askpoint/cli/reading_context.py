"""What was read for a command, instead of a file that it reads by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from askpoint.records.readers.reading import Choices, Reading

__all__ = ["ReadingContext", "current_reading"]


class ReadingContext(NamedTuple):
    """A reading, and the choices that made it."""

    reading: Reading
    choices: Choices


def current_reading() -> ReadingContext | None:
    """Return what was read for the command that runs, or None."""
    found = click.get_current_context().obj
    return found if isinstance(found, ReadingContext) else None
