"""Time is an argument, and it never runs backwards."""

from __future__ import annotations

from datetime import datetime

from askpoint.errors import InputError, RuleError

__all__ = ["check_clock"]


def check_clock(now: datetime, *before: datetime) -> datetime:
    """Check that `now` names its time zone and is not earlier than what happened before.

    Parameters
    ----------
    now : datetime
        The moment of the move.
    *before : datetime
        When the records that it concerns last changed.

    Returns
    -------
    datetime
        The same moment.

    Raises
    ------
    InputError
        If `now` has no time zone.
    RuleError
        ``clock``, if a record is younger than the move.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from askpoint.game.clock import check_clock
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> check_clock(noon, noon) == noon
    True
    """
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
