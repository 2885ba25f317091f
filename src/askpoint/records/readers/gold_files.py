"""Labels by people in a file of their own, for the items of a reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from askpoint.errors import LogError
from askpoint.records.label_words import spelling_key
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Choices, Doubt, Gold, Reading
from askpoint.records.readers.sources import find_sources
from askpoint.records.readers.table_opening import open_grids
from askpoint.records.readers.tables import gold_labels
from askpoint.records.readers.vote_tables import gold_column
from askpoint.records.roles import ColumnFacts, column_facts

__all__ = ["with_gold_file"]

_BETWEEN = "\x00"


def with_gold_file(reading: Reading, path: str, choices: Choices) -> Reading:
    """Return a reading with the labels of a file: ids in one column, labels in another.

    Where several systems answered, a third column says whose answer was labelled.
    """
    grids = [grid for source in find_sources([path]) for grid in open_grids(source, choices)]
    items = set(reading.frame["item"])
    for grid in grids:
        facts = [column_facts(column, missing=choices.missing) for column in grid.frame]
        texts = {
            f.name: set(grid.frame[f.name].cast(pl.String)) for f in facts if f.role != "nested"
        }
        item = max(texts, key=lambda name: len(texts[name] & items), default=None)
        if item is None or not texts[item] & items:
            continue
        others = [fact for fact in facts if fact.name != item]
        system = _system_column(reading, path, texts, [fact.name for fact in others])
        others = [fact for fact in others if system is None or fact.name != system[0]]
        column = _label_column(reading, others)
        if column is None:
            raise LogError(f"{grid.name} has no column of labels besides {item!r}")
        return _add_gold(reading, grid, item, column, system, choices)
    raise LogError(
        f"the labels of {path} are for other items: none of its columns names an item such as "
        f"{', '.join(sorted(items)[:3])}"
    )


def _add_gold(
    reading: Reading,
    grid: CellGrid,
    item: str,
    column: str,
    system: tuple[str, Mapping[str, str]] | None,
    choices: Choices,
) -> Reading:
    rows = reading.frame["item"].to_list()
    said = f"labels by people: column {column!r} of {grid.name}, ids {item!r}"
    if system is not None:
        name, spelled = system
        said += f", systems {name!r}"
        names = pl.col(name).cast(pl.String).replace_strict(spelled, default=None)
        keys = pl.concat_str([names, pl.col(item).cast(pl.String)], separator=_BETWEEN)
        grid = grid._replace(frame=grid.frame.with_columns(keys.alias(item)))
        systems = reading.frame["system"].to_list()
        rows = [f"{whose}{_BETWEEN}{what}" for whose, what in zip(systems, rows, strict=True)]
    labels = gold_labels(grid, item, column, choices)
    found = {str(row): labels[name] for row, name in enumerate(rows) if name in labels}
    strange = len(set(labels) - set(rows))
    doubts = [Doubt(said)]
    if strange:
        doubts.append(Doubt(f"{strange} of its {len(labels)} labels are for other items: left out"))
    if not found:
        raise LogError(
            f"the labels of {grid.name} are for items without votes, such as "
            f"{next(iter(labels), '').replace(_BETWEEN, ' ')!r}"
        )
    return replace(
        reading,
        gold=Gold(f"{grid.name}, column {column}", found),
        doubts=(*reading.doubts, *doubts),
    )


def _label_column(reading: Reading, others: Sequence[ColumnFacts]) -> str | None:
    """Return the column of labels by its name, else by its sharing labels with the judges."""
    named = gold_column(others, Choices())
    if named is not None:
        return named
    votes = {spelling_key(value) for counts in reading.votes.values() for value in counts}
    possible = [fact for fact in others if fact.role == "label" and fact.counts]
    fitting = [f for f in possible if {spelling_key(v) for v in f.counts or ()} & votes]
    return next((fact.name for fact in fitting or possible), None)


def _system_column(
    reading: Reading, path: str, texts: Mapping[str, set[str]], others: Sequence[str]
) -> tuple[str, Mapping[str, str]] | None:
    """Return the column that says whose answer was labelled, and the system of each of its words."""
    for name in others:
        found = {
            word: fitting[0]
            for word in texts[name]
            if word is not None
            and len(fitting := [s for s in reading.systems if _names(word, s)]) == 1
        }
        if found:
            return name, found
    if len(reading.systems) < 2:
        return None
    raise LogError(
        f"{path} labels items, but {len(reading.systems)} systems answered each "
        f"({', '.join(reading.systems[:4])}): add a column that says whose answer was labelled, or "
        "name one system with --system"
    )


def _names(word: str, system: str) -> bool:
    """Say whether a word is a system's name, with or without its folder and ending."""
    short = system.rpartition("/")[2].partition(" (")[0]
    words = {spelling_key(name) for name in (system, short, Path(system).stem)}
    return spelling_key(word) in words
