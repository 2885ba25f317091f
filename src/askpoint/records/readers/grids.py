"""Tabular files as tables of cells: CSV in its dialects, workbooks, Parquet, Feather and JSON."""

from __future__ import annotations

import csv
import io
import json
import logging
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from askpoint.errors import LogError
from askpoint.records.faults import csv_fault, json_fault
from askpoint.records.readers.foreign_files import refuse_foreign
from askpoint.records.readers.reading import Choices, Doubt
from askpoint.records.readers.sources import Source
from askpoint.records.readers.statistics_files import arrays, statistics_table
from askpoint.records.roles import looks_like

__all__ = ["Grid", "open_grids"]

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_NAMED = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "bar": "|", "pipe": "|"}
_BROKEN = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, csv.Error, TypeError)
_LINES = 40
_WIDEST = 20_000  # columns
_HEAD = 1 << 17
_ROWS = 10_000  # from which the types of JSON cells are taken; others are read one by one
_BOMS = (b"\xff\xfe", b"\xfe\xff")
_LONG, _DIFFERENT = 1 << 22, 100
_FRACTION = r"^[+-]?\d*\.\d+([eE][+-]?\d+)?$"
_DECIMAL = r"^\s*[+-]?\d*,\d+\s*%?\s*$"


class Grid(NamedTuple):
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


def open_grids(source: Source, choices: Choices) -> list[Grid]:
    """Open a tabular file: one table, or one for each sheet of a workbook."""
    try:
        return _open(source, choices)
    except _BROKEN as error:
        line = " ".join(str(error).split("\n\n")[0].split())
        raise LogError(f"{source.name} is broken or cut off: {line}") from None


def _open(source: Source, choices: Choices) -> list[Grid]:
    match source.shape:
        case "xlsx":
            return _workbook(source)
        case "parquet":
            frame = pl.read_parquet(io.BytesIO(source.data))
            return [_check_grid(Grid(source.name, *_with_class_names(source, frame)))]
        case "arrow":
            return [_check_grid(Grid(source.name, pl.read_ipc(io.BytesIO(source.data))))]
        case "arrow stream":
            frame = pl.read_ipc_stream(io.BytesIO(source.data))
            return [_check_grid(Grid(source.name, *_with_class_names(source, frame)))]
        case "stata" | "spss" | "sas":
            return [_check_grid(Grid(source.name, statistics_table(source)))]
        case "arrays":
            return [_check_grid(Grid(source.name, arrays(source)))]
        case "jsonl":
            return [_check_grid(Grid(source.name, _flat(_json_lines(source))))]
        case "json":
            return [_check_grid(Grid(source.name, _flat(_json_rows(source))))]
        case "zip":
            raise LogError(f"{source.name} is a zip: unpack it and give the files inside")
    refuse_foreign(source.name, source.data)
    return [_check_grid(_read_delimited(source, choices))]


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


def _check_grid(grid: Grid) -> Grid:
    if not grid.frame.height:
        raise LogError(f"{grid.name} has columns but not a single row")
    return grid


def _json_lines(source: Source) -> pl.DataFrame:
    try:
        data = source.data.removeprefix(b"\xef\xbb\xbf")
        return pl.read_ndjson(io.BytesIO(data), infer_schema_length=_ROWS)
    except pl.exceptions.PolarsError:
        fault = json_fault(io.StringIO(source.text))
        if fault is not None:
            raise LogError(f"{source.name} is broken or cut off: {fault}") from None
    return _frame([line for _, line in source.lines()])


