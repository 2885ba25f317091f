"""Mistakes of the last seven days: a sequence that each day begins anew, and that an alarm cannot choose."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from askpoint import InputError
from askpoint.live.mistake_window import WindowAudits, mistakes_in_window
from askpoint.measures.mixture_sequence import fixed_time_total_interval, total_interval

RATE, DAYS, A_DAY = 0.1, 21, 300


def life(seed):
    """Whether each answer of a life was wrong, and whether it was audited; it breaks for a while."""
    rng = np.random.default_rng(seed)
    n = DAYS * A_DAY
    share = np.full(n, 0.06)
    broke = rng.integers(n // 3, n)
    share[broke : broke + 600] = 0.3
    return rng.random(n) < share, rng.random(n) < RATE


def misses(seed):
    """Return for each day whether its sequence ever misses, and whether the band of one look ever would."""
    wrong, audited = life(seed)
    ours, looked_once = [], []
    for day in range(DAYS - 6):
        window = slice(day * A_DAY, (day + 7) * A_DAY)
        true, seen = np.cumsum(wrong[window]), np.cumsum((wrong & audited)[window])
        n_audited = np.cumsum(audited[window])
        at = np.flatnonzero(np.diff(seen, prepend=-1))  # where what was seen grew
        at = np.union1d(
            at, at[1:] - 1
        )  # and the moments before it: between them the truth only grows
        at = np.union1d(at, [len(true) - 1])
        ours.append(
            any(
                not lower - 1e-9 <= true[i] <= upper + 1e-9
                for i in at
                for lower, upper in [_ours(i + 1, n_audited[i], seen[i])]
            )
        )
        looked_once.append(
            any(
                not lower / RATE <= true[i] <= upper / RATE
                for i in at
                for lower, upper in [fixed_time_total_interval(float(seen[i]))]
            )
        )
    return ours, looked_once


def _ours(answers, audited, seen):
    found = WindowAudits(
        answers=int(answers),
        audited=int(audited),
        labelled=int(audited),
        seen=float(seen),
        rate=RATE,
    )
    return mistakes_in_window([found]).interval


def test_at_most_one_day_in_twenty_begins_a_band_that_ever_misses():
    both = [misses(seed) for seed in range(30)]
    ours = np.mean([one for one, _ in both])
    looked_once = np.mean([other for _, other in both])
    assert ours <= 0.05
    assert looked_once >= 0.1  # twice what was agreed: looked at until an alarm, it is too short


def test_it_is_the_sequence_of_one_version():
    found = WindowAudits(answers=900, audited=90, labelled=90, seen=6.0, rate=0.1)
    expected = total_interval(6.0, delta=0.04)
    told = mistakes_in_window([found])
    assert told.estimate == pytest.approx(60)
    assert told.interval == pytest.approx([end / 0.1 for end in expected])
    assert told.interval.upper < 900


def test_versions_are_added_and_share_delta():
    assert sum(Fraction(1, 5) / (k * (k + 1)) for k in range(1, 10_000)) < Fraction(1, 5)
    first = WindowAudits(answers=900, audited=90, labelled=90, seen=6.0, rate=0.1)
    nothing = WindowAudits(answers=0, audited=0, labelled=0, seen=0.0, rate=0.3)
    second = WindowAudits(answers=5000, audited=1000, labelled=1000, seen=10.0, rate=0.2)
    third = WindowAudits(answers=5000, audited=1000, labelled=1000, seen=3.0, rate=0.2)
    told = mistakes_in_window([first, nothing, second, third])
    ends = [
        total_interval(6.0, delta=0.04),
        total_interval(10.0, delta=0.005),
        total_interval(3.0, delta=0.01 / 6),
    ]
    rates = (0.1, 0.2, 0.2)
    assert told.estimate == pytest.approx(60 + 50 + 15)
    assert told.interval.lower == pytest.approx(
        sum(it.lower / rate for it, rate in zip(ends, rates, strict=True))
    )
    assert told.interval.upper == pytest.approx(
        sum(it.upper / rate for it, rate in zip(ends, rates, strict=True))
    )


def test_missing_labels_are_right_below_and_wrong_above():
    known = {"answers": 3000, "audited": 300, "rate": 0.1}
    all_there = mistakes_in_window([WindowAudits(labelled=300, seen=5.0, **known)])
    some_gone = mistakes_in_window([WindowAudits(labelled=250, seen=5.0, **known)])
    if_wrong = mistakes_in_window([WindowAudits(labelled=300, seen=55.0, **known)])
    assert some_gone.interval.lower == all_there.interval.lower
    assert some_gone.interval.upper == if_wrong.interval.upper
    assert some_gone.estimate == pytest.approx(50 * 300 / 250)
    none_there = mistakes_in_window([WindowAudits(labelled=0, seen=0.0, **known)])
    assert none_there.estimate is None
    two = mistakes_in_window(
        [WindowAudits(labelled=0, seen=0.0, **known), WindowAudits(labelled=300, seen=5.0, **known)]
    )
    assert two.estimate is None


def test_nothing_decided_and_nothing_audited():
    assert mistakes_in_window([]).estimate == 0
    assert tuple(mistakes_in_window([]).interval) == (0, 0)
    unseen = mistakes_in_window(
        [WindowAudits(answers=20, audited=0, labelled=0, seen=0.0, rate=0.05)]
    )
    assert (unseen.estimate, tuple(unseen.interval)) == (None, (0, 20))


@pytest.mark.parametrize(
    "odd",
    [{"audited": 51}, {"labelled": 9}, {"seen": 6.0}, {"seen": -1.0}, {"rate": 0.0}, {"rate": 1.1}],
)
def test_counts_that_contradict_each_other(odd):
    sound = {"answers": 50, "audited": 8, "labelled": 5, "seen": 2.0, "rate": 0.1}
    with pytest.raises(InputError, match="cannot"):
        WindowAudits(**{**sound, **odd})


def test_a_delta_that_is_none():
    with pytest.raises(InputError, match="delta"):
        mistakes_in_window([], delta=1.5)
