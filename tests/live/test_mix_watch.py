"""Confidences and classes without labels: exact where nothing moves, quick where a model is swapped."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from askpoint.live.documents import state_from_dict, state_to_dict
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms
from askpoint.live.watches.mix import MixWatch, _ranks, mix_codes
from live.worlds import MONEY, cases, live

TERMS = Terms("money", 0.1, planned_decisions=4000)
START = MixWatch.start(TERMS).place_edges(np.linspace(0.5, 1, 400))


def hear(watch, c, rng, kind=None):
    draw = rng.integers(0, 2**53, len(c)) / 2.0**53
    for start in range(0, len(c), 50):
        rows = slice(start, start + 50)
        part = None if kind is None else kind[rows]
        watch = watch.update(np.array(mix_codes(watch.edges, c[rows], draw[rows], part)))
    return watch


def test_ranks_are_uniform_and_follow_those_of_a_slow_book_keeper():
    rng = np.random.default_rng(0)
    place, split = rng.integers(0, 5, 3000), rng.random(3000)
    ranks = _ranks(np.zeros(5, dtype=np.int64), place, split)
    for t in (0, 1, 7, 500, 2999):
        before = place[:t]
        below, same = (before < place[t]).sum(), (before == place[t]).sum()
        assert ranks[t] == pytest.approx((below + (same + 1) * split[t]) / (t + 1))
    assert stats.kstest(ranks, "uniform").pvalue > 1e-3
    assert abs(np.corrcoef(ranks[:-1], ranks[1:])[0, 1]) < 0.06
    half = _ranks(np.bincount(place[:1500], minlength=5), place[1500:], split[1500:])
    assert np.allclose(half, ranks[1500:])


def test_every_bet_has_a_mean_of_one_while_nothing_moves():
    # the ranks of a fixed grid of ties, summed exactly
    p = (np.arange(100_000) + 0.5) / 100_000
    from askpoint.live.watches import mix

    for tail, factor, rest in zip(mix._TAIL, mix._FACTOR, mix._REST, strict=True):
        assert np.where(p < tail, factor, rest).mean() == pytest.approx(1, abs=1e-9)


@pytest.mark.no_cover
def test_false_alarms_are_as_rare_as_stated():
    alarms = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        kind = (rng.random(2000) < 0.3).astype(np.int64)
        alarms += hear(START, rng.uniform(0.5, 1, 2000), rng, kind).is_alarmed
    assert alarms <= stats.binom.ppf(0.999, 40, TERMS.watch_delta)


def test_another_model_shows_within_a_hundred_cases_or_so():
    rng = np.random.default_rng(1)
    watch = hear(START, rng.uniform(0.5, 1, 1000), rng)
    assert not watch.is_alarmed
    assert hear(watch, rng.uniform(0.5, 0.8, 150), rng).is_alarmed
    assert not hear(watch, rng.uniform(0.5, 1, 150), rng).is_alarmed


def test_classes_that_come_more_often_show_too():
    rng = np.random.default_rng(2)
    kind = (rng.random(1000) < 0.2).astype(np.int64)
    watch = hear(START, rng.uniform(0.5, 1, 1000), rng, kind)
    moved = (rng.random(400) < 0.6).astype(np.int64)
    assert not watch.is_alarmed
    assert hear(watch, rng.uniform(0.5, 1, 400), rng, moved).is_alarmed


def test_after_an_alarm_what_came_before_is_no_measure():
    rng = np.random.default_rng(3)
    watch = hear(START, rng.uniform(0.5, 1, 500), rng)
    again = hear(watch, rng.uniform(0.5, 0.7, 200), rng).restart()
    assert again.evidence == 0
    assert (again.edges == watch.edges).all()
    assert again.episode == 2
    assert not hear(again, rng.uniform(0.5, 0.7, 1000), rng).is_alarmed


def test_a_moved_mix_doubles_the_audits_for_a_while_and_closes_nothing():
    c, wrong, draw = cases(4000, seed=1)
    c[2000:] = 0.5 + 0.9 * (c[2000:] - 0.5)
    wrong &= c > 0.75  # the answers stay good
    state, answer, events = live(MONEY, c, wrong & (np.arange(4000) % 7 == 0), draw)
    moved = next(event for event in events if event.kind == "mix")
    assert 2000 < moved.seq < 2800
    assert moved.numbers["until"] == moved.seq + 2000
    assert not {"alarm", "budget_spent"} & {event.kind for event in events}
    assert answer[moved.seq :].mean() > 0.5 * answer[1000:2000].mean()
    upto, _, _ = live(MONEY, c[: moved.seq], wrong[: moved.seq], draw[: moved.seq])
    state = upto.copy_with(raised_until=moved.seq + 60)
    _, made, _ = decide_cases(state, MONEY, c[-100:], draw[-100:])
    chance = np.where(np.arange(100) < 60, 2 * MONEY.rate, MONEY.rate)
    assert (made.propensity == np.where(made.answer, chance, 1)).all()
    assert (made.audit == (made.answer & (draw[-100:] < chance))).all()


def test_what_was_not_heard_yet_goes_through_a_file():
    c, wrong, draw = cases(630, seed=1)
    state, _, _ = live(MONEY, c, wrong, draw, batch=10)
    assert len(state.unheard) == 30
    again = state_from_dict(json.loads(json.dumps(state_to_dict(state))), MONEY)
    assert again.unheard == state.unheard
    more, _, told = decide_cases(again, MONEY, c[:50], draw[:50])
    other, _, said = decide_cases(state, MONEY, c[:50], draw[:50])
    assert (state_to_dict(more), told) == (state_to_dict(other), said)
