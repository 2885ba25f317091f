"""Two judges who decide a player's finds together more often than chance has it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from askpoint.arena.game.ruling import Ruling

__all__ = ["deciding_pair", "suspicious_pairs"]

_RARE = 0.001  # chance, for honest judges, that any pair is named
_FEWEST = 3


def deciding_pair(ruling: Ruling) -> frozenset[str]:
    """Return the judges whose votes decided a case."""
    return frozenset(vote.reviewer for vote in ruling.counted if vote.choice == ruling.answer)


def suspicious_pairs(
    deciding: Iterable[frozenset[str]], n_judges: int
) -> frozenset[frozenset[str]]:
    """Return the pairs of judges that decided too many of one player's finds, of those who decided each.

    Judges are drawn by the queue: each of their pairs decides as often as another. A pair is named where chance brings
    as many finds to any of them once in 1,000 players.
    """
    n_pairs = math.comb(n_judges, 2)
    pairs = [pair for pair in deciding if len(pair) == 2]
    if n_pairs < 2:
        return frozenset()
    return frozenset(
        pair
        for pair, count in Counter(pairs).items()
        if count >= _FEWEST and n_pairs * _tail(count, len(pairs), 1 / n_pairs) < _RARE
    )


def _tail(count: int, n: int, share: float) -> float:
    """Return the chance of `count` or more of `n`."""
    return sum(math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(count, n + 1))
