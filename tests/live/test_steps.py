"""The step as a state machine: any batches, any delay, and a second, slower book-keeper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.live.calibration import BINS, confidence_bins
from askpoint.live.documents import state_to_dict
from askpoint.live.labels import apply_labels
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms, least_budget
from live.worlds import MONEY, PROMISE, cases, live

BOTH = pytest.mark.parametrize("terms", [MONEY, PROMISE], ids=lambda terms: terms.aim)


def split(n, rng):
    cuts = np.sort(rng.integers(0, n + 1, rng.integers(0, 12)))
    return np.split(np.arange(n), cuts)


@pytest.mark.no_cover
@settings(deadline=None, max_examples=15)
@given(st.sampled_from([MONEY, PROMISE]), st.integers(0, 10**6), st.sampled_from([None, 700]))
def test_the_same_rows_in_any_batches_give_the_same_state(terms, seed, drift):
    rng = np.random.default_rng(seed)
    terms = replace(terms, max_label_delay=400)
    c, wrong, draw = cases(2000, seed, drift)
    state = one = fresh_state(terms)
    events, single = [], []
    open_ = np.empty(0, dtype=np.int64)
    for start in range(0, 2000, 250):
        rows = np.arange(start, start + 250)
        state, made, happened = decide_cases(state, terms, c[rows], draw[rows])
        events += happened
        answers = []
        for part in split(250, rng):
            one, again, happened = decide_cases(one, terms, c[rows][part], draw[rows][part])
            answers.append(again.answer)
            single += happened
        assert (np.concatenate(answers) == made.answer).all()
        # labels in any order, some of them late, some twice, some of nobody
        open_ = np.append(open_, rows[made.audit | ~made.answer])
        come = rng.random(len(open_)) < 0.8
        now = rng.permutation(np.append(open_[come], rng.integers(0, start + 250, 5)))
        open_ = open_[~come]
        state, happened = apply_labels(state, terms, now, wrong[now])
        events += happened
        for part in split(len(now), rng):
            one, happened = apply_labels(one, terms, now[part], wrong[now[part]])
            single += happened
    assert events == single
    assert state_to_dict(state) == state_to_dict(one)


@BOTH
def test_counts_are_those_of_a_slow_book_keeper(terms):
    c, wrong, draw = cases(1500, seed=1)
    state, answer, events = live(terms, c, wrong, draw, delay=2)
    assert {event.kind for event in events} <= {"opened", "threshold", "paused"}
    first = {"money": 200, "promise": 400}[terms.aim]
    bins = confidence_bins(c[:first])
    known = np.arange(1500 - 100)  # the last two batches wait
    checked = ~answer[known] | (draw[known] < terms.rate)
    opened = events[0].seq
    uniform = (known >= first) & checked & ((known < opened) | (draw[known] < terms.rate))
    place = np.searchsorted(bins.edges, c[known], side="right")
    assert state.labelled.tolist() == np.bincount(place[checked], minlength=BINS).tolist()
    errors = np.bincount(place[checked & wrong[known]], minlength=BINS)
    assert state.wrong.tolist() == errors.tolist()
    came = 50 * (known // 50 + 3)  # after so many decisions; bins are placed at the first look
    looks = np.where(came < first, (1500 - first) // 50 + 1, (1500 - came) // 50)
    memory = np.exp(-looks * 50 / 4000)
    for recent, kept in zip(state.recent, (checked, checked & wrong[known]), strict=True):
        assert np.allclose(recent, np.bincount(place[kept], memory[kept], BINS), rtol=1e-9)
    for j, threshold in enumerate(bins.grid):
        above = uniform & (c[known] >= threshold)
        assert (state.n[j], state.w[j]) == (above.sum(), (above & wrong[known]).sum())
    assert state.decided == state.age == 1500
    assert (state.answered, state.asked) == (answer.sum(), 1500 - answer.sum())
    assert state.audited == (answer & (draw < terms.rate)).sum()
    assert state.mistakes == state.seen == (answer & (draw < terms.rate) & wrong)[known].sum()
    assert state.watches["alarm"].limit.audits[0] == (checked & answer[known]).sum()


@BOTH
def test_it_asks_everything_until_it_opens(terms):
    c, wrong, draw = cases(1500, seed=1)
    _, answer, events = live(terms, c, wrong, draw)
    assert events[0].kind == "opened"
    assert not answer[: events[0].seq].any()
    after = slice(events[0].seq, events[0].seq + 50)
    assert (answer[after] == (c[after] >= events[0].numbers["threshold"])).all()
    assert answer[after].any()


@BOTH
def test_a_disaster_closes_it_and_it_learns_anew(terms):
    c, wrong, draw = cases(4000, seed=2, drift=2000)
    state, answer, events = live(terms, c, wrong, draw)
    closed = next(event for event in events if event.kind in {"alarm", "budget_spent"})
    assert 2000 < closed.seq < 2600
    assert state.episode >= 2
    assert not answer[closed.seq + 50 : closed.seq + 250].any()
    assert state.answered == answer.sum()


def test_the_gate_alone_closes_it():
    terms = replace(PROMISE, mistake_budget=30.0, watch_delta=1e-12)
    c, wrong, draw = cases(3000, seed=3, drift=1500)
    _, _, events = live(terms, c, wrong, draw)
    gate = next(event for event in events if event.kind == "budget_spent")
    assert gate.numbers["mistakes_at_most"] + 1 > 0.1 * gate.numbers["answers"] + 30
    free = replace(terms, has_budget=False)
    assert "budget_spent" not in {event.kind for event in live(free, c, wrong, draw)[2]}


def test_an_allowance_that_later_episodes_cannot_keep_stays_closed():
    terms = replace(MONEY, mistake_budget=least_budget(0.2) + 1e-6)
    c, wrong, draw = cases(1500, seed=1)
    _, answer, events = live(terms, c, wrong, draw, state=fresh_state(terms, episode=40))
    assert not answer.any()
    assert events == []


def test_nothing_pays_then_it_pauses():
    terms = replace(MONEY, has_budget=False, watch_delta=1e-300)
    c, wrong, draw = cases(4000, seed=2, drift=1000)
    _, answer, events = live(terms, c, wrong, draw)
    paused = next(event for event in events if event.kind == "paused")
    assert not answer[paused.seq + 50 :][:100].any()


def test_a_useless_model_never_opens():
    rng = np.random.default_rng(0)
    c = rng.uniform(0.5, 1, 2500)
    for terms in (MONEY, PROMISE):
        _, answer, events = live(terms, c, rng.random(2500) < 0.4, rng.random(2500))
        assert not answer.any()
        assert events == []


def test_lost_labels_count_as_mistakes_once_those_of_much_later_cases_are_there():
    terms = replace(MONEY, max_label_delay=200, has_budget=False, watch_delta=1e-300)
    c, wrong, draw = cases(1200, seed=1)
    known, _, _ = live(terms, c[:950], wrong, draw)
    lost = np.arange(700, 1200, 2)
    before, answer, _ = live(terms, c[:1150], wrong, draw, lost=lost)
    state, _, _ = decide_cases(before, terms, c[1150:], draw[1150:])
    overdue = np.isin(np.arange(1150), lost) & (np.arange(1150) < before.latest - 200)
    assert state.missing == (overdue & answer & (draw[:1150] < terms.rate)).sum() > 0
    assert state.mistakes == state.seen + state.missing
    assert known.missing == 0
    # they teach the calibration nothing
    assert state.labelled.sum() < known.labelled.sum()
    assert state.w[-1] > known.w[-1]


def test_lost_audits_alone_can_close_the_gate():
    terms = replace(MONEY, max_label_delay=100, mistake_budget=60.0, watch_delta=1e-12)
    c, wrong, draw = cases(2000, seed=1)
    audits = 600 + np.flatnonzero(draw[600:] < terms.rate)
    _, _, events = live(terms, c, wrong, draw, lost=audits)
    assert "budget_spent" in {event.kind for event in events}


@BOTH
def test_a_weekend_without_labels_loses_nothing(terms):
    terms = replace(terms, max_label_delay=200)
    c, wrong, draw = cases(3000, seed=1)
    state, _, _ = live(terms, c[:2000], wrong, draw)
    steady, _, _ = decide_cases(state, replace(terms, max_label_delay=2000), c[2000:], draw[2000:])
    state, made, events = decide_cases(state, terms, c[2000:], draw[2000:])
    waits = next(event for event in events if event.kind == "waiting")
    first = 2000 + int((made.audit & made.answer).argmax())
    assert waits.numbers["audit"] == first
    assert first + 200 < waits.seq <= first + 200 + 400
    assert not made.answer[waits.seq - 2000 :].any()
    assert state.answered < steady.answered
    asked = state.pending["seq"]
    state, events = apply_labels(state, terms, asked, wrong[asked])
    assert not {"budget_spent", "alarm"} & {event.kind for event in events}
    assert state.missing == 0
    again, made, events = decide_cases(state, terms, c[:50], draw[:50])
    assert events[0].kind == "resumed"
    assert events[0].numbers["threshold"] == state.threshold
    assert made.answer.tolist() == (c[:50] >= state.threshold).tolist()
    assert not again.waiting


@BOTH
def test_what_paused_while_it_waited_is_not_resumed_by_its_labels(terms):
    terms = replace(terms, max_label_delay=200)
    c, wrong, draw = cases(3000, seed=1)
    state, _, _ = live(terms, c[:2000], wrong, draw)
    state, _, events = decide_cases(state, terms, c[2000:], draw[2000:])
    assert "waiting" in {event.kind for event in events}
    asked = state.pending["seq"]
    state, _ = apply_labels(state, terms, asked, wrong[asked])
    paused = replace(state, threshold=None)  # no confidence is worth answering
    later, made, events = decide_cases(paused, terms, c[:1], draw[:1])
    assert "resumed" not in {event.kind for event in events}
    assert not made.answer.any()
    assert not later.waiting


def test_whoever_never_labels_again_is_asked_everything():
    terms = replace(MONEY, max_label_delay=200)
    c, wrong, draw = cases(3000, seed=2, drift=1500)
    state, answer, events = live(terms, c, wrong, draw, lost=np.arange(1500, 3000))
    assert [event.kind for event in events][-1] == "waiting"
    assert not answer[-1000:].any()
    assert state.missing == 0
    later, _ = apply_labels(state, terms, np.array([2999]), np.array([False]))
    later, _, events = decide_cases(later, terms, c[:190], draw[:190])
    assert [event.kind for event in events] == ["resumed"]
    later, _, events = decide_cases(later, terms, c[:400], draw[:400])  # now all before it are lost
    assert "budget_spent" in {event.kind for event in events}


def test_a_few_labels_that_never_come_stop_nothing():
    terms = replace(MONEY, max_label_delay=300)
    c, wrong, draw = cases(3000, seed=1)
    lost = 1000 + np.flatnonzero(draw[1000:] < terms.rate)[::20]
    state, answer, events = live(terms, c, wrong, draw, lost=lost, delay=4)
    assert not {"waiting", "alarm", "budget_spent"} & {event.kind for event in events}
    assert state.missing > 0
    assert answer[-300:].any()


def test_mistakes_of_an_older_episode_count_for_the_life_only():
    c, wrong, draw = cases(3000, seed=2, drift=1500)
    state, _, events = live(MONEY, c, wrong, draw, delay=4)
    assert state.episode >= 2
    assert state.seen > state.mistakes
    assert events


def test_more_audits_where_suspected_never_fewer():
    c, wrong, draw = cases(2000, seed=1)
    state, _, _ = live(MONEY, c[:1500], wrong[:1500], draw[:1500])
    rate = np.where(c[1500:] > 0.9, 0.6, 0.01)
    state, made, _ = decide_cases(state, MONEY, c[1500:], draw[1500:], rate)
    chance = np.where(c[1500:] > 0.9, 0.6, MONEY.rate)
    assert (made.propensity == np.where(made.answer, chance, 1)).all()
    assert (made.audit == (made.answer & (draw[1500:] < chance))).all()
    shares = state.pending["share"][state.pending["answered"]]
    assert set(shares.round(6)) == {1.0, round(MONEY.rate / 0.6, 6)}
    seq = state.pending["seq"]
    new, _ = apply_labels(state, MONEY, seq, np.ones(len(seq), dtype=bool))
    answered = state.pending.rows()[state.pending["answered"]]
    assert new.seen - state.seen == pytest.approx(answered["share"].sum())


def test_feedback_changes_nothing():
    c, wrong, draw = cases(1500, seed=1)
    state, answer, _ = live(MONEY, c, wrong, draw)
    feedback = np.flatnonzero(answer & (draw >= MONEY.rate))
    again, events = apply_labels(state, MONEY, feedback, np.ones(len(feedback), dtype=bool))
    assert state_to_dict(again) == state_to_dict(state)
    assert events == []


@pytest.mark.no_cover
@pytest.mark.whole
def test_promises_hold_in_small_lives():
    # the risk at every threshold is known: no threshold in use breaks it more often than promised
    rng, broken, runs = np.random.default_rng(5), 0, 30
    terms = Terms("promise", 0.1, rate=0.2, delta=0.2, planned_decisions=3000)
    for _ in range(runs):
        c = rng.uniform(0.5, 1, 2500)
        wrong = rng.random(2500) < np.where(c > 0.8, 0.103, 0.3)
        _, _, events = live(terms, c, wrong, rng.random(2500))
        broken += any(event.kind == "opened" for event in events)
    assert broken / runs <= 0.2


def test_until_labels_had_time_to_come_after_a_wait_none_is_given_up():
    terms = replace(MONEY, max_label_delay=200)
    c, wrong, draw = cases(2500, seed=1)
    lost = np.flatnonzero((c < 0.6) & (np.arange(2500) > 600))
    usual, _, _ = live(terms, c[:1500], wrong[:1500], draw[:1500], lost=lost)
    assert usual.given_up.sum() > 0
    waited = fresh_state(terms).copy_with(grace=2000)
    before, _, _ = live(terms, c[:1950], wrong[:1950], draw[:1950], lost=lost, state=waited)
    assert before.given_up.sum() == 0
    after, _, _ = live(terms, c, wrong, draw, lost=lost, state=waited)
    assert after.given_up.sum() > 100
    assert set(after.silent["seq"]) <= set(lost[lost < after.latest - 200])
