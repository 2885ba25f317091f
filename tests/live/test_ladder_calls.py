"""What the calls of a ladder's rungs cost, by hand."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from askpoint.live.documents import state_from_dict, state_to_dict
from askpoint.live.ladder_calls import add_calls, call_prices, checks_bought, count_calls
from askpoint.live.state import fresh_state
from live.worlds import MONEY

RUNGS = {"reader": {"rungs": [{"name": "small"}, {"name": "large"}]}}
PRICED = {"ladder": {**RUNGS, "prices": [0.01, 0.25]}}
PATHS = st.lists(st.sampled_from(["small", "small+large", "large", None, ""]), max_size=30)


def test_a_policy_of_one_model_calls_no_rung():
    assert call_prices({}) == {}
    assert count_calls({}, {"small": 3}) == ()
    assert checks_bought({}, {"small": 3}) == 0


def test_each_rung_of_a_path_is_called_and_paid():
    cases = {"small": 70, "small+large": 30, None: 5, "another": 2}
    assert call_prices(PRICED) == {"small": 0.01, "large": 0.25}
    assert count_calls(PRICED, cases) == (100, 30)
    assert checks_bought(PRICED, cases) == pytest.approx(100 * 0.01 + 30 * 0.25)


def test_rungs_without_prices_are_counted_and_cost_nothing():
    free = {"ladder": RUNGS}
    assert count_calls(free, {"small+large": 4}) == (4, 4)
    assert checks_bought(free, {"small+large": 4}) == 0


@given(PATHS, PATHS)
def test_calls_add_up_in_any_portions(first, second):
    at_once = add_calls((), PRICED, [*first, *second])
    assert add_calls(add_calls((), PRICED, first), PRICED, second) == at_once
    assert at_once == count_calls(PRICED, Counter([*first, *second]))


def test_calls_are_written_with_a_state_only_where_there_are_any():
    state = fresh_state(MONEY)
    assert "calls" not in state_to_dict(state)
    called = state.copy_with(calls=(30, 7))
    plain = json.loads(json.dumps(state_to_dict(called)))
    assert plain["calls"] == [30, 7]
    assert state_from_dict(plain, MONEY).calls == (30, 7)
    assert state_from_dict(state_to_dict(state), MONEY).calls == ()
