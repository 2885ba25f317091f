"""The most probable class of rows that polars reads, column by column in NumPy.

An engine is told of each class in words, which for a thousand of them takes longer than the counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from askpoint.measures.inputs import ROUND_OFF, SUM_TOLERANCE, FloatArray, IntArray
from askpoint.measures.missing import is_missing
from askpoint.value.sketch.bins import Bins
from askpoint.value.sketch.counts import RIGHT, UNLABELLED, WRONG
from askpoint.value.sketch.frame_answers import SpelledClasses
from askpoint.value.sketch.frame_columns import FrameColumns
from askpoint.value.sketch.streamed_rows import add_cases, by_bin
from askpoint.value.sketch.tally import IntegerCounts

__all__ = ["count_most_probable"]

_ROWS, _CELLS = 1 << 18, 1 << 24  # of a batch at most
_PIECE = 1 << 13  # rows whose columns are compared at a time, in a processor's cache


def count_most_probable(
    columns: FrameColumns, bins: Bins, label: SpelledClasses, proba: Sequence[str]
) -> tuple[IntArray, IntArray] | None:
    """Count right, wrong and unlabelled cases of each bin of the greatest probability.

    Parameters
    ----------
    columns : FrameColumns
        Those of a frame.
    bins : Bins
        Which probabilities are counted together.
    label : Spelled
        The column of labels, and the classes in the order of `proba`.
    proba : sequence of str
        A column for each class.

    Returns
    -------
    keys : ndarray of int64 of shape (n_bins,)
        Bins that occur.
    counts : ndarray of int64 of shape (n_bins, 3)
        Right, wrong and unlabelled cases in each. None instead of both if the frame is not of polars, or
        a row may be wrong: then the engine says what is.
    """
    rows = columns.table.to_native()
    if not isinstance(rows, pl.LazyFrame):
        return None
    precision, n = columns.precision(proba), len(proba)
    scored = {f"p{i}": columns.as_precise(name, precision) for i, name in enumerate(proba)}
    wanted = columns.table.select(label=columns.plain(label.column), **scored).to_native()
    codes = {value: i for i, values in enumerate(label.values) for value in values}
    size = max(min(_ROWS, _CELLS // n), 1)
    tally = IntegerCounts()
    for batch in wanted.collect_batches(chunk_size=size, maintain_order=False):
        truths = _truths(batch["label"], codes)
        p = [column.to_numpy() for column in batch.get_columns()[1:]]
        if truths is None:
            return None
        confidence, kinds = np.empty(len(truths), p[0].dtype), np.empty(len(truths), np.int8)
        for start in range(0, len(truths), _PIECE):
            some = slice(start, start + _PIECE)
            found = _answers([column[some] for column in p])
            if found is None:
                return None
            confidence[some], answers = found
            kinds[some] = np.where(answers == truths[some], RIGHT, WRONG)
        kinds[truths < 0] = UNLABELLED
        if not ((confidence >= bins.low) & (confidence <= bins.high)).all():
            return None
        add_cases(tally, bins, confidence, kinds)
    return by_bin(tally)


def _answers(p: Sequence[FloatArray]) -> tuple[FloatArray, IntArray] | None:
    """Return the greatest of each row and which it is, the first of several; None if they may be none."""
    top, least, total = p[0].copy(), p[0].copy(), p[0].copy()
    answers = np.zeros(len(top), np.min_scalar_type(-len(p)))
    above, place = np.empty(len(top), np.bool_), np.empty_like(answers)
    for code, column in enumerate(p[1:], 1):
        np.greater(column, top, out=above)
        np.multiply(above, answers.dtype.type(code), out=place)
        np.maximum(answers, place, out=answers)  # no branch that a processor has to guess
        np.maximum(top, column, out=top)
        np.minimum(least, column, out=least)
        total += column
    # a missing one is NaN here, and so is what it is added to
    is_sound = (least >= -ROUND_OFF) & (top <= 1 + ROUND_OFF) & (abs(total - 1) <= SUM_TOLERANCE)
    if not is_sound.all():
        return None
    return np.minimum(top, 1, out=top), answers


def _truths(labels: pl.Series, codes: dict[Any, int]) -> IntArray | None:
    """Return the class of each label, -1 where there is none; None if one may be no class."""
    different = labels.unique()
    codes_found = [
        -1 if is_missing(value) or value == "" else codes.get(value, -2)
        for value in different.to_list()
    ]
    if -2 in codes_found:
        return None
    truths = labels.replace_strict(different, pl.Series(codes_found, dtype=pl.Int32))
    return truths.to_numpy()
