"""Logs that are counted instead of kept: a file goes by in batches, a sketch stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError
from askpoint.measures.confidence import confidence_range
from askpoint.measures.inputs import IntArray
from askpoint.measures.log_columns import Columns, find_columns
from askpoint.records.logs import log_of_rows, name_classes
from askpoint.records.predictions import PredictionLog
from askpoint.records.table import Table
from askpoint.records.texts import as_names, class_names
from askpoint.value.sketch.bins import Bins, RelativeBins
from askpoint.value.sketch.score_sketch import ScoreSketch

__all__ = ["Progress", "SketchedLog", "classes_that_occur", "log_batches", "sketch_log"]

_ROWS = 1 << 18  # of a batch
_WIDER = 1e-6  # than a measure's range, for round-off

Progress = Callable[[int], object]


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

    def add(self, log: PredictionLog) -> None:
        """Count more rows."""
        self.labels += np.bincount(log.label, minlength=len(self.classes))
        parts = log.by_group() if self.has_groups else iter([(None, log)])
        for name, part in parts:
            sketch = self.groups.setdefault(name, ScoreSketch(self.measure, self.bins))
            right = np.zeros(part.n_items, dtype=np.bool_)
            right[part.labelled] = part.right
            sketch.update_many(
                np.ma.MaskedArray(right, mask=~part.labelled), part.scores(self.measure)
            )


def sketch_log(
    table: Table,
    *,
    classes: Sequence[object] | None = None,
    measure: str = "max_probability",
    progress: Progress | None = None,
    **columns: Any,
) -> dict[str | None, SketchedLog]:
    """Count what a model said, without keeping the rows: memory does not grow with them.

    The table goes by twice: once for the classes that occur, once for the counts.
    """
    if isinstance(classes, str):
        raise LogError(f"classes must be a list of names, got the text {classes!r}")
    found = find_columns(table.columns, **columns)
    if found.weight is not None or found.propensity is not None:
        raise LogError("weighted rows cannot be counted in a sketch: read the log exactly")
    if found.cluster is not None or found.time is not None:
        raise LogError(
            "a sketch does not keep which rows belong together, or when they came: read the log exactly"
        )
    found = found._replace(id=None)
    seen = classes_that_occur(table, found, need_labels=True)
    names = name_classes(found, seen, classes)[0]
    logs: dict[str | None, SketchedLog] = {}
    rows = 0
    for _, log in log_batches(table, found, names):
        is_own = log.confidence is not None
        for model, part in log.by_model() if log.model is not None else [(None, log)]:
            if model not in logs:
                bins = RelativeBins() if is_own else _bins(measure, len(names))
                logs[model] = SketchedLog(
                    names,
                    measure,
                    is_own or measure == "max_probability",
                    bins,
                    found.group is not None,
                )
            logs[model].add(part)
        rows += log.n_items
        if progress is not None:
            progress(rows)
    return logs


def classes_that_occur(
    table: Table, columns: Columns, *, need_labels: bool = False
) -> tuple[str, ...]:
    """Return the labels and answers that occur, sorted; the table goes by once."""
    wanted = [name for name in (columns.label, columns.prediction) if name is not None]
    cells: dict[str, pl.Series] = {}
    for frame in table.batches(wanted, _ROWS) if wanted else ():
        for name in wanted:
            new = frame[name].unique()
            cells[name] = new if name not in cells else cells[name].append(new).unique()
    names = {name: as_names(column) for name, column in cells.items()}
    if need_labels and columns.label in names and not names[columns.label].names:
        raise LogError(
            f"no row has a label: the column {columns.label!r} is empty; label some rows"
        )
    return class_names(*names.values())


def log_batches(
    table: Table, columns: Columns, classes: tuple[str, ...], extra: Sequence[str] = ()
) -> Iterator[tuple[pl.DataFrame, PredictionLog]]:
    """Yield a log a batch at a time: the rows as they stand, and what they say."""
    start = 0
    for frame in table.batches(list(dict.fromkeys([*columns.wanted, *extra])), _ROWS):
        try:
            log = log_of_rows(frame, columns, classes, is_part=True)
        except InputError as error:
            if not start:
                raise
            raise LogError(f"reading from row {start} on: {error}") from None
        start += log.n_items
        yield frame, log


def _bins(measure: str, n_classes: int) -> Bins:
    low, high = confidence_range(measure, n_classes)
    return RelativeBins() if high == 1 else RelativeBins(low - _WIDER, high + _WIDER)
