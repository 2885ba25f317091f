"""Labels by people in a file of their own, for the items of a reading."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from askpoint.errors import LogError
from askpoint.records.readers.grids import open_grids
from askpoint.records.readers.reading import Choices, Doubt, Gold, Reading
from askpoint.records.readers.sources import find_sources
from askpoint.records.readers.tables import gold_labels
from askpoint.records.readers.vote_tables import gold_column
from askpoint.records.roles import column_facts

__all__ = ["with_gold_file"]


def with_gold_file(reading: Reading, path: str, choices: Choices) -> Reading:
    """Return a reading with the labels of a file: ids in one column, labels in another."""
    if len(reading.systems) > 1:
        raise LogError(
            f"{path} labels items, but {len(reading.systems)} systems answered each "
            f"({', '.join(reading.systems[:4])}): name one with --system"
        )
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
        column = gold_column(others, replace(choices, gold=None)) or next(
            (fact.name for fact in others if fact.role == "label"), None
        )
        if column is None:
            raise LogError(f"{grid.name} has no column of labels beside {item!r}")
        labels = gold_labels(grid, item, column, choices)
        rows = enumerate(reading.frame["item"])
        found = {str(row): labels[name] for row, name in rows if name in labels}
        strange = len(set(labels) - items)
        doubts = [Doubt(f"labels by people: column {column!r} of {grid.name}, ids {item!r}")]
        if strange:
            doubts.append(
                Doubt(f"{strange} of its {len(labels)} labels are for other items: left out")
            )
        return replace(
            reading,
            gold=Gold(f"{grid.name}, column {column}", found),
            doubts=(*reading.doubts, *doubts),
        )
    raise LogError(
        f"the labels of {path} are for other items: none of its columns names an item such as "
        f"{', '.join(sorted(items)[:3])}"
    )
