"""What commands say beside their result: lines on standard error, or JSON where ASKPOINT_LOG is json."""

from __future__ import annotations

import logging
import sys
from typing import Any

import click

from askpoint.live.events import Event, event_kind
from askpoint.records.json_logs import JsonFormatter, wants_json
from askpoint.records.stores.outbox import DeliveryOutcome
from askpoint.reports.live.events import event_text, moment_text
from askpoint.reports.words import count

__all__ = ["say", "say_event", "say_undelivered", "set_up_logs"]


def set_up_logs() -> None:
    """Let what the library logs be JSON lines, too, if they are wanted."""
    if not wants_json():
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger("askpoint")
    logger.handlers, logger.propagate = [handler], False
    logger.setLevel(logging.INFO)


def say(text: str, event: str, *, level: int = logging.INFO, **more: Any) -> None:
    """Say something on standard error.

    Parameters
    ----------
    text : str
        For people.
    event : str
        A name that programs can ask for.
    level : int, optional
        Of `logging`.
    **more : object
        For programs, by name.
    """
    if wants_json():
        logging.getLogger("askpoint.cli").log(level, text, extra={"event": event, **more})
    else:
        click.echo(text, err=True)


def say_event(event: Event) -> None:
    """Return one line of text for an event."""
    record = event_kind(event.kind)
    say(
        f"at decision {count(event.seq)}: {event_text(event)}",
        event.kind,
        level=logging.WARNING if record.closes or record.watch else logging.INFO,
        decision=event.seq,
        numbers=dict(event.numbers),
    )


def say_undelivered(delivery: DeliveryOutcome) -> None:
    """Say why a recipient was not told, and when it is tried again."""
    say(
        f"{delivery.problem}; the next attempt is not before {moment_text(delivery.due)}",
        "not_told",
        level=logging.WARNING,
        recipient=delivery.recipient.partition("=")[0],
        due=delivery.due,
    )
