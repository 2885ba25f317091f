"""Counting in NumPy: cases in arrays, and rows that polars streams, whose own groups take longer."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import polars as pl

from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.value.sketch.bins import Bins
from askpoint.value.sketch.counts import KINDS, UNLABELLED
from askpoint.value.sketch.tally import IntegerCounts

__all__ = ["add_cases", "by_bin", "count_streamed"]

_ROWS = 1 << 18  # of a batch
_PIECE = (
    1 << 15
)  # larger temporary arrays are new memory from the system each time: ten times slower


def count_streamed(
    frame: pl.LazyFrame, bins: Bins, *, right: nw.Expr, known: nw.Expr, sound: nw.Expr
) -> tuple[IntArray, IntArray] | None:
    """Count right, wrong and unlabelled cases of each bin; None if a row must not be."""
    kind = nw.when(known).then(nw.when(right).then(nw.lit(0)).otherwise(nw.lit(1)))
    rows = nw.from_native(frame).select(
        "confidence", kind=nw.when(sound).then(kind.fill_null(UNLABELLED)).cast(nw.Int8)
    )
    tally = IntegerCounts()
    for batch in rows.to_native().collect_batches(chunk_size=_ROWS, maintain_order=False):
        if batch["kind"].null_count():
            return None
        add_cases(tally, bins, batch["confidence"].to_numpy(), batch["kind"].to_numpy())
    return by_bin(tally)


def by_bin(tally: IntegerCounts) -> tuple[IntArray, IntArray]:
    """Return the bins that occur, and their right, wrong and unlabelled cases, one row a bin."""
    cells, counts = tally.cells()
    bins_seen, place = np.unique(cells // KINDS, return_inverse=True)
    table = np.zeros((len(bins_seen), KINDS), np.int64)
    table[place, cells % KINDS] = counts
    return bins_seen, table


def add_cases(tally: IntegerCounts, bins: Bins, scores: FloatArray, kinds: IntArray) -> None:
    """Count cases of each bin and kind, many at a time."""
    cells = np.empty(min(len(scores), _ROWS), np.int64)
    for start in range(0, len(scores), _ROWS):
        some = slice(start, min(start + _ROWS, len(scores)))
        for first in range(some.start, some.stop, _PIECE):
            piece = slice(first, min(first + _PIECE, some.stop))
            mine = cells[piece.start - start : piece.stop - start]
            np.multiply(bins.keys(scores[piece]), KINDS, out=mine)
            mine += kinds[piece]
        tally.add(cells[: some.stop - start])
