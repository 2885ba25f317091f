"""What happened to a policy, in words: the records of `EVENTS`, their numbers filled in."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from askpoint.live.events import Event, LoggedEvent, event_kind
from askpoint.reports.words import amount, count, share, short_threshold

__all__ = ["closing_reason", "event_rows", "event_text", "moment_text"]

_FORMATS: Mapping[str, Callable[[float], str]] = {
    "amount": amount,
    "count": count,
    "share": share,
    "threshold": short_threshold,
}


class _Words(string.Formatter):
    """Fill in numbers, each as its place says; one that an older record lacks is not known."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        del args
        return kwargs.get(str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is None:
            return "not known"
        if isinstance(value, Mapping):
            said = (f"{name} {self.format_field(one, format_spec)}" for name, one in value.items())
            return ", ".join(said)
        return _FORMATS[format_spec](float(value)) if format_spec else str(value)


def event_rows(events: Sequence[LoggedEvent]) -> list[tuple[str, str, str]]:
    """Return rows of a table of events."""
    return [
        (event_text(timed.event), count(timed.event.seq), moment_text(timed.at)) for timed in events
    ]


def event_text(event: Event) -> str:
    """Return what a policy did, in words; of another version's event, its name."""
    text = closing_reason(event)
    return f"closed: {text}" if event_kind(event.kind).closes else text


def closing_reason(event: Event) -> str:
    """Return why a policy closed, in words."""
    numbers = dict(event.numbers)
    return _Words().format(
        event_kind(event.kind).words, **{**numbers, "kind": event.kind, "numbers": numbers}
    )


def moment_text(at: int) -> str:
    r"""Return a moment as people read it, in UTC."""
    when = datetime.fromtimestamp(at / 1e6, UTC)
    return f"{when.day} {when:%b %Y %H:%M}".replace(" ", "\N{NO-BREAK SPACE}")
