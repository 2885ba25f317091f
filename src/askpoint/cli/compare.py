"""``askpoint compare``: which of two systems is better, or of two models."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.judges import judges_options
from askpoint.cli.parameters import SOURCE
from askpoint.cli.reading_context import current_reading
from askpoint.cli.report import check_files
from askpoint.cli.vote_options import systems_options, with_defaults

__all__ = ["compare_command"]


@click.command("compare", context_settings={"show_default": True})
@click.argument("votes", nargs=-1, required=True, type=SOURCE)
@systems_options
@judges_options
def compare_command(votes: tuple[str, ...], **options: Any) -> int:
    """Compare two systems by one panel's votes on both.

    VOTES are two files, the system to beat first: tables of votes, as for `askpoint judges`, or logs of
    evaluation tools, as for `askpoint FILE`. One file with both does as well, with --system COLUMN. Items are
    paired by their names. Two logs of predictions are compared by `askpoint NEW --against OLD`.
    """
    from askpoint.cli.actions.system_comparison import report_systems
    from askpoint.cli.actions.vote_files import read_tool_files

    options = with_defaults(options)
    if current_reading() is None:
        read_tool_files(votes, options)
    check_files(options)
    return report_systems(votes, options)
