from __future__ import annotations

import numpy as np
import pytest

from askpoint.errors import NotEstimableError
from askpoint.live.first_log import learn_from_log
from askpoint.live.state import fresh_state
from askpoint.live.terms import Terms
from askpoint.live.thresholds import move_threshold, next_look, place_bins
from askpoint.measures.chains import ThresholdChains, coverage_grid, thresholds_in_order
from live.worlds import MONEY, PROMISE, cases


def test_a_log_opens_a_policy_for_money():
    c, wrong, _ = cases(600)
    state = learn_from_log(c, wrong, MONEY)
    assert 0.5 < state.threshold < 0.95
    assert state.labelled.sum() == 600
    assert state.wrong.sum() == wrong.sum()
    assert state.decided == 0
    assert learn_from_log(c[:150], wrong[:150], MONEY).threshold is None


def test_a_log_of_any_length_opens_a_policy_for_money():
    c, wrong, _ = cases(4000)
    for n in (
        1999,
        2001,
        2800,
        3399,
    ):  # later looks come each 400 labels; a log's own does not wait
        state = learn_from_log(c[:n], wrong[:n], MONEY)
        assert state.threshold is not None, n
        assert not wrong[c >= state.threshold].mean() > MONEY.limit


def test_a_log_opens_a_policy_under_a_promise_by_its_chains():
    c, wrong, _ = cases(3000)
    state = learn_from_log(c, wrong, PROMISE)
    grid = coverage_grid(c[:200])
    walked = thresholds_in_order(c[200:], wrong[200:], grid, 0.1, ThresholdChains(0.025))
    assert grid[walked[-1]] <= state.threshold < 1  # looks each tenth label only
    assert state.n[-1] == (c[200:] >= grid[-1]).sum()
    assert learn_from_log(c[:300], wrong[:300], PROMISE).threshold is None


def test_a_log_of_few_labels_is_refused():
    with pytest.raises(NotEstimableError, match="39 labelled cases place no bins: label at least"):
        learn_from_log(np.linspace(0.5, 1, 39), np.zeros(39, dtype=bool), MONEY)


def test_where_all_are_right_every_confidence_seen_is_answered():
    c, _, _ = cases(600)
    state = learn_from_log(c, np.zeros(600, dtype=bool), Terms("money", 0.4, rate=0.1))
    assert np.mean(c >= state.threshold) > 0.98


def test_looks_come_each_50_then_each_400_then_each_hundredth_unless_it_is_closed():
    def look(age, threshold=0.9):
        return next_look(fresh_state(MONEY).copy_with(age=age, threshold=threshold, decided=age))

    assert [look(age) for age in (0, 49, 50, 1999)] == [50, 50, 100, 2000]
    assert [look(age) for age in (2000, 2399, 39_999)] == [2400, 2400, 40_000]
    assert look(400_000) == 404_000
    reopened = fresh_state(MONEY).copy_with(age=9000, threshold=0.9, decided=9000, opened=8000)
    assert next_look(reopened) == 9050
    assert look(400_000, None) == 400_050  # a closed policy looks often: it may open


def test_bins_wait_for_confidences():
    state = fresh_state(MONEY)
    assert place_bins(state, MONEY) is state
    c, wrong, _ = cases(600)
    state = learn_from_log(c, wrong, MONEY)
    assert place_bins(state, MONEY) is state
    again, events = move_threshold(state, MONEY, state.bins)
    assert again.threshold == state.threshold
    assert events == []
