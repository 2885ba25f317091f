"""Gold cases on which the model was wrong: do people see it, or do they label as the model answered?"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import polars as pl

from askpoint.measures.intervals import Interval, clopper_pearson

__all__ = ["Followers", "answer_followers"]

_LEVEL = 0.95
_CHANCE = 0.05  # of naming anybody where all follow alike, however often somebody looks
_FIRST_LOOK = (
    10  # labels of gold cases; then 20, 40, 80, ..., so no look in between can name by luck
)


@dataclass(frozen=True)
class Followers:
    """What people said of gold cases that the model had answered: the first label of each case.

    Parameters
    ----------
    mistakes, found : int
        Cases on which the model was wrong, and those of them on which people did not say what it said.
    right, blamed : int
        Cases on which it was right, and those of them that people labelled otherwise.
    share_found : Interval or None
        Share of its mistakes that people find, at 95%; None without any.
    follows : bool
        Whether people err more often where the model does: they follow it, or the same cases are hard for both. By
        Fisher's exact test of the first 10, 20, 40, ... cases, with a probability of at most 5% where neither is so.
    more_than_others : tuple of str
        Who said what it said, where it was wrong, more often than all others did: by the same test of the first 10,
        20, 40, ... labels, with a probability of at most 5% that anybody is ever named where all follow alike.
    """

    mistakes: int
    found: int
    right: int
    blamed: int
    share_found: Interval | None
    follows: bool
    more_than_others: tuple[str, ...]


def answer_followers(labels: pl.DataFrame) -> Followers | None:
    """Say whether people see mistakes of the model on gold cases; None where none of these was decided.

    `labels` are those of gold cases that were decided, with truth and prediction, in the order in which they came.
    """
    gold = labels.unique(["key", "judge"], keep="first", maintain_order=True).with_columns(
        is_mistake=pl.col("prediction") != pl.col("truth"),
        followed=pl.col("label") == pl.col("prediction"),
    )
    if gold.is_empty():
        return None
    first = gold.unique("key", keep="first", maintain_order=True)
    mistakes, right = first.filter("is_mistake"), first.filter(~pl.col("is_mistake"))
    found = int((~mistakes["followed"]).sum())
    return Followers(
        mistakes=len(mistakes),
        found=found,
        right=len(right),
        blamed=int((~right["followed"]).sum()),
        share_found=clopper_pearson(found, len(mistakes), _LEVEL) if len(mistakes) else None,
        follows=_follow(first),
        more_than_others=_more_than_others(gold.filter("is_mistake")),
    )


def _look_at(n: int) -> tuple[int, float]:
    """Return how many of n labels are looked at, and with which chance to err: over all looks at most `_CHANCE`."""
    if n < _FIRST_LOOK:
        return 0, 0.0
    look = (n // _FIRST_LOOK).bit_length()
    return _FIRST_LOOK * 2 ** (look - 1), _CHANCE / (look * (look + 1))


def _follow(first: pl.DataFrame) -> bool:
    n, chance = _look_at(len(first))
    mistaken, followed = first.head(n)["is_mistake"], first.head(n)["followed"]
    wrong, erred = int(mistaken.sum()), int((mistaken == followed).sum())
    if not 0 < wrong < n:
        return False
    return _chance(int((mistaken & followed).sum()), wrong, erred, n) <= chance


def _more_than_others(gold: pl.DataFrame) -> tuple[str, ...]:
    total, chance = _look_at(len(gold))
    gold = gold.head(total)
    people = gold.group_by("judge", maintain_order=True).agg(
        pl.len().alias("n"), pl.col("followed").sum()
    )
    followed = int(gold["followed"].sum())
    return tuple(
        name
        for name, n, own in people.sort("judge").iter_rows()
        if name and len(people) * _chance(own, n, followed, total) <= chance
    )


def _chance(k: int, drawn: int, marked: int, total: int) -> float:
    """Return with what probability k or more of so many drawn without replacement are marked."""
    ways = sum(comb(marked, i) * comb(total - marked, drawn - i) for i in range(k, drawn + 1))
    return ways / comb(total, drawn)
