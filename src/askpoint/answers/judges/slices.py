"""The share of the label of interest in parts of the items, all intervals holding together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.errors import InputError
from askpoint.judges.gold.simultaneous import SliceShare, slice_shares
from askpoint.judges.sketch.tables import VoteTable

__all__ = ["Slices", "answer_slices"]

_MOST = 50


@dataclass(frozen=True)
class Slices:
    """Shares by slice.

    Attributes
    ----------
    label : str
    level : float
        At which all intervals hold at once.
    shares : mapping of str to SliceShare or None
        None where no item is labelled.
    n_items : mapping of str to int
    """

    label: str
    level: float
    shares: Mapping[str, SliceShare | None]
    n_items: Mapping[str, int]


def answer_slices(
    answer: JudgesAnswer, table: VoteTable, slices: Mapping[str, str], *, any_time: bool = False
) -> Slices:
    """Return the share of the label of interest in each slice."""
    sizes = Counter(slices[task] for task in table.tasks if task in slices)
    if len(sizes) > _MOST:
        raise InputError(
            f"--slice takes a column of at most {_MOST} parts; this one has {len(sizes)}"
        )
    gold, level = answer.question.gold, answer.question.level
    shares: dict[str, SliceShare | None] = dict.fromkeys(sizes)
    if answer.n_gold:
        shares = slice_shares(table, gold, slices, answer.label, level=level, any_time=any_time)
    return Slices(answer.label, level, shares, dict(sorted(sizes.items())))
