"""The papers that can be replayed, and replaying them."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable
from pathlib import Path

import polars as pl

from askpoint.errors import InputError
from askpoint.papers.beat_the_machine.unknowns_paper import UNKNOWNS
from askpoint.papers.data_files import Data, files_said
from askpoint.papers.deployed_value.value_paper import VALUE
from askpoint.papers.grid import run_grid
from askpoint.papers.multiclass_elicitation.elicitation_paper import ELICITATION
from askpoint.papers.noisy_judges import JUDGES
from askpoint.papers.paper import Paper, Table
from askpoint.records.artefacts import write_parquet
from askpoint.reports.document import Block, Document, Notice, Paragraph, Section

__all__ = ["PAPERS", "kept_results", "paper_document", "paper_named", "run_table"]

PAPERS = {paper.name: paper for paper in (UNKNOWNS, VALUE, ELICITATION, JUDGES)}
"""By name, in the order of the command's list."""


def paper_named(name: str) -> Paper:
    """Return a paper by its name."""
    if name not in PAPERS:
        near = difflib.get_close_matches(name, PAPERS, n=1)
        hint = f"did you mean {near[0]!r}? There are" if near else "there are"
        raise InputError(f"there is no paper {name!r}; {hint}: {', '.join(PAPERS)}")
    return PAPERS[name]


def run_table(
    paper: Paper,
    table: Table,
    folder: Path,
    *,
    data: Data,
    quick: bool = False,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> pl.DataFrame:
    """Run what a table lacks of its cells, and keep all rows in PAPER-TABLE.parquet."""
    name = f"{paper.name}-{table.name}"
    rows = run_grid(
        name,
        table.cells(quick),
        functools.partial(table.work, data=data),
        folder,
        seed=seed,
        stamp=data.stamp(table.data),
        jobs=jobs,
        progress=progress,
        say=say,
    )
    write_parquet(folder / f"{name}.parquet", rows)
    return rows


def kept_results(paper: Paper, tables: tuple[Table, ...], folder: Path) -> dict[str, pl.DataFrame]:
    """Return the results that earlier runs kept in a folder, by the tables' names."""
    found = {}
    for table in tables:
        path = folder / f"{paper.name}-{table.name}.parquet"
        if path.exists():
            try:
                found[table.name] = pl.read_parquet(path)
            except (pl.exceptions.PolarsError, OSError):
                raise InputError(
                    f"{path} cannot be read; run askpoint papers run {paper.name} {table.name} again, "
                    "which takes what its cells have kept"
                ) from None
    return found


def paper_document(
    paper: Paper, tables: tuple[Table, ...], results: dict[str, pl.DataFrame]
) -> Document:
    """Lay the paper's numbers beside ours; a table without results says how to get them."""
    sections = tuple(
        Section(table.title, tuple(_blocks(paper, table, results.get(table.name))))
        for table in tables
    )
    return Document(f"Replayed: {paper.title}", sections, paper.source)


def _blocks(paper: Paper, table: Table, rows: pl.DataFrame | None) -> list[Block]:
    if rows is not None:
        seeds, versions = (rows[name].unique().to_list() for name in ("seed", "version"))
        origin = Paragraph(
            f"{len(rows):,} rows, seed {', '.join(map(str, seeds))}, askpoint "
            f"{', '.join(versions)}, in {paper.name}-{table.name}.parquet."
        )
        return [*table.blocks(rows), origin]
    needs = f" It needs {files_said(table.data)}." if table.data else ""
    return [Notice(f"Not run yet: askpoint papers run {paper.name} {table.name}.{needs}")]
