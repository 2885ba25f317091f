"""Shares by slice, said."""

from __future__ import annotations

from typing import Any

from askpoint.answers.judges.slices import Slices
from askpoint.reports.document import Grid, Section
from askpoint.reports.words import count, round_share, share, share_range

__all__ = ["slices_object", "slices_section"]


def slices_section(slices: Slices) -> Section:
    """Return the section on slices."""
    rows = []
    for name, n in slices.n_items.items():
        one = slices.shares[name]
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
        f"Share of {slices.label}, part by part",
        ("part", "items", slices.label, "interval", "labelled", "judges alone"),
        tuple(rows),
        f"All intervals hold at once with {round_share(slices.level)}; a part that is chosen because it "
        "looks worst is no worse than its interval says.",
    )
    return Section("Part by part", (grid,))


def slices_object(slices: Slices) -> dict[str, Any]:
    """Return the slices as JSON."""
    return {
        "label": slices.label,
        "level": slices.level,
        "parts": {
            name: {
                "n_items": n,
                "n_gold": 0 if (one := slices.shares[name]) is None else one.n_gold,
                "share": None if one is None else one.share,
                "interval": None if one is None else list(one.interval),
                "by_votes": None if one is None else one.by_votes,
                "reason": "none of its items is labelled" if one is None else None,
            }
            for name, n in slices.n_items.items()
        },
    }
