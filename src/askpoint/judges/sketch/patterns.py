"""Where counts of vote patterns live: a table with a place for each, or a hash of those seen."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from askpoint.measures.inputs import IntArray

__all__ = ["DENSE_CELLS", "DensePatterns", "HashedPatterns", "new_patterns"]

DENSE_CELLS = 1 << 16  # beyond it the table would be mostly empty
_CHUNK = 1 << 17  # items a step, to bound the memory of temporaries


class DensePatterns:
    """One counter for each pattern that there can be.

    Parameters
    ----------
    n_values : int
        Values that a vote can have, "missing" among them.
    n_judges : int
        Votes a pattern.
    """

    def __init__(self, n_values: int, n_judges: int) -> None:
        self._n_values = n_values
        self._n_judges = n_judges
        self._table = np.zeros(n_values**n_judges, dtype=np.int64)

    def add(self, codes: IntArray, counts: IntArray | None = None) -> None:
        """Count patterns, one a row; several times where counts are given."""
        for start in range(0, len(codes), _CHUNK):
            keys = self._keys(codes[start : start + _CHUNK])
            if counts is None:
                self._table += np.bincount(keys, minlength=len(self._table))
            else:
                np.add.at(self._table, keys, counts[start : start + _CHUNK])

    def cells(self) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        """Return the patterns that occur, in lexicographic order, and their counts."""
        keys = np.flatnonzero(self._table)
        columns = np.unravel_index(keys, (self._n_values,) * self._n_judges)
        return np.column_stack(columns).astype(np.int16) - np.int16(1), self._table[keys]

    def _keys(self, codes: IntArray) -> IntArray:
        keys = codes[:, 0].astype(np.int32) + 1
        for judge in range(1, self._n_judges):
            keys *= self._n_values
            keys += codes[:, judge]
            keys += 1
        return keys


class HashedPatterns:
    """Counters for the patterns seen so far, found by their bytes.

    Parameters
    ----------
    n_values : int
        Values that a vote can have, "missing" among them.
    n_judges : int
        Votes a pattern.
    """

    def __init__(self, n_values: int, n_judges: int) -> None:
        self._n_judges = n_judges
        self._kind = np.min_scalar_type(-n_values)  # a byte a vote, or two
        self._table: Counter[bytes] = Counter()

    def add(self, codes: IntArray, counts: IntArray | None = None) -> None:
        """Count patterns, one a row; several times where counts are given."""
        rows = np.ascontiguousarray(codes, dtype=self._kind)
        keys = rows.view(f"V{rows.itemsize * self._n_judges}").ravel().tolist()
        if counts is None:
            self._table.update(keys)
        else:
            for key, count in zip(keys, counts.tolist(), strict=True):
                self._table[key] += count

    def cells(self) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        """Return the patterns that occur, in lexicographic order, and their counts."""
        votes = np.frombuffer(b"".join(self._table), self._kind).reshape(-1, self._n_judges)
        counts = np.fromiter(self._table.values(), np.int64, len(self._table))
        order = np.lexsort(votes.T[::-1])
        return votes[order].astype(np.int16), counts[order]


def new_patterns(n_labels: int, n_judges: int) -> DensePatterns | HashedPatterns:
    """Return an empty table for the patterns of some judges and labels."""
    if (n_labels + 1) ** n_judges <= DENSE_CELLS:
        return DensePatterns(n_labels + 1, n_judges)
    return HashedPatterns(n_labels + 1, n_judges)
