"""Options of ``askpoint judges`` on verdicts that the panel gives alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

__all__ = ["add_panel_options"]

_Command = TypeVar("_Command", bound=Callable[..., object])


_OPTIONS = (
    click.option(
        "--mistake",
        type=float,
        metavar="AMOUNT",
        help="With --check: what a wrong verdict costs: which may the panel give alone?",
    ),
    click.option("--currency", metavar="NAME", help="With --mistake: what it is in, such as EUR."),
    click.option(
        "--rho", type=float, help="Instead: a check costs RHO of a mistake (0.05: 20 checks each)."
    ),
    click.option(
        "--max-error",
        type=float,
        metavar="SHARE",
        help="Instead: at most this share of the panel's own verdicts is wrong.",
    ),
    click.option(
        "--guarantee",
        type=float,
        metavar="DELTA",
        help="With --max-error: keep it on new items, too; DELTA is the chance that this fails.",
    ),
    click.option(
        "--policy",
        type=click.Path(),
        metavar="FILE",
        help="Write a policy (FOLDER/policy.json) by which `askpoint decide` answers or asks about new items.",
    ),
    click.option(
        "--probability-of",
        metavar="LABEL",
        help="The judges' columns hold their probability of LABEL, such as that of a token, not votes.",
    ),
)


def add_panel_options(command: _Command) -> _Command:
    """Add the options of verdicts that a panel gives alone."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
