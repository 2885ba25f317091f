"""Looking while checking: the promise counted out over every order of drawing, and the advice."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.judges.gold.confidence_sequence import enough_checked, gold_confidence_sequence


def chance_ever_missed(n_items, k, level):
    """Over all orders of drawing: the chance that the interval misses k / n_items at some moment."""
    safe, missed = {0: Fraction(1)}, Fraction(0)
    for n in range(1, n_items + 1):
        after = {}
        for s, chance in safe.items():
            left = n_items - n + 1
            for more, ways in ((1, k - s), (0, left - (k - s))):
                if ways > 0:
                    after[s + more] = after.get(s + more, 0) + chance * Fraction(ways, left)
        safe = {}
        for s, chance in after.items():
            lower, upper = gold_confidence_sequence(s, n, n_items=n_items, level=level)
            if lower <= k / n_items <= upper:
                safe[s] = chance
            else:
                missed += chance
    return missed


@pytest.mark.parametrize(("n_items", "level"), [(12, 0.5), (25, 0.8), (25, 0.95)])
def test_the_share_is_missed_at_any_moment_no_more_often_than_promised(n_items, level):
    missed = [chance_ever_missed(n_items, k, level) for k in range(n_items + 1)]
    assert max(missed) <= 1 - level
    assert max(missed) > 0  # an interval that never misses would promise too little


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_the_ends_are_those_of_the_list_of_all_shares(data):
    n_items = data.draw(st.integers(1, 60))
    n = data.draw(st.integers(1, n_items))
    s = data.draw(st.integers(0, n))
    fits = [
        k
        for k in range(s, n_items - (n - s) + 1)
        if (n + 1) * Fraction(comb(k, s) * comb(n_items - k, n - s), comb(n_items, n))
        >= Fraction(1, 20)
    ]
    lower, upper = gold_confidence_sequence(s, n, n_items=n_items)
    assert (lower, upper) == (fits[0] / n_items, fits[-1] / n_items)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 40), st.integers(0, 40))
def test_an_endless_supply_is_the_limit_of_many_items(s, t):
    lower, upper = gold_confidence_sequence(s, s + t)
    many = gold_confidence_sequence(s, s + t, n_items=10**6)
    assert (lower, upper) == pytest.approx(tuple(many), abs=1e-4)
    for end in {lower, upper} - {0.0, 1.0}:
        density = (s + t + 1) * comb(s + t, s) * end**s * (1 - end) ** t
        assert density == pytest.approx(0.05, rel=1e-6)


@pytest.mark.no_cover
def test_draws_without_end_are_missed_no_more_often_than_promised():
    rng = np.random.default_rng(5)
    missed = 0
    for draws in rng.random((150, 60)) < 0.1:
        sums = np.cumsum(draws)
        ends = [gold_confidence_sequence(int(s), n, level=0.8) for n, s in enumerate(sums, 1)]
        missed += any(not lower <= 0.1 <= upper for lower, upper in ends)
    assert 0 < missed <= 0.2 * 150


def test_nothing_checked_says_nothing_and_all_checked_says_all():
    assert gold_confidence_sequence(0, 0, n_items=9) == (0, 1)
    assert gold_confidence_sequence(4, 9, n_items=9) == (4 / 9, 4 / 9)
    assert gold_confidence_sequence(0, 50).lower == 0
    assert gold_confidence_sequence(50, 50).upper == 1


def test_the_advice_comes_true():
    advice = enough_checked(30, 100, within=0.05, n_items=2000)
    assert not advice.enough
    n = 100 + advice.further
    then = enough_checked(round(0.3 * n), n, within=0.05, n_items=2000)
    assert then.enough
    assert then.further == 0
    assert then.interval.upper - then.interval.lower <= 0.1
    before = enough_checked(round(0.3 * (n - 10)), n - 10, within=0.05, n_items=2000)
    assert not before.enough


def test_before_the_first_item_the_hardest_case_is_planned_for():
    advice = enough_checked(0, 0, within=0.1)
    assert advice.further > 96  # what an ordinary interval takes at one half
    assert enough_checked(0, 0, within=0.1, n_items=20).further <= 20
    assert enough_checked(0, 0, within=0.5).enough


@pytest.mark.parametrize(
    ("counts", "n_items"), [((-1, 5), None), ((6, 5), None), ((2, 5), 4), ((0, -1), None)]
)
def test_counts_that_do_not_fit_are_refused(counts, n_items):
    with pytest.raises(InputError, match="counts must fit"):
        gold_confidence_sequence(*counts, n_items=n_items)
    with pytest.raises(InputError, match="counts must fit"):
        enough_checked(*counts, within=0.1, n_items=n_items)


def test_a_width_and_a_level_must_make_sense():
    with pytest.raises(InputError, match="narrower than nothing"):
        enough_checked(1, 2, within=0.0)
    with pytest.raises(InputError, match="level"):
        gold_confidence_sequence(1, 2, level=1.0)
