"""Words and numbers as all templates write them."""

from __future__ import annotations

from typing import Any

from django.template import Library

from askpoint.server.players.words import money

__all__ = ["cents", "pairs", "percent", "points", "register"]

register = Library()


@register.filter
def points(value: int) -> str:
    """Return points with what they are in money."""
    return money(value)


@register.filter
def cents(value: int) -> str:
    """Return points as an amount of money."""
    return money(value).split("(")[1].rstrip(")")


@register.filter
def percent(value: float | None) -> str:
    """Return a share in per cent."""
    return "–" if value is None else f"{value:.0%}"


@register.filter
def pairs(case: Any) -> list[tuple[str, Any]]:
    """Return a row of features as pairs; nothing for a text."""
    return list(case.items()) if isinstance(case, dict) else []
