"""What happened to a policy, said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from askpoint.live.history import TimedEvent
from askpoint.live.state import Event
from askpoint.reports.words import amount, count, share

__all__ = ["event_rows", "event_text", "moment_text", "why_closed"]


def event_rows(events: Sequence[TimedEvent]) -> list[tuple[str, str, str]]:
    """Rows of a table of events."""
    return [
        (event_text(timed.event), count(timed.event.seq), moment_text(timed.at)) for timed in events
    ]


def event_text(event: Event) -> str:
    """Say what a policy did."""
    if event.kind in {"opened", "threshold"}:
        verb = "it opens" if event.kind == "opened" else "the threshold moves"
        place = "from" if event.kind == "opened" else "to"
        return f"{verb}, {place} {event.numbers['threshold']:.4g} on"
    if event.kind == "paused":
        return "it pauses: no confidence is worth answering"
    if event.kind == "waiting":
        return (
            "it asks about every case until labels come: there are none since the audit of decision "
            f"{count(int(event.numbers['audit']))}"
        )
    if event.kind == "resumed":
        return "the labels have come: it answers again"
    if event.kind == "people":
        return (
            "an alarm, people are wrong on items of known truth more often than stated "
            f"({count(int(event.numbers['mistakes']))} of {count(int(event.numbers['items']))}): "
            "label again what they labelled lately"
        )
    if event.kind == "audits":
        rates = ", ".join(
            f"{region} {share(float(rate))}" for region, rate in event.numbers.items()
        )
        return f"other audit rates: {rates}"
    return f"it closes: {why_closed(event)}"


def why_closed(event: Event) -> str:
    """Say why a policy closed."""
    numbers = event.numbers
    if event.kind == "alarm":
        return (
            "an alarm, the audited answers are wrong more often than agreed or stated (evidence "
            f"{amount(numbers['evidence'])}, an alarm from {amount(numbers['bound'])} on)"
        )
    return (
        f"the allowance, up to {amount(numbers['lost_at_most'])} mistakes may have passed in "
        f"{count(numbers['answers'])} answers, more than agreed and "
        f"{amount(numbers['allowance'])}"
    )


def moment_text(at: int) -> str:
    r"""A moment as people read it, in UTC."""
    when = datetime.fromtimestamp(at / 1e6, UTC)
    return f"{when.day} {when:%b %Y %H:%M}".replace(" ", "\N{NO-BREAK SPACE}")
