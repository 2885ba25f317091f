"""A tally: how often each integer occurred, in memory for those that occurred."""

from __future__ import annotations

import numpy as np

from askpoint.measures.inputs import IntArray

__all__ = ["IntegerCounts"]

_WIDE = 1 << 18  # a span of integers up to which counting needs no sort
_WAITING = 1 << 13


class IntegerCounts:
    """Counts of integers, in their order."""

    def __init__(self) -> None:
        self._values: IntArray = np.zeros(0, dtype=np.int64)
        self._counts: IntArray = np.zeros(0, dtype=np.int64)
        self._near: IntArray = np.zeros(0, dtype=np.int64)  # of the integers from 0 on
        self._waiting: list[int] = []  # single ones, until they are worth a merge

    def add_one(self, value: int) -> None:
        """Count one integer once more."""
        self._waiting.append(value)
        if len(self._waiting) == _WAITING:
            self._merge_waiting()

    def add(self, values: IntArray) -> None:
        """Count each integer once more."""
        if not values.size:
            return
        least, most = int(values.min()), int(values.max())
        if least >= 0 and most < _WIDE:
            self._count_near(np.bincount(values))
        elif most - least < _WIDE:
            counts = np.bincount(values - least)
            positions = np.flatnonzero(counts)
            self._merge(positions + least, counts[positions])
        else:
            self._merge(*np.unique(values, return_counts=True))

    def add_counts(self, values: IntArray, counts: IntArray) -> None:
        """Count each integer so many times more."""
        order = np.argsort(values, kind="stable")
        order = order[counts[order] > 0]
        ranked = values[order]
        first = np.flatnonzero(np.diff(ranked, prepend=ranked[:1] - 1))
        self._merge(ranked[first], np.add.reduceat(counts[order], first) if first.size else first)

    def cells(self) -> tuple[IntArray, IntArray]:
        """Return the integers that occurred, in their order, and how often each did."""
        self._merge_waiting()
        near, self._near = self._near, self._near[:0]
        positions = np.flatnonzero(near)
        self._merge(positions, near[positions])
        return self._values, self._counts

    def _merge_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        self.add(np.array(waiting, dtype=np.int64))

    def _count_near(self, counts: IntArray) -> None:
        if len(counts) > len(self._near):
            counts, self._near = self._near, counts
        self._near[: len(counts)] += counts

    def _merge(self, values: IntArray, counts: IntArray) -> None:
        """Add counts of integers that are in order, each once."""
        place = np.searchsorted(self._values, values)
        is_kept = np.zeros(len(values), dtype=np.bool_)
        inside = place < len(self._values)
        is_kept[inside] = self._values[place[inside]] == values[inside]
        merged = np.insert(self._counts, place[~is_kept], 0)
        self._values = np.insert(self._values, place[~is_kept], values[~is_kept])
        merged[np.searchsorted(self._values, values)] += counts
        self._counts = merged
