"""CSV that comes back value for value, and that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

__all__ = ["plain_text", "read_csv", "to_csv"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def to_csv(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write CSV line by line: texts as they are, all other values as JSON.

    A text that begins like a formula, or with an apostrophe, gets an apostrophe in front;
    `read_csv` takes it away. A field that is null is empty, and an empty text is ``''``.
    """
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\r\n")
    for row in chain([{column: column for column in columns}], rows):
        writer.writerow([_cell(row[column]) for column in columns])
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if not value or value.startswith(_FORMULA) else value
    return json.dumps(value, ensure_ascii=False)


def plain_text(cell: str) -> str:
    """Return a text as it was before `to_csv` put an apostrophe in front; of others' files as it is."""
    rest = cell[1:]
    return rest if cell.startswith("'") and (not rest or rest.startswith(_FORMULA)) else cell


def read_csv(text: str, texts: Container[str]) -> list[dict[str, Any]]:
    """Return the rows that `to_csv` wrote, value for value; `texts` are the columns of texts."""
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [{name: _value(cell, name in texts) for name, cell in row.items()} for row in rows]


def _value(cell: str, is_text: bool) -> Any:
    if not cell:
        return None
    return cell.removeprefix("'") if is_text else json.loads(cell)
