"""Tables from people's files: predictions or votes, in one file, in parts, or with labels beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.grids import Grid, open_grids
from askpoint.records.readers.prediction_tables import read_predictions
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.sources import Source, system_names
from askpoint.records.readers.vote_tables import gold_column, read_vote_table, wide_of_long
from askpoint.records.roles import ColumnFacts, column_facts

__all__ = ["gold_labels", "read_tables", "sniff_table"]


def sniff_table(source: Source) -> float | None:
    """Say that any file may be a table, but that what a tool wrote is none."""
    return None if source.shape == "zip" else 0.1


def read_tables(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read tables: those with the same columns are parts of one."""
    grids: list[Grid] = []
    for source in sources:
        grids += open_grids(source, choices)
    grids = _joined(grids, choices)
    files = [source.name for source in sources]
    looks = [_look(grid, choices) for grid in grids]
    if len(grids) == 1:
        return _one(grids[0], looks[0], choices, files)
    return _with_gold(grids, looks, choices, files)


def _joined(grids: list[Grid], choices: Choices) -> list[Grid]:
    parts: dict[tuple[str, ...], list[Grid]] = {}
    for grid in grids:
        parts.setdefault(tuple(grid.frame.columns), []).append(grid)
    found = []
    for group in parts.values():
        said, item = group[0].said, None
        if len(group) > 1 and (item := _item_of_systems(group, choices)) is not None:
            names = system_names([grid.name for grid in group])
            said = (
                *said,
                Doubt(f"the files are of {len(group)} systems: {', '.join(names)}", "--tables"),
            )
            group = [
                grid._replace(frame=grid.frame.with_columns(pl.lit(name).alias("system")))
                for grid, name in zip(group, names, strict=True)
            ]
        if len(group) == 1:
            found.append(group[0])
        else:
            try:
                frame = pl.concat([grid.frame for grid in group], how="vertical_relaxed")
            except pl.exceptions.PolarsError as error:
                names = [grid.name for grid in group[:3]]
                raise LogError(
                    f"{', '.join(names)} have columns of different types: {error}"
                ) from None
            found.append(Grid(group[0].name, frame, said, group[0].decimal_comma, item))
    return found


def _item_of_systems(group: Sequence[Grid], choices: Choices) -> str | None:
    """Return the column of items of tables that are of a system each; None if they are parts of one."""
    names = group[0].frame.columns
    if choices.tables == "parts" or "system" in names:
        return None
    facts = [fact for fact in _look(group[0], choices) if fact.role == "id"]
    item = choices.id if choices.id in names else next((fact.name for fact in facts), None)
    if item is None:
        if choices.tables == "systems":
            raise LogError(f"{group[0].name}: no column names the items: say which with --id")
        return None
    if any(grid.frame[item].n_unique() < grid.frame.height for grid in group):
        return item if choices.tables == "systems" else None
    ids = [set(grid.frame[item].cast(pl.String)) for grid in group]
    common = sum(map(len, ids)) - len(set().union(*ids))
    if choices.tables is None and 0 < common * 2 < min(map(len, ids)):
        raise LogError(
            f"{group[0].name} and {group[1].name} share {common} of their ids in {item!r}: are they "
            "parts of one table (--tables parts), or of two systems (--tables systems)?"
        )
    return item if common or choices.tables == "systems" else None


def _look(grid: Grid, choices: Choices) -> list[ColumnFacts]:
    return [
        column_facts(column, decimal_comma=grid.decimal_comma, missing=choices.missing)
        for column in grid.frame
    ]


def _one(grid: Grid, facts: list[ColumnFacts], choices: Choices, files: Sequence[str]) -> Reading:
    if choices.kind != "votes":
        long = wide_of_long(grid, facts, choices) if choices.kind is None else None
        if long is None:
            reading = read_predictions(grid, facts, choices, files)
            if reading is not None:
                return reading
            if choices.kind == "predictions":
                raise LogError(
                    f"{grid.name} has no probabilities, and no prediction with a confidence: name "
                    "them with --proba, or --prediction and --confidence"
                )
    else:
        long = wide_of_long(grid, facts, choices)
    if long is not None:
        grid, item = long
        return read_vote_table(grid, _look(grid, choices), choices, files, item=item)
    return read_vote_table(grid, facts, choices, files)


def _with_gold(
    grids: list[Grid], looks: list[list[ColumnFacts]], choices: Choices, files: Sequence[str]
) -> Reading:
    """Read two tables of which one holds people's labels for the other's items."""
    names = ", ".join(grid.name for grid in grids[:4])
    if len(grids) > 2:
        raise LogError(f"{names} are tables of different columns: give those that belong together")
    worth = [_judge_like(facts) for facts in looks]
    main = 0 if worth[0] >= worth[1] else 1
    labels = looks[1 - main]
    column = gold_column(labels, choices) or next(
        (f.name for f in labels if f.role == "label"), None
    )
    item = next((f.name for f in looks[main] if f.role == "id"), None) or choices.id
    other = item if item in grids[1 - main].frame.columns else None
    other = other or next((f.name for f in labels if f.role == "id"), None)
    if column is None or item is None or other is None:
        raise LogError(
            f"{names} are two tables, but not votes and the labels of the same items: name the ids "
            "with --id and the labels with --gold, or give one file"
        )
    gold = gold_labels(grids[1 - main], other, column, choices)
    reading = read_vote_table(
        grids[main], looks[main], choices, files, item=item,
        gold_from=(f"{grids[1 - main].name}, column {column}", gold),
    )  # fmt: skip
    rest = [f.name for f in labels if f.name not in (other, column) and f.role != "empty"]
    return replace(reading, not_judges=(*reading.not_judges, *rest))


def _judge_like(facts: Sequence[ColumnFacts]) -> tuple[int, int]:
    return sum(fact.role == "label" for fact in facts), facts[0].rows


def gold_labels(grid: Grid, item: str, column: str, choices: Choices) -> Mapping[str, str]:
    """Return the labels that a table of people's labels has, by item."""
    fact = column_facts(grid.frame[column], missing=choices.missing)
    kept = fact.counts or {}
    found: dict[str, str] = {}
    texts = grid.frame.select(pl.col(item).cast(pl.String), pl.col(column).cast(pl.String))
    for name, label in texts.iter_rows():
        if name is None or label not in kept:
            continue
        if found.setdefault(name, label) != label:
            raise LogError(
                f"{grid.name}: the labels by people say both {found[name]!r} and {label!r} of "
                f"{name!r}; keep one"
            )
    return found
