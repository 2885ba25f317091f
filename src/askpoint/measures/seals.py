"""A random order of a file's items that nobody chose, and that a later reader makes anew.

It follows from the items' names alone. Labels that are complete from its beginning on were therefore
drawn at random, whoever else labelled what for whichever reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

__all__ = ["count_sealed", "order_by_seal", "seal_of"]


def seal_of(tasks: Sequence[str]) -> str:
    """Return the seal of some items: 16 hexadecimal digits of the SHA-256 of their sorted names."""
    lengths = (
        f"{len(task)}:{task}" for task in sorted(tasks)
    )  # no two lists of names write the same
    return hashlib.sha256("".join(lengths).encode()).hexdigest()[:16]


def order_by_seal(tasks: Sequence[str]) -> tuple[str, ...]:
    """Return the items in the order of their seal.

    Examples
    --------
    >>> from askpoint.measures.seals import order_by_seal
    >>> order_by_seal(["a", "b", "c"]) == order_by_seal(["c", "a", "b"])
    True
    """
    seal = seal_of(tasks)
    return tuple(sorted(tasks, key=lambda task: hashlib.sha256(f"{seal}:{task}".encode()).digest()))


def count_sealed(tasks: Sequence[str], labelled: Collection[str]) -> int:
    """Return how many items are labelled from the beginning of the order on, without a gap.

    Examples
    --------
    >>> from askpoint.measures.seals import count_sealed, order_by_seal
    >>> first, second, third = order_by_seal(["a", "b", "c"])
    >>> count_sealed(["a", "b", "c"], {first, third}), count_sealed(["a", "b", "c"], {second})
    (1, 0)
    """
    known, n = set(labelled), 0
    for task in order_by_seal(tasks):
        if task not in known:
            break
        n += 1
    return n
