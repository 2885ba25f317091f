"""Cases whose label is awaited, as a value that grows and shrinks without being copied."""

from __future__ import annotations

from itertools import compress, count
from operator import is_not
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from askpoint.measures.inputs import BoolArray, IntArray

__all__ = ["LOST", "PENDING", "SILENT", "UNKNOWN", "PendingCases"]

UNKNOWN = -1
"""The label of a pending case that has not come."""
LOST = 2
"""The label of a pending case that did not come in time."""
_CHUNK = 1024  # rows that are copied for a decision or a label, at most

PENDING = np.dtype(
    [
        ("seq", np.int64),
        ("confidence", np.float64),
        ("share", np.float64),  # least audit rate over this case's
        ("episode", np.int32),
        ("answered", np.bool_),
        ("uniform", np.bool_),  # in the random sample of all decisions, and not of the grid's
        ("again", np.bool_),  # asked again if its label does not come
        ("wrong", np.int8),
    ]
)
"""What is kept of a case whose label is awaited."""

SILENT = np.dtype([("seq", np.int64), ("place", np.int16), ("again", np.bool_), ("lost", np.bool_)])
"""What is kept of a case that was given up: its bin, whether it is asked again, and whether in vain."""


class PendingCases:
    """Cases whose label is awaited, in the order of decisions.

    A value: each change returns another one, which shares with it all chunks of rows but those that
    changed. So a decision or a label costs as much while 100,000 labels are awaited as while ten are.

    Parameters
    ----------
    rows : ndarray of PENDING, optional
        In the order of decisions.
    """

    __slots__ = ("_chunks", "_layout", "_length")

    def __init__(self, rows: NDArray[np.void] | None = None) -> None:
        n = 0 if rows is None else len(rows)
        self._chunks: tuple[NDArray[np.void], ...] = ()
        if rows is not None:
            self._chunks = tuple(rows[i : i + _CHUNK] for i in range(0, n, _CHUNK))
        self._length = n
        self._layout: tuple[IntArray, IntArray] | None = None

    @classmethod
    def _of(
        cls,
        chunks: tuple[NDArray[np.void], ...],
        length: int,
        layout: tuple[IntArray, IntArray] | None = None,
    ) -> Self:
        made = cls()
        made._chunks, made._length, made._layout = chunks, length, layout
        return made

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, field: str) -> NDArray[Any]:
        """Return a column of all rows."""
        return self.rows()[field]

    @property
    def first_seq(self) -> int | None:
        """The first decision among them; None if there is none."""
        return int(self._chunks[0]["seq"][0]) if self._chunks else None

    @property
    def last_seq(self) -> int | None:
        """The last decision among them; None if there is none."""
        return int(self._chunks[-1]["seq"][-1]) if self._chunks else None

    def rows(self) -> NDArray[np.void]:
        """Return all rows as one array."""
        return np.concatenate(self._chunks) if self._chunks else np.empty(0, dtype=PENDING)

    def append_rows(self, rows: NDArray[np.void]) -> Self:
        """Return these cases and new ones behind them."""
        chunks, fresh = self._chunks, rows
        if chunks and len(chunks[-1]) < _CHUNK:
            room = _CHUNK - len(chunks[-1])
            last, filled = chunks[-1], rows[:room]
            grown = np.empty(len(last) + len(filled), dtype=PENDING)
            grown[: len(last)], grown[len(last) :] = last, filled
            chunks, fresh = (*chunks[:-1], grown), rows[room:]
        more = tuple(fresh[i : i + _CHUNK] for i in range(0, len(fresh), _CHUNK))
        return self._of((*chunks, *more), self._length + len(rows))

    def head(self, n: int) -> NDArray[np.void]:
        """Return the first n rows."""
        found, left = [], n
        for chunk in self._chunks:
            if left <= 0:
                break
            found.append(chunk[:left])
            left -= len(chunk)
        return np.concatenate(found) if found else np.empty(0, dtype=PENDING)

    def drop_head(self, n: int) -> Self:
        """Return all but the first n rows."""
        left, place = n, 0
        while place < len(self._chunks) and left >= len(self._chunks[place]):
            left -= len(self._chunks[place])
            place += 1
        rest = self._chunks[place:]
        if left:
            rest = (rest[0][left:], *rest[1:])
        return self._of(rest, max(0, self._length - n))

    def places_of(self, seq: IntArray) -> tuple[IntArray, BoolArray]:
        """Return where decisions stand among the rows, and whether they are there; else where they would."""
        place = np.empty(len(seq), dtype=np.int64)
        found = np.zeros(len(seq), dtype=np.bool_)
        ends, offset = self._ends_and_offsets()
        of_chunk = np.searchsorted(ends, seq)
        for number in np.unique(of_chunk).tolist():
            rows = np.flatnonzero(of_chunk == number)
            if number == len(self._chunks):
                place[rows] = self._length
                continue
            known = self._chunks[number]["seq"]
            inside = np.searchsorted(known, seq[rows])
            place[rows] = offset[number] + inside
            found[rows] = known[inside] == seq[rows]
        return place, found

    def take(self, place: IntArray) -> NDArray[np.void]:
        """Return the rows at some places."""
        found = np.empty(len(place), dtype=PENDING)
        for number, rows, inside in self._by_chunk(place):
            found[rows] = self._chunks[number][inside]
        return found

    def set_labels(self, place: IntArray, wrong: NDArray[Any] | int) -> Self:
        """Return the same rows, some of them with their label: 0 right, 1 wrong, 2 lost."""
        chunks, labels = list(self._chunks), np.broadcast_to(wrong, place.shape)
        for number, rows, inside in self._by_chunk(place):
            chunks[number] = chunks[number].copy()
            chunks[number]["wrong"][inside] = labels[rows]
        return self._of(tuple(chunks), self._length, self._layout)

    def _ends_and_offsets(self) -> tuple[IntArray, IntArray]:
        """Return the last decision of each chunk, and how many rows stand before each and in all; labels change neither."""
        if self._layout is None:
            ends = np.array([chunk["seq"][-1] for chunk in self._chunks], dtype=np.int64)
            sizes = [0, *map(len, self._chunks)]
            self._layout = ends, np.cumsum(sizes, dtype=np.int64)
        return self._layout

    def _by_chunk(self, place: IntArray) -> list[tuple[int, IntArray, IntArray]]:
        """Return by chunk: its number, which of the places lie in it, and where."""
        _, offset = self._ends_and_offsets()
        of_chunk = np.searchsorted(offset[1:], place, side="right")
        found: list[tuple[int, IntArray, IntArray]] = []
        for number in np.unique(of_chunk).tolist():
            rows = np.flatnonzero(of_chunk == number)
            found.append((number, rows, place[rows] - offset[number]))
        return found

    def n_known(self) -> int:
        """Return how many rows stand before the first whose label has not come."""
        n = 0
        for chunk in self._chunks:
            unknown = chunk["wrong"] == UNKNOWN
            if unknown.any():
                return n + int(unknown.argmax())
            n += len(chunk)
        return n

    def next_answered(self, seq: int) -> int | None:
        """Return the first audited answer behind a decision; None if there is none."""
        for chunk in self._chunks:
            if chunk["seq"][-1] <= seq:
                continue
            wanted = chunk["answered"] & (chunk["seq"] > seq)
            if wanted.any():
                return int(chunk["seq"][wanted.argmax()])
        return None

    def find_changes(self, before: PendingCases) -> NDArray[np.void]:
        """Return the rows that are new or have another label than before; what left is not among them."""
        first = _n_shared(self._chunks, before._chunks)
        mine, known = self._chunks[first:], before._chunks[first:]
        last = _n_shared(mine[::-1], known[::-1])
        mine, known = mine[: len(mine) - last], known[: len(known) - last]
        theirs = {id(chunk) for chunk in known}
        rows = [chunk for chunk in mine if id(chunk) not in theirs]
        if not rows:
            return np.empty(0, dtype=PENDING)
        own = {id(chunk) for chunk in mine}
        old = [chunk for chunk in known if id(chunk) not in own]
        if len(old) == 1 and rows[0][: len(old[0])].tobytes() == old[0].tobytes():
            rows, old = [rows[0][len(old[0]) :], *rows[1:]], []  # only grown, as by a decision
        fresh = rows[0] if len(rows) == 1 else np.concatenate(rows)
        if not old:
            return fresh
        was = np.concatenate(old)
        place = np.minimum(np.searchsorted(was["seq"], fresh["seq"]), len(was) - 1)
        same = (was["seq"][place] == fresh["seq"]) & (was["wrong"][place] == fresh["wrong"])
        changed: NDArray[np.void] = fresh[~same]
        return changed


def _n_shared(one: tuple[object, ...], two: tuple[object, ...]) -> int:
    """Return how many items two tuples begin with that are the same objects."""
    return next(compress(count(), map(is_not, one, two)), min(len(one), len(two)))
