"""A random sample of each bin of estimated cost, out of as many cases as come.

The memory is constant. A log is read once for the range and once for the sample; a stream,
whose range nobody knows, is binned over the whole scale of costs and examined continually.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError, SketchError
from askpoint.measures.inputs import FloatArray, IntArray, as_finite, as_same_length

__all__ = ["Reservoirs", "bin_edges", "bins_of"]

_FEW = 32  # edges that are compared one by one
_WAITING = 1 << 10  # cases with low keys that are sorted at a time
_PIECE = 1 << 15  # cases at which one looks at a time: they stay in a processor's cache


def bin_edges(low: float, high: float, n_bins: int) -> FloatArray:
    """Part a range into bins of equal width."""
    if n_bins < 1 or not low <= high:
        raise InputError(
            f"a range needs at least one bin and low <= high: got {n_bins}, {low}, {high}"
        )
    return np.linspace(low, high, n_bins + 1)


def bins_of(values: ArrayLike, edges: ArrayLike) -> IntArray:
    """Return the bin of each value; what lies outside the range counts to the bin at its end."""
    inner, numbers = np.asarray(edges)[1:-1], np.asarray(values)
    if len(inner) > _FEW:
        return np.searchsorted(inner, numbers, side="right")
    passed = np.zeros(numbers.shape, np.uint8)
    for edge in inner:  # four times faster than a search for each
        passed += numbers >= edge
    return passed.astype(np.int64)


def _narrow_edges(edges: FloatArray) -> FloatArray:
    """Return edges that numbers of single precision reach where they reach these: compared twice as fast."""
    narrow = edges.astype(np.float32)
    up: FloatArray = np.nextafter(narrow, np.float32(np.inf))
    return np.where(narrow < edges, up, narrow)


class Reservoirs:
    """Keeps the cases with the least random keys of each bin.

    With independent uniform keys the cases kept are a simple random sample of all that
    came, in whatever order and pieces they came.

    Parameters
    ----------
    edges : array-like of shape (n_bins + 1,)
        Edges of the bins of estimated cost.
    capacity : int
        Cases to keep in each bin.

    Attributes
    ----------
    edges : ndarray of shape (n_bins + 1,)
        The edges.
    capacity : int
        The capacity.
    sizes : ndarray of int64 of shape (n_bins,)
        Cases that came so far (symbol N_b).
    sums, squares : ndarray of shape (n_bins,)
        Sums of the estimated costs, and of the estimated squared costs, of those cases that came with both.

    Raises
    ------
    InputError
        If the capacity is below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.unknowns.reservoirs import Reservoirs, bin_edges
    >>> kept = Reservoirs(bin_edges(0, 0.5, 2), capacity=3)
    >>> rng = np.random.default_rng(0)
    >>> for start in range(0, 1000, 100):  # a stream in pieces
    ...     kept.update(range(start, start + 100), rng.random(100) / 2, rng.random(100))
    >>> [len(kept.items(b)) for b in (0, 1)], int(kept.sizes.sum())
    ([3, 3], 1000)
    """

    def __init__(self, edges: ArrayLike, capacity: int) -> None:
        if capacity < 1:
            raise InputError(f"a reservoir keeps at least one case; got {capacity}")
        self.edges = as_finite(edges, "edges").astype(np.float64)
        self._narrow_edges = _narrow_edges(self.edges)
        self.capacity = int(capacity)
        n_bins = len(self.edges) - 1
        self.sizes: IntArray = np.zeros(n_bins, dtype=np.int64)
        self.sums: FloatArray = np.zeros(n_bins)
        self.squares: FloatArray = np.zeros(n_bins)
        self._limit = np.full(n_bins, np.inf)
        self._keys: FloatArray = np.empty(0)
        self._bins: IntArray = np.empty(0, dtype=np.int64)
        self._items: NDArray[Any] = np.empty(0, dtype=object)
        self._waiting: list[tuple[FloatArray, IntArray, NDArray[Any]]] = []

    def update(
        self,
        items: ArrayLike,
        estimated: ArrayLike,
        keys: ArrayLike,
        *,
        squared: ArrayLike | None = None,
    ) -> None:
        """Let cases come.

        Parameters
        ----------
        items : array-like of shape (n_items,)
            Their ids or row numbers.
        estimated : array-like of shape (n_items,)
            Their estimated costs.
        keys : array-like of shape (n_items,)
            Independent uniform numbers for a random sample; the negative estimated costs
            keep the most uncertain.
        squared : array-like of shape (n_items,), optional
            Their estimated squared costs, which Neyman's allocation needs.

        Raises
        ------
        InputError
            If the lengths differ.
        """
        cost = as_finite(estimated, "estimated costs")
        key = as_finite(keys, "keys")
        as_same_length(cost, key, ("estimated costs", "keys"))
        item = np.asarray(items)
        as_same_length(item, cost, ("items", "estimated costs"))
        squares = None if squared is None else as_finite(squared, "squared")
        for start in range(0, len(cost), _PIECE):
            some = slice(start, start + _PIECE)
            self._count(cost[some], None if squares is None else squares[some])
            most = self._limit[self.sizes > 0].max()
            rows = start + np.flatnonzero(key[some] < most)
            bins = bins_of(cost[rows], self.edges)
            low = key[rows] < self._limit[bins]
            self._wait(key[rows[low]], bins[low], item[rows[low]])

    def merge(self, other: Reservoirs) -> None:
        """Let all cases of another stream come, too.

        Parameters
        ----------
        other : Reservoirs
            With the same edges and capacity; unchanged.

        Raises
        ------
        SketchError
            If edges or capacity differ.
        """
        if self.capacity != other.capacity or not np.array_equal(self.edges, other.edges):
            raise SketchError("only reservoirs with the same edges and capacity can be merged")
        self.sizes += other.sizes
        self.sums += other.sums
        self.squares += other.squares
        other._settle()
        self._wait(other._keys, other._bins, other._items)

    @property
    def kept(self) -> NDArray[Any]:
        """The cases kept now, of all bins, in no order that means anything."""
        self._settle()
        return self._items.copy()

    def items(self, which: int, n: int | None = None) -> NDArray[Any]:
        """Return the cases kept of one bin, in random order.

        Parameters
        ----------
        which : int
            The bin.
        n : int, optional
            How many; by default all.

        Returns
        -------
        ndarray
        """
        self._settle()
        rows = np.flatnonzero(self._bins == which)
        return self._items[rows[np.argsort(self._keys[rows], kind="stable")]][:n]

    def _count(self, cost: FloatArray, squares: FloatArray | None) -> None:
        n_bins = len(self.sizes)
        inner = (self._narrow_edges if cost.dtype == np.float32 else self.edges)[1:-1]
        if squares is None and n_bins <= _FEW:  # four times faster than to find the bin of each
            reached = [int(np.count_nonzero(cost >= edge)) for edge in inner]
            self.sizes -= np.diff([len(cost), *reached, 0])
            return
        of = bins_of(cost, self.edges)
        self.sizes += np.bincount(of, minlength=n_bins)
        if squares is not None:
            self.sums += np.bincount(of, cost, n_bins)
            self.squares += np.bincount(of, squares, n_bins)

    def _wait(self, keys: FloatArray, bins: IntArray, items: NDArray[Any]) -> None:
        if not len(keys):
            return
        self._waiting.append((keys, bins, items))
        if sum(len(part[0]) for part in self._waiting) >= max(_WAITING, len(self._keys)):
            self._settle()

    def _settle(self) -> None:
        """Sort those that wait among those that are kept; limits fall."""
        if not self._waiting:
            return
        new_keys, new_bins, new_items = zip(*self._waiting, strict=True)
        self._waiting = []
        known = self._items if len(self._items) else self._items.astype(new_items[0].dtype)
        keys = np.concatenate([self._keys, *new_keys])
        bins = np.concatenate([self._bins, *new_bins])
        items = np.concatenate([known, *new_items])
        order = np.lexsort((keys, bins))
        ends = np.cumsum(np.bincount(bins, minlength=len(self.sizes)))
        starts = np.append(0, ends[:-1])
        rank = np.arange(len(keys)) - starts[bins[order]]
        kept = order[rank < self.capacity]
        self._keys, self._bins, self._items = keys[kept], bins[kept], items[kept]
        last = order[rank == self.capacity - 1]
        self._limit[bins[last]] = keys[last]
