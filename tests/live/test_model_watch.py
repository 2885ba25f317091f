"""The watch on the model against a brute force of its own, and how often it cries wolf."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from askpoint.live.alarms import hear_audits
from askpoint.live.calibration import BINS, ConfidenceBins
from askpoint.live.pending import PENDING
from askpoint.live.state import fresh_state
from askpoint.live.terms import Terms
from askpoint.live.watches.model import ModelWatch
from askpoint.live.watches.stated import REGIONS

EDGES = np.arange(1, BINS) / BINS
ALL_BINS = ConfidenceBins(EDGES, (np.arange(BINS) + 0.5) / BINS, EDGES[:32])
STATED = np.linspace(0.5, 0.01, BINS)


def heard(state, place, wrong, share=1.0):
    """Audited answers of these bins heard in their order: the state, the events, where it closes."""
    rows = np.zeros(len(place), dtype=PENDING)
    rows["wrong"], rows["share"], rows["seq"] = wrong, share, np.arange(len(place))
    return hear_audits(state, ALL_BINS, rows, np.asarray(place))


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
    terms = Terms(aim, 0.1, rate=0.2, planned_decisions=100, watch_delta=1e-9)
    rng = np.random.default_rng(0)
    place, wrong = rng.integers(20, BINS, 40), rng.random(40) < 0.15
    share = rng.choice([1.0, 0.5], 40)
    state = replace(fresh_state(terms), stated=STATED, threshold=0.5, bins=ALL_BINS)
    state, events, closing = heard(state, place, wrong, share)
    assert (events, closing) == ([], None)

    def level(rows):
        limit = 0.08 if aim == "money" else 0.1
        bets = [b for b in (0.5, 1, 2, 4, 8, 14) if b < 0.95 / limit]

        def one(bet):
            return mixture(
                rows,
                lambda i: 1 + share[rows[i]] * bet * (wrong[rows[i]] - limit),
                terms.planned_audits,
            )

        return np.mean([one(bet) for bet in bets])

    def stated(rows):
        def factor(i, d):
            s = STATED[place[rows[i]]]
            q = min(0.97, s + d)
            ratio = q / s if wrong[rows[i]] else (1 - q) / (1 - s)
            return 1 + share[rows[i]] * (ratio - 1)

        rises = (0.03, 0.07, 0.15, 0.3, 0.5)
        return np.mean(
            [mixture(rows, lambda i, d=d: factor(i, d), terms.planned_audits) for d in rises]
        )

    everyone = np.arange(40)
    surer = place >= (20 + BINS) / 2
    parts = [everyone, everyone[surer], everyone[~surer]] if aim == "money" else [everyone]
    levels = np.mean([level(rows) for rows in parts])
    regions = [stated(everyone[place * REGIONS // BINS == k]) for k in range(REGIONS)]
    both = (levels + stated(everyone) / 2 + np.sum(regions) / 16) / 2
    assert state.watches["alarm"].evidence == pytest.approx(both, rel=1e-9)


def test_the_first_mistake_that_reaches_the_bound_is_named():
    terms = Terms("promise", 0.05, rate=0.2)
    state = replace(fresh_state(terms, episode=2), bins=ALL_BINS)
    assert state.watches["alarm"].bound == pytest.approx(6 / 0.05)
    wrong = np.array([False] * 3 + [True] * 9)
    place = np.full(12, 39)
    _, events, closing = heard(state, place, wrong)
    assert 3 < closing < 11
    assert [(one.kind, one.numbers["audit"]) for one in events] == [("alarm", closing)]
    assert events[0].numbers["evidence"] >= 120
    before, events, none = heard(state, place[:closing], wrong[:closing])
    assert (events, none) == ([], None)
    assert before.watches["alarm"].evidence < 120


@pytest.mark.no_cover
@pytest.mark.parametrize("aim", ["money", "promise"])
def test_false_alarms_are_no_more_frequent_than_promised(aim):
    rng, runs, terms = (
        np.random.default_rng(1),
        60,
        Terms(aim, 0.2, rate=0.1, planned_decisions=5000),
    )
    terms = replace(terms, watch_delta=0.25)
    stated = np.full(BINS, terms.answer_below)
    false = 0
    for _ in range(runs):
        place = rng.integers(0, BINS, 500)
        wrong = rng.random(500) < terms.answer_below
        state = replace(fresh_state(terms), stated=stated, threshold=0.0, bins=ALL_BINS)
        false += heard(state, place, wrong)[2] is not None
    assert false / runs <= 0.125 + 0.09  # the first episode spends half


def test_without_a_threshold_the_surer_half_is_that_of_all():
    terms = Terms("money", 0.2, rate=0.1)
    state, *_ = heard(fresh_state(terms), [10, 30], [False] * 2)
    assert state.watches["alarm"].limit.audits.tolist() == [2, 1, 1]


def test_an_alarm_that_does_not_close_is_told_and_its_watch_goes_on():
    """As of a plugin's watch, or one of another version: the core's own on audits closes."""
    terms = Terms("money", 0.1, rate=0.2, planned_decisions=100, watch_delta=0.5)
    state = replace(
        fresh_state(terms), stated=STATED, threshold=0.5, bins=ALL_BINS,
        watches={"tides": ModelWatch.start(terms)},
    )  # fmt: skip
    place = np.full(60, 30)
    after, events, closing = heard(state, place, np.ones(60, dtype=int))
    assert closing is None
    assert {event.kind for event in events} == {"tides"}
    rows, bounds = ([event.numbers[name] for event in events] for name in ("audit", "bound"))
    assert len(rows) >= 2
    assert rows == sorted(set(rows))
    assert bounds == [n * (n + 1) / 0.5 for n in range(1, len(rows) + 1)]  # each needs more
    part, first, _ = heard(state, place[: rows[0] + 1], np.ones(rows[0] + 1, dtype=int))
    assert first == events[:1]
    again, others, _ = heard(part, place[rows[0] + 1 :], np.ones(59 - rows[0], dtype=int))
    assert again.watches["tides"].evidence == after.watches["tides"].evidence
    assert len(first) + len(others) == len(events)
