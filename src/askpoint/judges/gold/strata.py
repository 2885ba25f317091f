"""Strata of vote patterns from which items are drawn: fixed by the votes alone.

So they are the same whenever somebody asks, and labels need no file of inclusion probabilities.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["cautious", "is_evenly_drawn", "merge_strata", "pattern_strata", "stratum_mass"]

_STRATA = 8
_SOFT = 0.005
_SLOPE = 0.7  # posteriors of judges are overconfident
_LEAST = 0.05  # of the spread: what votes are sure of must be looked at too
_FEWEST = 4  # labels a stratum needs
_EVEN = 0.05  # p from which labels count as drawn with equal chances, if strata tell nothing


def cautious(posterior: FloatArray) -> FloatArray:
    """Posterior of each label as it is believed before any label."""
    less = np.power(posterior + _SOFT, _SLOPE)
    return less / less.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]


def pattern_strata(counts: IntArray, posterior: FloatArray, vote_share: FloatArray) -> IntArray:
    """Cut the patterns, from one label to the other, into parts of equal expected spread."""
    believed = cautious(posterior)
    if believed.shape[1] == 2:
        order = np.lexsort((vote_share[:, 1], believed[:, 1]))
    else:
        order = np.lexsort((believed.max(axis=1), believed.argmax(axis=1)))
    mass = stratum_mass(counts, posterior)[order]
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    stratum = np.empty(len(counts), dtype=np.int64)
    stratum[order] = np.minimum((_STRATA * middle).astype(np.int64), _STRATA - 1)
    return np.unique(stratum, return_inverse=True)[1].ravel()


def stratum_mass(counts: IntArray, posterior: FloatArray) -> FloatArray:
    """Return the expected spread of each pattern's items, by which strata are of equal size."""
    open_ = (1 - np.square(cautious(posterior)).sum(axis=1)) / 2
    mass: FloatArray = counts * (np.sqrt(open_) + _LEAST)
    return mass


def merge_strata(stratum: IntArray, drawn: IntArray) -> IntArray:
    """Join each stratum with too few labels to the neighbour that has fewer."""
    n = np.bincount(stratum, drawn)
    home = np.arange(len(n))
    while len(n) > 1 and n.min() < _FEWEST:
        few = int(n.argmin())
        beside = [h for h in (few - 1, few + 1) if 0 <= h < len(n)]
        low = min(few, min(beside, key=lambda h: n[h]))
        n[low] += n[low + 1]
        n = np.delete(n, low + 1)
        home = np.where(home > low, home - 1, home)
    return home[stratum]


def is_evenly_drawn(sizes: FloatArray, draws: FloatArray) -> bool:
    """Say whether draws from strata look like those of equal chances: Pearson's chi-square."""
    expected = draws.sum() * sizes / sizes.sum()
    square = float((np.square(draws - expected) / expected).sum())
    return float(special.chdtrc(max(len(sizes) - 1, 1), square)) >= _EVEN
