"""The watch against a brute force of its own, and how often it cries wolf."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from askpoint.live.calibration import BINS, ConfidenceBins
from askpoint.live.state import REGIONS, fresh_state
from askpoint.live.terms import Terms
from askpoint.live.watching import (
    alarm_bound,
    alarm_evidence,
    lost_so_far_at_most,
    watched,
    within_allowance,
)
from askpoint.measures.mixture_sequence import log_gamma_mixture

EDGES = np.arange(1, BINS) / BINS
ALL_BINS = ConfidenceBins(EDGES, (np.arange(BINS) + 0.5) / BINS, EDGES[:32])
STATED = np.linspace(0.5, 0.01, BINS)


def mixture(wrong, factors, horizon):
    """Sum over starts of one stream, written out."""
    total = 0.0
    for start in range(len(wrong)):
        t = start + 1
        weight = 0.5 / (2.11 * (t + 1) * math.log(t + 1) ** 2) + (t <= horizon) * 0.5 / horizon
        total += weight * math.prod(factors(i) for i in range(start, len(wrong)))
    return total


@pytest.mark.parametrize("aim", ["money", "promise"])
def test_evidence_is_that_of_all_streams_written_out(aim):
    terms = Terms(aim, 0.1, rate=0.2, life=100, watch_delta=1e-9)
    rng = np.random.default_rng(0)
    place, wrong = rng.integers(20, BINS, 40), rng.random(40) < 0.15
    share = rng.choice([1.0, 0.5], 40)
    state = replace(fresh_state(terms), stated=STATED, threshold=0.5, bins=ALL_BINS)
    state, alarm = watched(state, terms, ALL_BINS, place, wrong, share)
    assert alarm is None

    def level(rows):
        limit = 0.08 if aim == "money" else 0.1
        bets = [b for b in (0.5, 1, 2, 4, 8, 14) if b < 0.95 / limit]

        def one(bet):
            return mixture(
                rows, lambda i: 1 + share[rows[i]] * bet * (wrong[rows[i]] - limit), terms.audits
            )

        return np.mean([one(bet) for bet in bets])

    def stated(rows):
        def factor(i, d):
            s = STATED[place[rows[i]]]
            q = min(0.97, s + d)
            ratio = q / s if wrong[rows[i]] else (1 - q) / (1 - s)
            return 1 + share[rows[i]] * (ratio - 1)

        rises = (0.03, 0.07, 0.15, 0.3, 0.5)
        return np.mean([mixture(rows, lambda i, d=d: factor(i, d), terms.audits) for d in rises])

    everyone = np.arange(40)
    surer = place >= (20 + BINS) / 2
    parts = [everyone, everyone[surer], everyone[~surer]] if aim == "money" else [everyone]
    levels = np.mean([level(rows) for rows in parts])
    regions = [stated(everyone[place * REGIONS // BINS == k]) for k in range(REGIONS)]
    both = (levels + stated(everyone) / 2 + np.sum(regions) / 16) / 2
    assert alarm_evidence(state.level, state.region) == pytest.approx(both, rel=1e-9)


def test_the_first_mistake_that_reaches_the_bound_is_named():
    terms = Terms("promise", 0.05, rate=0.2)
    state = replace(fresh_state(terms, episode=2), bins=ALL_BINS)
    assert alarm_bound(state, terms) == pytest.approx(6 / 0.05)
    wrong = np.array([False] * 3 + [True] * 9)
    place, share = np.full(12, 39), np.ones(12)
    _, alarm = watched(state, terms, ALL_BINS, place, wrong, share)
    assert 3 < alarm < 11
    before, none = watched(state, terms, ALL_BINS, place[:alarm], wrong[:alarm], share[:alarm])
    assert none is None
    assert alarm_evidence(before.level, before.region) < 120


@pytest.mark.no_cover
@pytest.mark.parametrize("aim", ["money", "promise"])
def test_false_alarms_are_no_more_frequent_than_promised(aim):
    rng, runs, terms = np.random.default_rng(1), 60, Terms(aim, 0.2, rate=0.1, life=5000)
    terms = replace(terms, watch_delta=0.25)
    stated = np.full(BINS, terms.answer_below)
    false = 0
    for _ in range(runs):
        place = rng.integers(0, BINS, 500)
        wrong = rng.random(500) < terms.answer_below
        state = replace(fresh_state(terms), stated=stated, threshold=0.0, bins=ALL_BINS)
        false += watched(state, terms, ALL_BINS, place, wrong, np.ones(500))[1] is not None
    assert false / runs <= 0.125 + 0.09  # the first episode spends half


def test_without_a_threshold_the_surer_half_is_that_of_all():
    terms = Terms("money", 0.2, rate=0.1)
    state = fresh_state(terms)
    state, _ = watched(
        state, terms, ALL_BINS, np.array([10, 30]), np.array([False] * 2), np.ones(2)
    )
    assert state.level_t.tolist() == [2, 1, 1]


def test_the_gate_is_the_sequence_against_what_is_allowed():
    terms = Terms("money", 0.1, rate=0.2, allowance=60.0)
    state = replace(fresh_state(terms), mistakes=6.0)
    upper = lost_so_far_at_most(state, terms)
    assert log_gamma_mixture(upper * 0.2, 6) == pytest.approx(math.log(1 / 0.025))
    needed = (upper + 1 - 60) / 0.08
    assert not within_allowance(replace(state, answers=math.floor(needed)), terms)
    assert within_allowance(replace(state, answers=math.ceil(needed)), terms)
    assert within_allowance(state, replace(terms, gated=False))
