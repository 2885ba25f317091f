"""Time is an argument, and it never runs backwards."""

from __future__ import annotations

from datetime import datetime

from askpoint.errors import InputError, RuleError

__all__ = ["check_clock"]


def check_clock(now: datetime, *before: datetime) -> datetime:
    """Check that `now` names its time zone and is not earlier than what happened before."""
    if now.tzinfo is None:
        raise InputError(f"a moment needs a time zone, got {now.isoformat()}; give UTC")
    latest = max(before, default=now)
    if now < latest:
        raise RuleError(
            "clock",
            f"the clock went backwards: it says {now.isoformat()}, but a record that this move "
            f"concerns changed at {latest.isoformat()}; set the clock right and try again",
        )
    return now
