"""Votes of judges from files: a row an item with a column a judge, or a row a vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.judges.sketch.codes import MISSING, label_name
from askpoint.judges.sketch.tables import VoteNotes, VoteTable, table_from_frame
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.records.engine_faults import is_here, translate_engine_faults
from askpoint.records.log_stream import Progress
from askpoint.records.readers.vote_tables import GOLD_WORDS
from askpoint.records.roles import looks_like
from askpoint.records.sketch_cache import SketchCache
from askpoint.records.table import Table
from askpoint.records.tables import open_table
from askpoint.records.vote_counts import count_vote_patterns
from askpoint.records.vote_labels import count_texts, no_judges, respell
from askpoint.records.vote_spellings import at_least_two, settle_labels

__all__ = [
    "VoteColumns",
    "count_votes",
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
                "by --judges"
            )
        return found, others


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
            f"{table.name} has a row a vote: an engine counts rows with an item each and a column a "
            "judge; bring them into that form there, or read them without an engine"
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


def read_gold(source: Any, columns: VoteColumns | None = None) -> dict[str, str]:
    """Read true labels of items."""
    columns = VoteColumns() if columns is None else columns
    table = open_table(source)
    name = columns.gold or _gold_column(table.columns, columns)
    has_tasks = columns.task in table.columns
    if columns.gold is None and not has_tasks:
        raise LogError(
            f"{columns.task!r} is no column of the gold labels, which have "
            f"{', '.join(table.columns)}; say which one names the items by --task"
        )
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


def _gold_column(names: Sequence[str], columns: VoteColumns) -> str:
    if columns.label in names:
        return columns.label
    known = [name for word in GOLD_WORDS for name in names if looks_like(name, (word,))]
    others = [name for name in names if name != columns.task]
    found = known[:1] or (others if len(others) == 1 else [])
    if not found:
        raise LogError(
            f"which column of the gold labels holds them: {', '.join(names)}? Name the column by --label"
        )
    return found[0]


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
