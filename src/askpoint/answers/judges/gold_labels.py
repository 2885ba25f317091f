"""What people's gold labels add to votes: the truth of some items, and which to check next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.proposal import propose_gold
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["ItemsToCheck", "check_gold", "items_to_check"]


def check_gold(table: VoteTable, gold: Mapping[str, str]) -> int:
    """Check gold labels, and count those of items that somebody judged."""
    for task, label in gold.items():
        if label not in table.labels:
            raise InputError(
                f"the gold label {label!r} of {task!r} is not one of the judges' "
                f"labels {', '.join(map(repr, table.labels))}; name all with --labels"
            )
    n_known = sum(task in gold for task in table.tasks)
    if gold and not n_known:
        raise InputError(
            f"none of the {len(gold)} gold labels matches an item with votes: they name "
            f"{next(iter(gold))!r}, the votes {', '.join(map(repr, table.tasks[:1]))}; name the column "
            "of the items with --task"
        )
    return n_known


@dataclass(frozen=True)
class ItemsToCheck:
    """Which items to check next.

    Attributes
    ----------
    tasks : tuple of str
        In random order.
    n_later : int
        How many more were asked for, better chosen when these are checked.
    """

    tasks: tuple[str, ...] = ()
    n_later: int = 0


def items_to_check(
    table: VoteTable,
    sketch: VoteSketch,
    gold: Mapping[str, str],
    n: int,
    counted: GoldSketch | None,
) -> ItemsToCheck:
    """Return the items to check next; the same for the same votes and gold labels."""
    checked = np.array([task in gold for task in table.tasks])
    n = min(n, int((~checked).sum()))
    if not n:
        return ItemsToCheck()
    proposal = propose_gold(sketch, n, gold=counted)
    rows = proposal.draw(table.codes, np.random.default_rng(0), checked)
    return ItemsToCheck(tuple(table.tasks[row] for row in rows), proposal.n_later)
