"""Which earlier text does a text repeat? Of those who change a word or add some, nobody is new.

Resemblance by shared runs over all runs (`askpoint.unknowns.duplicates`) falls with each word that
is added; here the shorter text is sought in the longer one.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from askpoint.measures.inputs import IntArray
from askpoint.unknowns.duplicates import canonical_text

__all__ = ["REPEATED", "Repeats"]

REPEATED = 0.7
"""Share of the shorter text's runs in the longer one, from which one repeats the other."""

_RUN = 5
_SHORTEST = 1 / 3  # of the longer text: a phrase in an essay is not the essay
_ROOM = 1 << 20


def _runs(text: str) -> NDArray[np.uint32]:
    """Hash each run of five letters or digits, whatever stands between them."""
    shown = canonical_text(text)
    letters = "".join(filter(str.isalnum, shown)) or shown
    size = min(_RUN, len(letters))
    points = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    windows = np.lib.stride_tricks.sliding_window_view(points.astype(np.uint64), size)
    mixed = (windows * _FACTORS[:size]).sum(axis=1)
    return np.unique((mixed >> np.uint64(44)).astype(np.uint32))


class Repeats:
    """Texts in their order, and which of them another one repeats.

    A text repeats an earlier one when the shorter of both has at least a third of the other's
    runs of five letters, and the other holds at least 70 % of them: changes of signs, case,
    spaces, order, a word, or words added do not make it new.
    """

    def __init__(self) -> None:
        self._runs = np.zeros(1024, dtype=np.uint32)
        self._ends: list[int] = []
        self._used = 0

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, text: str) -> None:
        """Take in one more text."""
        new = _runs(text)
        while self._used + len(new) > len(self._runs):
            self._runs = np.concatenate([self._runs, np.zeros_like(self._runs)])
        self._runs[self._used : self._used + len(new)] = new
        self._used += len(new)
        self._ends.append(self._used)

    def of(self, text: str, start: int = 0) -> IntArray:
        """Return the places of the texts, from `start` on, that `text` repeats, in their order."""
        if start >= len(self._ends):
            return np.zeros(0, dtype=np.int64)
        new = _runs(text)
        is_repeat = np.zeros(_ROOM, dtype=bool)
        is_repeat[new] = True
        begin = self._ends[start - 1] if start else 0
        ends = np.array(self._ends[start:]) - begin
        starts = np.concatenate([[0], ends[:-1]])
        shared = np.add.reduceat(is_repeat[self._runs[begin : self._used]], starts, dtype=np.int64)
        sizes = ends - starts
        shorter, longer = np.minimum(sizes, len(new)), np.maximum(sizes, len(new))
        places: IntArray = np.flatnonzero(
            (shared >= REPEATED * shorter) & (shorter >= _SHORTEST * longer)
        )
        return places + start


_FACTORS = np.array(
    [int.from_bytes(hashlib.sha256(bytes([i])).digest()[:8], "little") | 1 for i in range(_RUN)],
    dtype=np.uint64,
)
