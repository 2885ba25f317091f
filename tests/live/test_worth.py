from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from askpoint.errors import InputError, NotEstimableError
from askpoint.live.state import fresh_state
from askpoint.live.worth import LiveCounts, LivePrices, worth_of, worth_so_far
from askpoint.measures.mixture_sequence import fixed_time_total_interval, total_interval
from live.worlds import MONEY, cases, live

PRICES = LivePrices(mistake=20, check=2)


def test_everything_but_the_mistakes_is_known():
    c, wrong, draw = cases(3000, seed=1)
    state, answer, _ = live(MONEY, c, wrong, draw)
    worth = worth_so_far(state, MONEY, PRICES)
    audited = (answer & (draw < 0.2)).sum()
    seen = (answer & (draw < 0.2) & wrong).sum()
    assert (worth.decided, worth.answered, worth.audited) == (3000, answer.sum(), audited)
    assert worth.estimate == seen / 0.2
    assert worth.missing == 0
    for end in (0, 1):
        assert worth.mistakes[end] == total_interval(seen)[end] / 0.2
        assert worth.at_a_fixed_time[end] == fixed_time_total_interval(seen)[end] / 0.2
        total = 20 * worth.mistakes[end] + 2 * (3000 - answer.sum() + audited)
        assert worth.cost[end] == pytest.approx(total / 3)
        assert worth.saved[1 - end] == pytest.approx(2000 - total / 3)
        assert worth.risk[end] == pytest.approx(worth.mistakes[end] / answer.sum())
    assert worth.coverage == answer.mean()
    assert worth.mistakes.lower <= (answer & wrong).sum() <= worth.mistakes.upper


def test_labels_that_are_awaited_or_lost_widen_it():
    c, wrong, draw = cases(3000, seed=1)
    terms = replace(MONEY, has_budget=False, watch_delta=1e-300)
    known, _, _ = live(terms, c, wrong, draw)
    late, _, _ = live(terms, c, wrong, draw, delay=2)
    one, two = (worth_so_far(state, terms, PRICES) for state in (known, late))
    assert two.missing > 0
    assert two.mistakes.upper > one.mistakes.upper
    assert two.mistakes.lower <= one.mistakes.lower
    audits = 1500 + np.flatnonzero(draw[1500:] < terms.rate)
    lost, _, _ = live(replace(terms, max_label_delay=100), c, wrong, draw, lost=audits)
    with pytest.raises(NotEstimableError, match="audits never got their label"):
        worth_so_far(lost, terms, PRICES)


def test_no_answers_have_no_risk_and_cost_all_their_checks():
    c, wrong, draw = cases(100)
    state, _, _ = live(MONEY, c, wrong, draw)
    worth = worth_so_far(state, MONEY, PRICES)
    assert worth.risk is None
    assert worth.cost == (2000, 2000)
    assert worth.saved == (0, 0)


def test_a_worth_needs_decisions():
    with pytest.raises(NotEstimableError, match="no decisions yet"):
        worth_so_far(fresh_state(MONEY), MONEY, PRICES)


@pytest.mark.parametrize(
    "prices",
    [{"mistake": 0}, {"check": -1}, {"audit": -1}, {"audit": math.nan}, {"calls": (0.1, math.nan)}],
)
def test_impossible_prices_are_refused(prices):
    with pytest.raises(InputError, match="a mistake must cost more than 0"):
        LivePrices(**prices)


def test_an_audit_may_have_a_price_of_its_own():
    assert LivePrices(1, 0.1).of_audit == 0.1
    assert LivePrices(1, 0.1, 0.3).of_audit == 0.3


def test_calls_of_a_ladder_cost_the_same_whatever_the_mistakes():
    counts = LiveCounts(1000, 800, 200, 80, 4.0, 0, 0, calls=(1000, 300))
    without = worth_of(counts._replace(calls=()), MONEY, PRICES)
    worth = worth_of(counts, MONEY, replace(PRICES, calls=(0.1, 2.0)))
    assert worth.calls == (1000, 300)
    assert worth.spent_on_calls == pytest.approx(700)
    pairs = zip(
        (*worth.cost, worth.cost_estimate), (*without.cost, without.cost_estimate), strict=True
    )
    assert [a - b for a, b in pairs] == pytest.approx([700] * 3)
    assert without.saved.lower - worth.saved.lower == pytest.approx(700)
    assert worth_of(counts, MONEY, PRICES).spent_on_calls == 0  # nobody stated a price


def test_prices_of_calls_are_one_for_each_rung_and_not_below_zero():
    counts = LiveCounts(1000, 800, 200, 80, 4.0, 0, 0, calls=(1000, 300))
    with pytest.raises(InputError, match="one price for each of the 2 rungs; got 1"):
        worth_of(counts, MONEY, replace(PRICES, calls=(0.1,)))
    with pytest.raises(InputError, match="prices must not be negative"):
        LivePrices(20, 2, calls=(0.1, -1.0))


def test_calls_cost_what_the_policy_states_in_checks_unless_prices_are_given():
    model = {
        "ladder": {"reader": {"rungs": [{"name": "s"}, {"name": "l"}]}, "prices": [0.01, 0.25]}
    }
    assert LivePrices(20, 2).with_calls_of(model).calls == (0.02, 0.5)
    assert LivePrices(20, 2).with_calls_of(model, work=4.0).calls == (0.04, 1.0)
    stated = LivePrices(20, 2, calls=(3.0, 4.0))
    assert stated.with_calls_of(model, work=4.0) == stated
    assert LivePrices(20, 2).with_calls_of({}) == LivePrices(20, 2)
