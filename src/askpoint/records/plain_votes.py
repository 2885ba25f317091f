"""Votes from CSV and JSON lines by Python's own readers, for a gate without polars."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.judges.sketch.codes import label_name
from askpoint.judges.sketch.tables import VoteTable, table_from_columns
from askpoint.records.faults import csv_fault, duplicate_column, json_fault
from askpoint.records.gold_columns import gold_of_columns, gold_of_rows
from askpoint.records.item_names import find_item_column
from askpoint.records.readers.foreign_files import refuse_foreign
from askpoint.records.system_gold import item_key, read_labelled_systems, split_systems
from askpoint.records.vote_spellings import at_least_two, settle_labels

__all__ = [
    "PlainColumns",
    "PlainTable",
    "read_plain",
    "read_plain_gold",
    "read_plain_pair",
    "read_plain_votes",
]

_ENDINGS = (".csv", ".csv.gz", ".tsv", ".jsonl", ".jsonl.gz", ".ndjson")
_WHOLE = 'Other files take polars: `pip install "askpoint"` with all it needs.'


@dataclass(frozen=True)
class PlainTable:
    """A table as lists: its name, and the values of each column."""

    name: str
    columns: Mapping[str, list[Any]]

    def column(self, name: str) -> list[Any]:
        """Return a column."""
        if name not in self.columns:
            raise UnknownColumnError(name, list(self.columns))
        return self.columns[name]

    def read(self, names: Sequence[str]) -> dict[str, list[Any]]:
        """Return some columns."""
        return {name: self.column(name) for name in names}

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return len(next(iter(self.columns.values()), []))


@dataclass(frozen=True)
class PlainColumns:
    """Where votes are: three columns of a row a vote, or one that names items and those of judges."""

    worker: str = "worker"
    task: str = "task"
    label: str = "label"
    judges: Sequence[str] | None = None

    def is_long(self, table: PlainTable) -> bool:
        """Say whether a table has a row a vote."""
        return {self.worker, self.task, self.label} <= set(table.columns)

    def with_items(self, table: PlainTable) -> PlainColumns:
        """Return where votes are once the column is found that names the items, whatever it is called."""
        if self.task in table.columns or self.is_long(table):
            return self
        if self.task != PlainColumns.task:
            raise UnknownColumnError(self.task, list(table.columns))
        others = [name for name in table.columns if name not in (self.judges or ())]
        found = find_item_column(table.read(others))
        return self if found is None else replace(self, task=found)


def read_plain(path: str | Path) -> PlainTable:
    """Read a CSV file with commas, a TSV file or JSON lines, also in gzip.

    Raises
    ------
    LogError
        If the file is of another kind, broken, or has no row.
    """
    path = Path(path)
    name, lower = path.name, path.name.lower()
    if not path.is_file():
        raise LogError(f"there is no file {path}")
    if not lower.endswith(_ENDINGS):
        raise LogError(
            f"{name} must end in {', '.join(_ENDINGS)} where polars is missing. {_WHOLE}"
        )
    try:
        data = path.read_bytes()
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        text = data.decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        refuse_foreign(name, path.read_bytes()[: 1 << 16])
        raise LogError(f"{name} is broken or cut off: {error}") from None
    refuse_foreign(name, data)
    is_csv = ".csv" in lower or ".tsv" in lower
    columns = _csv(name, text, "\t" if ".tsv" in lower else ",") if is_csv else _lines(name, text)
    table = PlainTable(name, columns)
    if not table.n_rows:
        raise LogError(
            f"{name} holds names of columns and not a single row. Export it with its rows"
        )
    return table


def _csv(name: str, text: str, separator: str) -> dict[str, list[Any]]:
    if (twice := duplicate_column(io.StringIO(text))) is not None:
        raise LogError(f"two columns of {name} are named {twice!r}; rename one")
    fault = csv_fault(io.StringIO(text, newline=""), strict=True, separator=separator)
    if fault is not None:
        raise LogError(f"{name} is broken or cut off: {fault}")
    header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    if len(header) == 1 and ";" in header[0]:
        raise LogError(f"{name} has semicolons, which are read where polars is. {_WHOLE}")
    return {key: [row[i] or None for row in rows] for i, key in enumerate(header)}


def _lines(name: str, text: str) -> dict[str, list[Any]]:
    if (fault := json_fault(io.StringIO(text))) is not None:
        raise LogError(f"{name} is broken or cut off: {fault}")
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    keys = dict.fromkeys(key for row in rows for key in row)
    return {key: [row.get(key) for row in rows] for key in keys}


def read_plain_votes(
    table: PlainTable,
    columns: PlainColumns,
    *,
    labels: Sequence[str] | None = None,
    repeats: str = "refuse",
    missing: Sequence[str] = (),
) -> VoteTable:
    """Return who voted what on which item, as `askpoint.records.votes.read_votes` does.

    Raises
    ------
    InputError
        If the judges' columns are not named: nothing is looked into here.
    """
    names: tuple[str, ...]
    if columns.is_long(table):
        names = (columns.worker, columns.task, columns.label)
        cells = [table.column(columns.label)]
        roles = dict(zip(("worker", "task", "label"), names, strict=True))
        kept = {name: table.column(name) for name in names}
    else:
        if columns.judges is None:
            raise InputError(
                f"--judges must name the judges' columns of {table.name} where polars is missing; it has "
                f"{', '.join(table.columns)}"
            )
        cells = [table.column(name) for name in columns.judges]
        has_task = columns.task in table.columns
        roles = {"task": columns.task} if has_task else {}
        names = tuple(columns.judges)
        kept = {name: table.column(name) for name in (*names, *roles.values())}
    found, mapping, notes = settle_labels(list(map(_counts, cells)), labels, missing)
    for name in (columns.label,) if len(roles) == 3 else names:
        texts = map(label_name, kept[name])
        kept[name] = [mapping.get(text, text) or None for text in texts]
    read = table_from_columns(
        kept,
        judges=columns.judges,
        labels=at_least_two(found),
        repeats=repeats,
        worker=roles.get("worker"),
        task=roles.get("task"),
        label=roles.get("label"),
    )
    return replace(read, notes=notes)


def _counts(column: Iterable[Any]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for text in map(label_name, column):
        counts[text] = counts.get(text, 0) + 1
    return counts


def read_plain_gold(
    table: PlainTable, columns: PlainColumns, gold: PlainTable | str
) -> dict[str, str]:
    """Return true labels of items, of a file or a column of the votes, as `askpoint.records.votes.read_gold` does."""
    tasks = table.columns.get(columns.task, list(range(table.n_rows)))
    if isinstance(gold, str):
        return gold_of_rows(tasks, table.column(gold))
    names = list(gold.columns)
    return gold_of_columns(
        names, gold.read, columns.task, columns.label, lambda: list(map(label_name, tasks))
    )


def read_plain_pair(
    tables: Mapping[str, PlainTable],
    columns: PlainColumns,
    gold: PlainTable | None,
    **reading: Any,
) -> tuple[dict[str, VoteTable], dict[str, dict[str, str]]]:
    """Return one panel's votes on two systems, and people's labels of their answers.

    The labels of both are settled together, as `askpoint.records.system_files.read_systems` does.
    """
    task = columns.task
    together: dict[str, list[Any]] = {}
    n_rows = 0
    for system, table in tables.items():
        for name in table.columns:
            together.setdefault(name, [None] * n_rows)
        for name, own in together.items():
            own += table.columns.get(name, [None] * table.n_rows)
        of_system = [item_key(system, label_name(item)) for item in table.column(task)]
        together[task][n_rows:] = of_system
        n_rows += table.n_rows
    read = read_plain_votes(PlainTable("the two files", together), columns, **reading)
    found = split_systems(read, list(tables))
    if gold is None:
        return found, {system: {} for system in tables}
    names = list(gold.columns)
    known = read_labelled_systems(
        names, gold.read, found, system="system", task=task, label=columns.label
    )
    return found, known
