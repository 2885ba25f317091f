"""A random order of a file's items that nobody chose, and that a later reader makes anew.

It follows from the items' names alone. Labels that are complete from its beginning on were therefore
drawn at random, whoever else labelled what for whichever reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

__all__ = ["count_sealed", "seal_of", "sealed_order"]


def seal_of(tasks: Sequence[str]) -> str:
    """Return the seal of some items: 16 hexadecimal digits of the SHA-256 of their sorted names."""
    lengths = (
        f"{len(task)}:{task}" for task in sorted(tasks)
    )  # no two lists of names write the same
    return hashlib.sha256("".join(lengths).encode()).hexdigest()[:16]


def sealed_order(tasks: Sequence[str]) -> tuple[str, ...]:
    """Return the items in the order of their seal.

    Examples
    --------
    >>> from askpoint.judges.gold.seals import sealed_order
    >>> sealed_order(["a", "b", "c"]) == sealed_order(["c", "a", "b"])
    True
    """
    seal = seal_of(tasks)
    return tuple(sorted(tasks, key=lambda task: hashlib.sha256(f"{seal}:{task}".encode()).digest()))


def count_sealed(tasks: Sequence[str], labelled: Collection[str]) -> int:
    """Return how many items are labelled from the beginning of the order on, without a gap.

    Examples
    --------
    >>> from askpoint.judges.gold.seals import count_sealed, sealed_order
    >>> first, second, third = sealed_order(["a", "b", "c"])
    >>> count_sealed(["a", "b", "c"], {first, third}), count_sealed(["a", "b", "c"], {second})
    (1, 0)
    """
    known, n = set(labelled), 0
    for task in sealed_order(tasks):
        if task not in known:
            break
        n += 1
    return n
