"""Which labels, answers and models occur in a part of a log, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import narwhals as nw
import polars as pl

from askpoint.errors import LogError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.log_columns import Columns
from askpoint.records.cells import as_parts
from askpoint.records.table import Table
from askpoint.records.texts import as_names
from askpoint.value.sketch.frame_answers import SpelledClasses
from askpoint.value.sketch.frame_columns import collect_rows

__all__ = ["ClassCounts", "count_classes", "spell_classes"]

_ROWS = 1 << 18  # of a batch


class ClassCounts(NamedTuple):
    """What occurs in a part of a log.

    Attributes
    ----------
    rows : int
        How many rows it has.
    labels : mapping of str or None to mapping of str to int
        How often each label occurs, for each model.
    answers : tuple of str
        The answers that occur, where they have a column.
    """

    rows: int
    labels: Mapping[str | None, Mapping[str, int]]
    answers: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All labels and answers, sorted."""
        found = {name for labels in self.labels.values() for name in labels}
        return tuple(sorted(found | set(self.answers)))


def count_classes(table: Table, columns: Columns) -> tuple[ClassCounts, pl.DataFrame]:
    """Return what occurs, and the cells as they stand; the engine counts, where there is one."""
    wanted = [
        name for name in (columns.label, columns.prediction, columns.model) if name is not None
    ]
    cells = _by_engine(table.lazy, wanted) if table.lazy is not None else _by_batches(table, wanted)
    rows = int(cells["items"].sum()) if cells.height else 0
    keys = dict(zip(wanted, cells.columns, strict=False))
    models: list[str | None] = [None] * cells.height
    if columns.model is not None:
        parts = as_parts(cells[keys[columns.model]])
        models = [parts.names[code] for code in parts.codes]
        if None in models:
            raise LogError(
                f"the column {columns.model!r} must name a model in every row; one has none"
            )
    labels: dict[str | None, Counter[str]] = {model: Counter() for model in models}
    if columns.label is not None:
        names, codes, given = as_names(cells[keys[columns.label]])
        told = iter(codes.tolist())
        for model, is_given, items in zip(models, given, cells["items"].to_list(), strict=True):
            if is_given:
                labels[model][names[next(told)]] += items
    answers: tuple[str, ...] = ()
    if columns.prediction is not None:
        answers = as_names(cells[keys[columns.prediction]]).names
    return ClassCounts(rows, labels, answers), cells.rename(
        {key: name for name, key in keys.items()}
    )


def spell_classes(
    column: str | None, cells: pl.DataFrame, classes: tuple[str, ...]
) -> SpelledClasses:
    """Return how each class stands in a column."""
    values: list[list[object]] = [[] for _ in classes]
    if column is None:
        return SpelledClasses("", tuple(() for _ in classes))
    different = cells[column].unique()
    names, codes, given = as_names(different)
    of_class = class_codes(names, classes)
    if None in of_class:
        shown = ", ".join(map(repr, classes[:10])) + (", ..." if len(classes) > 10 else "")
        raise LogError(
            f"the column {column!r} says {names[of_class.index(None)]!r}, which is not among the "
            f"classes {shown}"
        )
    for value, code in zip(different.filter(pl.Series(given)).to_list(), codes, strict=True):
        place = of_class[code]
        if place is not None:
            values[place].append(int(value) if isinstance(value, bool) else value)
    return SpelledClasses(column, tuple(map(tuple, values)))


def _by_engine(lazy: nw.LazyFrame[Any], wanted: list[str]) -> pl.DataFrame:
    keys = [f"cell{i}" for i in range(len(wanted))]
    found = lazy.select(*(nw.col(name).alias(key) for name, key in zip(wanted, keys, strict=True)))
    if not wanted:
        items = collect_rows(lazy.select(items=nw.len()))
        return items.to_polars()
    return collect_rows(found.group_by(keys).agg(items=nw.len())).to_polars()


def _by_batches(table: Table, wanted: list[str]) -> pl.DataFrame:
    keys = [f"cell{i}" for i in range(len(wanted))]
    if not wanted:
        return pl.DataFrame({"items": [table.n_rows()]})
    found: pl.DataFrame | None = None
    for frame in table.batcher(wanted, _ROWS):
        frame.columns = keys
        new = frame.group_by(keys).agg(items=pl.len())
        joined = new if found is None else pl.concat([found, new], how="vertical_relaxed")
        found = joined.group_by(keys).agg(pl.col("items").sum())
    if found is None:
        return pl.DataFrame({**{key: [] for key in keys}, "items": []})
    return found
