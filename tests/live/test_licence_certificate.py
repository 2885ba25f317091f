"""Evidence for a licence: against its definition in fractions, by enumeration, and in made histories."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.errors import InputError
from askpoint.live.licences.audit_ladder import AuditLadder
from askpoint.live.licences.certificate import (
    SHARES,
    WEIGHTS,
    Certificate,
    evidence_path,
    evidence_step,
    grant_bound,
    missed_peak,
    starts_to_come,
)
from askpoint.live.licences.forecast import FARTHEST, draw_rates, forecast_grants, mean_rate
from askpoint.live.licences.reading_share import BRACKETS, evidence_with_gold
from askpoint.live.licences.replay import LicenceTerms, replay_labels

WEIGHTED = st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.3, 1.0]), max_size=12)


def by_definition(labels, limit):
    """The mixture over bets and starts, each start multiplied out by itself."""
    whole = Fraction(0)
    for share, weight in zip(SHARES, WEIGHTS, strict=True):
        q, p = Fraction(share) * Fraction(limit), Fraction(limit)
        factors = [Fraction(x) * q / p + (1 - Fraction(x)) * (1 - q) / (1 - p) for x in labels]
        starts = [Fraction(0.9), *(
            (1 - Fraction(0.9)) / Fraction(2.11 * (t + 1) * math.log(t + 1) ** 2) for t in range(1, len(labels) + 1)
        )]  # fmt: skip
        whole += Fraction(weight) * sum(
            start * math.prod(factors[max(0, begun - 1) :], start=Fraction(1))
            for begun, start in enumerate(starts)
        )
    return float(whole)


@given(WEIGHTED, st.sampled_from([0.01, 0.05, 0.2]))
def test_evidence_is_the_mixture_of_its_starts(labels, limit):
    certificate = Certificate.start(limit)
    for one in labels:
        certificate = certificate.update(one)
    assert certificate.evidence == pytest.approx(by_definition(labels, limit), rel=1e-9)
    path = evidence_path(labels, [limit, 0.5])
    assert path.shape == (len(labels), 2)
    if labels:
        assert path[-1, 0] == pytest.approx(certificate.evidence, rel=1e-12)


def test_at_the_limit_its_mean_is_at_most_one_and_it_rarely_grows():
    limit, n = 0.3, 11
    mean = reached = 0.0
    for labels in itertools.product((0.0, 1.0), repeat=n):
        chance = math.prod(limit if one else 1 - limit for one in labels)
        path = evidence_path(labels, [limit])[:, 0]
        mean += chance * path[-1]
        reached += chance * (path.max() >= 4)
    starts = 0.9 + sum(0.1 / (2.11 * (t + 1) * math.log(t + 1) ** 2) for t in range(1, n + 1))
    assert mean == pytest.approx(starts, rel=1e-9)
    assert starts < 1
    assert 0 < reached <= 0.25


def test_at_the_limit_few_histories_ever_earn_a_licence():
    rng = np.random.default_rng(20_261)
    n, limit = 3000, np.full(3000, 0.05)
    bets, ever = np.full((n, 8), 0.9), np.zeros(n, dtype=bool)
    for t in range(1, 501):
        bets = evidence_step(bets, t, (rng.random(n) < 0.05).astype(float), limit)
        ever |= bets @ WEIGHTS >= grant_bound(0.05)
    assert ever.mean() <= 0.05
    assert ever.any()  # it is no empty promise


def test_labels_and_limits_that_cannot_be():
    with pytest.raises(InputError, match="a limit must be between 0 and 1; got 0"):
        Certificate.start(0)
    for labels in ([1.1], [-0.1], [math.nan]):
        with pytest.raises(InputError, match="a label must be between 0"):
            evidence_path(labels, [0.05])
    with pytest.raises(InputError, match="a label must be between 0"):
        Certificate.start(0.05).update(2)


def test_what_all_episodes_spend_is_delta():
    spent = sum(1 / grant_bound(0.05, episode) for episode in range(1, 2000))
    assert 0.0499 < spent < 0.05


@pytest.mark.parametrize(
    ("evidence", "level"), [(0, 1), (3, 1), (25, 1), (49, 1), (51, 2), (2501, 2), (1e30, 2)]
)
def test_a_level_is_twice_the_evidence(evidence, level):
    ladder = AuditLadder()
    assert ladder.level(evidence, 25) == level
    assert ladder.rate(level) == (0.15, 0.05)[level - 1]
    assert ladder.rate(0) == 1.0


def test_a_ladder_of_three_by_tens():
    ladder = AuditLadder((0.5, 0.2, 0.05), 10.0)
    assert [ladder.level(one, 25) for one in (25, 249, 251, 2501, 1e30)] == [1, 1, 2, 3, 3]


def test_the_share_that_may_be_overlooked_is_where_the_certificate_ends():
    labels = [0.0] * 120 + [1.0] + [0.0] * 200
    missed = missed_peak(labels, 0.05, 25)
    assert missed is not None
    for share, stands in ((missed - 0.001, True), (missed + 0.001, False)):
        assert (evidence_path(labels, [0.05 * (1 - share)]).max() >= 25) == stands
    assert missed_peak([1.0] * 10, 0.05, 25) is None
    assert missed_peak([], 0.05, 25) is None


def test_golden_actions_stop_approvers_who_do_not_read():
    labels = [0.0] * 300  # all approved
    unread = evidence_with_gold(labels, [True] * 20, 0.05)
    assert unread.max() < 25
    read = evidence_with_gold(labels, [False] * 60, 0.05)
    assert read.max() >= 25
    alone = evidence_path(labels, [0.05])[:, 0]
    assert (read <= alone + 1e-9).all()  # the bracket without misses is among those of the least
    assert evidence_with_gold(labels, [], 0.05).max() <= 1  # who never measured cannot know
    assert evidence_with_gold([], [False], 0.05).size == 0


def test_no_bracket_drags_the_least_above_the_true_one():
    """With misses drawn at m, the least product is below that of the bracket that holds m, whatever comes."""
    rng = np.random.default_rng(5)
    for m in (0.02, 0.25, 0.7):
        labels = (rng.random(150) < 0.05 * (1 - m)).astype(float)
        golden = rng.random(30) < m
        found = evidence_with_gold(labels, golden, 0.05)
        i = next(i for i in range(len(BRACKETS) - 1) if BRACKETS[i] <= m < BRACKETS[i + 1])
        against = evidence_path(golden.astype(float), [BRACKETS[i] or 0.5])[-1, 0]
        factor = 1.0 if i == 0 else (1 + against) / 2
        true = evidence_path(labels, [0.05 * (1 - BRACKETS[i + 1])])[:, 0] * factor
        assert (found <= true * (1 + 1e-9)).all()


def test_approvers_who_overlook_half_license_few_bad_agents():
    """The agent errs at the limit, half of that is overlooked; golden actions show it (spec A8, table 2)."""
    rng = np.random.default_rng(8)
    granted = 0
    for _ in range(60):
        labels = (rng.random(300) < 0.025).astype(float)
        golden = rng.random(20) < 0.5
        granted += evidence_with_gold(labels, golden, 0.05).max() >= 25
    assert granted <= 6


def test_a_licence_is_earned_lost_and_harder_to_earn_again():
    labels = [0.0] * 80 + [1.0] * 8 + [0.0] * 400
    history = replay_labels(labels, LicenceTerms(0.05))
    assert history.episode == 2
    assert len(history.lost) == 1
    assert 80 < history.lost[0] <= 88
    assert history.granted is not None
    first = replay_labels(labels[:80], LicenceTerms(0.05))
    assert first.granted == 76
    again = history.granted - history.lost[0]
    assert again > 76 + 20  # 1 / delta is eight times what it was
    assert history.greatest >= grant_bound(0.05, 2)
    assert history.since == history.lost[0]
    empty = replay_labels([], LicenceTerms(0.05))
    assert (empty.granted, empty.greatest, empty.episode) == (None, 0.0, 1)


def test_a_good_unit_rarely_loses_its_licence():
    rng = np.random.default_rng(9)
    lost = sum(
        bool(replay_labels((rng.random(600) < 0.02).astype(float), LicenceTerms(0.05)).lost)
        for _ in range(60)
    )
    assert lost <= 2


def test_a_forecast_is_where_the_futures_get():
    certificate = Certificate.start(0.05)
    for _ in range(45):
        certificate = certificate.update(0.0)
    rng = np.random.default_rng(0)
    (sure,) = forecast_grants([certificate], np.zeros((1, 50)), [25], rng)
    needed = next(
        n for n in range(1, 200)
        if evidence_path([0.0] * (45 + n), [0.05])[-1, 0] >= 25
    )  # fmt: skip
    assert (sure.low, sure.median, sure.high, sure.never) == (needed, needed, needed, 0.0)
    (hopeless,) = forecast_grants([Certificate.start(0.05)], np.full((1, 20), 0.5), [25], rng)
    assert (hopeless.median, hopeless.never) == (None, 1.0)
    rates = draw_rates(3, 45, 4000, rng)
    assert rates.mean() == pytest.approx(3.5 / 55, abs=0.003)  # the mean of that beta
    assert mean_rate(3, 45) == pytest.approx(3.5 / 55)


def test_forecasts_of_many_are_those_of_each_alone():
    states = [Certificate.start(0.05), Certificate.start(0.2).update(1.0), Certificate.start(0.05)]
    rates = np.random.default_rng(1).beta(0.5, 9.5, (3, 40))
    rates[2] = rates[0]
    bounds = [25.0, 200.0, 25.0]
    together = forecast_grants(states, rates, bounds, np.random.default_rng(2))
    alone = [
        forecast_grants([state], rates[[i]], [bounds[i]], np.random.default_rng(2))[0]
        for i, state in enumerate(states)
    ]
    assert together == alone
    assert together[0] == together[2]
    many = forecast_grants([states[0]] * 70, rates[[0] * 70], [25.0] * 70, np.random.default_rng(2))
    assert set(many) == {alone[0]}


def test_a_future_that_is_given_up_would_hardly_ever_be_granted():
    """Step by step to the end, with the same draws: at most 1 future in 1,000 differs, and only to never."""
    rates = np.linspace(0.01, 0.2, 2000)
    (quick,) = forecast_grants(
        [Certificate.start(0.05)], rates[np.newaxis], [25], np.random.default_rng(3)
    )
    draws = np.random.default_rng(3).random((FARTHEST, 2000), dtype=np.float32)
    bets, limit = np.full((2000, len(SHARES)), 0.9), np.full(2000, 0.05)
    granted = np.zeros(2000, bool)
    for t in range(1, FARTHEST + 1):
        bets = evidence_step(bets, t, (draws[t - 1] < rates).astype(float), limit)
        granted |= bets @ WEIGHTS >= 25
    assert 0 <= quick.never - (1 - granted.mean()) <= 0.001


@pytest.mark.parametrize("t", [1, 7, 300])
def test_starts_to_come_are_no_more_than_said(t):
    near = math.fsum(0.1 / (2.11 * (s + 1) * math.log(s + 1) ** 2) for s in range(t + 1, 200_000))
    known = near + 0.1 / (2.11 * math.log(200_001))  # the rest, from below: an integral again
    assert known <= starts_to_come(np.array(t)) <= 1.4 * known
