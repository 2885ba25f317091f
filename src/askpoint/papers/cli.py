"""``askpoint papers``: the papers behind askpoint, replayed beside what they print."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.parameters import ONE_OF
from askpoint.cli.report import report_options

__all__ = ["papers_command"]

_FOLDER = "askpoint-papers"
_out = click.option(
    "--out",
    type=click.Path(),
    metavar="DIR",
    default=_FOLDER,
    show_default=True,
    help="Folder of results and checkpoints.",
)


@click.group("papers", invoke_without_command=True)
@click.pass_context
def papers_command(ctx: click.Context) -> None:
    """List the papers whose tables can be repeated."""
    if ctx.invoked_subcommand is None:
        from askpoint.papers.replays import list_papers

        list_papers()


@papers_command.command("run")
@click.argument("name", metavar="NAME")
@click.argument("table", metavar="[TABLE]", required=False)
@click.option(
    "--data", type=click.Path(), metavar="DIR", help="Folder of the data sets that it needs."
)
@click.option("--fetch", is_flag=True, help="Take the data sets from OpenML.")
@_out
@click.option("--quick", is_flag=True, help="A small part of each table, in seconds.")
@click.option(
    "--only",
    type=ONE_OF,
    multiple=True,
    metavar="NAME=VALUE,...|WORD",
    help="Only the cells that have one of these values, as in classifier=NB,HC; may be given more than once. "
    "The word independent takes one of each two data sets that share their rows.",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=1, metavar="N", help="Processes at the same time."
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, metavar="N", help="Of all random numbers."
)
@report_options
def _run(name: str, table: str | None, **options: Any) -> None:
    """Replay the paper NAME, or one TABLE of it, and compare its numbers with the paper's.

    Each finished cell is kept: the same command goes on where it was stopped.
    """
    from askpoint.papers.replays import run_paper

    run_paper(name, table, options)


@papers_command.command("show")
@click.argument("name", metavar="NAME")
@click.argument("table", metavar="[TABLE]", required=False)
@_out
@report_options
def _show(name: str, table: str | None, **options: Any) -> None:
    """Show what earlier runs found of the paper NAME, or of one TABLE, next to what it prints."""
    from askpoint.papers.replays import show_paper

    show_paper(name, table, options)
