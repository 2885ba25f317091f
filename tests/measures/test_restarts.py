"""Mixtures over starts: exact means of their factors, brute force, and false alarms."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from askpoint.measures.restarts import (
    STATED_RISES,
    bet_factors,
    level_bets,
    level_factors,
    mix_starts,
    restart_weight,
)

GRID = np.linspace(0, 1, 41)


@pytest.mark.parametrize("limit", [0.002, 0.05, 0.2, 0.6, 0.99])
@pytest.mark.parametrize("share", [0.1, 1.0])
def test_a_level_factor_has_mean_at_most_one_up_to_the_limit(limit, share):
    right, wrong = (level_factors(e, limit, share) for e in (False, True))
    assert (right > 0).all()
    for p in GRID * limit:
        assert (p * wrong + (1 - p) * right <= 1 + 1e-12).all()
    assert limit * wrong + (1 - limit) * right == pytest.approx(1)
    assert (wrong > 1).all()
    assert set(level_bets(limit)) <= {0.5, 1, 2, 4, 8, 14}


@pytest.mark.parametrize("stated", [0.004, 0.05, 0.5, 0.96, 0.99])
@pytest.mark.parametrize("share", [0.1, 1.0])
def test_a_stated_factor_has_mean_at_most_one_up_to_what_is_stated(stated, share):
    right, wrong = (bet_factors(e, stated, share) for e in (False, True))
    assert (right > 0).all()
    assert len(right) == len(STATED_RISES)
    for p in GRID * min(stated, 0.97):
        assert (p * wrong + (1 - p) * right <= 1 + 1e-12).all()
    if stated < 0.9:
        assert (wrong > 1).all()


@pytest.mark.parametrize("horizon", [1, 7.5, 2000, math.inf])
def test_all_weights_together_are_at_most_one(horizon):
    n = 200_000
    rest = 0.5 / 2.11 / math.log(n + 1)  # the integral of the tail
    total = math.fsum(restart_weight(t, horizon) for t in range(1, n + 1)) + rest
    assert 0.499 < total - (0 if math.isinf(horizon) else 0.5 * int(horizon) / horizon) <= 0.5


def test_one_step_after_the_other_is_the_sum_over_starts():
    rng = np.random.default_rng(0)
    wrong = rng.random(30) < 0.2
    factors = np.array([level_factors(bool(e), 0.1) for e in wrong])
    evidence = np.zeros(factors.shape[1])
    for t in range(30):
        evidence = mix_starts(evidence, restart_weight(t + 1, 20), factors[t])
    starts = [restart_weight(s + 1, 20) * factors[s:].prod(axis=0) for s in range(30)]
    assert evidence == pytest.approx(np.sum(starts, axis=0), rel=1e-12)


def test_evidence_stays_a_number():
    evidence = np.zeros(1)
    for _ in range(400):
        evidence = mix_starts(evidence, 1.0, np.array([15.0]))
    assert evidence == [1e300]


@pytest.mark.parametrize("moving", [False, True])
def test_false_alarms_are_no_more_frequent_than_promised_exactly(moving):
    # all sequences of 10 audited answers, the risk at its limit or moving below it
    limit, bound, n = 0.3, 4.0, 10
    risks = [limit * (0.5 if moving and t % 2 else 1) for t in range(n)]
    false = 0.0
    for errors in itertools.product([False, True], repeat=n):
        evidence, probability, alarm = np.zeros(len(level_bets(limit))), 1.0, False
        for t, (e, p) in enumerate(zip(errors, risks, strict=True)):
            probability *= p if e else 1 - p
            evidence = mix_starts(evidence, restart_weight(t + 1, n), level_factors(e, limit))
            alarm |= evidence.mean() >= bound
        false += probability * alarm
    assert 0 < false <= 1 / bound
