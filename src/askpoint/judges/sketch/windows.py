"""Rings of sketches, one a period: sliding windows and decay, from exact integers."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askpoint.errors import InputError
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["DecayedSketch", "SketchRing"]


class DecayedSketch:
    """Counts of patterns of which older ones weigh less.

    Parameters
    ----------
    sketches : sequence of VoteSketch
        Of the same judges and labels, the oldest first.
    weights : sequence of float
        What an item of each weighs.

    Attributes
    ----------
    judges, labels : tuple of str
        As in the sketches.
    n_items : float
        Sum of the items' weights.
    effective_size : float
        (sum w)^2 / sum w^2: as many equally weighty items would tell as much.
    """

    def __init__(self, sketches: Sequence[VoteSketch], weights: Sequence[float]) -> None:
        self.judges, self.labels = sketches[0].judges, sketches[0].labels
        sizes = np.array([sketch.n_items for sketch in sketches], dtype=np.float64)
        w = np.asarray(weights, dtype=np.float64)
        self.n_items = float(w @ sizes)
        self.effective_size = self.n_items**2 / float(w**2 @ sizes) if self.n_items else 0.0
        cells = [sketch.cells() for sketch in sketches]
        rows = np.concatenate([part.votes for part in cells])
        each = np.concatenate([c.counts * weight for c, weight in zip(cells, w, strict=True)])
        votes, place = np.unique(rows, axis=0, return_inverse=True)
        self._votes: NDArray[np.int16] = votes
        self._weights = np.zeros(len(votes))
        np.add.at(self._weights, place.ravel(), each)

    def cells(self) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
        """Return the patterns in lexicographic order, and the weight of each."""
        return self._votes, self._weights


class SketchRing:
    """The sketches of the last periods; the oldest is forgotten when a new one begins.

    Parameters
    ----------
    judges, labels
        As for `VoteSketch`.
    n_periods : int
        How many are kept.

    Attributes
    ----------
    periods : tuple of int
        Those kept, in order; periods in which nothing came included.
    """

    def __init__(self, judges: int | Sequence[str], labels: Sequence[Any], n_periods: int) -> None:
        if n_periods < 1:
            raise InputError(f"a ring keeps at least one period, got {n_periods}")
        self._empty = VoteSketch(judges, labels)
        self._sketches: deque[VoteSketch] = deque(maxlen=n_periods)
        self._last = 0

    @property
    def periods(self) -> tuple[int, ...]:
        """The periods that are kept."""
        return tuple(range(self._last - len(self._sketches) + 1, self._last + 1))

    def at(self, period: int) -> VoteSketch:
        """Return the sketch of a period, to count in it; a new period moves the ring on."""
        if not self._sketches:
            self._last = period - 1
        for _ in range(min(period - self._last, self._sketches.maxlen or 0)):
            self._sketches.append(VoteSketch(self._empty.judges, self._empty.labels))
        self._last = max(self._last, period)
        if period not in self.periods:
            raise InputError(
                f"period {period} is forgotten: the ring keeps {self.periods[0]} to {self._last}"
            )
        return self._sketches[period - self._last - 1]

    def window(self, n_periods: int | None = None) -> VoteSketch:
        """Return the sketch of the last periods together, in exact integers."""
        total = VoteSketch(self._empty.judges, self._empty.labels)
        for sketch in self._recent(n_periods):
            total.merge(sketch)
        return total

    def decayed(self, half_life: float) -> DecayedSketch:
        """Return the counts with the weight lambda^dt, where dt is the age in periods."""
        if not half_life > 0:
            raise InputError(f"a half-life is a positive number of periods, got {half_life}")
        sketches = self._recent(None)
        if not sketches:
            raise InputError("the ring holds no period; count something with at(period)")
        ages = np.arange(len(sketches))[::-1]
        return DecayedSketch(sketches, (0.5 ** (ages / half_life)).tolist())

    def _recent(self, n_periods: int | None) -> list[VoteSketch]:
        sketches = list(self._sketches)
        return sketches if n_periods is None else sketches[-n_periods:] if n_periods > 0 else []
