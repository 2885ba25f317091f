"""Laws of every watch: memory is a value, right answers raise nothing, mistakes raise the alarm."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.live.alarms import apply_gold_labels, evidence_share
from askpoint.live.documents import state_from_dict, state_to_dict
from askpoint.live.events import EVENTS
from askpoint.live.state import fresh_state
from askpoint.live.terms import Terms
from askpoint.live.watches.base import Audit, GoldLabel, watch_from_dict, watch_to_dict
from askpoint.live.watches.limit import LimitWatch
from askpoint.live.watches.mix import MixWatch
from askpoint.live.watches.retreat import LATELY, DecidedBlock, RetreatWatch
from askpoint.live.watches.stated import StatedWatch

TERMS = Terms("money", 0.2, rate=0.1, planned_decisions=5000)
ALARMS = [one.watch for one in EVENTS.values() if one.watch]
KINDS = [LimitWatch, StatedWatch, *(kind for kind in ALARMS if kind.hears != "confidences")]


def findings(kind, n, p, seed=0):
    """What a watch of this kind hears, wrong with probability p."""
    rng = np.random.default_rng(seed)
    for wrong in (rng.random(n) < p).tolist():
        if kind.hears == "gold":
            yield GoldLabel(wrong)
        else:
            yield Audit(wrong, 1.0, int(rng.integers(40)), 0.15, bool(rng.random() < 0.5))


def hear(watch, found):
    for finding in found:
        watch = watch.update(finding)
    return watch


def text_of(watch):
    return json.dumps(watch_to_dict(watch))


@pytest.mark.parametrize("kind", KINDS)
def test_a_watch_begins_without_evidence_and_updates_leave_it_alone(kind):
    start = kind.start(TERMS)
    before = text_of(start)
    later = hear(start, findings(kind, 30, 1.0))
    assert start.evidence == 0
    assert not start.is_alarmed
    assert text_of(start) == before != text_of(later)


@pytest.mark.parametrize("kind", KINDS)
def test_its_memory_is_written_and_read(kind):
    watch = hear(kind.start(TERMS, 2), findings(kind, 50, 0.2))
    again = watch_from_dict(kind, TERMS, json.loads(text_of(watch)))
    assert text_of(again) == text_of(watch)
    more = list(findings(kind, 20, 0.5, seed=1))
    assert hear(again, more).evidence == hear(watch, more).evidence
    with pytest.raises(KeyError):
        watch_from_dict(kind, TERMS, {**watch_to_dict(watch), "moons": 3})


@pytest.mark.parametrize("kind", KINDS)
def test_right_answers_raise_nothing_and_mistakes_raise_the_alarm(kind):
    watch = hear(kind.start(TERMS), findings(kind, 500, 0.0))
    assert watch.evidence < 1
    alarmed = hear(watch, findings(kind, 200, 1.0))
    assert alarmed.is_alarmed
    assert alarmed.numbers["evidence"] >= alarmed.numbers["bound"] == 2 / 0.05
    after = alarmed.restart()
    assert after.evidence == 0
    assert after.bound == 6 / 0.05


@pytest.mark.parametrize("kind", [*KINDS, MixWatch])
def test_each_episode_spends_its_own_part_of_the_false_alarms(kind):
    bounds = [kind.start(TERMS, episode).bound for episode in range(1, 2000)]
    assert sum(1 / bound for bound in bounds) <= TERMS.watch_delta
    assert bounds == sorted(bounds)


def test_a_policy_keeps_to_the_watches_with_which_it_opened():
    state = fresh_state(TERMS)
    fewer = replace(state, watches={"alarm": state.watches["alarm"]})
    again = state_from_dict(state_to_dict(fewer), TERMS)
    assert set(again.watches) == {"alarm"}
    assert apply_gold_labels(again, np.ones(100, dtype=bool))[1] == []
    assert evidence_share(again) == 0
    stranger = state_to_dict(state)
    stranger["watches"]["tides"] = {}
    with pytest.raises(InputError, match="a watch 'tides' that this version of askpoint does not"):
        state_from_dict(stranger, TERMS)


def test_a_retreat_compares_the_last_thousand_decisions_with_the_whole_life():
    watch = hear(RetreatWatch.start(TERMS), [DecidedBlock(100, 80)] * 100)
    assert watch.lately == (LATELY, 800)
    assert watch.evidence == pytest.approx(1)
    few = hear(watch, [DecidedBlock(100, 30)] * 10)
    assert few.is_alarmed
    assert few.evidence == pytest.approx((8300 / 11000) / 0.3)
    for answers in range(101):  # the alarm is raised above the bound, and only there
        after = hear(watch, [DecidedBlock(100, answers)] * 10)
        assert after.is_alarmed == (after.evidence > after.bound)
    assert not hear(watch, [DecidedBlock(100, 45)] * 10).is_alarmed
    none = hear(watch, [DecidedBlock(1000, 0)])
    assert none.is_alarmed
    assert none.evidence == float("inf")
    assert not hear(RetreatWatch.start(TERMS), [DecidedBlock(2000, 0)]).is_alarmed
    assert RetreatWatch.start(TERMS).evidence == 0
