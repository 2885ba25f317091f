"""A Merkle tree as of RFC 6962: one hash stands for all rows, and a few show that a row is among them.

What is written to the end of the log needs only the hashes at its right edge (`Tree`). A proof asks for whole
subtrees, by level and place, of whoever keeps them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

__all__ = [
    "TILE",
    "Node",
    "Tree",
    "consistency_path",
    "inclusion_path",
    "is_consistent",
    "is_included",
    "leaf_hash",
    "node_hash",
]

TILE = 8
"""Levels between the whole subtrees that a tree hands over to be kept: each 256 rows, 65,536, ..."""

Node = Callable[[int, int], bytes]
"""The hash of a whole subtree: of the 2**level rows from place * 2**level on."""

_sha256 = hashlib.sha256
_EMPTY = _sha256(b"").digest()


def leaf_hash(row: bytes) -> bytes:
    """Return the hash of a row."""
    return _sha256(b"\x00" + row).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash over two hashes."""
    return _sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that grows: how many rows it has, and the hashes at its right edge.

    Parameters
    ----------
    size : int
        Rows.
    peaks : sequence of bytes
        Of its whole subtrees, the largest first: one for each bit of the size.
    """

    def __init__(self, size: int = 0, peaks: Sequence[bytes] = ()) -> None:
        self.size, self.peaks = size, list(peaks)
        self.whole: list[tuple[int, int, bytes]] = []
        if len(self.peaks) != size.bit_count():
            raise ValueError(f"a tree of {size} rows has {size.bit_count()} peaks")

    def to_dict(self) -> dict[str, Any]:
        """Return its right edge as plain values."""
        return {"size": self.size, "peaks": [peak.hex() for peak in self.peaks]}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(plain["size"], [bytes.fromhex(peak) for peak in plain["peaks"]])

    def copy(self) -> Self:
        """Return another one that grows from here; what is to be kept stays with this one."""
        return type(self)(self.size, self.peaks)

    def append(self, hashes: Sequence[bytes]) -> None:
        """Add rows at the end; whole subtrees of each `TILE` levels are added to `whole`."""
        place, level, row = self.size, 0, list(hashes)
        self.size += len(row)
        edge: list[bytes] = []  # the smallest subtree first
        while row:
            if level and level % TILE == 0:
                self.whole += [(level, place + i, one) for i, one in enumerate(row)]
            if place & 1:
                row.insert(0, self.peaks.pop())
            if len(row) & 1:
                edge.append(row.pop())
            ends = iter(row)
            row = [_sha256(b"\x01" + left + right).digest() for left, right in zip(ends, ends)]  # noqa: B905
            place, level = place // 2, level + 1
        self.peaks += edge[::-1]

    def root(self) -> bytes:
        """Return the hash that stands for all rows."""
        return _fold(self.peaks)


def _fold(peaks: Sequence[bytes]) -> bytes:
    if not peaks:
        return _EMPTY
    root = peaks[-1]
    for peak in peaks[-2::-1]:
        root = _sha256(b"\x01" + peak + root).digest()
    return root


def inclusion_path(place: int, size: int, node: Node) -> list[bytes]:
    """Return the hashes that lead from a row to the root of the first `size` rows.

    Raises
    ------
    ValueError
        If the row is not among them.
    """
    if not 0 <= place < size:
        raise ValueError(f"row {place} is not among {size}")
    path: list[bytes] = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        if place < middle:
            path.append(_subtree(middle, high, node))
            high = middle
        else:
            path.append(_subtree(low, middle, node))
            low = middle
    return path[::-1]


def is_included(leaf: bytes, place: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Return whether a path leads from the hash of a row to the root (RFC 9162, 2.1.3.2)."""
    if not 0 <= place < size:
        return False
    number, last, made = place, size - 1, leaf
    for one in path:
        if not last:
            return False
        if number & 1 or number == last:
            made = node_hash(one, made)
            while not number & 1 and number:
                number, last = number >> 1, last >> 1
        else:
            made = node_hash(made, one)
        number, last = number >> 1, last >> 1
    return last == 0 and made == root


def consistency_path(first: int, second: int, node: Node) -> list[bytes]:
    """Return the hashes which show that the first rows are the beginning of more rows.

    Raises
    ------
    ValueError
        Unless 0 < first <= second.
    """
    if not 0 < first <= second:
        raise ValueError(f"a tree of {first} rows is not the beginning of one of {second}")
    path: list[bytes] = []
    low, high = 0, second
    while first != high:
        middle = low + _split(high - low)
        if first <= middle:
            path.append(_subtree(middle, high, node))
            high = middle
        else:
            path.append(_subtree(low, middle, node))
            low = middle
    return path[::-1] if low == 0 else [_subtree(low, high, node), *path[::-1]]


def is_consistent(first: int, second: int, path: Sequence[bytes], old: bytes, new: bytes) -> bool:
    """Return whether a path shows that a root grew from another (RFC 9162, 2.1.4.2)."""
    if not 0 < first <= second:
        return False
    if first == second:
        return not path and old == new
    steps = list(path)
    if first & (first - 1) == 0:
        steps.insert(0, old)
    if not steps:
        return False
    number, last = first - 1, second - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    before = after = steps[0]
    for one in steps[1:]:
        if not last:
            return False
        if number & 1 or number == last:
            before, after = node_hash(one, before), node_hash(one, after)
            while not number & 1 and number:
                number, last = number >> 1, last >> 1
        else:
            after = node_hash(after, one)
        number, last = number >> 1, last >> 1
    return last == 0 and before == old and after == new


def _split(n: int) -> int:
    """Return the greatest power of two below a number of rows."""
    return 1 << ((n - 1).bit_length() - 1)


def _subtree(low: int, high: int, node: Node) -> bytes:
    """Return the root of rows from a place on that a split reaches."""
    n, peaks = high - low, []
    for level in range(n.bit_length() - 1, -1, -1):
        if n >> level & 1:
            peaks.append(node(level, low >> level))
            low += 1 << level
    return _fold(peaks)
