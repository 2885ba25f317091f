"""Sheets of a workbook as tables of cells: where each begins and ends, and its header of one row or two."""

from __future__ import annotations

import logging
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Doubt
from askpoint.records.readers.sources import Source

__all__ = ["read_workbook"]


def read_workbook(source: Source) -> list[CellGrid]:
    """Read the sheets that hold a table.

    Raises
    ------
    LogError
        If none does, or the file is broken.
    """
    try:
        import fastexcel

        logging.getLogger("fastexcel").addHandler(logging.NullHandler())  # columns without a cell
    except ImportError:
        raise LogError(
            f"{source.name} is a workbook, and reading those is an extra part: pip install 'askpoint[sheets]'"
        ) from None
    try:
        book = fastexcel.read_excel(source.data)
        grids = [
            grid for sheet in book.sheet_names if (grid := _sheet(source, book, sheet)) is not None
        ]
    except fastexcel.FastExcelError as error:
        raise LogError(f"{source.name} is not a workbook that can be read: {error}") from None
    if not grids:
        raise LogError(f"{source.name} has no sheet with a table")
    return grids


def _sheet(source: Source, book: Any, sheet: str) -> CellGrid | None:
    cells: pl.DataFrame = book.load_sheet(sheet, header_row=None, dtypes="string").to_polars()
    filled = cells.select(pl.sum_horizontal(pl.all().is_not_null())).to_series().to_list()
    usual = max(filled, default=0)
    if usual < 2 or len(filled) < 2:
        return None
    top = next(i for i, count in enumerate(filled) if count * 2 > usual and count > 1)
    first, names = top, _two_rows(cells, top)
    if names:
        top += 1
    else:
        names = [name or f"column_{i + 1}" for i, name in enumerate(cells.row(top))]
    if twice := next((name for i, name in enumerate(names) if name in names[:i]), None):
        raise LogError(f"two columns of {source.name}, sheet {sheet}, are named {twice!r}")
    end = next((i for i in range(top + 1, len(filled)) if not filled[i]), len(filled))
    typed = book.load_sheet(sheet, header_row=None, skip_rows=top + 1, n_rows=end - top - 1)
    kinds = typed.to_polars().dtypes
    body = cells.slice(top + 1, end - top - 1)
    body.columns = names
    words = {"true": "True", "false": "False"}
    body = body.with_columns(
        pl.col(name).replace(words)
        for name, kind in zip(names, kinds, strict=False)
        if kind == pl.Boolean
    )
    said = []
    if first < top:
        said.append(Doubt(f"sheet {sheet}: the header is rows {first + 1} and {top + 1}"))
    elif top:
        said.append(Doubt(f"sheet {sheet}: the header is row {top + 1}"))
    if left := sum(count > 0 for count in filled[end:]):
        said.append(Doubt(f"sheet {sheet}: {left} row(s) below an empty row left out"))
    return CellGrid(f"{source.name} ({sheet})", body, tuple(said)) if body.height else None


def _two_rows(cells: pl.DataFrame, top: int) -> list[str]:
    """Return names of columns from a header of two rows, of which the first has merged cells."""
    if top + 3 > cells.height:
        return []
    upper, lower = cells.row(top), cells.row(top + 1)
    gaps = [i for i, name in enumerate(upper) if not name and lower[i]]
    empty_below = [i for i, name in enumerate(upper) if name and not lower[i]]
    below = cells.slice(top + 2)
    strange = all(name not in set(below.to_series(i)) for i, name in enumerate(lower) if name)
    if not gaps or not strange or not empty_below or upper[0] is None:
        return []
    found, last = [], ""
    for i, (name, part) in enumerate(zip(upper, lower, strict=True)):
        last = name or last
        found.append(f"{last} / {part}" if part else name or f"column_{i + 1}")
    return found
