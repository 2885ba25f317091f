"""Options of a panel, of two systems, and of a gate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from askpoint.answers.judges.gate_faults import (
    FAULTS,
)

__all__ = ["gate_options", "panel_options", "systems_options", "with_defaults"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


_PANEL = (
    click.option(
        "--pass-at", type=float, metavar="SCORE", help="Votes are scores: a pass from this one on."
    ),
    click.option(
        "--by",
        "group",
        metavar="COLUMN",
        help="With --gold: the share in each group of the items, too.",
    ),
    click.option(
        "--plan",
        type=float,
        metavar="WIDTH",
        help="Estimate how many labels give the share to within WIDTH (for example 0.03).",
    ),
)


_SYSTEMS = (
    click.option(
        "--system",
        metavar="COLUMN",
        help="Two systems judged by one panel: the column that names the system, in VOTES and in the "
        "file of --gold. Two files do as well, and are called by their names.",
    ),
    click.option(
        "--systems",
        metavar="OLD,NEW",
        help="Which two of the systems, and which is the one to beat.",
    ),
    click.option(
        "--look",
        type=click.Choice(["once", "again"]),
        default="once",
        help="You look once, or again as labels come in: then the intervals hold however often.",
    ),
)


_GATE = (
    click.option(
        "--at-least",
        type=float,
        metavar="SHARE",
        help="The label of interest is the truth of at least this share. Exit code 0 passes, 1 "
        "fails, 3 cannot be decided from these labels, 2 bad input.",
    ),
    click.option(
        "--no-worse-than",
        metavar="FILE",
        help="VOTES' system is no worse than that of FILE (with --system: of that name).",
    ),
    click.option(
        "--margin",
        type=float,
        metavar="SHARE",
        help="With --no-worse-than: accepted loss, for example 0.02.",
    ),
    click.option("--fail-on", metavar="NAMES", help=f"Fail on {', '.join(FAULTS)}, with commas."),
    click.option(
        "--junit", type=click.Path(), metavar="FILE", help="Write the gate as JUnit's XML."
    ),
    click.option(
        "--summary", type=click.Path(), metavar="FILE", help="Write a summary in Markdown."
    ),
)


_DEFAULTS: dict[str, Any] = dict.fromkeys(
    (
        *(
            "system",
            "systems",
            "at_least",
            "no_worse_than",
            "margin",
            "fail_on",
            "junit",
            "summary",
        ),
        *(
            "mistake",
            "check",
            "currency",
            "rho",
            "max_error",
            "guarantee",
            "policy",
            "probability_of",
        ),
    )
) | {"look": "once"}


def panel_options(command: _Command) -> _Command:
    """Add the options of any panel's votes to a command."""
    return _add(_PANEL, command)


def systems_options(command: _Command) -> _Command:
    """Add the options of two systems to a command."""
    return _add(_SYSTEMS, command)


def gate_options(command: _Command) -> _Command:
    """Add the options of a gate to a command."""
    return _add(_GATE, command)


def _add(options: Sequence[Callable[[_Command], _Command]], command: _Command) -> _Command:
    for option in reversed(options):
        command = option(command)
    return command


def with_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a command as one of two systems with a gate would have them."""
    return _DEFAULTS | dict(options)
