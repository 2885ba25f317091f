"""Options that say in which columns of a batch the cases stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["batch_column_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_OPTIONS = (
    click.option(
        "--proba",
        metavar="COLUMNS",
        help="Probabilities, one column per class: names with commas, a prefix, or a pattern with *.",
    ),
    click.option("--prediction", metavar="COLUMN", help="Predicted class, with --confidence."),
    click.option(
        "--confidence",
        metavar="COLUMN",
        help="Column of the model's confidence; higher is more certain.",
    ),
    click.option(
        "--key",
        default="key",
        metavar="COLUMN",
        help="Unique key of the case; each key is decided once.",
    ),
    click.option(
        "--content",
        metavar="COLUMN",
        help="Keep this with the decision, so that reviewers see it; it can be deleted later.",
    ),
    click.option("--group", metavar="COLUMN", help="Region of each case."),
    click.option("--model-version", metavar="TEXT", help="Version of the model of this batch."),
)


def batch_column_options(command: _Command) -> _Command:
    """Add them to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
