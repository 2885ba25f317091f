"""How a command is told which columns of a log hold probabilities, and of which classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["names_of", "probability_columns", "probability_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def probability_options(command: _Command) -> _Command:
    """Add --proba and --classes to a command."""
    classes = click.option(
        "--classes", metavar="NAMES", help="Classes in the order of the columns, with commas."
    )
    proba = click.option(
        "--proba",
        metavar="COLUMNS",
        help="Probabilities, one column per class: names with commas, a prefix, or a pattern with "
        "*. A single column means the second class.",
    )
    return proba(classes(command))


def probability_columns(text: str | None) -> str | list[str] | None:
    """Read --proba: a list of names, or what the log's reader takes for one."""
    return text.split(",") if text is not None and "," in text else text


def names_of(text: str | None) -> list[str] | None:
    """Read names with commas between them; None if none are given."""
    return None if text is None else text.split(",")
