"""Delimited text as tables of cells, in its dialects: encoding, separator, header, decimal comma."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence

import polars as pl

from askpoint.errors import LogError
from askpoint.records.faults import csv_fault, refuse_wide
from askpoint.records.readers.code_pages import guess_code_page
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Choices, Doubt
from askpoint.records.readers.sources import Source

__all__ = ["read_delimited"]

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_NAMED = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "bar": "|", "pipe": "|"}
_LINES = 40
_HEAD = 1 << 17
_ROWS = 10_000  # the first of them, which are compared with the names of their columns
_BOMS = (b"\xff\xfe", b"\xfe\xff")
_LONG, _DIFFERENT = 1 << 22, 100
_TYPES = frozenset(
    {
        "continuous",
        "c",
        "numeric",
        "n",
        "discrete",
        "d",
        "categorical",
        "string",
        "s",
        "text",
        "time",
        "t",
    }
)
_ROLES = frozenset({"class", "c", "meta", "m", "ignore", "i", "weight", "w"})
_MARKDOWN = re.compile(rb"\s*\|[^\n]*\|[ \t]*\r?\n\s*\|[ \t:|-]*-[ \t:|-]*\|[ \t]*\r?\n")
_FRACTION = r"^[+-]?\d*\.\d+([eE][+-]?\d+)?$"
_DECIMAL = r"^\s*[+-]?\d*,\d+\s*%?\s*$"


def read_delimited(source: Source, choices: Choices) -> CellGrid:
    """Read delimited text; cells are texts, but for columns of fractions.

    Raises
    ------
    LogError
        If the file is no text, is cut off, or its first line names no columns.
    """
    said: list[Doubt] = []
    data = _utf8(source, choices, said)
    if b"\r" in data[:_HEAD] and b"\n" not in data[:_HEAD]:
        data = data.replace(b"\r", b"\n")
    if _MARKDOWN.match(data):
        data = _without_rules(data)
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
    refuse_wide(source.name, width)
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
    if _describes_columns(frame):
        frame = frame[2:]
        said.append(Doubt("two lines below the header say what columns are (Orange): left out"))
    _check_header(source.name, frame)
    comma = _decimal_comma(frame, separator, choices)
    if comma:
        said.append(Doubt("numbers written with a decimal comma", "--decimal"))
    return CellGrid(source.name, frame, tuple(said), comma)


def _without_rules(data: bytes) -> bytes:
    """Return the cells of a table in Markdown, without its bars at both ends and the rule below its header."""
    lines = [line.strip().strip(b"|") for line in data.splitlines()]
    rows = (b"|".join(cell.strip() for cell in line.split(b"|")) for line in lines if line)
    return b"\n".join(row for i, row in enumerate(rows) if i != 1) + b"\n"


def _describes_columns(frame: pl.DataFrame) -> bool:
    """Say whether the first two rows are the types and the roles of columns, as Orange writes them."""
    if frame.height <= 2 or any(kind != pl.String for kind in frame.dtypes):
        return False
    types, roles = ([str(cell or "").strip() for cell in row] for row in frame.head(2).rows())
    return all(cell in _TYPES for cell in types) and all(
        not cell or cell.partition("=")[0].split()[0] in _ROLES for cell in roles
    )


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
                encoding = guess_code_page(data)
            else:
                _refuse_nul(source.name, data)
                return data
        said.append(Doubt(f"no UTF-8, read as {encoding}", "--encoding"))
    try:
        text = data.decode(encoding)
        return text.encode("utf-8")
    except (UnicodeDecodeError, LookupError) as error:
        raise LogError(
            f"{source.name} must be text in {encoding}, but is not, or is cut off ({error}). Save it as UTF-8 "
            "or name its encoding with --encoding"
        ) from None


def _wide_encoding(source: Source) -> str:
    """Return which half of two-byte characters is empty; refuse bytes in which neither is."""
    start = source.data[:1000]
    odd, even = start[1::2].count(0), start[::2].count(0)
    if max(odd, even) < len(start) / 5 or min(odd, even) > len(start) / 5:
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
    while above < len(widths) - 1 and usual > 1:
        is_comment = lines[above].startswith("#") and widths[above] != usual
        if widths[above] > 1 and not is_comment:
            break
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
