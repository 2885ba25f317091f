"""Status of each group of a policy in use: from where it is decided alone, and what its audits found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from askpoint.live.documents import PolicyDocument
from askpoint.live.state import State

__all__ = ["GroupInUse", "GroupTally", "groups_in_use", "tally_groups"]


@dataclass(frozen=True)
class GroupInUse:
    """A group of a policy in use.

    Parameters
    ----------
    name : str or None
        The group; None is that of cases that name none.
    threshold : float or None
        The confidence from which its cases are decided alone; None where none is.
    is_new : bool
        Whether the log with which the policy opened lacks it.
    decided, answered : int
        Its cases so far, and those decided alone.
    audits, mistakes : int
        Answers that were drawn for an audit and have a label, and those among them that were wrong.
    """

    name: str | None
    threshold: float | None
    is_new: bool
    decided: int
    answered: int
    audits: int
    mistakes: int


class GroupTally(NamedTuple):
    """Cases of a group, those decided alone, labelled audits of these, and mistakes among the audits."""

    decided: int = 0
    answered: int = 0
    audits: int = 0
    mistakes: int = 0


def groups_in_use(
    document: PolicyDocument, state: State, tallies: Mapping[str | None, GroupTally]
) -> tuple[GroupInUse, ...]:
    """Return the status of each group, the largest first; none where the policy has no groups."""
    scale = document.group_scale
    if scale is None:
        return ()
    thresholds = scale.thresholds(state.threshold)
    found = [
        GroupInUse(
            name, thresholds.get(name), name not in thresholds, *tallies.get(name, GroupTally())
        )
        for name in dict.fromkeys([*thresholds, *tallies])
    ]
    return tuple(sorted(found, key=lambda each: -each.decided))


def tally_groups(decisions: pl.DataFrame, labels: pl.DataFrame) -> dict[str | None, GroupTally]:
    """Count cases and audits by group, from the tables that a deployment keeps."""
    said = (
        labels.filter(pl.col("source") == "audit")
        .unique("key", keep="first", maintain_order=True)
        .select("key", "label")
    )
    answers = pl.coalesce("would", "action") == "answer"
    rows = decisions.select("key", "group", "prediction", answers.alias("answers")).join(
        said, on="key", how="left"
    )
    known = pl.col("answers") & pl.col("label").is_not_null()
    counts = rows.group_by("group").agg(
        decided=pl.len(),
        answered=pl.col("answers").sum(),
        audits=known.sum(),
        mistakes=(known & (pl.col("label") != pl.col("prediction"))).sum(),
    )
    return {name: GroupTally(*numbers) for name, *numbers in counts.iter_rows()}
