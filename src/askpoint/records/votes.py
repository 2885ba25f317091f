"""Votes of judges from files: a row an item with a column a judge, or a row a vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.judges.sketch.codes import MISSING, label_name
from askpoint.judges.sketch.tables import VoteTable, table_from_frame
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.records.tables import Table, open_table

__all__ = [
    "VoteColumns",
    "count_votes",
    "read_clusters",
    "read_gold",
    "read_votes",
    "with_positive",
]

_BATCH = 1 << 18


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

    def of_judges(self, columns: Sequence[str]) -> list[str]:
        """Return the judges' columns of a wide file."""
        if self.judges is not None:
            for name in self.judges:
                if name not in columns:
                    raise UnknownColumnError(name, columns)
            return list(self.judges)
        found = [name for name in columns if name not in (self.task, self.gold)]
        if not found:
            raise LogError(f"no column is left for a judge; the file has {', '.join(columns)}")
        return found


def read_votes(
    source: Any,
    columns: VoteColumns | None = None,
    *,
    labels: Sequence[str] | None = None,
    repeats: str = "refuse",
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

    Returns
    -------
    VoteTable

    Raises
    ------
    LogError
        If the file cannot be read, or lacks a column.
    InputError
        If a vote is none of the labels, or repeated.

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
        return table_from_frame(
            table.read([columns.worker, columns.task, columns.label]),
            judges=columns.judges,
            labels=labels,
            worker=columns.worker,
            task=columns.task,
            label=columns.label,
            repeats=repeats,
        )
    judges = columns.of_judges(table.columns)
    task = columns.task if columns.task in table.columns else None
    frame = table.read([*judges, *([] if task is None else [task])])
    return table_from_frame(frame, judges=judges, labels=labels, task=task)


def count_votes(
    source: Any,
    columns: VoteColumns | None = None,
    *,
    labels: Sequence[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> VoteSketch:
    """Count the votes of a wide file batch by batch, without keeping its rows."""
    table = open_table(source)
    judges = (VoteColumns() if columns is None else columns).of_judges(table.columns)
    patterns = _counted(table, judges, progress)
    if labels is None:
        found = sorted({label for pattern in patterns for label in pattern} - {""})
        if len(found) < 2:
            raise InputError(
                f"the votes hold {'one label only' if found else 'no label'}"
                f"{f' ({found[0]!r})' if found else ''}; name all that judges could choose"
            )
        labels = found
    sketch = VoteSketch(judges, labels)
    position = {label: code for code, label in enumerate(sketch.labels)} | {"": MISSING}
    for pattern in patterns:
        for label in pattern:
            if label not in position:
                raise InputError(
                    f"the vote {label!r} is none of the labels "
                    f"{', '.join(map(repr, sketch.labels))}; name all labels in their order"
                )
    codes = np.array([[position[label] for label in pattern] for pattern in patterns])
    sketch.update_codes(codes, np.array(list(patterns.values())))
    return sketch


def _counted(
    table: Table, judges: Sequence[str], progress: Callable[[int], None] | None
) -> Counter[tuple[str, ...]]:
    patterns: Counter[tuple[str, ...]] = Counter()
    done = 0
    for batch in table.batches(judges, _BATCH):
        keys = [f"vote_{i}" for i in range(len(judges))]  # a judge may be called like the count
        batch.columns = keys
        for *votes, count in batch.group_by(keys).len("items").iter_rows():
            patterns[tuple(map(label_name, votes))] += count
        done += batch.height
        if progress is not None:
            progress(done)
    return patterns


def read_gold(source: Any, columns: VoteColumns | None = None) -> dict[str, str]:
    """Read true labels of items."""
    columns = VoteColumns() if columns is None else columns
    table = open_table(source)
    name = columns.label if columns.gold is None else columns.gold
    has_tasks = columns.task in table.columns
    if columns.gold is None and not has_tasks:
        raise UnknownColumnError(columns.task, table.columns)
    if name not in table.columns:
        raise UnknownColumnError(name, table.columns)
    frame = table.read([name, *([columns.task] if has_tasks else [])])
    tasks = frame[columns.task].to_list() if has_tasks else list(range(frame.height))
    gold: dict[str, str] = {}
    for task, label in zip(map(label_name, tasks), map(label_name, frame[name]), strict=True):
        if label and gold.setdefault(task, label) != label:
            raise InputError(
                f"the gold labels say both {gold[task]!r} and {label!r} of {task!r}; keep one"
            )
    return gold


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


def with_positive(table: VoteTable, positive: str) -> VoteTable:
    """Put one label first, and all others together if there are more than two."""
    if positive not in table.labels:
        raise InputError(
            f"there is no label {positive!r} among {', '.join(map(repr, table.labels))}"
        )
    rest = [label for label in table.labels if label != positive]
    other = rest[0] if len(rest) == 1 else f"not {positive}"
    place = table.labels.index(positive)
    codes = np.where(table.codes == MISSING, MISSING, table.codes != place).astype(np.int16)
    return replace(table, labels=(positive, other), codes=codes)
