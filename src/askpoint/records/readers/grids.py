"""A table of cells, as a file holds it."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from askpoint.records.readers.reading import Doubt

__all__ = ["CellGrid"]


class CellGrid(NamedTuple):
    """A table of cells.

    Attributes
    ----------
    name : str
        The file, and the sheet of a workbook.
    frame : polars.DataFrame
        The cells: texts where the file has no types.
    said : tuple of Doubt
        How the file was opened, where that is not plain.
    decimal_comma : bool
        Whether numbers are written with a comma.
    item : str or None
        The column that names the items, where that is known.
    """

    name: str
    frame: pl.DataFrame
    said: tuple[Doubt, ...] = ()
    decimal_comma: bool = False
    item: str | None = None
