"""The aim money over the labels of a log: when acting begins and ceases to pay, and what forecasts say of that."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.error_posterior import (
    LEAST,
    acting_pays,
    bearable_misses,
    labels_to_pay,
    rate_posterior,
)
from askpoint.live.licences.forecast import FARTHEST, forecast_paying
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.replay import LicenceTerms, replay_labels
from askpoint.live.licences.unit import Unit

LIMIT = 0.0475


@given(
    st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.0, 0.5, 1.0]), max_size=150),
    st.sampled_from([0.02, LIMIT, 0.3]),
)
def test_a_log_is_read_as_the_door_learns_it(labels, limit):
    """Label by label: whether it acts, and in which episode."""
    policy = LicencePolicy((ActionClass("t"),), limit=limit, aim="money")
    unit = Unit.of(policy, policy.classes[0], "1")
    terms = LicenceTerms(unit.limit, pays_below=unit.limit)
    for n, bad in enumerate(labels, 1):
        unit = unit.learn(policy, bad)
        history = replay_labels(labels[:n], terms)
        assert (history.granted is not None, history.episode) == (unit.is_granted, unit.episode)


def test_acting_begins_with_ten_labels_and_rests_when_it_costs_more():
    terms = LicenceTerms(LIMIT, pays_below=LIMIT)
    assert replay_labels([0.0] * 9, terms).granted is None
    assert replay_labels([0.0] * 10, terms).granted == LEAST
    rested = replay_labels([0.0] * 12 + [1.0], terms)
    assert (rested.granted, rested.episode, rested.lost) == (None, 1, ())
    assert rate_posterior(13, 1).mean >= LIMIT


@pytest.mark.parametrize("limit", [0.01, LIMIT, 0.3])
def test_the_labels_it_takes_are_the_first_with_which_it_pays(limit):
    wrong, most = [0, 0.5, 1, 4, 30], 400
    known = [
        next((n for n in range(int(np.ceil(w)), most + 1) if acting_pays(n, w, limit)), most + 1)
        for w in wrong
    ]
    assert labels_to_pay(wrong, limit, most).tolist() == known
    assert most + 1 in known or limit > 0.05


def test_a_forecast_is_where_its_futures_begin_to_pay():
    rates = np.array([0.0, 0.01, 0.03, 0.2, 0.4, 0.02])
    draws = np.random.default_rng(5).random((FARTHEST, len(rates)), dtype=np.float32)
    after = []
    for j, rate in enumerate(rates):
        wrong, n = 2.0, 11
        for t in range(FARTHEST + 1):
            if acting_pays(n + t, wrong, LIMIT):
                after.append(t)
                break
            wrong += t < FARTHEST and draws[t, j] < rate
        else:
            after.append(FARTHEST + 1)
    found = forecast_paying(11, 2.0, LIMIT, rates, np.random.default_rng(5))
    assert found.never == np.mean(np.array(after) > FARTHEST)
    assert found.median == sorted(after)[3]
    assert forecast_paying(10, 0.0, LIMIT, rates, np.random.default_rng(5)).high == 0


def test_what_readers_may_overlook_brings_the_mean_to_the_limit():
    missed = bearable_misses(200, 2, LIMIT)
    assert rate_posterior(200, 2).mean / (1 - missed) == pytest.approx(LIMIT)
    assert bearable_misses(20, 20, LIMIT) == 0
