"""``askpoint gate``: pass or fail, for a build."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.judges import judges_options
from askpoint.cli.parameters import SOURCE
from askpoint.cli.vote_options import gate_options, systems_options, with_defaults
from askpoint.errors import InputError

__all__ = ["gate_command"]

_BARS = ("at_least", "no_worse_than", "margin", "fail_on")


@click.command("gate", context_settings={"show_default": True})
@click.argument("votes", nargs=-1, required=True, type=SOURCE)
@gate_options
@systems_options
@judges_options
def gate_command(votes: tuple[str, ...], **options: Any) -> int:
    """Pass or fail a system by its judges' votes.

    Exit code 0 passes, 1 fails, 3 cannot be decided, 2 is bad input.

    VOTES are a table of votes, as for `askpoint judges`, or logs of evaluation tools, as for `askpoint FILE`.
    Of a log of a model's predictions with confidences --at-least is how often the model must be right.

    Give at least one bar: --at-least, --no-worse-than or --fail-on. Without polars, VOTES are
    CSV or JSON lines, and --judges names the columns of judges.
    """
    if all(options[bar] is None for bar in _BARS):
        raise InputError(
            "askpoint gate must have a bar; got none. Add --at-least SHARE, --no-worse-than FILE or --fail-on NAMES"
        )
    options = with_defaults(options)
    try:
        import polars as pl  # noqa: F401
    except ImportError:  # a small environment
        from askpoint.cli.actions.plain_gate import answer_plain_votes

        return answer_plain_votes(votes, options)
    from askpoint.cli.actions.model_gate import find_log, gate_log

    if (log := find_log(votes, options)) is not None:
        return gate_log(votes[0], log, options)
    from askpoint.cli.actions.panel_evaluation import answer_votes
    from askpoint.cli.actions.vote_files import read_tool_files

    read_tool_files(votes, options)
    return answer_votes(votes, options)
