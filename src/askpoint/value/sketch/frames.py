"""Counting on the engine behind a dataframe: one ``group_by(bin).agg(counts)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import narwhals as nw
import numpy as np
import polars as pl

from askpoint.errors import InputError
from askpoint.measures.dataframes import as_lazy
from askpoint.measures.inputs import IntArray
from askpoint.measures.missing import is_missing
from askpoint.value.sketch.bins import Bins
from askpoint.value.sketch.frame_answers import (
    Fault,
    FrameAnswers,
    SpelledClasses,
    answers_from_predictions,
    most_probable,
    spell_classes,
)
from askpoint.value.sketch.frame_columns import FrameColumns, collect_rows, read_here
from askpoint.value.sketch.most_probable_rows import count_most_probable
from askpoint.value.sketch.streamed_rows import count_streamed

__all__ = ["count_parts", "count_scores"]

_MANY = 16  # classes from which on NumPy takes less processor time than polars' engine


def count_scores(
    frame: Any,
    bins: Bins,
    *,
    label: str,
    prediction: str | None,
    confidence: str | None,
    proba: str | Sequence[str] | None,
    classes: Sequence[Any] | None,
    measure: str,
) -> tuple[IntArray, IntArray]:
    """Let a dataframe's own engine count right, wrong and unlabelled cases per bin."""
    names = [proba] if isinstance(proba, str) else list(proba or [])
    columns = read_here(FrameColumns(as_lazy(frame)), [label, prediction, confidence, *names])
    if not names:
        answers = answers_from_predictions(columns, label, prediction, confidence)
    else:
        columns.precision(names)
        spelled = spell_classes(columns, label, names, classes)
        if measure == "max_probability" and len(names) >= _MANY:
            counted = count_most_probable(columns, bins, spelled, names)
            if counted is not None:
                return counted
        answers = most_probable(columns, spelled, names, measure)
    return _count_bins(columns, answers, bins, label, confidence or measure, [])[1:]


def count_parts(
    frame: Any,
    bins: Bins,
    *,
    label: SpelledClasses,
    prediction: SpelledClasses | None,
    confidence: str | None,
    proba: Sequence[str],
    of_first: bool,
    measure: str,
    keys: Sequence[str],
) -> tuple[nw.DataFrame[Any], IntArray, IntArray]:
    """Count each part of a log whose classes' spellings are known.

    The parts are those of the columns `keys`. Answers the rows of a frame with the parts' names, and
    for each of them a bin and its right, wrong and unlabelled cases.
    """
    said = None if prediction is None else prediction.column
    wanted = [label.column, said, confidence, *proba, *keys]
    columns = read_here(FrameColumns(as_lazy(frame)), wanted)
    for name in keys:
        columns.kind(name)
    if confidence is not None and not proba:
        answers = answers_from_predictions(columns, label, prediction, confidence, keys)
    else:
        answers = most_probable(
            columns,
            label,
            proba,
            measure,
            prediction=prediction,
            confidence=confidence,
            of_first=of_first,
            keys=keys,
        )
    parts = [f"key{i}" for i in range(len(keys))]
    return _count_bins(columns, answers, bins, label.column, confidence or measure, parts)


def _count_bins(
    columns: FrameColumns,
    answers: FrameAnswers,
    bins: Bins,
    label: str,
    called: str,
    keys: Sequence[str],
) -> tuple[nw.DataFrame[Any], IntArray, IntArray]:
    inside = Fault(
        nw.col("confidence").is_between(bins.low, bins.high),
        "confidence",
        bins.outside("{} in " + called),
    )
    faults, sound = [*answers.faults, inside], [answers.sound]
    if not (answers.is_probable and bins.low <= 0 and bins.high >= 1):
        sound.append(inside.sound)
    is_sound = nw.all_horizontal(*sound, ignore_nulls=False)
    is_labelled = columns.is_known(label)
    rows = answers.frame.to_native()
    if isinstance(rows, pl.LazyFrame) and not keys:
        streamed = count_streamed(
            rows, bins, right=answers.right, known=is_labelled, sound=is_sound
        )
        if streamed is None:
            _explain(answers.frame, faults)
        return nw.from_native(pl.DataFrame()), *streamed
    frame = answers.frame
    *steps, last = bins.steps(answers.precision, is_sound)
    for step in steps:
        frame = frame.with_columns(**step)
    # PostgreSQL casts no truth value to a bigint
    is_right = nw.when(answers.right).then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64))
    groups = collect_rows(
        frame.select(*keys, **last, right=nw.when(is_labelled).then(is_right))
        .group_by(*keys, "group")
        .agg(right=nw.col("right").sum(), known=nw.col("right").count(), items=nw.len())
    )
    group_keys = groups["group"].to_numpy()
    if bins.without(group_keys).any():
        _explain(answers.frame, faults)
    hits, labelled, items = (
        groups[name].fill_null(0).to_numpy().astype(np.int64)
        for name in ("right", "known", "items")
    )
    counts = np.column_stack([hits, labelled - hits, items - labelled])
    return groups.select(*keys), bins.locate(group_keys, answers.precision), counts


def _explain(frame: nw.LazyFrame[Any], faults: Sequence[Fault]) -> NoReturn:
    """Say what is wrong with the rows that could not be counted."""
    for fault in faults:
        for cell in _fault_cells(frame, fault):
            shown = f"{cell:.9g}" if isinstance(cell, float) else repr(cell)
            raise InputError(fault.text.format("none" if is_missing(cell) else shown))
    raise InputError("the frame changed while it was counted")


def _fault_cells(frame: nw.LazyFrame[Any], fault: Fault) -> list[Any]:
    """At most one of the cells that must not be."""
    fault_rows = collect_rows(
        frame.filter(~fault.sound.fill_null(value=False)).select(cell=nw.col(fault.column)).head(1)
    )
    return fault_rows["cell"].to_list()
