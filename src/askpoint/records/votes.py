"""Votes of judges from files: a row an item with a column a judge, or a row a vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.judges.sketch.codes import MISSING, label_name
from askpoint.judges.sketch.tables import VoteNotes, VoteTable, table_from_frame
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.records.engine_faults import is_here, translate_engine_faults
from askpoint.records.gold_columns import gold_of_columns, gold_of_rows
from askpoint.records.item_names import Items, find_item_column
from askpoint.records.log_stream import Progress
from askpoint.records.sketch_cache import SketchCache
from askpoint.records.table import Table
from askpoint.records.tables import open_table
from askpoint.records.vote_counts import count_vote_patterns
from askpoint.records.vote_labels import count_texts, no_judges, respell
from askpoint.records.vote_spellings import at_least_two, settle_labels

__all__ = [
    "VoteColumns",
    "count_votes",
    "names_of_items",
    "read_clusters",
    "read_gold",
    "read_votes",
]

_FIRST = 10_000  # rows that tell what a column holds


@dataclass(frozen=True)
class VoteColumns:
    """Where votes are in a file.

    Parameters
    ----------
    worker, task, label : str
        Columns of a long file. In a wide one `task` names the items, if there is such a column.
    judges : sequence of str, optional
        Columns of a wide file, or workers of a long one; by default all.
    gold : str, optional
        A wide file's column of true labels, which is no judge.
    """

    worker: str = "worker"
    task: str = "task"
    label: str = "label"
    judges: Sequence[str] | None = None
    gold: str | None = None

    def is_long(self, columns: Sequence[str]) -> bool:
        """Say whether a file with these columns has a row a vote."""
        return {self.worker, self.task, self.label} <= set(columns)

    def with_items(self, source: Any, system: str | None = None) -> VoteColumns:
        """Return where votes are once the column is found that names the items, whatever it is called.

        Each row has a value of its own there, or each row of a system in a file of several.

        Raises
        ------
        UnknownColumnError
            If the column of items was named, and the file has none of that name.
        """
        table = open_table(source)
        names = table.columns
        if self.task in names or self.is_long(names):
            return self
        if self.task != VoteColumns.task:
            raise UnknownColumnError(self.task, names)
        aside = (self.gold, system, *(self.judges or ()))
        others = [name for name in names if name not in aside]
        if not others:
            return self
        first = _of_first(
            next(iter(table.batches([*others, *_list_named(system)], _FIRST))), system
        )
        ids = [name for name, role in no_judges(first, others).items() if role == "id"]
        if not ids:
            return self
        rows = _of_first(table.read([*ids, *_list_named(system)]), system).select(ids)
        found = find_item_column(rows.to_dict(as_series=False))
        return self if found is None else replace(self, task=found)

    def of_judges(self, table: Table) -> tuple[list[str], dict[str, str]]:
        """Return the judges' columns of a wide file, and what others hold that are none."""
        columns = table.columns
        if self.judges is not None:
            for name in self.judges:
                if name not in columns:
                    raise UnknownColumnError(name, columns)
            return list(self.judges), {}
        found = [name for name in columns if name not in (self.task, self.gold)]
        others = no_judges(next(iter(table.batches(found, _FIRST))), found) if found else {}
        found = [name for name in found if name not in others]
        if not found:
            raise LogError(
                f"no column is left for a judge; the file has {', '.join(columns)}; name the judges "
                "with --judges"
            )
        return found, others


def _list_named(name: str | None) -> list[str]:
    return [] if name is None else [name]


def _of_first(rows: pl.DataFrame, system: str | None) -> pl.DataFrame:
    """Return the rows of the system that comes first."""
    return rows if system is None else rows.filter(pl.col(system) == rows[system][0])


