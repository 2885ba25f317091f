"""What other columns say of each item: its length, topic or system, beside the votes on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import polars as pl

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.judges.sketch.codes import label_name
from askpoint.records.readers.brought import BroughtVotes
from askpoint.records.readers.reading import Reading
from askpoint.records.tables import open_table
from askpoint.records.votes import VoteColumns

__all__ = [
    "ItemColumns",
    "columns_of_reading",
    "join_values",
    "other_columns",
    "read_groups",
    "read_item_columns",
]

ItemColumns = dict[str, dict[str, str]]


def read_groups(
    source: Any, columns: VoteColumns, name: str, items: Any = None
) -> tuple[Any, dict[str, str]]:
    """Return the votes without a column, and what the column says of each item."""
    votes, found = read_item_columns(source, columns, [name], items)
    return votes, found[name]


def read_item_columns(
    source: Any, columns: VoteColumns, names: Sequence[str], items: Any = None
) -> tuple[Any, ItemColumns]:
    """Return the votes without some columns, and what these say of each item.

    Columns that the votes lack are looked for in the file of the items.

    Raises
    ------
    UnknownColumnError
        If neither has a column.
    LogError
        If the file of the items does not name them.
    InputError
        If a column says two things of one item.
    """
    table = open_table(source)
    own = [name for name in names if name in table.columns]
    found: ItemColumns = {}
    votes = source
    if own:
        frame = table.read(list(table.columns))
        tasks = _tasks(frame, columns)
        found = {name: _values(tasks, frame[name], name) for name in own}
        votes = frame.drop(own)
    others = [name for name in names if name not in own]
    if others:
        found |= _find_named(others, columns, items, table.columns)
    return votes, found


def other_columns(source: Any, columns: VoteColumns, items: Any = None) -> ItemColumns:
    """Return all columns beside those of votes that say one thing of each item.

    Of a table with a column a judge that is known only where the judges are named.
    """
    table = open_table(source)
    found: ItemColumns = {}
    if columns.is_long(table.columns):
        used = {columns.worker, columns.task, columns.label}
        left = [name for name in table.columns if name not in used]
    else:
        judges = columns.judges
        used = {columns.task, columns.gold or columns.task, *(judges or ())}
        left = [] if judges is None else [name for name in table.columns if name not in used]
    frames = [table.read([*left, *({columns.task} & set(table.columns))])] if left else []
    if items is not None:
        frames.append(_read_items(items, columns))
    for frame in frames:
        tasks = _tasks(frame, columns)
        for name in frame.columns:
            if name == columns.task:
                continue
            try:
                found.setdefault(name, _values(tasks, frame[name], name))
            except InputError:
                continue  # of votes, not of items
    return found


def columns_of_reading(
    votes: BroughtVotes, reading: Reading, names: Sequence[str], columns: VoteColumns, items: Any
) -> tuple[ItemColumns, ItemColumns]:
    """Return what columns beside the votes of a file that was read say of each item: named ones, and others."""
    frame = reading.parts
    own = () if frame is None else tuple(frame.columns)
    named = {name: votes.parts(reading, name) for name in names if name in own}
    left = [name for name in names if name not in own]
    if left:
        named |= _find_named(left, columns, items, own)
    others: ItemColumns = {}
    for name in own:
        try:
            others[name] = votes.parts(reading, name)
        except InputError:
            continue  # of votes, not of items
    if items is not None:
        others |= other_columns(pl.DataFrame({columns.task: []}), columns, items)
    return named, {name: of for name, of in others.items() if name not in named}


def join_values(found: ItemColumns, clusters: Mapping[str, str] | None) -> ItemColumns:
    """Return what is known of each cluster: the mean of numbers, the most frequent text."""
    if clusters is None:
        return found
    joined: ItemColumns = {}
    for name, of_items in found.items():
        members: dict[str, list[str]] = {}
        for task, value in of_items.items():
            members.setdefault(clusters.get(task, task), []).append(value)
        joined[name] = {cluster: _middle(values) for cluster, values in members.items()}
    return joined


def _find_named(
    names: Sequence[str], columns: VoteColumns, items: Any, own: Sequence[str]
) -> ItemColumns:
    """Return columns of the file of the items; `own` are those that the votes have."""
    frame = None if items is None else _read_items(items, columns)
    found: ItemColumns = {}
    for name in names:
        if frame is None or name not in frame.columns:
            raise UnknownColumnError(name, [*own, *(() if frame is None else frame.columns)])
        found[name] = _values(_tasks(frame, columns), frame[name], name)
    return found


def _middle(values: Sequence[str]) -> str:
    try:
        return f"{fmean(map(float, values)):.12g}"
    except ValueError:
        return Counter(values).most_common(1)[0][0]


def _read_items(items: Any, columns: VoteColumns) -> pl.DataFrame:
    table = open_table(items)
    if columns.task not in table.columns:
        raise LogError(
            f"the file of the items must name them in a column {columns.task!r}; it has "
            f"{', '.join(table.columns)}. Name it with --task."
        )
    frame: pl.DataFrame = table.read(list(table.columns))
    return frame


def _tasks(frame: pl.DataFrame, columns: VoteColumns) -> list[str]:
    if columns.task not in frame.columns:
        return [label_name(row) for row in range(frame.height)]
    return [label_name(task) for task in frame[columns.task].to_list()]


def _values(tasks: Sequence[str], column: pl.Series, name: str) -> dict[str, str]:
    """Return each item's value; empty cells say nothing."""
    found: dict[str, str] = {}
    for task, value in zip(tasks, map(label_name, column.to_list()), strict=True):
        if value and found.setdefault(task, value) != value:
            raise InputError(
                f"{name!r} must say one thing of each item; got {found[task]!r} and {value!r} of {task!r}. "
                "Keep one."
            )
    return found
