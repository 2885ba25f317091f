"""Whether items whose two answers are labelled were visibly not drawn at random, by the votes on both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError
from askpoint.judges.gold.label_selection import DrawTest
from askpoint.judges.gold.system_pairs import SystemPairs
from askpoint.measures.inputs import BoolArray
from askpoint.measures.label_draws import SELECTED, cut_parts, draw_p_value

__all__ = ["PairStratum", "SystemSelection", "find_system_selection"]

_APART = 0.1  # of the votes: beyond, the judges prefer one of the systems


@dataclass(frozen=True, kw_only=True)
class PairStratum:
    """Items on which the judges prefer one system, or neither.

    Attributes
    ----------
    prefers : {"first", "neither", "second"}
    n_items, n_labelled : int
    """

    prefers: str
    n_items: int
    n_labelled: int


@dataclass(frozen=True, kw_only=True)
class SystemSelection(DrawTest):
    """The test of labels of two systems' answers, by six statistics.

    Attributes
    ----------
    strata : tuple of PairStratum
    """

    strata: tuple[PairStratum, ...]


def find_system_selection(
    pairs: SystemPairs, labelled: BoolArray, rng: np.random.Generator, *, n_draws: int = 9999
) -> SystemSelection:
    """Test whether the labelled items were drawn at random.

    Six statistics compare labelled items with all: the mean share of votes that pass either answer, its
    distance from 1 / 2, the second system's share less the first's, the size of that, and chi-square of the
    counts in fifths of the first and of the third.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.judges.gold.label_selection import DrawTest
    >>> from askpoint.judges.gold.system_pairs import pair_systems
    >>> from askpoint.judges.gold.system_selection import find_system_selection
    >>> from askpoint.judges.sketch.tables import VoteTable
    >>> tasks = tuple(map(str, range(300)))
    >>> votes = np.array([[1, 1], [1, 0], [0, 0]] * 100, dtype=np.int16)
    >>> old = VoteTable(tasks, ("x", "y"), ("fail", "pass"), votes)
    >>> new = VoteTable(tasks, ("x", "y"), ("fail", "pass"), np.roll(votes, 1, axis=0))
    >>> pairs = pair_systems(old, new, "pass")
    >>> only_better = np.tile([True, False, False], 100)  # items whose answers are judged alike
    >>> find_system_selection(pairs, only_better, np.random.default_rng(0)).is_selected
    True
    """
    n = int(labelled.sum())
    if not n:
        raise InputError("no item has both answers labelled, so there is nothing to test")
    first, second = pairs.vote_share.reshape(2, -1)
    mean, gain = np.round((first + second) / 2, 9), np.round(second - first, 9)
    cells, at = np.unique(np.column_stack([pairs.stratum, mean, gain]), axis=0, return_inverse=True)
    at = at.ravel()
    items = np.bincount(at).astype(np.int64)
    drawn = np.bincount(at, labelled).astype(np.int64)
    home, mean_of, gain_of = cells[:, 0].astype(np.int64), cells[:, 1], cells[:, 2]

    def test(stratum: np.ndarray | None) -> float:
        return draw_p_value(
            items,
            drawn,
            rng,
            scores=[mean_of, np.abs(mean_of - 0.5), gain_of, np.abs(gain_of)],
            parts=[cut_parts(mean_of, items), cut_parts(gain_of, items)],
            stratum=stratum,
            n_draws=n_draws,
        )

    sizes = np.bincount(pairs.stratum)
    spread = sizes * pairs.deviation
    least = (spread / spread.sum() + sizes / sizes.sum()) / 4  # half of what a proposal goes by
    empty = np.bincount(pairs.stratum, labelled) == 0
    may_be = (1 - least[empty].sum()) ** n >= SELECTED
    side = np.where(gain > _APART, 2, np.where(gain < -_APART, 0, 1))
    strata = tuple(
        PairStratum(
            prefers=name,
            n_items=int((side == k).sum()),
            n_labelled=int((labelled & (side == k)).sum()),
        )
        for k, name in enumerate(("first", "neither", "second"))
    )
    return SystemSelection(
        p_random=test(None), p_proposed=test(home) if may_be else 0.0, strata=strata
    )
