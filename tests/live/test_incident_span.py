"""Mistakes of a span whose beginning and end were chosen after looking: held for all spans at once."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from askpoint import InputError
from askpoint.live.incident_span import SpanAudits, mistakes_in_span
from askpoint.measures.intervals import clopper_pearson


def spans(seed, *, n=1500, rate=0.08, before=0.02, after=0.35):
    """Yield the counts of every tenth span between audits, and its true number of mistakes."""
    rng = np.random.default_rng(seed)
    broke = rng.integers(n // 4, n)
    wrong = rng.random(n) < np.where(np.arange(n) < broke, before, after)
    at = np.flatnonzero(rng.random(n) < rate)
    mistakes = np.concatenate([[0], np.cumsum(wrong)])
    for last in range(2, len(at)):
        for first in range(last % 10, last - 1, 10):
            between = wrong[at[first + 1 : last]]
            start, stop = at[first], at[last]
            found = SpanAudits(
                answers=int(stop - start - 1),
                audited=len(between),
                wrong=int(between.sum()),
                missing=0,
                wrong_ends=int(wrong[start]) + int(wrong[stop]),
                looked_at=last + 1,
            )
            yield found, int(mistakes[stop + 1] - mistakes[start])


def test_no_span_is_missed_where_a_fixed_one_would_be():
    missed, missed_as_if_fixed = 0, 0
    for seed in range(60):
        every = list(spans(seed))
        missed += any(not _holds(mistakes_in_span(found).interval, true) for found, true in every)
        missed_as_if_fixed += any(not _holds(_fixed(found), true) for found, true in every)
    assert missed <= 3  # of 60 lives at delta = .05
    assert missed_as_if_fixed >= 15  # where 3 are agreed


def _holds(interval, true):
    return interval[0] - 1e-9 <= true <= interval[1] + 1e-9


def _fixed(found):
    lower, upper = clopper_pearson(found.wrong, found.audited, 0.95)
    return found.wrong_ends + found.answers * lower, found.wrong_ends + found.answers * upper


def test_missing_labels_are_right_below_and_wrong_above():
    known = {"answers": 400, "wrong": 10, "wrong_ends": 1, "looked_at": 90}
    all_there = mistakes_in_span(SpanAudits(audited=50, missing=0, **known))
    some_gone = mistakes_in_span(SpanAudits(audited=30, missing=20, **known))
    if_wrong = mistakes_in_span(SpanAudits(audited=50, missing=0, **{**known, "wrong": 30}))
    assert some_gone.interval.lower == all_there.interval.lower
    assert some_gone.interval.upper == if_wrong.interval.upper
    assert all_there.estimate == pytest.approx(1 + 10 * 400 / 50)


def test_all_audited_is_known_and_nothing_audited_is_not():
    known = mistakes_in_span(
        SpanAudits(answers=20, audited=20, wrong=7, missing=0, wrong_ends=2, looked_at=22)
    )
    assert (known.estimate, *known.interval) == (9, 9, 9)
    unknown = mistakes_in_span(
        SpanAudits(answers=20, audited=0, wrong=0, missing=0, wrong_ends=1, looked_at=2)
    )
    assert (unknown.estimate, *unknown.interval) == (1, 1, 21)


@pytest.mark.parametrize(
    "odd",
    [{"wrong": 9}, {"missing": -1}, {"wrong_ends": 3}, {"answers": 4}, {"looked_at": 4}],
)
def test_counts_that_contradict_each_other(odd):
    sound = {
        "answers": 50,
        "audited": 8,
        "wrong": 3,
        "missing": 0,
        "wrong_ends": 1,
        "looked_at": 10,
    }
    with pytest.raises(InputError, match="cannot"):
        SpanAudits(**{**sound, **odd})


def test_a_delta_that_is_none():
    found = SpanAudits(answers=50, audited=8, wrong=3, missing=0, wrong_ends=1, looked_at=10)
    with pytest.raises(InputError, match="delta"):
        mistakes_in_span(found, delta=1.5)


def test_the_ends_are_those_of_scipy_at_the_level_of_one_span():
    found = SpanAudits(answers=600, audited=60, wrong=24, missing=0, wrong_ends=2, looked_at=200)
    exact = binomtest(24, 60).proportion_ci(1 - 0.05 / (200 * 200 * 201), "exact")
    expected = (2 + 600 * exact.low, 2 + 600 * exact.high)
    assert mistakes_in_span(found).interval == pytest.approx(expected)
