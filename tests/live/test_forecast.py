"""When a closed policy answers again: said, and held against what came."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from askpoint.live.forecast import forecast_reopening
from askpoint.live.labels import apply_labels
from askpoint.live.restarts import Restarts
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from live.worlds import MONEY, PROMISE, cases, live

BOTH = pytest.mark.parametrize("terms", [MONEY, PROMISE], ids=lambda terms: terms.aim)


STRICT = replace(PROMISE, limit=0.06)


def closed(terms):
    return fresh_state(terms, episode=2).copy_with(start=2, last_start=2, restarts=Restarts())


def after_trouble(terms, n, seed):
    """A closed policy after 600 labels of a trouble and n of a world that is good again."""
    rng = np.random.default_rng([seed, 1])
    c, wrong, draw = cases(600 + n, seed)
    wrong[:600] = rng.random(600) < 0.6
    return live(terms, c, wrong, draw, state=closed(terms))[0]


def labels_to_open(state, terms, seed, longest=4000):
    c, wrong, _ = cases(longest, seed)
    for start in range(0, longest, 50):
        rows = slice(start, start + 50)
        first = state.decided
        state, _, _ = decide_cases(state, terms, c[rows], np.ones(50))
        if state.threshold is not None:
            return start
        state, _ = apply_labels(state, terms, first + np.arange(50), wrong[rows])
    return np.inf


@pytest.mark.soak
def test_its_range_holds_what_comes():
    held = known = 0
    for seed in range(20):
        state = after_trouble(STRICT, 500, seed)
        said = forecast_reopening(state, STRICT, np.random.default_rng(0))
        if said is None:
            continue
        known += 1
        assert said.lower <= said.middle <= said.upper
        held += said.lower <= labels_to_open(state, STRICT, 1000 + seed) <= said.upper
    assert known >= 15
    assert held >= 0.75 * known


@BOTH
def test_where_the_trouble_stays_it_says_that_it_does_not_come_back(terms):
    rng = np.random.default_rng(1)
    c = rng.uniform(0.5, 1, 1200)
    state, _, _ = live(terms, c, rng.random(1200) < 0.6, rng.random(1200), state=closed(terms))
    said = forecast_reopening(state, terms, rng)
    assert said.is_never
    assert said.never == 1
    assert said.upper == np.inf
    assert said.labels >= 200


@BOTH
def test_too_few_labels_say_nothing_and_an_open_policy_neither(terms):
    rng = np.random.default_rng(2)
    assert forecast_reopening(fresh_state(terms), terms, rng) is None
    c, wrong, draw = cases(150)
    assert forecast_reopening(live(terms, c, wrong, draw)[0], terms, rng) is None
    c, wrong, draw = cases(1500, seed=1)
    state, _, _ = live(terms, c, wrong, draw)
    assert state.threshold is not None
    assert forecast_reopening(state, terms, rng) is None


def test_labels_of_a_trouble_that_has_just_ended_say_nothing_about_a_price():
    state = after_trouble(MONEY, 100, 3)
    assert state.threshold is None
    assert forecast_reopening(state, MONEY, np.random.default_rng(0)) is None


def test_the_first_opening_is_foretold_as_well():
    c, wrong, draw = cases(650, seed=4)
    state, _, _ = live(STRICT, c, wrong, draw)
    said = forecast_reopening(state, STRICT, np.random.default_rng(0))
    assert said.lower <= labels_to_open(state, STRICT, 5) <= said.upper


def test_the_same_draws_give_the_same_forecast():
    state = after_trouble(STRICT, 500, 5)
    said = [forecast_reopening(state, STRICT, np.random.default_rng(8)) for _ in range(2)]
    assert said[0] == said[1] is not None


@pytest.mark.parametrize(("terms", "share"), [(PROMISE, 0.12), (MONEY, 0.15)])
def test_labels_that_are_missing_now_are_missing_later(terms, share):
    """Twelve of a hundred labels missing are more than the ten mistakes that a promise allows, for ever."""
    terms = replace(terms, max_label_delay=200)
    lost = np.flatnonzero(np.random.default_rng(9).random(1500) < share)
    state, _, _ = live(terms, *cases(1500, seed=4), lost=lost)
    assert state.threshold is None
    said = forecast_reopening(state, terms, np.random.default_rng(0))
    assert said.is_never
    assert said.is_silent


def test_a_few_missing_labels_make_it_later():
    terms = replace(PROMISE, max_label_delay=200)
    lost = np.flatnonzero(np.random.default_rng(9).random(650) < 0.05)
    state, _, _ = live(terms, *cases(650, seed=4), lost=lost)
    said = forecast_reopening(state, terms, np.random.default_rng(0))
    came = forecast_reopening(live(terms, *cases(650, seed=4))[0], terms, np.random.default_rng(0))
    assert (said.is_never, said.is_silent, came.is_silent) == (False, False, False)
    assert came.middle < said.middle


def test_a_start_speaks_once_it_has_labels_enough():
    """After a trouble the next to open is the newcomer, of which at first nothing is known."""
    known = {}
    for n in (150, 200, 350, 400):
        state = after_trouble(PROMISE, n, 0)
        said = forecast_reopening(state, PROMISE, np.random.default_rng(0))
        labels = [0 if one.counts is None else one.counts.labels for one in state.restarts.starts]
        known[n] = labels, said and said.labels, said and said.is_never
    assert known == {
        150: ([], 750, True),  # of the trouble, by which it never opens
        200: ([0], None, None),
        350: ([150], None, None),
        400: ([200], 200, False),
    }


def test_a_price_is_foretold_to_open_when_its_window_is_full():
    """After an opening that did not last, 3,200 labels speak for the next; a look is taken each thousand."""
    for good in (500, 1000):
        rng = np.random.default_rng([0, 1])
        c, wrong, draw = cases(3000 + good, 0)
        wrong[:3000] = rng.random(3000) < 0.6
        begin = closed(MONEY).copy_with(relapses=1)
        state, _, _ = live(MONEY, c, wrong, draw, state=begin)
        assert state.threshold is None
        came = labels_to_open(state, MONEY, 1000)
        said = forecast_reopening(state, MONEY, np.random.default_rng(0), futures=10)
        assert said.lower == said.middle == said.upper == 1000 * np.ceil(came / 1000) > 1000


def test_while_too_many_are_silent_it_does_not_come_back_whatever_the_limit():
    """Twenty of a hundred, all taken for mistakes, would keep this promise; nothing opens that nobody knows."""
    terms = replace(PROMISE, max_label_delay=200, limit=0.35)
    lost = np.flatnonzero(np.random.default_rng(0).random(1500) < 0.2)
    state, _, _ = live(terms, *cases(1500, seed=2), lost=lost, state=closed(terms))
    said = forecast_reopening(state, terms, np.random.default_rng(0), futures=10)
    assert (said.never, said.is_silent) == (1, True)
    heard = state.copy_with(
        heard=np.array([[30, 30, 30, 30], [0, 0, 0, 0]])
    )  # of those asked again
    assert forecast_reopening(heard, terms, np.random.default_rng(0), futures=10).never == 0
