"""Where a text file breaks: the line, for people who must mend it."""

from __future__ import annotations

import csv
import json
from typing import TextIO

from askpoint.errors import LogError

__all__ = ["csv_fault", "duplicate_column", "json_fault", "refuse_wide"]

_MOST_COLUMNS = 20_000
_LONGEST = 2**31 - 1  # characters in a cell: a log may carry whole documents


def duplicate_column(file: TextIO) -> str | None:
    """Return the first name that a CSV header holds twice, or None."""
    seen: set[str] = set()
    for name in _header_of(file):
        if name in seen:
            return name
        seen.add(name)
    return None


def _header_of(file: TextIO) -> list[str]:
    """Return the names of columns of a CSV file."""
    with file:
        return next(csv.reader(file), [])


def refuse_wide(name: str, width: int) -> None:
    """Refuse a table of more columns than anybody means.

    Raises
    ------
    LogError
        If there are more than 20,000.
    """
    if width > _MOST_COLUMNS:
        raise LogError(
            f"{name} must have at most {_MOST_COLUMNS:,} columns; got {width:,}. Turn the table, or keep "
            "the columns that matter"
        )


def csv_fault(file: TextIO, *, strict: bool, separator: str = ",") -> str | None:
    """Return what is wrong with the first broken row of a CSV file, or None."""
    limit = csv.field_size_limit(_LONGEST)
    try:
        with file:
            rows = csv.reader(file, strict=strict, delimiter=separator)
            n_columns = len(next(rows, []))
            for row in rows:
                if len(row) != n_columns:
                    held = f"has {len(row)} cells" if row else "is empty"
                    return f"line {rows.line_num} {held}, the header has {n_columns} cells"
    except csv.Error as error:
        return f"line {rows.line_num}: {error}"
    finally:
        csv.field_size_limit(limit)
    return None


def json_fault(file: TextIO) -> str | None:
    """Return what is wrong with the first line that is not a JSON object, or None."""
    with file:
        for number, line in enumerate(file, start=1):
            line = line.strip()
            if not line:
                continue
            try:
                value = json.loads(line, parse_constant=_refuse)
            except json.JSONDecodeError as error:
                return f"line {number} is not a JSON object: {error.msg} (character {error.colno})"
            except ValueError as error:
                return f"line {number}: {error}"
            except RecursionError:
                return f"line {number} is nested too deeply for a row"
            if not isinstance(value, dict):
                return f"line {number} is not a JSON object but a {type(value).__name__}"
    return None


def _refuse(name: str) -> float:
    raise ValueError(f"JSON has no {name}; write null")
