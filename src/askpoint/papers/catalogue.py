"""The papers that can be replayed, and replaying them."""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import functools
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import polars as pl

from askpoint.errors import InputError
from askpoint.papers.beat_the_machine.unknowns_paper import UNKNOWNS
from askpoint.papers.data_files import Data, list_files
from askpoint.papers.deployed_value.value_paper import VALUE
from askpoint.papers.grid import Configuration, run_grid
from askpoint.papers.interactive.interactive_paper import INTERACTIVE, INTERACTIVE_WEKA
from askpoint.papers.multiclass_elicitation.elicitation_paper import ELICITATION
from askpoint.papers.noisy_judges import JUDGES
from askpoint.papers.paper import Paper, PaperTable
from askpoint.records.artefacts import write_parquet
from askpoint.reports.document import Block, Document, Figure, Figures, Notice, Paragraph, Section
from askpoint.reports.words import plural

__all__ = [
    "PAPERS",
    "expand_words",
    "find_paper",
    "list_data_sets",
    "load_results",
    "paper_document",
    "run_tables",
    "tables_with",
]

_Progress = Callable[[int, int], None]

PAPERS = {
    paper.name: paper
    for paper in (INTERACTIVE, INTERACTIVE_WEKA, UNKNOWNS, VALUE, ELICITATION, JUDGES)
}
"""By name, in the order of the command's list."""


def find_paper(name: str) -> Paper:
    """Return a paper by its name."""
    if name not in PAPERS:
        near = difflib.get_close_matches(name, PAPERS, n=1)
        hint = f"did you mean {near[0]!r}? There are" if near else "there are"
        raise InputError(f"there is no paper {name!r}; {hint}: {', '.join(PAPERS)}")
    return PAPERS[name]


def list_data_sets(
    tables: tuple[PaperTable, ...], *, quick: bool, only: Mapping[str, Collection[str]]
) -> list[str]:
    """Return the data sets that a run reads: those that its cells name, or all of a table's."""
    needed: set[str] = set()
    for table in tables:
        cells = _select_cells(table.cells(quick), only)
        if table.data:
            named = {str(cell.get("data")) for cell in cells}
            needed |= named & set(table.data) or set(table.data)
    return sorted(needed)


def run_tables(
    paper: Paper,
    tables: tuple[PaperTable, ...],
    folder: Path,
    *,
    data: Data,
    quick: bool = False,
    only: Mapping[str, Collection[str]] | None = None,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[str], AbstractContextManager[_Progress | None]] | None = None,
    say: Callable[[str], None] | None = None,
) -> dict[str, pl.DataFrame]:
    """Run what tables lack of their cells, each cell once, and keep a table's rows in PAPER-TABLE.parquet."""
    kept = dataclasses.replace(data, kept=folder)
    of_grid: dict[tuple[str, str], pl.DataFrame] = {}
    results = {}
    for table in tables:
        name = f"{paper.name}-{table.grid or table.name}"
        cells = _select_cells(table.cells(quick), only or {})
        grid = name, json.dumps(cells)  # a table may take more cells of a grid than another
        if grid not in of_grid:
            with contextlib.nullcontext() if progress is None else progress(name) as told:
                of_grid[grid] = run_grid(
                    name,
                    cells,
                    functools.partial(table.work, data=kept),
                    folder,
                    seed=seed,
                    stamp=data.stamp(table.data),
                    jobs=jobs,
                    progress=told,
                    say=say,
                )
        rows = of_grid[grid] if table.select is None else table.select(of_grid[grid])
        write_parquet(folder / f"{paper.name}-{table.name}.parquet", rows)
        results[table.name] = rows
    return results


def _select_cells(
    cells: list[Configuration], only: Mapping[str, Collection[str]]
) -> list[Configuration]:
    """Return the cells whose configuration has the values that are asked for."""
    return [
        cell
        for cell in cells
        if all(name in cell and str(cell[name]) in values for name, values in only.items())
    ]