def _json_rows(source: Source) -> pl.DataFrame:
    document = source.document
    if isinstance(document, dict):
        if _is_split(document):  # pandas' split, tables of Weights & Biases and MLflow
            rows = [dict(zip(document["columns"], row, strict=False)) for row in document["data"]]
            return _frame([{k: v for k, v in r.items() if not isinstance(v, dict)} for r in rows])
        lists = {key: value for key, value in document.items() if isinstance(value, list)}
        if len(lists) == 1 and not isinstance(next(iter(lists.values()))[:1], dict):
            rows = next(iter(lists.values()))
            if rows and all(isinstance(row, dict) for row in rows):
                return _frame(rows)
        if len(lists) == len(document) > 1 and len({len(value) for value in lists.values()}) == 1:
            return pl.DataFrame(document, strict=False)
        if document and all(isinstance(value, dict) for value in document.values()):
            return _frame(_read_keyed(document))
        raise LogError(
            f"{source.name} is JSON of no tool that is known here, and no list of rows: it has the "
            f"keys {', '.join(list(document)[:8])}"
        )
    if document and all(isinstance(row, list) and _are_scores(row) for row in document):
        return _frame([{"scores": row} for row in document])  # a pipeline's classes, all of them
    if not document or not all(isinstance(row, dict) for row in document):
        raise LogError(f"{source.name} is a JSON list, but not of objects, one a row")
    return _frame(document)


def _is_split(document: dict[str, Any]) -> bool:
    columns, data = document.get("columns"), document.get("data")
    return (
        isinstance(columns, list) and isinstance(data, list) and bool(data)
        and all(isinstance(name, str) for name in columns) and isinstance(data[0], list)
    )  # fmt: skip


def _are_scores(row: list[Any]) -> bool:
    return bool(row) and all(isinstance(p, dict) and {"label", "score"} <= set(p) for p in row)


