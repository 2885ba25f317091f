"""Tabular files opened: each kind by its own reader, as one table, or one for each sheet."""

from __future__ import annotations

import csv
import io
import json

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.delimited import read_delimited
from askpoint.records.readers.foreign_files import refuse_foreign
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.json_tables import read_json_lines, read_json_rows, read_objects
from askpoint.records.readers.reading import Choices, Doubt
from askpoint.records.readers.sources import Source
from askpoint.records.readers.statistics_files import arrays, statistics_table
from askpoint.records.readers.workbooks import read_workbook

__all__ = ["open_grids"]

_BROKEN = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, csv.Error, TypeError)
_HEAD = 1 << 17
_FEW_ROWS = 5
_TOTALS = frozenset(
    ["total", "totals", "grand total", "sum", "gesamt", "summe", "gesamtergebnis", "somme", "suma", "totale", "somma",
     "soma", "totaal", "合計", "総計"]
)  # fmt: skip
_AVERAGES = frozenset(
    ["average", "avg", "mean", "median", "count", "mittelwert", "durchschnitt", "anzahl", "moyenne", "promedio", "media",
     "média", "gemiddelde", "aantal", "平均", "件数"]
)  # fmt: skip


def open_grids(source: Source, choices: Choices) -> list[CellGrid]:
    """Open a tabular file: one table, or one for each sheet of a workbook."""
    try:
        return [_without_total(grid) for grid in _open(source, choices)]
    except _BROKEN as error:
        line = " ".join(str(error).split("\n\n")[0].split())
        raise LogError(f"{source.name} is broken or cut off: {line}") from None


def _without_total(grid: CellGrid) -> CellGrid:
    """Leave out last lines that sum the others up, which a spreadsheet prints below its rows."""
    frame = grid.frame
    if frame.height < _FEW_ROWS:
        return grid
    last = frame.row(-1)
    words = _TOTALS | _AVERAGES if None in last or "" in last else _TOTALS
    for name, cell in zip(frame.columns, last, strict=True):
        if cell is None or cell == "":
            continue
        word = str(cell).strip().rstrip(":").casefold()
        if word not in words or int((frame[name].cast(pl.String) == str(cell)).sum()) > 1:
            return grid
        said = Doubt(f"the last line, {str(cell).strip()}, sums the others up: left out")
        return _without_total(grid._replace(frame=frame[:-1], said=(*grid.said, said)))
    return grid


def _open(source: Source, choices: Choices) -> list[CellGrid]:
    match source.shape:
        case "xlsx":
            return read_workbook(source)
        case "parquet":
            frame = pl.read_parquet(io.BytesIO(source.data))
            return [_check_grid(CellGrid(source.name, *_with_class_names(source, frame)))]
        case "arrow":
            return [_check_grid(CellGrid(source.name, pl.read_ipc(io.BytesIO(source.data))))]
        case "arrow stream":
            frame = pl.read_ipc_stream(io.BytesIO(source.data))
            return [_check_grid(CellGrid(source.name, *_with_class_names(source, frame)))]
        case "stata" | "spss" | "sas":
            return [_check_grid(CellGrid(source.name, statistics_table(source)))]
        case "arrays":
            return [_check_grid(CellGrid(source.name, arrays(source)))]
        case "jsonl":
            return [_check_grid(CellGrid(source.name, read_json_lines(source)))]
        case "json":
            return [_check_grid(CellGrid(source.name, read_json_rows(source)))]
        case "zip":
            raise LogError(f"{source.name} is a zip: unpack it and give the files inside")
    refuse_foreign(source.name, source.data)
    return [_check_grid(read_delimited(source, choices))]


def _with_class_names(
    source: Source, frame: pl.DataFrame
) -> tuple[pl.DataFrame, tuple[Doubt, ...]]:
    """Put the names of classes in place of their numbers, which a data set of Hugging Face keeps."""
    for part in (source.data[:_HEAD], source.data[-_HEAD:]):
        start = part.find(b'{"info": {"features"')
        if start < 0:
            continue
        try:
            features = json.JSONDecoder().raw_decode(part[start:].decode("utf-8", "replace"))[0]
        except ValueError:
            continue
        said = []
        for name, feature in features["info"]["features"].items():
            names = feature.get("names") if isinstance(feature, dict) else None
            if names and name in frame.columns and frame[name].dtype.is_integer():
                classes = dict(enumerate(map(str, names)))
                cells = frame[name].replace_strict(classes, default=None, return_dtype=pl.String)
                frame = frame.with_columns(cells)
                said.append(
                    Doubt(f"{name}: numbers read as the classes {', '.join(names[:5])}", "--map")
                )
        return frame, tuple(said)
    return frame, ()


def _check_grid(grid: CellGrid) -> CellGrid:
    if not grid.frame.height:
        raise LogError(
            f"{grid.name} holds names of columns and not a single row. Export it with its rows"
        )
    grid = grid._replace(frame=read_objects(grid.frame))
    # one spelling for label and answer, as a file of texts has it
    words = pl.selectors.boolean().cast(pl.String).replace({"true": "True", "false": "False"})
    return grid._replace(frame=grid.frame.with_columns(words))
