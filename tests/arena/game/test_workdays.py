"""Breaks and limits a day: against a plain replay of all actions, and by hand."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from askpoint.arena.game.workdays import Limits, begin_case, due_rest, go_on
from askpoint.errors import InputError, RuleError
from askpoint.labelling.clock import span

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def test_cases_of_a_day_are_counted_from_the_first():
    limits, day = Limits(cases=3), None
    for number in range(3):
        day = begin_case(day, limits, NOON + number * timedelta(hours=6))
    for later in (timedelta(hours=13), DAY - timedelta(seconds=1)):
        with pytest.raises(RuleError, match="the most for a day is 3 cases; go on in") as refused:
            begin_case(day, limits, NOON + later)
        assert refused.value.rule == "rest"
    assert begin_case(day, limits, NOON + DAY).cases == 1
    with pytest.raises(RuleError):  # who raced with the first, and looked at the clock before
        begin_case(day, limits, NOON - timedelta(seconds=1))
    assert begin_case(day, limits, NOON - DAY).cases == 1  # the clock was set back: it begins anew


def test_a_break_is_due_and_ends():
    limits = Limits(stretch=30 * MINUTE, pause=10 * MINUTE)
    day = None
    for minute in range(0, 31, 5):
        day = begin_case(day, limits, NOON + minute * MINUTE)
    due = due_rest(day, limits, NOON + 31 * MINUTE)
    assert due.until == NOON + 40 * MINUTE
    with pytest.raises(RuleError, match="break of 10 minutes is due after 30 minutes; go on in 9"):
        begin_case(day, limits, NOON + 31 * MINUTE)
    fresh = begin_case(day, limits, NOON + 40 * MINUTE)
    assert fresh.stretch == timedelta(0)
    assert fresh.worked == 30 * MINUTE


def test_midnight_is_no_break():
    limits = Limits(stretch=30 * MINUTE, pause=10 * MINUTE)
    day = go_on(None, limits, NOON - DAY)
    day = go_on(day, limits, NOON - 5 * MINUTE)
    day = go_on(day, limits, NOON + MINUTE)  # a new day, without a rest
    assert (day.cases, day.stretch, day.worked) == (0, 6 * MINUTE, timedelta(0))


@given(
    st.lists(st.integers(1, 20 * 60), max_size=40),
    st.integers(1, 30),
    st.integers(5, 240),
    st.integers(10, 90),
    st.integers(2, 30),
)
def test_nobody_gets_past_a_limit(gaps, cases, minutes, stretch, pause):
    """An oracle that keeps every action, and counts them anew each time."""
    limits = Limits(cases, minutes * MINUTE, stretch * MINUTE, pause * MINUTE)
    now, day, done = NOON, None, []
    for gap in gaps:
        now += timedelta(seconds=gap)
        begun = next((at for at in done if at + DAY > now), now)  # all are within a day here
        steps = [(b - a) for a, b in itertools.pairwise(done)]
        worked = sum((s for s in steps if s < limits.pause), timedelta(0))
        last = next((i for i in reversed(range(len(steps))) if steps[i] >= limits.pause), -1)
        streak = sum(steps[last + 1 :], timedelta(0))
        refused = done and (
            len(done) >= cases
            or worked >= limits.worked
            or (streak >= limits.stretch and now - done[-1] < limits.pause)
        )
        assert begun == (done[0] if done else now)
        if refused:
            with pytest.raises(RuleError):
                begin_case(day, limits, now)
        else:
            day = begin_case(day, limits, now)
            done.append(now)
    assert day is None or (day.cases, day.begun) == (len(done), done[0])


@pytest.mark.parametrize(
    "wrong", [{"cases": 0}, {"worked": timedelta(0)}, {"stretch": MINUTE}, {"pause": MINUTE}]
)
def test_limits_are_above_nothing_and_whole(wrong):
    with pytest.raises(InputError):
        Limits(**wrong)


def test_no_limits_are_none():
    assert not Limits()
    assert due_rest(go_on(None, Limits(), NOON), Limits(), NOON) is None


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1, "less than a minute"),
        (60, "1 minute"),
        (61, "2 minutes"),
        (900, "15 minutes"),
        (3600, "1 hour"),
        (3 * 3600 + 720, "3 hours 12 minutes"),
        (86_400, "24 hours"),
        (2 * 86_400, "2 days"),
        (5 * 86_400 + 7200, "5 days 2 hours"),
    ],
)
def test_time_left_is_said_in_words(seconds, said):
    assert span(timedelta(seconds=seconds)) == said


def test_what_is_worked_in_a_day_has_an_end():
    limits, day = Limits(worked=20 * MINUTE), None
    for minute in range(0, 21, 4):  # less than a rest
        assert due_rest(day, limits, NOON + minute * MINUTE) is None
        day = begin_case(day, limits, NOON + minute * MINUTE)
    due = due_rest(day, limits, NOON + 21 * MINUTE)
    assert due.until == NOON + DAY
    assert due.why == "the most for a day is 20 minutes"
    with pytest.raises(RuleError, match="the most for a day is 20 minutes; go on in"):
        begin_case(day, limits, NOON + 21 * MINUTE)
    assert due_rest(day, limits, NOON + DAY) is None
