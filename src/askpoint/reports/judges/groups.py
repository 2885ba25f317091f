"""Shares by group, said."""

from __future__ import annotations

from typing import Any

from askpoint.answers.judges.groups import GroupShares
from askpoint.reports.document import Grid, Section
from askpoint.reports.words import count, round_share, share, share_range

__all__ = ["groups_object", "groups_section"]


def groups_section(groups: GroupShares) -> Section:
    """Return the section on groups."""
    rows = []
    for name, n in groups.n_items.items():
        one = groups.shares[name]
        told = (
            ("not told", "no label", "0", "")
            if one is None
            else (
                share(one.share),
                share_range(one.interval),
                count(one.n_gold),
                share(one.by_votes),
            )
        )
        rows.append((name, count(n), *told))
    grid = Grid(
        f"Share of {groups.label}, group by group",
        ("group", "items", groups.label, "interval", "labelled", "judges alone"),
        tuple(rows),
        f"All intervals hold at once with {round_share(groups.level)}; a group that is chosen because it "
        "looks worst is no worse than its interval says.",
    )
    return Section("Group by group", (grid,))


def groups_object(groups: GroupShares) -> dict[str, Any]:
    """Return the groups as JSON."""
    return {
        "label": groups.label,
        "level": groups.level,
        "by_name": {
            name: {
                "n_items": n,
                "n_gold": 0 if (one := groups.shares[name]) is None else one.n_gold,
                "share": None if one is None else one.share,
                "interval": None if one is None else list(one.interval),
                "by_votes": None if one is None else one.by_votes,
                "reason": "none of its items is labelled" if one is None else None,
            }
            for name, n in groups.n_items.items()
        },
    }
