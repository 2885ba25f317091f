"""Breaks and limits a day, for people who read what hurts: counted by what they do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from askpoint.errors import InputError, RuleError
from askpoint.labelling.clock import span

__all__ = [
    "NO_TIME",
    "Limits",
    "ReaderDay",
    "RestDue",
    "begin_case",
    "check_rest",
    "due_rest",
    "go_on",
]

NO_TIME = timedelta(0)
_DAY = timedelta(days=1)
_IDLE = timedelta(minutes=5)  # without an action, nobody is taken to work
_SKEW = timedelta(minutes=5)  # of those who act at the same time; more is a clock that was set back


@dataclass(frozen=True)
class Limits:
    """What an organiser allows one person in one campaign; None is no limit.

    Parameters
    ----------
    cases : int, optional
        Most cases in a day of 24 hours, from the first.
    worked : timedelta, optional
        Most time in that day.
    stretch, pause : timedelta, optional
        After so long without a rest, a break of so long is due; both or neither.
    """

    cases: int | None = None
    worked: timedelta | None = None
    stretch: timedelta | None = None
    pause: timedelta | None = None

    def __post_init__(self) -> None:
        if (self.stretch is None) is not (self.pause is None):
            raise InputError("a break needs both: after how long it is due, and how long it is")
        limits = (self.cases, self.worked, self.stretch, self.pause)
        for value, least in zip(limits, (0, NO_TIME, NO_TIME, NO_TIME), strict=True):
            if value is not None and not value > least:  # type: ignore[operator]
                raise InputError(f"a limit is above 0; got {value}")

    @property
    def rest(self) -> timedelta:
        """How long nothing must be done to count as a rest."""
        return self.pause or _IDLE

    def __bool__(self) -> bool:
        return any((self.cases, self.worked, self.stretch))


@dataclass(frozen=True)
class ReaderDay:
    """What somebody did in the 24 hours from `begun`.

    Parameters
    ----------
    begun, at : datetime
        The first action of the day, and the last.
    cases : int
        How many cases they were shown, or tried.
    worked : timedelta
        The time between actions; a rest is not counted.
    stretch : timedelta
        The same since the last rest, also over the end of a day.
    """

    begun: datetime
    at: datetime
    cases: int = 0
    worked: timedelta = NO_TIME
    stretch: timedelta = NO_TIME


@dataclass(frozen=True)
class RestDue:
    """Why somebody reads no further now, and until when."""

    why: str
    until: datetime


def go_on(day: ReaderDay | None, limits: Limits, now: datetime) -> ReaderDay:
    """Return the day after one more action."""
    if day is None:
        return ReaderDay(now, now)
    gap = max(now - day.at, NO_TIME)  # a clock that was set back takes nothing away
    rested = gap >= limits.rest
    stretch = NO_TIME if rested else day.stretch + gap
    if not _runs(day, now):
        return ReaderDay(now, now, stretch=stretch)
    worked = day.worked if rested else day.worked + gap
    return replace(day, at=now, worked=worked, stretch=stretch)


def _runs(day: ReaderDay, now: datetime) -> bool:
    return day.begun - _SKEW <= now < day.begun + _DAY


def due_rest(day: ReaderDay | None, limits: Limits, now: datetime) -> RestDue | None:
    """Return the rest that is due; None where somebody may read on."""
    if day is None:
        return None
    if _runs(day, now):
        if limits.cases is not None and day.cases >= limits.cases:
            many = "s" * (limits.cases > 1)
            return RestDue(f"the most for a day is {limits.cases} case{many}", day.begun + _DAY)
        if limits.worked is not None and day.worked >= limits.worked:
            return RestDue(f"the most for a day is {span(limits.worked)}", day.begun + _DAY)
    if limits.stretch is None or limits.pause is None or day.stretch < limits.stretch:
        return None
    until = day.at + limits.pause
    if not day.at - _SKEW <= now < until:
        return None
    return RestDue(f"a break of {span(limits.pause)} is due after {span(limits.stretch)}", until)


def check_rest(day: ReaderDay | None, limits: Limits, now: datetime) -> None:
    """Check that somebody may be shown another case.

    Raises
    ------
    RuleError
        ``rest``.
    """
    due = due_rest(day, limits, now)
    if due is not None:
        raise RuleError("rest", f"{due.why}; go on in {span(due.until - now)}")


def begin_case(day: ReaderDay | None, limits: Limits, now: datetime) -> ReaderDay:
    """Return the day after one more case.

    Raises
    ------
    RuleError
        As `check_rest`.
    """
    check_rest(day, limits, now)
    after = go_on(day, limits, now)
    return replace(after, cases=after.cases + 1)
