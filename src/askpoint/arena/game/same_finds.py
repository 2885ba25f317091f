"""Is a find the same as an earlier one, in other words? Judges say so, and who repeats on purpose is seen.

Two equal answers settle a comparison; where three judges give three answers, the find is new.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

__all__ = ["NEW", "is_repeating", "is_surely_repeating", "settle_comparison"]

NEW = "new"
"""The answer that a find is none of those shown."""

_AGREE, _MOST = 2, 3
_BY_CHANCE = 0.02  # of the finds of somebody who looks for new ones
_RARE = 0.01  # of such people are named; the organiser looks, and they lose nothing
_RAREST = 0.003  # of such people lose these finds where the organiser says nothing; .001 lets rare repeats pay .98
_FEWEST = 3


def settle_comparison(answers: Sequence[str]) -> str | None:
    """Return what judges say of a find: an earlier find's id, or `NEW`; None while that is open."""
    for answer, count in Counter(answers).most_common(1):
        if count >= _AGREE:
            return answer
    return NEW if len(answers) >= _MOST else None


def is_repeating(n_same: int, n_compared: int) -> bool:
    """Tell whether too many of a player's finds are own earlier ones in other words for that to be chance.

    Judges are not shown every source, so that the share which they name need not be high: it only has to be above what
    happens to people who look for new finds.

    Examples
    --------
    >>> is_repeating(3, 100), is_repeating(6, 40)
    (False, True)
    """
    return n_same >= _FEWEST and _tail(n_same, n_compared) < _RARE


def is_surely_repeating(n_same: int, n_compared: int) -> bool:
    """Tell whether that is so far from chance that without the organiser's word the finds count as repeats.

    Else who repeats on purpose would only have to wait for an organiser who does not look.

    Examples
    --------
    >>> is_surely_repeating(4, 40), is_surely_repeating(6, 40)
    (False, True)
    """
    return n_same >= _FEWEST and _tail(n_same, n_compared) < _RAREST


def _tail(count: int, n: int) -> float:
    """Return the chance of `count` or more of `n`."""
    below = sum(math.comb(n, k) * _BY_CHANCE**k * (1 - _BY_CHANCE) ** (n - k) for k in range(count))
    return max(0.0, 1 - below)
