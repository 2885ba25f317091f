"""Names of units as people read them."""

from __future__ import annotations

__all__ = ["unit_words"]


def unit_words(place: str) -> str:
    """Return what a unit does, without its agent.

    Examples
    --------
    >>> unit_words("bot | refund | up to 50"), unit_words("bot | mail | any")
    ('refund, up to 50', 'mail')
    """
    _, tool, name = place.split(" | ", 2)
    return tool if name == "any" else f"{tool}, {name}"
