"""Which part of the items each belongs to, from a column of the votes."""

from __future__ import annotations

from typing import Any

import polars as pl

from askpoint.errors import InputError, UnknownColumnError
from askpoint.judges.sketch.codes import label_name
from askpoint.records.tables import open_table
from askpoint.records.votes import VoteColumns

__all__ = ["read_groups"]


def read_groups(
    source: Any, columns: VoteColumns, name: str
) -> tuple[pl.DataFrame, dict[str, str]]:
    """Return the votes without a column, and what the column says of each item."""
    table = open_table(source)
    if name not in table.columns:
        raise UnknownColumnError(name, table.columns)
    frame = table.read(list(table.columns))
    by_row = columns.task not in frame.columns
    tasks = range(frame.height) if by_row else frame[columns.task].to_list()
    groups: dict[str, str] = {}
    for task, part in zip(map(label_name, tasks), map(label_name, frame[name]), strict=True):
        if part and groups.setdefault(task, part) != part:
            raise InputError(
                f"the item {task!r} is in two parts, {groups[task]!r} and {part!r}; keep one"
            )
    return frame.drop(name), groups
