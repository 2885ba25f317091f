"""Logs that are counted instead of kept: their rows go by, a sketch of each part stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from askpoint.errors import LogError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.inputs import IntArray
from askpoint.measures.log_columns import Columns, find_columns
from askpoint.records.class_counts import ClassCounts
from askpoint.records.log_stream import Progress
from askpoint.records.logs import name_classes
from askpoint.records.part_counts import Counting, PartCounts
from askpoint.records.sketch_cache import SketchCache
from askpoint.records.table import Table
from askpoint.records.texts import class_names
from askpoint.value.sketch.bins import Bins
from askpoint.value.sketch.score_sketch import ScoreSketch

__all__ = ["SketchedLog", "sketch_log"]


@dataclass(eq=False)
class SketchedLog:
    """What a model said on cases that are only counted.

    Parameters
    ----------
    classes : tuple of str
        Names of the classes.
    measure : str
        Confidence measure.
    is_probability : bool
        Whether confidence is meant as the probability of being right.
    bins : Bins
        Which confidences are counted together.
    labels : ndarray of int64 of shape (n_classes,)
        How many rows have each label.
    groups : dict of str or None to ScoreSketch
        The sketch of each group; one for all under None where the log names none.
    has_groups : bool
        Whether the log names groups.
    """

    classes: tuple[str, ...]
    measure: str
    is_probability: bool
    bins: Bins
    has_groups: bool
    labels: IntArray = field(init=False)
    groups: dict[str | None, ScoreSketch] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.labels = np.zeros(len(self.classes), dtype=np.int64)

    @property
    def sketch(self) -> ScoreSketch:
        """The sketch of all rows."""
        total = ScoreSketch(self.measure, self.bins)
        for part in self.groups.values():
            total.merge(part)
        return total

    def add(self, part: PartCounts, model: str | None) -> None:
        """Count the cases of a part of the log."""
        named = part.occurring.labels.get(model, {})
        codes = class_codes(list(named), self.classes)
        for code, items in zip(codes, named.values(), strict=True):
            if code is not None:
                self.labels[code] += items
        for (own, group), sketch in part.sketches.items():
            if own == model:
                self.groups.setdefault(group, ScoreSketch(self.measure, self.bins)).merge(sketch)


def sketch_log(
    table: Table,
    *,
    classes: Sequence[object] | None = None,
    measure: str = "max_probability",
    progress: Progress | None = None,
    cache: SketchCache | None = None,
    **columns: Any,
) -> dict[str | None, SketchedLog]:
    """Count what a model said, without keeping the rows: memory does not grow with them.

    The table goes by twice: once for the classes that occur, once for the counts. An engine behind
    it counts on its own. What a `cache` holds of a file is not counted again.
    """
    if isinstance(classes, str):
        raise LogError(f"classes must be a list of names; got the text {classes!r}")
    found = _countable(find_columns(table.columns, **columns))
    parts = table.parts or (table,)
    counting = Counting(found, measure, cache)
    occurring = [counting.occurring(part) for part in parts]
    _check_rows(table, found, occurring)
    seen = class_names(name for of_part in occurring for name in of_part.names)
    names, order = name_classes(found, seen, classes)
    logs: dict[str | None, SketchedLog] = {}
    rows = 0
    for part, of_part in zip(parts, occurring, strict=True):
        counts = counting.count(
            part, names, order, None if progress is None else partial(_further, progress, rows)
        )
        for model in of_part.labels:
            if model not in logs:
                bins, is_own = counting.bins(len(names)), found.confidence is not None
                is_probability = is_own or measure == "max_probability"
                logs[model] = SketchedLog(
                    names, measure, is_probability, bins, found.group is not None
                )
            logs[model].add(counts, model)
        rows += of_part.rows
        if progress is not None:
            progress(rows)
    return logs


def _further(progress: Progress, start: int, rows: int) -> None:
    progress(start + rows)


def _countable(found: Columns) -> Columns:
    if found.weight is not None or found.propensity is not None:
        raise LogError("weighted rows cannot be counted in a sketch: read the log exactly")
    if found.cluster is not None or found.time is not None:
        raise LogError(
            "a sketch does not keep which rows belong together, or when they came: read the log exactly"
        )
    return found._replace(id=None)


def _check_rows(table: Table, columns: Columns, occurring: Sequence[ClassCounts]) -> None:
    if not any(part.rows for part in occurring):
        raise LogError(
            f"{table.name} holds names of columns and not a single row. Export it with its rows"
        )
    if columns.label is not None and not any(
        labels for part in occurring for labels in part.labels.values()
    ):
        raise LogError(
            f"no row has a label: the column {columns.label!r} is empty; label some rows"
        )
