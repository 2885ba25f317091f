"""Time is an argument, and it never runs backwards."""

from __future__ import annotations

from datetime import datetime, timedelta

from askpoint.errors import InputError, RuleError

__all__ = ["check_clock", "span"]


def check_clock(now: datetime, *before: datetime) -> datetime:
    """Check that `now` names its time zone and is not earlier than what happened before."""
    if now.tzinfo is None:
        raise InputError(f"a moment needs a time zone; got {now.isoformat()}; give UTC")
    latest = max(before, default=now)
    if now < latest:
        raise RuleError(
            "clock",
            f"the clock went backwards: it says {now.isoformat()}, but a record that this move "
            f"concerns changed at {latest.isoformat()}; set the clock right and try again",
        )
    return now


def span(time: timedelta) -> str:
    """Return how long something takes, in whole minutes, rounded up.

    >>> span(timedelta(minutes=192))
    '3 hours 12 minutes'
    """
    seconds = time.total_seconds()
    if seconds < 60:
        return "less than a minute"
    minutes = -int(-seconds // 60)
    if minutes < 2 * 24 * 60:
        parts = (minutes // 60, "hour"), (minutes % 60, "minute")
    else:
        hours = -(-minutes // 60)
        parts = (hours // 24, "day"), (hours % 24, "hour")
    return " ".join(f"{n} {unit}{'s' * (n > 1)}" for n, unit in parts if n)