def expand_words(
    paper: Paper,
    tables: tuple[PaperTable, ...],
    only: Mapping[str, Collection[str]],
    words: Sequence[str],
    *,
    quick: bool,
) -> dict[str, list[str]]:
    """Return what `--only` asks for, with a paper's words narrowed to the values that they stand for."""
    narrowed = {name: list(values) for name, values in only.items()}
    for word in words:
        if word not in paper.words:
            known = "".join(f" or {known}" for known in paper.words)
            raise InputError(
                f"--only must be NAME=VALUE,...{known}; got {word!r}. Name what cells are told apart by, "
                "as in classifier=NB,HC."
            )
        name, values = paper.words[word]
        there = list(
            dict.fromkeys(
                str(cell[name]) for table in tables for cell in table.cells(quick) if name in cell
            )
        )
        asked = narrowed.get(name, there)
        # a value that no cell has stays, to be refused by its name
        narrowed[name] = [value for value in asked if value in values or value not in there]
        if not narrowed[name]:
            raise InputError(
                f"--only {word} must leave a cell; got {name}={','.join(asked) or 'none'}, of which "
                f"none is among {', '.join(values)}."
            )
    return narrowed


def tables_with(
    tables: tuple[PaperTable, ...], *, quick: bool, only: Mapping[str, Collection[str]]
) -> tuple[PaperTable, ...]:
    """Return the tables that have cells with the values that are asked for; refuse values that none has."""
    cells = [cell for table in tables for cell in table.cells(quick)]
    for name, values in only.items():
        there = {str(cell[name]) for cell in cells if name in cell}
        unknown = [value for value in values if value not in there]
        if unknown:
            keys = sorted({key for cell in cells for key in cell})
            raise InputError(
                f"--only {name}={unknown[0]}: no such cell; "
                + (
                    f"{name} is one of {', '.join(sorted(there))}"
                    if there
                    else f"cells are told apart by {', '.join(keys)}"
                )
            )
    matching = tuple(table for table in tables if _select_cells(table.cells(quick), only))
    if not matching:
        raise InputError(f"--only: no cell has {' and '.join(only)} as asked for at once")
    return matching


def load_results(
    paper: Paper, tables: tuple[PaperTable, ...], folder: Path
) -> dict[str, pl.DataFrame]:
    """Return the results that earlier runs kept in a folder, by the tables' names."""
    results = {}
    for table in tables:
        path = folder / f"{paper.name}-{table.name}.parquet"
        if path.exists():
            try:
                results[table.name] = pl.read_parquet(path)
            except (pl.exceptions.PolarsError, OSError):
                raise InputError(
                    f"{path} cannot be read; run askpoint papers run {paper.name} {table.name} again, "
                    "which takes what its cells have kept"
                ) from None
    return results


def paper_document(
    paper: Paper, tables: tuple[PaperTable, ...], results: dict[str, pl.DataFrame]
) -> Document:
    """Lay the paper's numbers beside ours; a table without results says how to get them."""
    sections = tuple(
        Section(table.title, tuple(_blocks(paper, table, results.get(table.name))))
        for table in tables
    )
    needed = {name: None for table in tables if table.name not in results for name in table.data}
    if needed:
        files = Paragraph(f"Bring {list_files(list(needed))}.")
        sections += (Section("Data of the tables not run yet", (files,)),)
    return Document(
        f"Replayed: {paper.title}", (_progress_section(paper, results), *sections), paper.source
    )


def _progress_section(paper: Paper, results: Mapping[str, pl.DataFrame]) -> Section:
    """Say how much of the paper has been replayed."""
    n, rows = len(results), sum(map(len, results.values()))
    figures = (
        Figure("tables and figures replayed", f"{n} of {len(paper.tables)}"),
        Figure("numbers of our own", f"{rows:,}"),
    )
    return Section(
        "What is here",
        (
            Paragraph(
                f"{n} of the {len(paper.tables)} tables and figures of the paper that can be replayed, each "
                "with what the paper prints beside what came out here.",
                lead=True,
            ),
            Figures("Replayed", figures),
        ),
    )


def _blocks(paper: Paper, table: PaperTable, rows: pl.DataFrame | None) -> list[Block]:
    if rows is not None:
        seeds, versions = (rows[name].unique().to_list() for name in ("seed", "version"))
        origin = Paragraph(
            f"{len(rows):,} rows, seed {', '.join(map(str, seeds))}, askpoint "
            f"{', '.join(versions)}, in {paper.name}-{table.name}.parquet."
        )
        return [*table.blocks(rows), origin]
    needs = (
        f" It needs {plural(len(table.data), 'data set', 'data sets')}, listed at the end."
        if table.data
        else ""
    )
    return [Notice(f"Not run yet: askpoint papers run {paper.name} {table.name}.{needs}")]
