"""Labels that do not come: bounds in every place, asked again by lot, and what may then open."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from askpoint.live.calibration import confidence_bins, stated_errors
from askpoint.live.documents import state_from_dict, state_to_dict
from askpoint.live.draws import audit_draws, draws_again, draws_double
from askpoint.live.labels import apply_labels
from askpoint.live.restarts import Restarts
from askpoint.live.silence import (
    bounded_errors,
    late_audits,
    list_asked_again,
    list_wanted,
    silent_share,
)
from askpoint.live.state import fresh_state
from askpoint.live.steps import decide_cases
from live.worlds import MONEY, PROMISE, cases, live

SHORT = replace(MONEY, max_label_delay=200, watch_delta=1e-300, has_budget=False)


def test_who_is_asked_again_does_not_hang_on_who_is_audited():
    draw = audit_draws(b"sixteen or more!", "posts", map(str, range(100_000)))
    again, double = draws_again(draw), draws_double(draw)
    for part in (draw < 0.05, draw < 0.2, draw >= 0.2, double, ~double):
        assert stats.binomtest(int(again[part].sum()), int(part.sum()), 0.2).pvalue > 1e-3
    for part in (draw < 0.05, draw >= 0.2):
        assert stats.binomtest(int(double[part].sum()), int(part.sum()), 0.2).pvalue > 1e-3


def test_labels_of_mistakes_that_come_late_do_not_drive_the_threshold_down():
    c, wrong, draw = cases(3000, seed=1)
    late = np.flatnonzero(wrong)
    punctual, answer, _ = live(SHORT, c, wrong, draw)
    state, bold, _ = live(SHORT, c, wrong, draw, lost=late)
    assert silent_share(state.given_up, state.labelled) > 0.05
    assert bold[-1000:].mean() <= answer[-1000:].mean() + 0.05
    naive = stated_errors(state.bins.centres, state.labelled, state.wrong)
    bounded = bounded_errors(state, state.bins, state.labelled, state.wrong, state.given_up)
    assert naive.error.mean() < 0.5 * bounded.error.mean()
    assert (bounded.error >= naive.error).all()
    assert punctual.given_up.sum() == 0


def test_what_is_given_up_is_counted_once_and_comes_back_when_its_label_comes():
    c, wrong, draw = cases(1500, seed=1)
    lost = np.arange(1060, 1240, 2)
    state, answer, _ = live(SHORT, c, wrong, draw, lost=lost)
    wanted = lost[~answer[lost] | (draw[lost] < SHORT.rate)]
    gone = wanted[: len(state.silent)]
    assert state.silent["seq"].tolist() == gone.tolist()
    assert (wanted < state.latest - 250).sum() <= len(gone) <= (wanted < state.latest - 200).sum()
    assert state.given_up.sum() == len(gone)
    assert list_asked_again(state).tolist() == gone[draws_again(draw[gone])].tolist()
    assert list_wanted(state)[: len(list_asked_again(state))] == list_asked_again(state).tolist()
    told, _ = apply_labels(state, SHORT, gone, wrong[gone])
    place = state.bins.of(c[gone])
    assert told.given_up.sum() == 0
    assert len(told.silent) == 0
    assert (told.labelled - state.labelled).tolist() == np.bincount(place, minlength=40).tolist()
    assert (told.wrong - state.wrong).sum() == wrong[gone].sum()
    drawn = gone[draws_again(draw[gone])]
    assert told.heard.sum(axis=1).tolist() == [len(drawn), wrong[drawn].sum()]
    # budget, watch and certificates keep what they were told: decided is decided
    assert (told.n == state.n).all()
    assert (told.w == state.w).all()
    assert told.mistakes == state.mistakes
    twice, _ = apply_labels(told, SHORT, gone, ~wrong[gone])
    assert state_to_dict(twice) == state_to_dict(told)


def test_asked_again_in_vain_counts_as_a_mistake_until_the_label_comes():
    c, wrong, draw = cases(3000, seed=1)
    lost = np.arange(700, 1200, 3)
    state, answer, _ = live(SHORT, c, wrong, draw, lost=lost)
    gone = lost[~answer[lost] | (draw[lost] < SHORT.rate)]
    drawn = gone[draws_again(draw[gone])]
    assert len(list_asked_again(state)) == 0
    assert state.heard.sum(axis=1).tolist() == [len(drawn), len(drawn)]
    told, _ = apply_labels(state, SHORT, drawn, np.zeros(len(drawn), dtype=bool))
    assert told.heard.sum(axis=1).tolist() == [len(drawn), 0]


def test_those_asked_again_speak_for_the_silent_by_an_upper_end():
    state = fresh_state(MONEY)
    bins = confidence_bins(np.linspace(0.5, 1, 400))
    n, given_up = np.full(40, 30), np.full(40, 10)
    few = state.copy_with(heard=np.array([[5, 5, 5, 4], [0, 0, 0, 0]]))
    for own in (state, few):  # fewer than 20: all may be mistakes
        found = bounded_errors(own, bins, n, 0 * n, given_up)
        assert np.allclose(found.error, stated_errors(bins.centres, n + 10, 0 * n + 10).error)
    heard = state.copy_with(heard=np.array([[10, 10, 10, 0], [10, 2, 0, 0]]))
    upper = [1, stats.beta.ppf(0.8, 3, 8), stats.beta.ppf(0.8, 1, 10), 1]
    mistakes = 10 * np.repeat(upper, 10)
    expected = stated_errors(bins.centres, n + 10, mistakes).error
    assert np.allclose(bounded_errors(heard, bins, n, 0 * n, given_up).error, expected)


@pytest.mark.parametrize("terms", [MONEY, PROMISE], ids=lambda terms: terms.aim)
def test_nothing_opens_while_too_many_are_silent_and_somebody_is_told_once(terms):
    terms = replace(terms, max_label_delay=200)
    c, wrong, draw = cases(3000, seed=2)
    lost = np.flatnonzero(np.random.default_rng(0).random(3000) < 0.3)
    state, answer, events = live(terms, c, wrong, draw, lost=lost)
    assert not answer.any()
    assert [event.kind for event in events] == ["silence"]
    assert events[0].numbers["share"] > 0.1
    assert state.is_short


@pytest.mark.parametrize("terms", [MONEY, PROMISE], ids=lambda terms: terms.aim)
def test_it_opens_where_the_labels_come_although_below_many_are_missing(terms):
    terms = replace(terms, max_label_delay=200)
    c, wrong, draw = cases(3000, seed=2)
    lost = np.flatnonzero((c < 0.8) & (np.random.default_rng(0).random(3000) < 0.3))
    _, answer, events = live(terms, c, wrong, draw, lost=lost)
    opened = next(event.seq for event in events if event.kind == "opened")
    told = next(event for event in events if event.kind == "silence")
    assert told.seq <= opened
    assert told.numbers["share"] > 0.1
    assert answer[opened:].mean() > 0.2
    assert c[answer].min() > 0.75
    # with as many missing where it would answer it stays closed
    lost = np.flatnonzero((c > 0.7) & (np.random.default_rng(0).random(3000) < 0.3))
    assert not live(terms, c, wrong, draw, lost=lost)[1].any()


def test_asked_again_a_price_opens_although_many_labels_are_lost():
    terms = replace(MONEY, max_label_delay=200, limit=0.2)
    c, wrong, draw = cases(5000, seed=2)
    lost = np.random.default_rng(0).random(5000) < 0.2
    state, told = fresh_state(terms), []
    for start in range(0, 5000, 50):
        rows = slice(start, start + 50)
        state, made, _ = decide_cases(state, terms, c[rows], draw[rows])
        wanted = start + np.flatnonzero(made.audit | ~made.answer)
        now = np.append(wanted[~lost[wanted] | made.audit[wanted - start]], list_asked_again(state))
        state, _ = apply_labels(state, terms, now.astype(int), wrong[now.astype(int)])
        told.append(made.answer.mean())
    assert np.mean(told[-20:]) > 0.2
    assert state.heard[0].sum() >= 20


def test_a_state_with_silent_cases_goes_through_a_file():
    c, wrong, draw = cases(1500, seed=1)
    state, _, _ = live(SHORT, c, wrong, draw, lost=np.arange(700, 1200, 3))
    assert len(state.silent)
    again = state_from_dict(json.loads(json.dumps(state_to_dict(state))), SHORT)
    assert state_to_dict(again) == state_to_dict(state)
    assert again.silent.dtype == state.silent.dtype


def test_audits_half_way_to_their_deadline_are_told():
    terms = replace(MONEY, max_label_delay=400)
    c, wrong, draw = cases(1500, seed=1)
    state, answer, _ = live(terms, c, wrong, draw, lost=np.arange(1100, 1300))
    due = np.arange(1100, 1300)[answer[1100:1300] & (draw[1100:1300] < terms.rate)]
    assert late_audits(state, 400) == (due < state.latest - 200).sum() > 0


def test_a_label_that_was_there_already_teaches_nothing_while_others_are_silent():
    c, wrong, draw = cases(1500, seed=1)
    lost = np.arange(700, 1200, 3)
    state, answer, _ = live(SHORT, c, wrong, draw, lost=lost)
    there = np.setdiff1d(np.flatnonzero(~answer[:1400]), lost)[-20:]
    twice, events = apply_labels(state, SHORT, there, ~wrong[there])
    assert (state_to_dict(twice), events) == (state_to_dict(state), [])
    assert len(state.silent) > 0


@pytest.mark.parametrize("terms", [MONEY, PROMISE], ids=lambda terms: terms.aim)
def test_a_closed_policy_stays_closed_while_too_many_are_silent(terms):
    """Fifteen of a hundred missing, all taken for mistakes, would pay at this limit: nobody knows, so nothing opens."""
    terms = replace(terms, max_label_delay=200, limit=0.5)
    c, wrong, draw = cases(3000, seed=2)
    lost = np.flatnonzero(np.random.default_rng(0).random(3000) < 0.2)
    for silent in (lost, ()):
        closed = fresh_state(terms, episode=2).copy_with(start=2, last_start=2, restarts=Restarts())
        _, answer, _ = live(terms, c, wrong, draw, lost=silent, state=closed)
        assert answer.any() == (silent is not lost)


def test_what_began_anew_stays_closed_too_while_too_many_are_silent():
    """After a trouble the next start could open by its labels; so many are missing that nobody knows."""
    terms = replace(PROMISE, max_label_delay=200, limit=0.35)
    c, wrong, draw = cases(3000, seed=2)
    wrong[:600] = np.random.default_rng(1).random(600) < 0.8
    lost = 600 + np.flatnonzero(np.random.default_rng(0).random(2400) < 0.2)
    for silent in (lost, ()):
        closed = fresh_state(terms, episode=2).copy_with(start=2, last_start=2, restarts=Restarts())
        state, answer, events = live(terms, c, wrong, draw, lost=silent, state=closed)
        assert state.last_start > 2
        assert answer.any() == (silent is not lost)
    assert next(event for event in events if event.kind == "opened").numbers["start"] > 2
