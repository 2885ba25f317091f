"""What acting alone saved: bounds that hold for every truth, and sums by hand."""

from __future__ import annotations

import math

import pytest

from askpoint.live.licences.savings import AloneActions, bad_among, measure_saving
from askpoint.measures.intervals import Interval


@pytest.mark.parametrize("bad", range(13))
def test_the_bounds_miss_the_truth_as_rarely_as_they_say(bad):
    """All draws of 5 of 12 actions, by how many bad ones they hold, counted."""
    n, drawn, level = 12, 5, 0.9
    chance = 0.0
    for wrong in range(max(0, drawn - (n - bad)), min(bad, drawn) + 1):
        ways = math.comb(bad, wrong) * math.comb(n - bad, drawn - wrong)
        low, high = bad_among(AloneActions(1.0, n, drawn, drawn - wrong, wrong, 0), level)
        chance += ways / math.comb(n, drawn) * (low <= bad <= high)
    assert chance >= level


@pytest.mark.parametrize("bad", range(9))
def test_the_bounds_hold_where_rates_differ(bad):
    """All ways to draw 8 actions at rates of .2 and .4, however the bad ones lie among them, counted."""
    rates, level = (0.2, 0.4) * 4, 0.9
    for place in (rates[:bad], sorted(rates)[:bad], sorted(rates)[8 - bad :]):
        rest = list(rates)
        for rate in place:
            rest.remove(rate)
        missed = 0.0
        for wrong, p in enumerate(ways_to_draw(place)):
            for right, q in enumerate(ways_to_draw(rest)):
                drawn = AloneActions(1.0, 8, wrong + right, right, wrong, 0, (0.2, 0.4))
                low, high = bad_among(drawn, level)
                missed += p * q * (not low <= bad <= high)
        assert missed <= 1 - level + 1e-12


def ways_to_draw(rates):
    """The chance of each number of draws, of independent ones at these rates."""
    chances = [1.0]
    for rate in rates:
        kept, drawn = [*chances, 0.0], [0.0, *chances]
        chances = [(1 - rate) * a + rate * b for a, b in zip(kept, drawn, strict=True)]
    return chances


def test_bounds_are_not_idle():
    low, high = bad_among(AloneActions(1.0, 1000, 100, 95, 5, 0, (0.08, 0.12)))
    assert 5 < low < 50 < high < 170
    low, high = bad_among(AloneActions(1.0, 1000, 100, 95, 5, 0))
    assert 5 < low < 50 < high < 150


def test_reports_and_unread_audits_bound_what_may_be_bad():
    assert bad_among(AloneActions(1.0, 10, 10, 9, 1, 0)) == Interval(1, 1)
    assert bad_among(AloneActions(1.0, 10, 10, 8, 1, 0)) == Interval(1, 2)  # one waits
    assert bad_among(AloneActions(1.0, 10, 0, 0, 0, 3)) == Interval(3, 10)


def test_the_saving_is_what_was_spared_less_audits_and_bad_ones():
    every = AloneActions(price=20.0, alone=10, drawn=10, right=9, wrong=1, reported=0)
    saving = measure_saving([every])
    assert saving == (10, 1, Interval(1, 1), -20, Interval(-20, -20))  # all read: nothing spared
    some = AloneActions(price=5.0, alone=200, drawn=20, right=20, wrong=0, reported=2)
    both = measure_saving([every, some])
    assert both.audits == 30
    assert both.bad == 1 + 2
    assert both.checks == 180 - 20 - 2 * 5
    low, high = both.between
    assert low < both.checks == high  # no fewer than the two that were reported
    assert low == 180 - 20 - 5 * bad_among(some, 0.975).upper


def test_nothing_is_known_before_an_audit_was_read():
    assert measure_saving([]) is None
    assert measure_saving([AloneActions(20.0, 30, 4, 0, 0, 1)]) is None
