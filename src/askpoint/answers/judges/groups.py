"""The share of the label of interest in parts of the items, all intervals holding together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.errors import InputError
from askpoint.judges.gold.simultaneous import SliceShare, slice_shares
from askpoint.judges.sketch.tables import VoteTable

__all__ = ["GroupShares", "answer_groups"]

_MOST = 50


@dataclass(frozen=True)
class GroupShares:
    """Shares by group.

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


def answer_groups(
    answer: JudgesAnswer, table: VoteTable, groups: Mapping[str, str], *, any_time: bool = False
) -> GroupShares:
    """Return the share of the label of interest in each group."""
    sizes = Counter(groups[task] for task in table.tasks if task in groups)
    if len(sizes) > _MOST:
        raise InputError(
            f"--by takes a column of at most {_MOST} groups; this one has {len(sizes)}"
        )
    gold, level = answer.origin.labels, answer.question.level
    shares: dict[str, SliceShare | None] = dict.fromkeys(sizes)
    if answer.origin.labels and answer.n_gold:
        shares = slice_shares(table, gold, groups, answer.label, level=level, any_time=any_time)
    return GroupShares(answer.label, level, shares, dict(sorted(sizes.items())))
