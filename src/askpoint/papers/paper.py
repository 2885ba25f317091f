"""What a paper is here: its tables and figures, each a grid of cells and a way to tell of it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import polars as pl

from askpoint.errors import InputError
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.reports.document import Block

__all__ = ["Paper", "PaperTable", "TableWork"]


class TableWork(Protocol):
    """A configuration, random numbers and the data in, rows out."""

    def __call__(self, cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
        """Do what a cell asks."""
        ...


@dataclass(frozen=True, kw_only=True)
class PaperTable:
    """A table or figure of a paper.

    Parameters
    ----------
    name : str
        As in the command: table-2, figure-3.
    title : str
        What it shows.
    cells : callable
        Whether to be quick in, the configurations out.
    work : TableWork
        What is done in a cell; importable.
    blocks : callable
        The rows of all cells in, what the report shows out: the paper's numbers beside ours.
    data : tuple of str, default=()
        Data sets that it runs on, names in `DATA_FILES`.
    grid : str, default=""
        Name of the cells; tables that share cells and work have one. By default the table's.
    select : callable, optional
        The rows of all cells in, those that the table keeps and tells out.
    on_request : str, default=""
        Why the table is run only where it is named; empty where it runs with the others.
    """

    name: str
    title: str
    cells: Callable[[bool], list[Configuration]]
    work: TableWork
    blocks: Callable[[pl.DataFrame], Iterable[Block]]
    data: tuple[str, ...] = ()
    grid: str = ""
    select: Callable[[pl.DataFrame], pl.DataFrame] | None = None
    on_request: str = ""


@dataclass(frozen=True)
class Paper:
    """A paper: how commands call it, what it is, and its tables in their order.

    `words` are short for values of cells: `--only WORD` in place of `--only NAME=VALUE,...`.
    """

    name: str
    title: str
    source: str
    tables: tuple[PaperTable, ...]
    words: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)

    def select(self, table: str | None) -> tuple[PaperTable, ...]:
        """Return all tables, or the one of a name."""
        if table is None:
            return self.tables
        for one in self.tables:
            if one.name == table:
                return (one,)
        names = [one.name for one in self.tables]
        near = difflib.get_close_matches(table, names, n=1)
        hint = f"did you mean {near[0]!r}? There are" if near else "there are"
        raise InputError(
            f"paper {self.name!r} has no table {table!r} here; {hint}: {', '.join(names)}"
        )
