"""Several tests at once."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["adjust_by_holm"]


def adjust_by_holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values by Holm's method: below a level, the whole family keeps that level."""
    adjusted, greatest = [0.0] * len(p_values), 0.0
    for rank, (p, place) in enumerate(sorted((p, i) for i, p in enumerate(p_values))):
        greatest = max(greatest, min(1.0, p * (len(p_values) - rank)))
        adjusted[place] = greatest
    return adjusted
