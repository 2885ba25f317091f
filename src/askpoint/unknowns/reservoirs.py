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
_FIRST = 1 << 12  # cases that set limits for those that come with them


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
        Sums of the estimated costs, and of the estimated squared costs.

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
            raise InputError(f"a reservoir keeps at least one case, got {capacity}")
        self.edges = as_finite(edges, "edges").astype(np.float64)
        self.capacity = int(capacity)
        n_bins = len(self.edges) - 1
        self.sizes: IntArray = np.zeros(n_bins, dtype=np.int64)
        self.sums: FloatArray = np.zeros(n_bins)
        self.squares: FloatArray = np.zeros(n_bins)
        self._limit = np.full(n_bins, np.inf)
        self._keys: FloatArray = np.empty(0)
        self._bins: IntArray = np.empty(0, dtype=np.int64)
        self._items: NDArray[Any] = np.empty(0, dtype=object)

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
        of = bins_of(cost, self.edges)
        self.sizes += np.bincount(of, minlength=len(self.sizes))
        self.sums += np.bincount(of, cost, len(self.sizes))
        if squared is not None:
            self.squares += np.bincount(of, as_finite(squared, "squared"), len(self.sizes))
        for part in (slice(_FIRST), slice(_FIRST, None)):
            keys_of, bins = key[part], of[part]
            rows = np.flatnonzero(keys_of < self._limit[bins])
            self._keep(keys_of[rows], bins[rows], item[part][rows])

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
        self._keep(other._keys, other._bins, other._items)

    @property
    def kept(self) -> NDArray[Any]:
        """The cases kept now, of all bins, in no order that means anything."""
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
        rows = np.flatnonzero(self._bins == which)
        return self._items[rows[np.argsort(self._keys[rows], kind="stable")]][:n]

    def _keep(self, keys: FloatArray, bins: IntArray, items: NDArray[Any]) -> None:
        if not len(keys):
            return
        known = self._items if len(self._items) else self._items.astype(items.dtype)
        keys = np.concatenate([self._keys, keys])
        bins = np.concatenate([self._bins, bins])
        items = np.concatenate([known, items])
        order = np.lexsort((keys, bins))
        ends = np.cumsum(np.bincount(bins, minlength=len(self.sizes)))
        starts = np.append(0, ends[:-1])
        rank = np.arange(len(keys)) - starts[bins[order]]
        kept = order[rank < self.capacity]
        self._keys, self._bins, self._items = keys[kept], bins[kept], items[kept]
        last = order[rank == self.capacity - 1]
        self._limit[bins[last]] = keys[last]