def _read_keyed(document: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows of objects in an object: by id, or by column as pandas writes them."""
    inner = [set(value) for value in document.values()]
    if len(inner) < len(inner[0]) and all(keys == inner[0] for keys in inner):
        first = next(iter(document.values()))
        return [
            {"id": key, **{name: column[key] for name, column in document.items()}} for key in first
        ]
    return [{"id": key, **value} for key, value in document.items()]


def _frame(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, infer_schema_length=None, strict=False)


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Return objects inside cells as columns named with a dot."""
    for name, kind in frame.schema.items():
        if isinstance(kind, pl.Struct):
            fields = [f"{name}.{field.name}" for field in kind.fields]
            frame = frame.with_columns(frame[name].struct.rename_fields(fields)).unnest(name)
            return _flat(frame)
    for name, kind in frame.schema.items():
        if isinstance(kind, pl.List) and isinstance(kind.inner, pl.Struct):
            fields = [field.name for field in kind.inner.fields]
            if _is_votes(fields) and not set(fields) & set(frame.columns):
                return frame.explode(name).unnest(name)
    return frame


def _is_votes(fields: Sequence[str]) -> bool:
    """Say whether objects in a list are votes: who, and what."""
    who = any(
        looks_like(name, ("judge", "worker", "annotator", "grader", "rater")) for name in fields
    )
    what = ("vote", "verdict", "label", "grade", "rating", "score", "value")
    return who and any(looks_like(name, what) for name in fields)


def _read_delimited(source: Source, choices: Choices) -> Grid:
    said: list[Doubt] = []
    data = _utf8(source, choices, said)
    if b"\r" in data[:_HEAD] and b"\n" not in data[:_HEAD]:
        data = data.replace(b"\r", b"\n")
    end = max(_HEAD, data.find(b"\n") + 1)  # a header may be longer
    start = data[:end].decode("utf-8", "replace")
    skip = 0
    separator = _NAMED.get(choices.separator or "", choices.separator)
    if start[:4].lower() == "sep=" and start[5:6] in "\r\n":
        separator, skip = separator or start[4], 1
    lines = start.split("\n")[skip : skip + _LINES]
    if len(data) > _HEAD and len(lines) < _LINES:
        lines = lines[:-1]
    width = 1 + max(lines[0].count(c) for c in _SEPARATORS) if lines else 0
    if width > _WIDEST:
        raise LogError(
            f"{source.name} must have at most {_WIDEST:,} columns; got {width:,}. Turn the table, or keep "
            "the columns that matter"
        )
    separator = separator or _separator(lines)
    if separator not in _SEPARATORS:
        raise LogError(f"--separator must be one character of , ; | or tab; got {separator!r}")
    above = _lines_above_header(lines, separator)
    header = next(csv.reader(lines[above:], delimiter=separator), [])
    seen: set[str] = set()
    if twice := next((name for name in header if name in seen or seen.add(name)), None):  # type: ignore[func-returns-value]
        raise LogError(f"two columns of {source.name} are named {twice!r}; rename one")
    if separator != ",":
        said.append(Doubt(f"cells separated by {_SEPARATORS[separator]}", "--separator"))
    if above:
        said.append(Doubt(f"{above} lines above the header left out"))
    try:
        frame = _cells(data, separator, skip + above)
    except pl.exceptions.PolarsError as error:
        fault = _fault(data, separator, skip + above, strict=True)
        reason = fault or " ".join(str(error).split("\n\n")[0].split())
        raise LogError(f"{source.name} is broken or cut off: {reason}") from None
    if frame.width and frame[frame.columns[-1]].null_count():
        fault = _find_ragged(data, separator, frame.width, skip + above)
        if fault is not None:
            raise LogError(f"{source.name} is broken or cut off: {fault}")
    if all(frame[name].null_count() for name in frame.columns):
        frame = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    _check_header(source.name, frame)
    comma = _decimal_comma(frame, separator, choices)
    if comma:
        said.append(Doubt("numbers written with a decimal comma", "--decimal"))
    return Grid(source.name, frame, tuple(said), comma)


def _check_header(name: str, frame: pl.DataFrame) -> None:
    """Refuse a table whose first line holds data instead of names."""
    top = frame.head(_ROWS)
    like_cells = [
        column.name
        for column in top
        if re.fullmatch(r"[+-]?\d*[.,]\d+", column.name.strip())
        or (
            column.dtype == pl.String
            and column.n_unique() <= min(12, top.height / 3)
            and bool((column == column.name).any())
        )
    ]
    if len(like_cells) > 1 or any(column[:1].isdigit() for column in like_cells):
        raise LogError(
            f"{name}: the first line holds cells ({', '.join(like_cells[:4])}), no names of columns: "
            "add a line of names"
        )


def _cells(data: bytes, separator: str, skip: int) -> pl.DataFrame:
    """Return cells as texts, but for columns of fractions, which cannot be anything else."""

    def read(schema: dict[str, type[pl.Float64]], n: int | None = None) -> pl.DataFrame:
        return pl.read_csv(
            data, separator=separator, infer_schema=False, skip_lines=skip, n_rows=n,
            schema_overrides=schema,
        )  # fmt: skip

    if len(data) < _LONG:
        return read({})
    sample = read({}, 1000)
    fractions = {
        column.name: pl.Float64
        for column in sample
        if column.null_count() == 0
        and bool(column.str.contains(_FRACTION).all())
        and column.n_unique() > _DIFFERENT
    }
    try:
        return read(fractions)
    except pl.exceptions.PolarsError:  # a word further down
        return read({})


def _utf8(source: Source, choices: Choices, said: list[Doubt]) -> bytes:
    data = source.data
    encoding = choices.encoding
    if encoding is None:
        if data.startswith(_BOMS) or b"\x00" in data[:200]:
            encoding = "utf-16" if data.startswith(_BOMS) else _wide_encoding(source)
        elif data.startswith(b"\xef\xbb\xbf"):
            said.append(Doubt("UTF-8 with a byte-order mark"))
            return data[3:]
        else:
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:
                encoding = "cp1252"
            else:
                _refuse_nul(source.name, data)
                return data
        said.append(Doubt(f"no UTF-8, read as {encoding}", "--encoding"))
    try:
        text = data.decode(encoding)
        return text.encode("utf-8")
    except (UnicodeDecodeError, LookupError) as error:
        raise LogError(
            f"{source.name} is no text in {encoding}: {error}; give --encoding"
        ) from None


def _wide_encoding(source: Source) -> str:
    """Return which half of two-byte characters is empty; refuse bytes in which neither is."""
    start = source.data[:1000]
    odd, even = start[1::2].count(0), start[::2].count(0)
    if max(odd, even) < len(start) / 5:
        _refuse_nul(source.name, source.data)
    return "utf-16-le" if odd >= even else "utf-16-be"


def _refuse_nul(name: str, data: bytes) -> None:
    place = data.find(b"\x00")
    if place >= 0:
        line = data.count(b"\n", 0, place) + 1
        raise LogError(
            f"{name} must hold text; got NUL bytes, the first in line {line}: the file is damaged, or no table"
        )


def _separator(lines: Sequence[str]) -> str:
    best = (0.0, 1, ",")
    for separator in _SEPARATORS:
        widths = [len(row) for row in csv.reader(lines, delimiter=separator) if row]
        if not widths:
            continue
        width, often = Counter(widths).most_common(1)[0]
        if width > 1:
            best = max(best, (often / len(widths), width, separator))
    return best[2]


def _lines_above_header(lines: Sequence[str], separator: str) -> int:
    widths = [
        sum(bool(cell.strip()) for cell in row) for row in csv.reader(lines, delimiter=separator)
    ]
    if len(widths) < 3 or max(widths) < 3:
        return 0
    usual = Counter(widths).most_common(1)[0][0]
    above = 0
    while above < len(widths) - 1 and widths[above] <= 1 and usual > 1:
        above += 1
    return above


def _find_ragged(data: bytes, separator: str, width: int, skip: int) -> str | None:
    """Return the first row with too few cells; fast where no cell is quoted."""
    if b'"' not in data:
        lines = pl.read_csv(
            data, has_header=False, separator="\x01", quote_char=None, infer_schema=False,
            skip_lines=skip + 1,
        ).to_series()  # fmt: skip
        cells = lines.str.count_matches(separator, literal=True) + 1
        short = (cells != width) & lines.is_not_null()
        if not short.any():
            return None
    return _fault(data, separator, skip, strict=False)


def _fault(data: bytes, separator: str, skip: int, *, strict: bool) -> str | None:
    text = data.decode("utf-8", "replace")
    for _ in range(skip):
        text = text.partition("\n")[2]
    text = "\n".join(line for line in text.split("\n") if line.strip()) if not strict else text
    return csv_fault(io.StringIO(text, newline=""), strict=strict, separator=separator)


def _decimal_comma(frame: pl.DataFrame, separator: str, choices: Choices) -> bool:
    if choices.decimal is not None:
        return choices.decimal in (",", "comma")
    if separator == ",":
        return False
    sample = frame.head(200)
    return any(
        len(cells := sample[name].drop_nulls()) > 0 and bool(cells.str.contains(_DECIMAL).all())
        for name in sample.columns
    )


def _workbook(source: Source) -> list[Grid]:
    try:
        import fastexcel

        logging.getLogger("fastexcel").addHandler(logging.NullHandler())  # columns without a cell
    except ImportError:  # an extra of the packaging, not of ours
        raise LogError("a workbook needs the package fastexcel: pip install fastexcel") from None
    try:
        book = fastexcel.read_excel(source.data)
        grids = [
            grid for sheet in book.sheet_names if (grid := _sheet(source, book, sheet)) is not None
        ]
    except fastexcel.FastExcelError as error:
        raise LogError(f"{source.name} is no workbook that can be read: {error}") from None
    if not grids:
        raise LogError(f"{source.name} has no sheet with a table")
    return grids


def _sheet(source: Source, book: Any, sheet: str) -> Grid | None:
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
    return Grid(f"{source.name} ({sheet})", body, tuple(said)) if body.height else None


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
