"""Words and numbers as all templates write them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.template import Library
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from askpoint.labelling.clock import span
from askpoint.reports.approvals.queue_cases import KIND
from askpoint.reports.document import is_wide
from askpoint.reports.words import amount, estimate_text, share
from askpoint.server.classifiers.cases import image_of, page_of
from askpoint.server.extensions import Link, first_words, server_parts
from askpoint.server.images.serving import image_there

__all__ = [
    "action",
    "at",
    "beside",
    "dialogue",
    "estimate",
    "home_title",
    "image_address",
    "is_many",
    "key",
    "line",
    "number",
    "page",
    "pairs",
    "percent",
    "percent_sure",
    "picture",
    "register",
    "site_links",
    "state_name",
    "subjects",
    "time_left",
    "welcome_template",
    "wide",
    "workspace_field",
]

register = Library()

_SHORT = 80
_KEYS = "1234567890-="
_BEFORE, _AFTER = 3, 1  # turns of a dialogue that are shown beside the one to judge
_FIELD = '<input type="hidden" name="workspace" value="{}">'
_EXACT = 1e15
_SAID = {
    "tried": "not submitted",
    "turned-away": "turned away",
    "submitted": "with the judges",
    "open": "with the judges",
    "referred": "waits for you",
    "appealed": "appealed",
    "final": "decided by you",
    "award": "reward",
    "reverse": "correction",
}


@register.simple_tag
def site_links() -> list[Link]:
    """Return the links of every page's head that wings and plugins add."""
    return [link for parts in server_parts() for link in parts.links]


@register.simple_tag(takes_context=True)
def workspace_field(context: dict[str, Any]) -> str:
    """Return a field that says in which workspace a form was opened."""
    held = context.get("workspace") or getattr(context.get("seat"), "workspace", None)
    return "" if held is None else format_html(_FIELD, held.pk)


@register.simple_tag
def home_title() -> str:
    """Return what the front page is called."""
    return first_words("title", "Your classifiers")


@register.simple_tag
def subjects() -> str:
    """Return what people run on this server, in the plural."""
    return " and ".join([*filter(None, (it.subject for it in server_parts())), "classifiers"])


@register.simple_tag
def welcome_template() -> str:
    """Return the template for who is not signed in."""
    return first_words("welcome", "home/welcome.html")


@register.filter
def at(found: dict[str, Any], name: str) -> Any:
    """Return what stands under a name that a template holds in a variable."""
    return found.get(name)


@register.filter
def beside(cells: Sequence[str], columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return the cells of a row, each with its column's name: on a phone it stands before the cell."""
    return list(zip(columns, cells, strict=True))


@register.filter
def time_left(moment: datetime) -> str:
    """Return how long it is until a moment, in words."""
    return span(moment - timezone.now())


@register.simple_tag
def image_address(deployment: Any, case: Any) -> str:
    """Return where an owner sees the image that a case is; empty where it is none, or was deleted."""
    image = image_of(case)
    if image is None or not image_there(deployment.pk, case):
        return ""
    return reverse("classifier-image", args=[deployment.pk, image["sha256"]])


@register.filter
def estimate(value: float | None) -> str:
    """Return an estimate with two digits that count; in words where it is not known."""
    return "not known yet" if value is None else estimate_text(value)


@register.filter
def percent(value: float | None) -> str:
    """Return a share in per cent."""
    return "–" if value is None else f"{value:.0%}"


@register.filter
def percent_sure(value: float) -> str:
    """Return a confidence in per cent, with as many digits as tell it from being sure."""
    return share(value) if 0 <= value <= 1 else amount(value)


@register.filter
def key(options: list[str], place: int) -> str:
    """Return the key that chooses an option: where all options are digits, itself; else one of its place.

    Where there are more options than keys, none has one: they are found by typing.
    """
    if all(len(option) == 1 and option in "0123456789" for option in options):
        return options[place]
    return "" if is_many(options) else _KEYS[place]


@register.filter
def is_many(options: list[str]) -> bool:
    """Tell whether there are more options than keys."""
    return len(options) > len(_KEYS)


@register.filter
def pairs(case: Any) -> list[tuple[str, Any]]:
    """Return a row of features as pairs; nothing for a text."""
    if not isinstance(case, dict) or page_of(case) is not None or image_of(case) is not None:
        return []
    if dialogue(case) is not None:
        return []
    return [(name, _plain(value)) for name, value in case.items()]


def _plain(value: Any) -> Any:
    whole = isinstance(value, float) and value.is_integer() and abs(value) < _EXACT
    return int(value) if whole else value


@register.filter
def action(case: Any) -> dict[str, Any] | None:
    """Return an agent's action; nothing for other cases."""
    return case if isinstance(case, dict) and case.get("kind") == KIND else None


@register.filter
def page(case: Any) -> dict[str, Any] | None:
    """Return the segments of a web page; nothing for other cases."""
    return page_of(case)


@register.filter
def picture(case: Any) -> dict[str, Any] | None:
    """Return what names an image; nothing for other cases."""
    return image_of(case)


@register.filter
def dialogue(case: Any) -> dict[str, Any] | None:
    """Return the turns of a dialogue: those near the one to judge, and those before and after; nothing for other cases.

    A dialogue is ``{"turns": [{"who": ..., "text": ...}, ...]}``; ``"judge"`` is the place of the turn to judge, by
    default the last.
    """
    turns = case.get("turns") if isinstance(case, dict) else None
    if not (isinstance(turns, list) and turns and all(map(_is_turn, turns))):
        return None
    place = case.get("judge", len(turns) - 1)
    if type(place) is not int or not 0 <= place < len(turns):
        return None
    shown = [{**turn, "judged": number == place} for number, turn in enumerate(turns)]
    first, last = max(0, place - _BEFORE), place + _AFTER + 1
    return {"before": shown[:first], "near": shown[first:last], "after": shown[last:]}


def _is_turn(turn: Any) -> bool:
    return isinstance(turn, dict) and all(isinstance(turn.get(it), str) for it in ("who", "text"))


@register.filter
def line(case: Any) -> str:
    """Return a case as one short line, for tables."""
    shown = page_of(case)
    if shown is not None:
        return line(f"{shown['title'] or shown['body']} ({shown['url']})")
    image = image_of(case)
    if image is not None:
        size = f"{image['width']} × {image['height']}, " if image["width"] else ""
        return f"image {size}{image['sha256'][:8]}"
    talk = dialogue(case)
    if talk is not None:
        turn = next(one for one in talk["near"] if one["judged"])
        return line(f"{turn['who']}: {turn['text']}")
    words = " · ".join(f"{name}: {value}" for name, value in pairs(case)) or " ".join(case.split())
    return words if len(words) <= _SHORT else f"{words[: _SHORT - 1]}…"


@register.filter
def number(value: int) -> str:
    """Return a whole number that is easy to read."""
    return f"{value:,}"


@register.filter
def state_name(name: str) -> str:
    """Return the name of a state or a move as people say it."""
    return _SAID.get(name, name)


@register.filter
def wide(grid: dict[str, Any]) -> bool:
    """Say whether a table is too wide for a phone, and is shown row below row there."""
    return is_wide(grid["columns"], grid["rows"])
