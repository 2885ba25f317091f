"""Votes on the answers of several systems: a file each, or one with a column that names the system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.judges.sketch.codes import label_name
from askpoint.judges.sketch.tables import VoteTable
from askpoint.records.label_words import spelling_key, truth_of
from askpoint.records.tables import open_table
from askpoint.records.votes import VoteColumns, read_gold, read_votes

__all__ = ["JudgedSystems", "read_systems", "read_systems_gold"]

_KEY, _BETWEEN = "item of a system", " \N{MIDDLE DOT} "


@dataclass(frozen=True)
class JudgedSystems:
    """One panel's votes on the answers of systems.

    Attributes
    ----------
    tables : mapping of str to VoteTable
        By system, in their order: the same judges and labels.
    frame : DataFrame
        What was read, with a column of items of systems.
    columns : VoteColumns
        Where it holds what.
    """

    tables: Mapping[str, VoteTable]
    frame: pl.DataFrame
    columns: VoteColumns


def read_systems(
    files: Mapping[str, Any],
    columns: VoteColumns,
    system: str | None = None,
    chosen: Sequence[str] | None = None,
    **reading: Any,
) -> JudgedSystems:
    """Read the votes on two systems: of two files by name, or of one with a column of systems."""
    if system is None:
        frames = [
            _whole(source, columns).with_columns(pl.lit(name).alias(_KEY))
            for name, source in files.items()
        ]
    else:
        (source,) = files.values()
        whole = _whole(source, columns)
        if system not in whole.columns:
            raise UnknownColumnError(system, whole.columns)
        frames = [whole.rename({system: _KEY}).with_columns(_names(whole[system]).alias(_KEY))]
    frame = pl.concat(frames, how="diagonal_relaxed")
    found = [name for name in frame[_KEY].unique(maintain_order=True) if name]
    systems = _two(found, chosen, system)
    frame = frame.filter(pl.col(_KEY).is_in(systems))
    items = [pl.col(_KEY), _names(frame[columns.task])]
    frame = frame.with_columns(pl.concat_str(items, separator=_BETWEEN).alias(_KEY))
    if columns.is_long(frame.columns):
        frame = frame.rename({columns.task: "task as named"}).rename({_KEY: columns.task})
        where = columns
    else:
        frame = frame.drop(columns.task)
        where = replace(columns, task=_KEY)
    table = read_votes(frame, where, **reading)
    tables = {name: _part(table, name + _BETWEEN) for name in systems}
    for name, part in tables.items():
        if len(set(part.tasks)) < len(part.tasks):
            twice = next(task for task in part.tasks if part.tasks.count(task) > 1)
            raise InputError(
                f"the system {name!r} has several rows for the item {twice!r}; keep one, or name "
                "the column of items by --task"
            )
    return JudgedSystems(tables, frame, where)


def read_systems_gold(
    source: str | None, judged: JudgedSystems, system: str
) -> dict[str, dict[str, str]]:
    """Read people's labels of systems' answers: from a column of the votes, or from a file."""
    names = list(judged.tables)
    gold: dict[str, dict[str, str]] = {name: {} for name in names}
    if judged.columns.gold is not None:
        found = read_gold(judged.frame, judged.columns)
    elif source is None:
        return gold
    else:
        table = open_table(source)
        if system not in table.columns:
            raise LogError(
                f"the labels of {source} must say of which system: {', '.join(table.columns)} are "
                f"its columns, and none is {system!r}"
            )
        frame = table.read(list(table.columns))
        task = judged.columns.task
        task = "task" if task == _KEY and "task" in frame.columns else task
        if task not in frame.columns:
            raise UnknownColumnError("task", frame.columns)
        keys = pl.concat_str([_names(frame[system]), _names(frame[task])], separator=_BETWEEN)
        frame = frame.select(keys.alias(_KEY), pl.exclude(_KEY))
        found = read_gold(frame, replace(judged.columns, task=_KEY))
    labels = next(iter(judged.tables.values())).labels
    for key, label in found.items():
        name, _, task = key.partition(_BETWEEN)
        name = name if name in gold else name.split(".")[0]
        if name in gold:
            gold[name][task] = _match_label(label, labels)
    if found and not any(gold.values()):
        strange = next(iter(found)).partition(_BETWEEN)[0]
        raise InputError(
            f"people labelled answers of {strange!r}, but the systems are {names[0]!r} and "
            f"{names[1]!r}"
        )
    return gold


def _whole(source: Any, columns: VoteColumns) -> pl.DataFrame:
    table = open_table(source)
    if columns.task not in table.columns:
        raise LogError(
            f"{table.name} has no column {columns.task!r} that names the items, by which systems "
            f"are paired; it has {', '.join(table.columns)}: name it by --task"
        )
    return table.read(list(table.columns))


def _names(column: pl.Series) -> pl.Series:
    return pl.Series(column.name, [label_name(value) for value in column], dtype=pl.String)


def _two(found: Sequence[str], chosen: Sequence[str] | None, system: str | None) -> list[str]:
    if chosen is not None:
        for name in chosen:
            if name not in found:
                raise InputError(f"there is no system {name!r}; there are {', '.join(found)}")
        if len(set(chosen)) != 2:
            raise InputError("name two systems, with a comma: --systems OLD,NEW")
        return list(chosen)
    if len(found) != 2:
        where = f"the column {system!r} names" if system else "there are"
        raise InputError(
            f"{where} {len(found)} system{'s' * (len(found) != 1)} ({', '.join(found[:8])}); two are "
            "compared at a time: --systems OLD,NEW"
        )
    return list(found)


def _part(table: VoteTable, start: str) -> VoteTable:
    rows = [row for row, task in enumerate(table.tasks) if task.startswith(start)]
    tasks = tuple(table.tasks[row].removeprefix(start) for row in rows)
    return replace(table, tasks=tasks, codes=table.codes[np.array(rows, dtype=np.int64)])


def _match_label(label: str, labels: Sequence[str]) -> str:
    """Return one of the judges' labels that is the same word, or says the same."""
    if label in labels:
        return label
    for same in (spelling_key, truth_of):
        alike = [own for own in labels if same(own) is not None and same(own) == same(label)]
        if len(alike) == 1:
            return alike[0]
    return label