def read_votes(
    source: Any,
    columns: VoteColumns | None = None,
    *,
    labels: Sequence[str] | None = None,
    repeats: str = "refuse",
    missing: Sequence[str] = (),
) -> VoteTable:
    """Read who voted what on which item.

    Parameters
    ----------
    source : str, path or dataframe
        A Parquet, CSV or JSON-lines file, or a dataframe.
    columns : VoteColumns, optional
        Where the votes are. A file that has the three columns of a long one is long.
    labels : sequence of str, optional
        In order; by default those that occur, sorted.
    repeats : {"refuse", "first", "last"}, default="refuse"
        What to do where a worker judged a task several times.
    missing : sequence of str, optional
        Words that are no vote, whatever their case, beside empty cells.

    Returns
    -------
    VoteTable
        Several spellings of one label are joined, and votes that occur hardly ever, and are no
        label elsewhere, left out; `notes` says which.

    Raises
    ------
    LogError
        If the file cannot be read, or lacks a column.
    InputError
        If a vote is none of the labels, or repeated, or there are more than 50 labels.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint import read_votes
    >>> frame = pl.DataFrame({"task": ["p", "q"], "ann": ["x", "y"], "bob": ["x", None]})
    >>> read_votes(frame).judges
    ('ann', 'bob')
    """
    columns = VoteColumns() if columns is None else columns
    table = open_table(source)
    if columns.is_long(table.columns):
        frame = table.read([columns.worker, columns.task, columns.label])
        found, mapping, notes = settle_labels(count_texts([frame[columns.label]]), labels, missing)
        read = table_from_frame(
            frame.with_columns(respell(frame[columns.label], mapping)) if mapping else frame,
            judges=columns.judges,
            labels=at_least_two(found),
            worker=columns.worker,
            task=columns.task,
            label=columns.label,
            repeats=repeats,
        )
        return replace(read, notes=notes)
    judges, others = columns.of_judges(table)
    task = columns.task if columns.task in table.columns else None
    frame = table.read([*judges, *([] if task is None else [task])])
    cells = [frame[name] for name in judges]
    found, mapping, notes = settle_labels(count_texts(cells), labels, missing)
    if mapping:
        frame = frame.with_columns([respell(column, mapping) for column in cells])
    read = table_from_frame(frame, judges=judges, labels=at_least_two(found), task=task)
    return replace(read, notes=replace(notes, columns=others))


def count_votes(
    source: Any,
    columns: VoteColumns | None = None,
    *,
    labels: Sequence[str] | None = None,
    missing: Sequence[str] = (),
    progress: Progress | None = None,
    cache: SketchCache | None = None,
) -> tuple[VoteSketch, VoteNotes]:
    """Count the votes of a table with a row an item, without keeping its rows.

    An engine behind it counts on its own. What a `cache` holds of a file is not counted again.
    """
    table = open_table(source)
    columns = VoteColumns() if columns is None else columns
    if table.lazy is not None and not is_here(table.lazy) and columns.is_long(table.columns):
        raise LogError(
            f"{table.name} has one row per vote: an engine counts one row per item with one column "
            "per judge; convert them there, or read them without an engine"
        )
    with translate_engine_faults(table):
        judges, others = columns.of_judges(table)
    patterns = count_vote_patterns(table, judges, progress, cache)
    counts: Counter[str] = Counter()
    for pattern, n in patterns.items():
        for text in pattern:
            counts[text] += n
    known, mapping, notes = settle_labels([counts], labels, missing)
    sketch = VoteSketch(judges, at_least_two(known))
    position = {label: code for code, label in enumerate(sketch.labels)} | {"": MISSING}
    position |= {text: position[label] for text, label in mapping.items()}
    codes = np.array([[position[label] for label in pattern] for pattern in patterns])
    sketch.update_codes(codes, np.array(list(patterns.values())))
    return sketch, replace(notes, columns=others)


def names_of_items(source: Any, columns: VoteColumns) -> list[str]:
    """Return the names of the items that were voted on: the rows' numbers, from 0, where no column names them."""
    table = open_table(source)
    if columns.task not in table.columns:
        return [label_name(row) for row in range(table.n_rows())]
    return [label_name(item) for item in table.read([columns.task])[columns.task].unique()]


def read_gold(
    source: Any, columns: VoteColumns | None = None, items: Items | None = None
) -> dict[str, str]:
    """Read true labels of items.

    Parameters
    ----------
    source : str, path or dataframe
        Labels in a file of their own, or the votes, where `columns` names the column of gold labels.
    columns : VoteColumns, optional
        Where they are.
    items : callable, optional
        Returns the names of the items that were judged, by which a column is found that is not called `task`.
    """
    columns = VoteColumns() if columns is None else columns
    table = open_table(source)
    names = list(table.columns)

    def read(wanted: Sequence[str]) -> Mapping[str, Sequence[Any]]:
        found: dict[str, list[Any]] = table.read(list(wanted)).to_dict(as_series=False)
        return found

    if (gold := columns.gold) is None:
        return gold_of_columns(names, read, columns.task, columns.label, items)
    if gold not in names:
        raise UnknownColumnError(gold, names)
    has_tasks = columns.task in names
    values = read([gold, columns.task] if has_tasks else [gold])
    tasks = values[columns.task] if has_tasks else range(len(values[gold]))
    return gold_of_rows(tasks, values[gold])


def read_clusters(source: Any, task: str = "task") -> dict[str, str]:
    """Read which items are one."""
    table = open_table(source)
    for name in (task, "cluster"):
        if name not in table.columns:
            raise UnknownColumnError(name, table.columns)
    frame = table.read([task, "cluster"])
    clusters: dict[str, str] = {}
    for item, name in zip(
        map(label_name, frame[task]), map(label_name, frame["cluster"]), strict=True
    ):
        if name and clusters.setdefault(item, name) != name:
            raise InputError(
                f"the item {item!r} is in two clusters, {clusters[item]!r} and {name!r}; keep one"
            )
    return clusters
