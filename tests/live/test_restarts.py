"""Reopening after a trouble that is over: what is counted anew, by whom, and what it may spend."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.live.documents import state_from_dict, state_to_dict
from askpoint.live.labels import apply_labels
from askpoint.live.restarts import LabelCounts, Restarts, Start, count_relapses, window_labels
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms
from live.worlds import MONEY, PROMISE, live

BOTH = pytest.mark.parametrize("terms", [MONEY, PROMISE], ids=lambda terms: terms.aim)
BEGIN = 4000


def troubled(n, begin, end, seed=0):
    """Confidences, mistakes and draws of a model that is bad for a while."""
    rng = np.random.default_rng(seed)
    c = rng.uniform(0.5, 1, n)
    p = np.minimum(0.5, 1.2 * (1 - c) ** 1.5)
    p[begin:end] = 0.6
    return c, rng.random(n) < p, rng.random(n)


def closings(events):
    return [event.seq for event in events if event.kind in {"alarm", "budget_spent", "paused"}]


@BOTH
@pytest.mark.parametrize("length", [400, 3200])
def test_it_reopens_after_at_most_twice_the_labels_of_a_fresh_deployment(terms, length):
    end = BEGIN + length
    c, wrong, draw = troubled(end + 4000, BEGIN, end)
    _, answer, events = live(terms, c, wrong, draw)
    _, fresh, _ = live(terms, c[end:], wrong[end:], draw[end:])
    first = int(fresh.argmax())
    closed = next(seq for seq in closings(events) if seq >= BEGIN)
    since = max(end, closed)
    again = since + int(answer[since:].argmax())
    assert answer[again]
    assert again - since <= 2 * first + 50


def test_a_certificate_that_reopens_knows_only_labels_since_it_began():
    c, wrong, draw = troubled(8000, BEGIN, 5600, seed=1)
    state, _, events = live(PROMISE, c, wrong, draw)
    closed = next(event for event in events if event.kind in {"alarm", "budget_spent"})
    opened = next(e for e in events if e.kind == "opened" and e.seq > closed.seq)
    start, since = opened.numbers["start"], opened.numbers["since"]
    assert start > 2  # 1 was the life's first, 2 that of the episode, which holds the trouble
    assert since >= 5600
    upto, _, _ = live(PROMISE, c[: opened.seq], wrong[: opened.seq], draw[: opened.seq])
    rows = np.arange(since + 1, opened.seq - 50)  # the last labels come after the look
    for j, threshold in enumerate(upto.bins.grid):
        above = c[rows] >= threshold
        assert upto.n[j] - above.sum() in range(
            int((c[opened.seq - 50 : opened.seq] >= threshold).sum()) + 1
        )
        assert upto.w[j] >= (above & wrong[rows]).sum()
    assert upto.labelled.sum() == opened.seq - since - 1
    assert state.start == start


@BOTH
def test_numbers_of_starts_never_come_again(terms):
    c, wrong, draw = troubled(12_000, BEGIN, 5000, seed=3)
    wrong[8000:8800] = np.random.default_rng(0).random(800) < 0.6
    state, seen = fresh_state(terms), []
    for begin in range(0, 12_000, 50):
        rows = slice(begin, begin + 50)
        state, made, _ = decide_cases(state, terms, c[rows], draw[rows])
        wanted = begin + np.flatnonzero(made.audit | ~made.answer)
        state, _ = apply_labels(state, terms, wanted, wrong[wanted])
        running = () if state.restarts is None else state.restarts.starts
        numbers = [state.start, *(start.number for start in running)]
        assert len(set(numbers)) == len(numbers)
        assert max(numbers) <= state.last_start
        seen.append(state.last_start)
    assert seen == sorted(seen)
    assert len(running) <= 3
    spent = sum(terms.episode_delta(number) for number in range(1, seen[-1] + 1))
    assert seen[-1] >= 2
    assert spent < terms.delta


@pytest.mark.parametrize(("end", "size"), [(6000, 200), (9000, 400), (13_500, 800)])
def test_the_window_of_a_price_holds_the_last_labels_and_grows(end, size):
    terms = replace(MONEY, has_budget=False, watch_delta=1e-300)
    c, wrong, draw = troubled(end, BEGIN, end, seed=2)
    state, answer, events = live(terms, c, wrong, draw)
    assert {event.kind for event in events} >= {"opened", "paused"}
    assert not answer[-600:].any()
    assert state.relapses == 0
    window = state.restarts.window(0)
    behind = 0 if state.restarts.partial is None else state.restarts.partial.labels
    rows = np.arange(end - behind - size, end - behind)
    assert window.labels == size
    place = state.bins.of(c[rows])
    assert window.labelled.tolist() == np.bincount(place, minlength=40).tolist()
    assert window.wrong.tolist() == np.bincount(place[wrong[rows]], minlength=40).tolist()


def test_what_opened_and_did_not_last_must_see_more_the_next_time():
    assert [window_labels(n) for n in range(4)] == [200, 3200, 12_800, 51_200]
    assert count_relapses("money", 0, 2999) == 1
    assert count_relapses("money", 4, 0) == 4
    assert count_relapses("money", 2, 3000) == 1
    assert count_relapses("promise", 0, 1800) == 0


@BOTH
def test_a_model_that_is_good_every_other_week_does_not_open_again_and_again(terms):
    rng = np.random.default_rng(4)
    c = rng.uniform(0.5, 1, 12_000)
    bad = (np.arange(12_000) // 1000) % 2 == 1
    p = np.where(bad, 0.6, np.minimum(0.5, 1.2 * (1 - c) ** 1.5))
    _, answer, events = live(terms, c, rng.random(12_000) < p, rng.random(12_000))
    assert len(closings(events)) <= 3
    assert not answer[6000:].any()


@BOTH
def test_before_it_ever_answered_nothing_begins_anew(terms):
    rng = np.random.default_rng(0)
    c = rng.uniform(0.5, 1, 2500)
    state, _, _ = live(terms, c, rng.random(2500) < 0.4, rng.random(2500))
    assert (state.restarts, state.last_start) == (None, 1)


@pytest.mark.no_cover
@settings(deadline=None, max_examples=10)
@given(st.sampled_from([MONEY, PROMISE]), st.integers(0, 10**6), st.integers(600, 1800))
def test_any_batches_and_a_way_through_a_file_give_the_same_state(terms, seed, end):
    rng = np.random.default_rng(seed)
    c, wrong, draw = troubled(3000, 600, end, seed)
    state = other = fresh_state(terms)
    for begin in range(0, 3000, 100):
        rows = slice(begin, begin + 100)
        state, made, _ = decide_cases(state, terms, c[rows], draw[rows])
        other, _, _ = decide_cases(other, terms, c[rows], draw[rows])
        wanted = begin + np.flatnonzero(made.audit | ~made.answer)
        state, _ = apply_labels(state, terms, wanted, wrong[wanted])
        for part in np.split(wanted, np.sort(rng.integers(0, len(wanted) + 1, 3))):
            other, _ = apply_labels(other, terms, part, wrong[part])
        other = state_from_dict(json.loads(json.dumps(state_to_dict(other))), terms)
        assert state_to_dict(state) == state_to_dict(other)


@pytest.mark.no_cover
@pytest.mark.soak
def test_starts_keep_the_promise_where_the_world_holds_still_after_a_trouble():
    # every answered case is a little worse than promised once the trouble is over: opening is an error
    terms = Terms("promise", 0.1, rate=0.2, delta=0.2, planned_decisions=6000)
    rng, broken, runs, began = np.random.default_rng(6), 0, 30, []
    for _ in range(runs):
        c = rng.uniform(0.5, 1, 5000)
        state = fresh_state(terms, episode=2).copy_with(start=2, last_start=2, restarts=Restarts())
        c = rng.uniform(0.5, 1, 4800)
        wrong = rng.random(4800) < np.where(c > 0.8, 0.103, 0.3)
        wrong[:800] = rng.random(800) < 0.6
        state, _, events = live(terms, c, wrong, rng.random(4800), state=state)
        began.append(state.last_start)
        broken += any(event.kind == "opened" for event in events)
    assert min(began) > 2
    assert broken / runs <= 0.2


def test_a_start_without_labels_has_their_evidence_and_its_number_costs():
    n, bins = np.zeros(32, dtype=int), np.zeros(40, dtype=int)
    for number in (1, 3, 12):
        start = Start(number, 100)
        assert start.score(0.1) == pytest.approx(-np.log(number * (number + 1)))
        assert replace(start, counts=LabelCounts(0, n, n, bins, bins, bins)).score(0.1) == pytest.approx(start.score(0.1))  # fmt: skip


@BOTH
def test_what_began_anew_goes_through_a_file(terms):
    """Written and read amid a trouble it goes on as if it had never been away."""
    c, wrong, draw = troubled(6000, 600, 2600, seed=1)
    state, _, _ = live(terms, c[:2900], wrong[:2900], draw[:2900])
    restarts = state.restarts
    assert restarts.partial is not None
    assert restarts.blocks if terms.aim == "money" else restarts.starts
    read = state_from_dict(json.loads(json.dumps(state_to_dict(state))), terms)
    assert state_to_dict(read) == state_to_dict(state)
    ends = [live(terms, c[2900:], wrong[2900:], draw[2900:], state=one)[0] for one in (state, read)]
    assert state_to_dict(ends[0]) == state_to_dict(ends[1])


def test_a_block_ends_when_it_is_full():
    n, bins = np.zeros(32, dtype=int), np.zeros(40, dtype=int)
    for aim, size in (("promise", 200), ("money", 50)):
        restarts = Restarts()
        assert (restarts.room(aim, 0), restarts.full_block(aim, 0)) == (size, None)
        almost = restarts.add(LabelCounts(size - 1, n, n, bins, bins, bins))
        assert (almost.room(aim, 0), almost.full_block(aim, 0)) == (1, None)
        full = almost.add(LabelCounts(1, n, n, bins, bins, bins))
        assert full.full_block(aim, 0).labels == size
