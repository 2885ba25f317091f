"""``askpoint papers``: the papers behind askpoint, replayed beside what they print."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import polars as pl

from askpoint.cli.parameters import ONE_OF
from askpoint.cli.report import check_files, print_report, report_options
from askpoint.papers.catalogue import (
    PAPERS,
    data_needed,
    expand_words,
    load_results,
    paper_document,
    paper_named,
    run_tables,
    tables_with,
)
from askpoint.papers.data_files import Data, files_said
from askpoint.papers.paper import Paper
from askpoint.records.artefacts import make_folder

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
    """List the papers that can be replayed, a line each: name and title."""
    if ctx.invoked_subcommand is None:
        width = max(map(len, PAPERS))
        for paper in PAPERS.values():
            click.echo(f"  {paper.name:{width}}  {paper.title}")


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
    """Replay the paper NAME, or one TABLE of it, and lay its numbers beside the paper's.

    Each finished cell is kept: the same command goes on where it was stopped.
    """
    check_files(options)
    paper = paper_named(name)
    if options["data"] is not None and options["fetch"]:
        raise click.UsageError("give --data or --fetch, not both")
    data = Data(options["data"], options["fetch"])
    tables = paper.select(table)
    valued: dict[str, list[str]] = {}
    for key, values in options["only"]:
        if values:
            valued.setdefault(key, []).extend(values)
    words = [key for key, values in options["only"] if not values]
    only = expand_words(paper, tables, valued, words, quick=options["quick"])
    held = tables_with(tables, quick=options["quick"], only=only)
    named = [one for one in held if table is None and one.on_request]
    lacking = [one for one in held if table is None and not data.offers(one.data)]
    asked = " ".join(f"{key}={','.join(values)}" for key, values in only.items())
    left_out = {one.name: f"it has no cell with {asked}" for one in tables if one not in held}
    left_out |= {one.name: f"it needs {files_said(one.data)}" for one in lacking}
    left_out |= {
        one.name: f"{one.on_request}; askpoint papers run {name} {one.name} runs it"
        for one in named
    }
    tables = tuple(one for one in held if one.name not in left_out)
    data.check(data_needed(tables, quick=options["quick"], only=only))
    for name_of, why in left_out.items():
        click.echo(f"{name_of} is left out: {why}", err=True)
    folder = make_folder(options["out"])
    results = run_tables(
        paper,
        tables,
        folder,
        data=data,
        quick=options["quick"],
        only=only,
        seed=options["seed"],
        jobs=options["jobs"],
        progress=_progress,
        say=lambda line: click.echo(line, err=True),
    )
    click.echo(f"results in {folder}", err=True)
    print_report(paper_document(paper, tables, results), lambda: _object(paper, results), options)


@papers_command.command("show")
@click.argument("name", metavar="NAME")
@click.argument("table", metavar="[TABLE]", required=False)
@_out
@report_options
def _show(name: str, table: str | None, **options: Any) -> None:
    """Show what earlier runs found of the paper NAME, or of one TABLE, beside what it prints."""
    check_files(options)
    paper = paper_named(name)
    tables = paper.select(table)
    results = load_results(paper, tables, Path(options["out"]))
    print_report(paper_document(paper, tables, results), lambda: _object(paper, results), options)


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """Draw a bar on a terminal, and nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _object(paper: Paper, results: dict[str, pl.DataFrame]) -> dict[str, Any]:
    return {
        "paper": paper.name,
        "title": paper.title,
        "tables": {
            name: [
                {key: _finite(value) for key, value in row.items()}
                for row in rows.iter_rows(named=True)
            ]
            for name, rows in results.items()
        },
    }


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
