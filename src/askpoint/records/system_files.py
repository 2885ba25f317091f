"""Votes on the answers of several systems: a file each, or one with a column that names the system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.judges.sketch.codes import label_name
from askpoint.judges.sketch.tables import VoteTable
from askpoint.records.system_gold import (
    item_key,
    read_labelled_systems,
    sort_gold,
    split_systems,
)
from askpoint.records.tables import open_table
from askpoint.records.votes import VoteColumns, read_gold, read_votes

__all__ = ["JudgedSystems", "read_systems", "read_systems_gold"]

_KEY = "item of a system"


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
    item : str
        What the column of items is called in the files.
    """

    tables: Mapping[str, VoteTable]
    frame: pl.DataFrame
    columns: VoteColumns
    item: str


def read_systems(
    files: Mapping[str, Any],
    columns: VoteColumns,
    system: str | None = None,
    chosen: Sequence[str] | None = None,
    **reading: Any,
) -> JudgedSystems:
    """Read the votes on two systems: of two files by name, or of one with a column of systems."""
    columns = columns.with_items(next(iter(files.values())), system)
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
    pairs = zip(frame[_KEY], map(label_name, frame[columns.task]), strict=True)
    frame = frame.with_columns(pl.Series(_KEY, [item_key(*pair) for pair in pairs], pl.String))
    if columns.is_long(frame.columns):
        frame = frame.rename({columns.task: "task as named"}).rename({_KEY: columns.task})
        where = columns
    else:
        frame = frame.drop(columns.task)
        where = replace(columns, task=_KEY)
    tables = split_systems(read_votes(frame, where, **reading), systems)
    return JudgedSystems(tables, frame, where, columns.task)


def read_systems_gold(
    source: str | None, judged: JudgedSystems, system: str
) -> dict[str, dict[str, str]]:
    """Read people's labels of systems' answers: from a column of the votes, or from a file."""
    if judged.columns.gold is not None:
        return sort_gold(read_gold(judged.frame, judged.columns), judged.tables)
    if source is None:
        return {name: {} for name in judged.tables}
    table = open_table(source)

    def read(names: Sequence[str]) -> dict[str, list[Any]]:
        return dict(table.read(list(names)).to_dict(as_series=False))

    return read_labelled_systems(
        list(table.columns),
        read,
        judged.tables,
        system=system,
        task=judged.item,
        label=judged.columns.label,
    )


def _whole(source: Any, columns: VoteColumns) -> pl.DataFrame:
    table = open_table(source)
    if columns.task not in table.columns:
        raise LogError(
            f"{table.name} has no column {columns.task!r} that names the items, so systems "
            f"cannot be paired; it has {', '.join(table.columns)}: name it with --task"
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
