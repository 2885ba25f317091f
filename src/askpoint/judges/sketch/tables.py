"""Tables of votes, wide or long, from any dataframe."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from operator import and_
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from askpoint.errors import InputError, UnknownColumnError
from askpoint.judges.sketch.coded_columns import code_column
from askpoint.judges.sketch.codes import MISSING, as_judges, as_labels, as_vote_codes, no_label
from askpoint.measures.dataframes import as_lazy
from askpoint.measures.inputs import as_choice

__all__ = [
    "VoteNotes",
    "VoteTable",
    "count_patterns",
    "patterns_from_frame",
    "table_from_columns",
    "table_from_frame",
]

_FIRST_ROWS = 10_000  # where to look which votes there are
_TURNED = 64  # items whose votes are turned at a time
_FEW_PATTERNS = 32  # measured: beyond, groups are faster


@dataclass(frozen=True)
class VoteNotes:
    """What was taken for what when votes were read.

    Attributes
    ----------
    joined : mapping of str to tuple of str
        By label, its other spellings.
    slips : mapping of str to int
        Votes that are no label, and how many there are; they do not count.
    missing : mapping of str to int
        Words that were named as no vote.
    doubtful : mapping of str to int
        Labels that look like words for no vote.
    columns : mapping of str to str
        Columns that are no judge's, and what they hold instead.
    """

    joined: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    slips: Mapping[str, int] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    doubtful: Mapping[str, int] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class VoteTable:
    """Who voted what on which item.

    Attributes
    ----------
    tasks, judges, labels : tuple of str
        Names of items and judges, and the labels in order.
    codes : ndarray of int16 of shape (n_tasks, n_judges)
        Positions of labels, -1 where there is no vote.
    n_repeats : int
        Votes left out because the same judge had voted on the same item.
    n_clustered : int
        Items that count with another one of their cluster.
    notes : VoteNotes
        What was taken for what.
    """

    tasks: tuple[str, ...]
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    codes: NDArray[np.int16]
    n_repeats: int = 0
    n_clustered: int = 0
    notes: VoteNotes = field(default_factory=VoteNotes)


def table_from_frame(
    frame: Any,
    *,
    judges: Sequence[str] | None = None,
    labels: Sequence[Any] | None = None,
    worker: str | None = None,
    task: str | None = None,
    label: str | None = None,
    repeats: str = "refuse",
) -> VoteTable:
    """Read votes from a dataframe."""
    as_choice(repeats, ("refuse", "first", "last"), "repeats")
    table = as_lazy(frame).collect()
    if worker is None and label is None:
        return _wide(table, judges, labels, task)
    if worker is None or task is None or label is None:
        raise InputError("name all three of worker, task and label, or none for a wide frame")
    return _long(table, judges, labels, (worker, task, label), repeats)


class _Columns(dict[str, list[Any]]):
    """Columns of values, as a dataframe shows them."""

    @property
    def columns(self) -> list[str]:
        return list(self)

    def __len__(self) -> int:
        return len(next(iter(self.values()), ()))


def table_from_columns(
    columns: Mapping[str, Sequence[Any]],
    *,
    judges: Sequence[str] | None = None,
    labels: Sequence[Any] | None = None,
    worker: str | None = None,
    task: str | None = None,
    label: str | None = None,
    repeats: str = "refuse",
) -> VoteTable:
    """Read votes from plain lists, without any library of dataframes.

    Examples
    --------
    >>> from askpoint.judges.sketch.tables import table_from_columns
    >>> table_from_columns({"ann": ["x", "y"], "bob": ["x", None]}).codes.tolist()
    [[0, 0], [1, -1]]
    """
    table = _Columns({name: list(values) for name, values in columns.items()})
    if worker is None or task is None or label is None:
        return _wide(table, judges, labels, task)
    return _long(table, judges, labels, (worker, task, label), repeats)


def patterns_from_frame(
    frame: Any, judges: Sequence[str] | None = None, labels: Sequence[Any] | None = None
) -> tuple[VoteTable, NDArray[np.int64]]:
    """Let the engine behind a wide dataframe count equal rows: only those come here."""
    table = as_lazy(frame)
    columns = table.collect_schema().names()
    names = as_judges(columns if judges is None else judges)
    for name in names:
        if name not in columns:
            raise UnknownColumnError(name, columns)
    found = count_patterns(table, names)
    patterns = _wide(found, found.columns[:-1], labels, None)
    counts = found["items"].to_numpy().astype(np.int64)
    return VoteTable(patterns.tasks, names, patterns.labels, patterns.codes), counts


def count_patterns(table: nw.LazyFrame[Any], judges: Sequence[str]) -> nw.DataFrame[Any]:
    """Return the patterns of some columns, one column a judge in their order, and `items` of each."""
    # names of our own, so that a judge called like the count does not collide with it
    votes = table.select(**{f"vote_{i}": nw.col(name) for i, name in enumerate(judges)})
    groups = votes.group_by(votes.collect_schema().names()).agg(items=nw.len())
    if not groups.implementation.is_polars():
        return groups.collect()
    patterns = _few_patterns(votes)
    return groups.collect("polars", engine="streaming") if patterns is None else patterns


def _few_patterns(votes: nw.LazyFrame[Any]) -> nw.DataFrame[Any] | None:
    """Count each pattern of the values in the first rows: a sum each is faster than groups.

    None if there are too many, or others come later.
    """
    schema = votes.collect_schema()
    if not all(kind.is_integer() or kind in (nw.String, nw.Boolean) for kind in schema.values()):
        return None
    first = votes.head(_FIRST_ROWS).collect("polars")
    values: list[list[Any]] = []
    for key in schema:
        values.append(first[key].unique().to_list())
        if not 0 < math.prod(map(len, values)) <= _FEW_PATTERNS:
            return None
    marks, of_judge = {}, []
    for key, own in zip(schema, values, strict=True):
        of_judge.append([f"{key}_{i}" for i in range(len(own))])
        for name, value in zip(of_judge[-1], own, strict=True):
            marks[name] = nw.col(key).is_null() if value is None else nw.col(key) == value
    sums = {
        f"pattern_{i}": reduce(and_, map(nw.col, names)).sum()
        for i, names in enumerate(product(*of_judge))
    }
    counting = votes.select(**marks).select(**sums, items=nw.len())
    *counts, n_items = counting.collect("polars", engine="streaming").row(0)
    if sum(counts) < n_items:
        return None
    rows = zip(product(*values), counts, strict=True)
    *columns, items = zip(*((*pattern, count) for pattern, count in rows if count), strict=True)
    pattern_columns = {**dict(zip(schema, map(list, columns), strict=True)), "items": list(items)}
    return nw.from_dict(pattern_columns, backend="polars")


def _wide(
    table: nw.DataFrame[Any] | _Columns,
    judges: Sequence[str] | None,
    labels: Sequence[Any] | None,
    task: str | None,
) -> VoteTable:
    names = as_judges([c for c in table.columns if c != task] if judges is None else judges)
    columns = [code_column(_column(table, name)) for name in names]
    label_names = _labels([column.texts for column in columns], labels)
    position = {label: code for code, label in enumerate(label_names)} | {"": MISSING}
    of_judges = np.empty((len(names), len(table)), dtype=np.int16)
    for own, (texts, places) in zip(of_judges, columns, strict=True):
        of_text = np.array([position.get(text, MISSING - 1) for text in texts], dtype=np.int16)
        of_text.take(places, out=own, mode="clip")  # with "raise" it would be written twice
    codes = _by_item(of_judges)
    if codes.size and codes.min() < MISSING:
        row, judge = np.argwhere(codes < MISSING)[0].tolist()
        texts, places = columns[judge]
        raise no_label(texts[places[row]], row, label_names)
    tasks = [str(i) for i in range(len(table))] if task is None else _texts(table, task).tolist()
    return VoteTable(tuple(tasks), names, label_names, codes)


def _by_item(of_judges: NDArray[np.int16]) -> NDArray[np.int16]:
    """Turn rows of judges into rows of items, few at a time, so that what is read stays in the cache."""
    codes = np.empty(of_judges.shape[::-1], dtype=np.int16)
    for start in range(0, len(codes), _TURNED):
        codes[start : start + _TURNED] = of_judges[:, start : start + _TURNED].T
    return codes


def _long(
    table: nw.DataFrame[Any] | _Columns,
    judges: Sequence[str] | None,
    labels: Sequence[Any] | None,
    names: tuple[str, str, str],
    repeats: str,
) -> VoteTable:
    workers, tasks, votes = (_texts(table, name) for name in names)
    for name, column in zip(names[:2], (workers, tasks), strict=True):
        if (column == "").any():
            raise InputError(f"the column {name!r} must hold a name in every row; one has none")
    label_names = _labels([votes.tolist()], labels)
    judged, task_of = _index_names(tasks)
    first_seen, judge_of = _index_names(workers)
    if judges is not None:
        chosen = as_judges(judges)
        place = {name: i for i, name in enumerate(chosen)}
        keep = np.array([place.get(name, MISSING) for name in first_seen], dtype=np.int64)[judge_of]
        task_of, judge_of, votes = task_of[keep >= 0], keep[keep >= 0], votes[keep >= 0]
        first_seen = chosen
    codes = np.full((len(judged), len(first_seen)), MISSING, dtype=np.int16)
    said = as_vote_codes(votes[:, None], label_names, 1)[:, 0]
    cells = task_of * len(first_seen) + judge_of
    n_repeats = len(cells) - len(np.unique(cells))
    if n_repeats and repeats == "refuse":
        twice = int(np.flatnonzero(np.bincount(cells, minlength=1) > 1)[0])
        raise InputError(
            f"{n_repeats} votes repeat a pair of worker and task, the first {first_seen[twice % len(first_seen)]!r} "
            f"on {judged[twice // len(first_seen)]!r}; keep one of each (repeats='first' or 'last')"
        )
    order = slice(None, None, -1) if repeats == "first" else slice(None)
    codes.reshape(-1)[cells[order]] = said[order]
    return VoteTable(judged, first_seen, label_names, codes, n_repeats)


def _texts(table: nw.DataFrame[Any] | _Columns, name: str) -> NDArray[np.object_]:
    texts, places = code_column(_column(table, name))
    return np.array(texts, dtype=object)[places]


def _column(table: nw.DataFrame[Any] | _Columns, name: str) -> nw.Series[Any] | list[Any]:
    if name not in table.columns:
        raise UnknownColumnError(name, table.columns)
    return table[name]


def _labels(columns: Sequence[Sequence[str]], labels: Sequence[Any] | None) -> tuple[str, ...]:
    if labels is not None:
        return as_labels(labels)
    label_names = sorted(set().union(*columns) - {""})
    if len(label_names) < 2:
        raise InputError(
            f"the votes hold {len(label_names)} label{'s' * (len(label_names) != 1)} "
            f"({', '.join(map(repr, label_names)) or 'none'}); name all that judges could choose"
        )
    return as_labels(label_names)


def _index_names(column: NDArray[np.object_]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Distinct names in the order in which they come, and each row's place among them."""
    places: dict[str, int] = {}
    rows = [places.setdefault(name, len(places)) for name in column.tolist()]
    return tuple(places), np.array(rows, dtype=np.int64)
