"""Who drifted: the verdict's rates where model or people change, and the state that carries it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta

from askpoint.errors import InputError
from askpoint.live.alarms import apply_gold_labels
from askpoint.live.documents import state_from_dict, state_to_dict
from askpoint.live.events import Event, find_alarm_cause
from askpoint.live.policy import Policy
from askpoint.live.state import fresh_state
from askpoint.live.terms import Terms
from askpoint.live.watches.reviewers import ReviewerWatch
from live.memory_store import MemoryStore
from live.worlds import MONEY, cases

TERMS = Terms("promise", 0.09, rate=0.05, has_budget=False)


@pytest.mark.no_cover
def test_people_who_err_as_stated_raise_hardly_any_alarm():
    rng = np.random.default_rng(0)
    alarms = 0
    for _ in range(60):
        _, events = apply_gold_labels(fresh_state(TERMS), rng.random(400) < 0.06)
        alarms += len(events)
    assert alarms <= 7  # 3 expected at most: 7 are passed once in a hundred times


@pytest.mark.no_cover
def test_people_who_err_four_times_as_often_are_noticed():
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(60):
        state, events = apply_gold_labels(fresh_state(TERMS), rng.random(400) < 0.12)
        found += bool(events)
        people = state.watches["people"]
        assert people.items == 400
        assert people.episode == 1 + len(events)
    assert found >= 36  # the design notices .80 to .89; 60% lies 4 standard errors below


def test_an_alarm_says_what_made_it_and_the_next_needs_more():
    state, events = apply_gold_labels(fresh_state(TERMS), np.ones(40, dtype=bool))
    assert [event.kind for event in events] == ["people"] * len(events)
    assert len(events) >= 2
    bounds = [event.numbers["bound"] for event in events]
    assert bounds == [k * (k + 1) / 0.05 for k in range(1, len(events) + 1)]
    assert all(event.numbers["evidence"] >= event.numbers["bound"] for event in events)
    assert state.watches["people"].mistakes == 40


def test_golden_items_change_nothing_about_the_model():
    fresh = fresh_state(TERMS)
    state, _ = apply_gold_labels(fresh, np.array([True, False, True]))
    watches = {**state.watches, "people": fresh.watches["people"]}
    assert state_to_dict(replace(state, watches=watches)) == state_to_dict(fresh)
    assert state_to_dict(state_from_dict(state_to_dict(state), TERMS)) == state_to_dict(state)


@pytest.mark.parametrize(
    ("kinds", "verdict"),
    [
        ("", "none"),
        ("opened threshold budget_spent", "none"),
        ("opened alarm", "model"),
        ("opened people alarm", "reviewers"),
        ("opened alarm people", "reviewers"),
        ("opened alarm people opened threshold", "none"),
        ("people opened alarm", "model"),
    ],
)
def test_people_come_before_the_model(kinds, verdict):
    events = [Event(i, kind, {}) for i, kind in enumerate(kinds.split())]
    assert find_alarm_cause(events) == verdict


def gold(store, name, right):
    """Labels of gold cases, right or wrong."""
    labels = {f"{name}-{i}": is_right for i, is_right in enumerate(right)}
    return store.label(labels, gold=dict.fromkeys(labels, True))


def test_the_people_stream_outlives_an_episode():
    c, wrong, _ = cases(600)
    secret = b"sixteen or more bytes"
    policy = Policy.from_log(c, ~wrong, MONEY, secret=secret, name="posts")
    store = MemoryStore(policy, secret)
    assert gold(store, "first", [True, False, True]) == ()
    c, wrong, _ = cases(1500, seed=1, drift=0)
    for start in range(0, 1500, 50):
        keys = [f"k{i}" for i in range(start, start + 50)]
        store.decide(keys, c[start : start + 50])
        store.label({key: not wrong[int(key[1:])] for key in store.wanted_keys()})
    assert store.policy.state.episode > 1
    assert store.policy.state.watches["people"].items == 3
    events = gold(store, "second", [False] * 12)
    assert find_alarm_cause(store.events) == "reviewers"
    assert events[0].kind == "people"


@pytest.mark.parametrize("error", [-0.1, 0.97, float("nan")])
def test_an_impossible_error_of_people_is_refused(error):
    with pytest.raises(InputError, match="reviewer_error must be 0 or more"):
        Terms("money", 0.1, reviewer_error=error)


def seen(items, mistakes):
    """The watch after so many gold labels."""
    return replace(ReviewerWatch.start(TERMS), items=items, mistakes=mistakes)


def test_people_are_cleared_only_by_labels_that_could_have_shown_otherwise():
    limit = TERMS.reviewer_error_limit
    for items, mistakes in ((0, 0), (4, 0), (40, 0), (60, 1), (200, 4)):
        needed = seen(items, mistakes).gold_needed
        n = items + needed
        share = mistakes / max(1, items)

        def upper(n, share=share):
            return beta.ppf(0.975, share * n + 1, n - share * n)  # Clopper and Pearson

        assert upper(n) <= limit
        assert needed == 0 or n == 1 or upper(n - 1) > limit
    assert seen(4, 0).gold_needed > 50
    assert seen(400, 2).gold_needed == 0
    assert seen(100, 10).gold_needed is None
