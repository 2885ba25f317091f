"""A capacity of people's days."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_question
from askpoint.errors import InputError, LogError, NotEstimableError
from askpoint.records.logs import read_log
from askpoint.reports.value.document import value_sections
from askpoint.reports.value.json import value_object
from askpoint.value.daily_capacity import threshold_for_days
from askpoint.value.limits import AskAtMost
from askpoint.value.priced import CheckCost


def rows(n=2000, n_days=20, time=lambda day, _: f"2026-03-{day + 1:02d}"):
    rng = np.random.default_rng(0)
    p, day = rng.beta(0.5, 0.5, n), rng.integers(0, n_days, n)
    when = [time(int(d), i) for i, d in enumerate(day)]
    label = (rng.random(n) < p).astype(int)
    return pl.DataFrame({"label": label, "proba": p, "at": when}), np.maximum(p, 1 - p), day


def question(limit=30, **settings):
    return ValueQuestion(AskAtMost(limit), daily=0.9, **settings)


def test_the_threshold_keeps_the_day_and_the_page_says_how_often():
    table, confidence, day = rows()
    answer = answer_question(read_log(table, time="at"), question())
    expected = threshold_for_days(confidence, day, 30, kept=0.9)
    assert answer.tomorrow.best.threshold == expected.threshold
    assert answer.tomorrow.best.decided
    assert answer.days.found.chance_above == expected.chance_above <= 0.1
    assert 0.3 < answer.days.on_average < 0.6
    content = value_object(answer)
    assert content["recommended"]["days"]["chance_above"] == expected.chance_above
    printed = content["threshold"]
    assert printed == content["recommended"]["rule"]["threshold"]
    assert ((confidence >= printed) == (confidence >= expected.threshold)).all()
    words = " ".join(
        block.text for block in value_sections(answer)[0].blocks if hasattr(block, "text")
    )
    assert "more than 30 with a probability of" in words
    assert "30 cases to go to review a day" in words


def test_days_with_times_leave_out_the_first_and_the_last():
    table, confidence, day = rows(time=lambda d, i: f"2026-03-{d + 1:02d} {i % 24:02d}:00:00")
    answer = answer_question(read_log(table, time="at"), question())
    inside = (day > 0) & (day < 19)
    expected = threshold_for_days(confidence[inside], day[inside], 30, kept=0.9)
    assert answer.days.found.threshold == expected.threshold
    assert answer.days.n_days == 18
    assert value_object(answer)["recommended"]["days"]["first_and_last_left_out"] is True


def test_what_is_no_time_is_refused():
    table, _, _ = rows()
    for column in (pl.lit(3), pl.lit("noon")):
        with pytest.raises(LogError, match="must hold dates or times, such as 2026-01-31"):
            read_log(table.with_columns(at=column), time="at")
    with pytest.raises(LogError, match="name the column"):
        answer_question(read_log(table), question())
    with pytest.raises(NotEstimableError, match="at least 5 whole days"):
        answer_question(read_log(rows(n_days=4)[0], time="at"), question())
    for wish in (AskAtMost(0.5), CheckCost(0.1)):
        with pytest.raises(InputError, match="a whole number of cases"):
            answer_question(read_log(table, time="at"), ValueQuestion(wish, daily=0.9))


def test_dates_and_moments_of_any_type_are_days():
    table, _, day = rows()
    texts = read_log(table, time="at").days.numbers
    dates = table.with_columns(pl.col("at").str.to_date())
    moments = dates.with_columns(pl.col("at").cast(pl.Datetime("us")))
    assert (np.diff(np.unique(texts)) == 1).all()
    for frame in (dates, moments):
        assert (read_log(frame, time="at").days.numbers == texts).all()
    assert (texts - texts.min() == day - day.min()).all()
