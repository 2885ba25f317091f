"""Points and limits as the templates of campaigns write them."""

from __future__ import annotations

from django.template import Library

from askpoint.arena.game.pay import money
from askpoint.arena.game.workdays import Limits
from askpoint.labelling.clock import span

__all__ = ["cents", "limit_words", "points", "register", "with_sign"]

register = Library()


@register.filter
def limit_words(limits: Limits) -> list[str]:
    """Return an organiser's limits for one person, in words."""
    found = []
    if limits.cases is not None:
        found.append(f"{limits.cases} case{'s' * (limits.cases > 1)} a day")
    if limits.worked is not None:
        found.append(f"{span(limits.worked)} a day")
    if limits.stretch is not None and limits.pause is not None:
        found.append(f"a break of {span(limits.pause)} after {span(limits.stretch)}")
    return found


@register.filter
def points(value: int) -> str:
    """Return points with what they are in money."""
    return money(value)


@register.filter
def cents(value: int) -> str:
    """Return points as an amount of money."""
    return money(value).split("(")[1].rstrip(")")


@register.filter
def with_sign(value: int) -> str:
    """Return what came or went, with its sign and its thousands apart."""
    return f"{value:+,}"
