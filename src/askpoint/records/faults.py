"""Where a text file breaks: the line, for people who must mend it."""

from __future__ import annotations

import csv
import json
from typing import TextIO

__all__ = ["csv_fault", "json_fault", "repeated_column"]


def repeated_column(file: TextIO) -> str | None:
    """Return the first name that a CSV header holds twice, or None.

    Parameters
    ----------
    file : text file
        Open at its start; closed afterwards.

    Returns
    -------
    str or None
    """
    with file:
        header = next(csv.reader(file), [])
    return next((name for i, name in enumerate(header) if name in header[:i]), None)


def csv_fault(file: TextIO) -> str | None:
    """Return what is wrong with the first broken row of a CSV file, or None.

    Parameters
    ----------
    file : text file
        Open at its start; closed afterwards.

    Returns
    -------
    str or None
        Number of the line, from 1, and what is wrong with it.
    """
    with file:
        rows = csv.reader(file, strict=True)
        try:
            n_columns = len(next(rows, []))
            for row in rows:
                if row and len(row) != n_columns:
                    return f"line {rows.line_num} has {len(row)} cells, the header has {n_columns}"
        except csv.Error as error:
            return f"line {rows.line_num}: {error}"
    return None


def json_fault(file: TextIO) -> str | None:
    """Return what is wrong with the first line that is no JSON object, or None.

    Parameters
    ----------
    file : text file
        Open at its start; closed afterwards.

    Returns
    -------
    str or None
        Number of the line, from 1, and what is wrong with it.
    """
    with file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                value = json.loads(line, parse_constant=_refuse)
            except ValueError as error:
                return f"line {number} is no JSON object: {error}"
            if not isinstance(value, dict):
                return f"line {number} is no JSON object but a {type(value).__name__}"
    return None


def _refuse(name: str) -> float:
    raise ValueError(f"JSON has no {name}; write null")
