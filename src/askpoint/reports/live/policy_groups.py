"""Groups of a policy, said: from where each is decided alone, and what its audits found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.answers.live.first_policy import Opening
from askpoint.answers.live.group_standings import GroupInUse
from askpoint.reports.document import Block, Grid, Notice
from askpoint.reports.words import count, share, short_threshold

__all__ = [
    "groups_in_use_blocks",
    "groups_in_use_object",
    "opening_groups_blocks",
    "opening_groups_object",
]

_MOST_ROWS = 50
_NAMES_NONE = "(none)"


def opening_groups_blocks(opening: Opening) -> Iterator[Block]:
    """Yield from where each group is decided alone when a policy opens."""
    scale = opening.document.group_scale
    if scale is None:
        return
    thresholds = scale.thresholds(opening.document.state.threshold)
    labels = opening.labels_by_group
    order = sorted(thresholds, key=lambda name: -labels[name])
    rows = tuple((_name(name), count(labels[name]), _from(thresholds[name])) for name in order)
    yield Grid(
        "What it does in each group",
        ("group", "labels", "confidence threshold"),
        rows[:_MOST_ROWS],
        "The policy decides where the model is as likely to be right in every group. One limit, one mistake budget and "
        "one alarm hold for all groups together, and nothing is promised of any one group. A group that the log "
        f"does not have counts as one without labels.{_more(len(rows))}",
    )
    bare = [_name(name) for name in order if not labels[name]]
    if bare:
        shown = ", ".join(bare[:5]) + (" and others" if len(bare) > 5 else "")
        yield Notice(
            f"No label at all: {shown}. What is right there is taken from the other groups, with more doubt."
        )


def opening_groups_object(opening: Opening) -> list[dict[str, Any]]:
    """Return the same as part of a JSON object."""
    scale = opening.document.group_scale
    thresholds = {} if scale is None else scale.thresholds(opening.document.state.threshold)
    return [
        {"group": name, "n_labelled": opening.labels_by_group[name], "threshold": threshold}
        for name, threshold in thresholds.items()
    ]


def groups_in_use_blocks(groups: Sequence[GroupInUse]) -> Iterator[Block]:
    """Yield the status of each group of a policy in use."""
    rows = tuple(
        (
            _name(each.name) + (" (new)" if each.is_new else ""),
            "not in the log" if each.is_new else _from(each.threshold),
            count(each.decided),
            share(each.answered / each.decided) if each.decided else "–",
            count(each.audits),
            count(each.mistakes),
        )
        for each in groups
    )
    yield Grid(
        "Group by group",
        (
            "group",
            "decides alone from",
            "cases",
            "decided alone",
            "audits with a label",
            "wrong among them",
        ),
        rows[:_MOST_ROWS],
        "Audits are drawn at random among the answers, so the last two columns show how often the answers of a group are "
        "wrong. Limit, mistake budget and alarm hold for all groups together." + _more(len(rows)),
    )


def groups_in_use_object(groups: Sequence[GroupInUse]) -> list[dict[str, Any]]:
    """Return the same as part of a JSON object."""
    return [
        {
            "group": each.name,
            "threshold": each.threshold,
            "is_new": each.is_new,
            "decided": each.decided,
            "answered": each.answered,
            "audits": each.audits,
            "mistakes": each.mistakes,
        }
        for each in groups
    ]


def _more(n_rows: int) -> str:
    return "" if n_rows <= _MOST_ROWS else f" {count(n_rows - _MOST_ROWS)} more are in the JSON."


def _name(name: str | None) -> str:
    return _NAMES_NONE if name is None else name


def _from(threshold: float | None) -> str:
    return "asks about all" if threshold is None else short_threshold(threshold)
