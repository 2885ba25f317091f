"""Confidences and classes without labels: exact where nothing moves, quick where a model is swapped."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from scipy import stats

from askpoint.live.documents import state_from_dict, state_to_dict
from askpoint.live.policy import Policy
from askpoint.live.steps import decide_cases
from askpoint.live.terms import Terms
from askpoint.live.watches import mix
from askpoint.live.watches.mix import MixWatch, _ranks, hours_of_week, mix_codes
from askpoint.measures.restarts import restart_weight
from askpoint.records.stores.deployment import Deployment
from live.worlds import MONEY, cases, live

TERMS = Terms("money", 0.1, planned_decisions=4000)
START = MixWatch.start(TERMS).place_edges(np.linspace(0.5, 1, 400))


def hear(watch, c, rng, kind=None, hour=None):
    draw = rng.integers(0, 2**53, len(c)) / 2.0**53
    for start in range(0, len(c), 50):
        rows = slice(start, start + 50)
        parts = [None if one is None else one[rows] for one in (kind, hour)]
        watch = watch.update(np.array(mix_codes(watch.edges, c[rows], draw[rows], *parts)))
    return watch


HOUR, DAY = 3_600_000_000, 24 * 12


def four_weeks(rng, ahead=0):
    """Twelve cases each hour, those of nights and weekends less sure by a clock so many hours ahead."""
    at = np.arange(28 * DAY) * HOUR // 12
    local = at // HOUR + ahead
    quiet = (local % 24 < 8) | (local // 24 % 7 >= 5)
    return rng.uniform(0.5, np.where(quiet, 0.8, 1.0)), at


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
    for tail, factor, rest in zip(mix._TAIL, mix._FACTOR, mix._REST, strict=True):
        assert np.where(p < tail, factor, rest).mean() == pytest.approx(1, abs=1e-9)


def test_evidence_is_that_of_one_case_after_the_other():
    rng = np.random.default_rng(4)
    c, kind = rng.uniform(0.5, 1, 120), rng.integers(0, 3, 120)
    codes = np.array(mix_codes(START.edges, c, rng.random(120), kind))
    one = START
    for code in codes:
        one = one.update(np.array([code]))
    together = START.update(codes[:70]).update(codes[70:])
    assert np.allclose(one.bets, together.bets)
    assert (one.counts == together.counts).all()
    assert (one.classes == np.bincount(kind, minlength=64)).all()
    assert one.hours.tolist() == [0]
    assert together.hours.dtype == np.int64
    first = START.update(codes[:1])
    factors = first.bets / restart_weight(1, 4000)
    assert ((factors > 0) & (factors <= 4)).all()


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


def test_hours_of_the_week_are_those_of_a_calendar():
    moments = [
        datetime(2026, 3, day, hour, 59, tzinfo=UTC) for day in range(1, 9) for hour in range(24)
    ]
    hours = hours_of_week(np.array([int(one.timestamp()) for one in moments]) * 1_000_000)
    of_calendar = {}
    for one, hour in zip(moments, hours.tolist(), strict=True):
        assert of_calendar.setdefault(hour, (one.weekday(), one.hour)) == (one.weekday(), one.hour)
    assert sorted(of_calendar) == list(range(168))


def test_in_each_hour_of_the_week_the_ranks_are_those_among_its_own_cases():
    rng = np.random.default_rng(5)
    c, kind, hour = rng.uniform(0.5, 1, 300), rng.integers(0, 3, 300), rng.integers(40, 43, 300)
    draw = rng.random(300)
    together = START.update(np.array(mix_codes(START.edges, c, draw, kind, hour)))
    split = np.floor((draw * 2.0**30) % 1 * 65536) / 65536 + 0.5 / 65536
    place = np.searchsorted(START.edges, c, side="right")
    bets = START.bets
    for t in range(300):
        factors = []
        for own in (place, kind):
            before = own[:t][hour[:t] == hour[t]]
            below, same = (before < own[t]).sum(), (before == own[t]).sum()
            p = (below + (same + 1) * split[t]) / (len(before) + 1)
            factors += [np.where(p < mix._TAIL, mix._FACTOR, mix._REST)]
            factors += [np.where(p > 1 - mix._TAIL, mix._FACTOR, mix._REST)]
        bets = (bets + restart_weight(t + 1, 4000)) * np.array(factors)
    assert np.allclose(together.bets, bets)
    for row, one in enumerate(together.hours):
        assert (
            together.counts[row].tolist() == np.bincount(place[hour == one], minlength=54).tolist()
        )


@pytest.mark.parametrize("ahead", [0, 9, -5])
def test_nights_and_weekends_are_no_alarm_and_another_model_in_the_third_week_is(ahead):
    rng = np.random.default_rng(6)
    c, at = four_weeks(rng, ahead)
    hour = hours_of_week(at)
    assert not hear(START, c, rng, None, hour).is_alarmed
    assert hear(START, c, rng).is_alarmed  # without the hours it is one
    swapped = np.where(at >= 14 * 24 * HOUR, 0.5 + 0.6 * (c - 0.5), c)
    assert hear(START, swapped[: 16 * DAY], rng, None, hour[: 16 * DAY]).is_alarmed


def test_a_deployment_knows_its_hours_and_verifies():
    rng = np.random.default_rng(7)
    c, at = four_weeks(rng)
    terms = replace(MONEY, planned_decisions=4000)
    policy = Policy.from_nothing(terms, secret=b"sixteen or more!", name="posts")
    service = Deployment(":memory:", policy, secret=b"sixteen or more!")
    for start in range(0, 15 * DAY, 12):
        keys = [f"{i}" for i in range(start, start + 12)]
        service.decide(keys, confidence=c[start : start + 12], at=int(at[start]))
    assert "mix" not in [event.kind for event in service.events]
    assert service.verify().difference is None


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


@pytest.mark.parametrize("age", [50_000, 1_000_000, 100_000_000])
def test_however_long_a_life_a_decision_keeps_few_confidences_and_they_are_heard(age):
    c, wrong, draw = cases(3000, seed=1)
    state, _, _ = live(MONEY, c, wrong, draw)
    assert state.threshold is not None
    # all its labels came long ago: looks have become rare
    old = state.copy_with(age=age, opened=-age, unheard=(), latest=state.decided)
    rows = np.arange(2500) % 3000
    together, _, told = decide_cases(old, MONEY, c[rows], draw[rows])
    one, said = old, []
    for start in range(0, 2500, 125):
        part = rows[start : start + 125]
        one, _, happened = decide_cases(one, MONEY, c[part], draw[part])
        assert len(one.unheard) < 400
        said += happened
    assert (state_to_dict(one), said) == (state_to_dict(together), told)
    heard = one.watches["mix"].counts.sum() - old.watches["mix"].counts.sum()
    assert heard == 2500 - len(one.unheard)


def test_what_was_not_heard_yet_goes_through_a_file():
    c, wrong, draw = cases(630, seed=1)
    state, _, _ = live(MONEY, c, wrong, draw, batch=10)
    assert len(state.unheard) == 30
    again = state_from_dict(json.loads(json.dumps(state_to_dict(state))), MONEY)
    assert again.unheard == state.unheard
    more, _, told = decide_cases(again, MONEY, c[:50], draw[:50])
    other, _, said = decide_cases(state, MONEY, c[:50], draw[:50])
    assert (state_to_dict(more), told) == (state_to_dict(other), said)
