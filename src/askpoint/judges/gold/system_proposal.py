"""Which items' two answers to label next, to learn which of two systems is better."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askpoint.errors import InputError
from askpoint.judges.gold.allocation import top_up
from askpoint.judges.gold.system_pairs import pair_systems
from askpoint.judges.sketch.tables import VoteTable

__all__ = ["propose_for_systems"]

_UNIFORM = 0.3  # share that goes by size alone


def propose_for_systems(
    first: VoteTable,
    second: VoteTable,
    n: int,
    rng: np.random.Generator,
    *,
    passing: str,
    labelled: Sequence[str] = (),
) -> tuple[str, ...]:
    """Propose items whose two answers to label next, drawn where the votes leave them open.

    Parameters
    ----------
    first, second : VoteTable
        As for `compare_systems`.
    n : int
        How many items.
    rng : numpy.random.Generator
        Draws them.
    passing : str
        The label of a good answer.
    labelled : sequence of str, optional
        Items whose answers are labelled already.

    Returns
    -------
    tuple of str
        Tasks, in random order.

    Raises
    ------
    InputError
        If fewer than `n` items are left, or as `compare_systems`.
    """
    pairs = pair_systems(first, second, passing)
    left = ~np.isin(pairs.tasks, list(labelled))
    if isinstance(n, bool) or not 1 <= n <= left.sum():
        raise InputError(
            f"n must be between 1 and {left.sum()}, the items not labelled yet; got {n}"
        )
    sizes, room = np.bincount(pairs.stratum), np.bincount(pairs.stratum, left)
    draws = top_up(sizes, sizes - room, pairs.deviation, _UNIFORM, n)
    chosen = [
        rng.choice(np.flatnonzero((pairs.stratum == h) & left), m, replace=False)
        for h, m in enumerate(draws)
    ]
    return tuple(pairs.tasks[i] for i in rng.permutation(np.concatenate(chosen)))
