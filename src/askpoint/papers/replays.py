"""Papers replayed, and what earlier runs found: what `askpoint papers` does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import polars as pl

from askpoint.cli.progress import LateProgress
from askpoint.cli.report import check_files, print_report
from askpoint.papers.catalogue import (
    PAPERS,
    expand_words,
    find_paper,
    list_data_sets,
    load_results,
    paper_document,
    run_tables,
    tables_with,
)
from askpoint.papers.data_files import Data, list_files
from askpoint.papers.paper import Paper
from askpoint.records.artefacts import make_folder

__all__ = ["list_papers", "run_paper", "show_paper"]


def list_papers() -> None:
    """Name the papers, a line each."""
    width = max(map(len, PAPERS))
    for paper in PAPERS.values():
        click.echo(f"  {paper.name:{width}}  {paper.title}")


def run_paper(name: str, table: str | None, options: dict[str, Any]) -> None:
    """Replay a paper, or one of its tables, and report it beside what is printed."""
    check_files(options)
    paper = find_paper(name)
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
    left_out |= {one.name: f"it needs {list_files(one.data)}" for one in lacking}
    left_out |= {
        one.name: f"{one.on_request}; askpoint papers run {name} {one.name} runs it"
        for one in named
    }
    tables = tuple(one for one in held if one.name not in left_out)
    data.check(list_data_sets(tables, quick=options["quick"], only=only))
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


def show_paper(name: str, table: str | None, options: dict[str, Any]) -> None:
    """Report what earlier runs found."""
    check_files(options)
    paper = find_paper(name)
    tables = paper.select(table)
    results = load_results(paper, tables, Path(options["out"]))
    print_report(paper_document(paper, tables, results), lambda: _object(paper, results), options)


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None]]:
    with LateProgress(title, shows="cells") as bar:
        yield lambda done, total: bar.update(done=done, total=total)


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
