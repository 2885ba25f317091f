"""Audits by level and after a mistake, licences regained, and the aim that counts money."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.live.licences.action_classes import ActionClass, classes_from
from askpoint.live.licences.audit_ladder import AuditLadder
from askpoint.live.licences.certificate import (
    SHARES,
    Certificate,
    Reserve,
    quiet_labels,
    spend_reserves,
)
from askpoint.live.licences.error_posterior import acting_pays, acting_regret, rate_posterior
from askpoint.live.licences.forecast import forecast_grants
from askpoint.live.licences.house import House
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.standings import count_missing
from askpoint.live.licences.unit import Unit
from live.test_licence_book import PAY, Life, policy_of


def test_after_a_mistake_all_are_audited_for_a_while():
    life = Life(policy_of(audits=AuditLadder((0.2, 0.05), after_mistake=3))).earn()
    assert life.propose(0.3).is_audit is False
    life.label(life.propose(0.1), bad=True)
    for left in (3, 2, 1):
        assert life.unit.alert == left
        audited = life.propose(0.99)
        assert (audited.is_audit, audited.propensity) == (True, 1.0)
        life.label(audited, bad=False)
    assert life.propose(0.3).propensity == 0.2
    life.label(life.propose(0.1), bad=True)
    assert Unit.from_dict(life.unit.to_dict()).alert == 3


def test_a_level_that_was_reached_stays():
    life = Life(policy_of(audits=AuditLadder((0.2, 0.05), 3.0, after_mistake=1))).earn()
    while life.unit.level(life.book.policy) == 1:
        life.label(life.propose(0.1), bad=False)
    evidence = life.unit.evidence
    life.label(life.propose(0.01), bad=True)
    assert life.unit.evidence < evidence / 3  # that of level 1 again
    life.label(life.propose(0.9), bad=False)
    assert life.propose(0.9).propensity == 0.05
    assert Unit.from_dict(life.unit.to_dict()).reached == 2


def test_after_a_lost_licence_there_is_one_rate_until_a_person_signs():
    life = Life(policy_of(audits=AuditLadder((0.2, 0.05), after_mistake=0, after_loss=0.4))).earn()
    (place,) = life.book.units
    life.book.revoke(place, by="p", at=life.at)
    life.earn()
    assert life.propose(0.9).propensity == 0.4
    life.book.sign(place, by="p", at=life.at)
    assert life.propose(0.9).propensity == 0.2


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"rates": ()}, "rates of audits must be"),
        ({"rates": (0.1, 1.2)}, "rates of audits must be"),
        ({"rates": (True,)}, "rates of audits must be"),
        ({"rates": (0.1, 0.2)}, "fall from level to level"),
        ({"step": 1.0}, "a step of evidence is above 1"),
        ({"after_mistake": -1}, "0 or more"),
        ({"after_loss": 0.0}, "after_loss must be above 0"),
        ({"after_loss": 1.5}, "after_loss must be above 0"),
    ],
)
def test_a_ladder_that_cannot_be(terms, words):
    with pytest.raises(InputError, match=words):
        AuditLadder(**terms)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (
            '"audits": {"rate": 1}',
            "audits of a licence have after_loss, after_mistake, least, rates, step",
        ),
        ('"audits": [0.1]', "audits of a licence have"),
        ('"audits": {"rates": 0.5}', "rates of audits must be"),
        ('"audits": {"step": "3"}', "step must be a number"),
        ('"aim": "glory"', "an aim is promise or money"),
        ('"classes": [{"tool": "t", "aim": "glory"}]', "an aim is promise or money"),
    ],
)
def test_terms_of_audits_and_aims_that_cannot_be(part, words):
    more = "" if '"classes"' in part else ', "classes": []'
    with pytest.raises(InputError, match=words):
        LicencePolicy.from_json(f'{{"format": 2, "licence": {{{part}{more}}}}}')


def test_terms_of_audits_and_aims_come_back():
    kinds = classes_from([{"tool": "t", "aim": "money", "bad": 20}, {"tool": "u"}])
    policy = LicencePolicy(kinds, check=1.0, audits=AuditLadder((0.3, 0.1), 5.0, 4, 0.6, 0.1))
    assert LicencePolicy.from_json(policy.to_json()) == policy
    assert [policy.aim_of(kind) for kind in (*kinds, None)] == ["money", "promise", "promise"]
    assert policy.limit_of(kinds[0]) == pytest.approx(
        0.05 * 0.9
    )  # less what is audited all the same


def test_what_began_anew_never_exceeds_the_reserve():
    """In fractions: whatever the labels are, starts sum to less than what there was."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        reserve, spent = Reserve(0.5, 0), Fraction(0)
        for bad in rng.random(400) < 0.05:
            start, reserve = reserve.spend(0.05, float(bad))
            spent += Fraction(start)
        assert spent <= Fraction(1, 2)
        assert float(spent) + reserve.left == pytest.approx(0.5)


def test_evidence_begins_anew_when_it_became_quiet():
    certificate = Certificate.start(0.05, again=True)
    assert certificate.evidence == pytest.approx(0.5)
    for _ in range(60):
        certificate = certificate.update(1.0)
    low = certificate.evidence
    for _ in range(quiet_labels(0.05)):
        certificate = certificate.update(0.0)
    assert certificate.evidence < 1e-3
    certificate = certificate.update(0.0)
    assert low < 1e-3 < 0.09 < certificate.evidence < 0.11
    assert quiet_labels(0.9) == 1


def test_the_mean_of_a_step_with_a_reserve_stays():
    """At the limit, wealth and reserve together are a martingale: by enumeration."""
    state = Certificate.start(0.2, again=True)
    for label in (0.0, 1.0, 0.0, 0.0, 0.0, 0.0):
        state = state.update(label)
        steps = [state.update(bad) for bad in (0.0, 1.0)]
        wealth = [one.evidence + one.reserve.left for one in steps]
        assert 0.8 * wealth[0] + 0.2 * wealth[1] == pytest.approx(
            state.evidence + state.reserve.left, rel=1e-9
        )


def test_reserves_in_rows_are_those_of_each():
    rng = np.random.default_rng(2)
    left, quiet = np.array([0.5, np.nan, 0.5]), np.zeros(3, int)
    alone = [Reserve(0.5, 0), Reserve(0.5, 0)]
    for t in range(1, 80):
        bad = rng.random(3) < 0.03
        start, left, quiet = spend_reserves(left, quiet, np.full(3, t), 0.05, bad)
        for place, row in enumerate((0, 2)):
            known, alone[place] = alone[place].spend(0.05, float(bad[row]))
            assert (start[row], left[row], quiet[row]) == (known, *alone[place])
        assert start[1] > 0


def test_a_forecast_with_a_reserve_is_where_the_futures_get():
    state = Certificate.start(0.05, again=True)
    for label in [1.0] * 30 + [0.0] * 5:
        state = state.update(label)
    bound = 200.0
    (sure,) = forecast_grants([state], np.zeros((1, 5)), [bound], np.random.default_rng(0))
    n, later = 0, state
    while later.evidence < bound:
        later, n = later.update(0.0), n + 1
    assert (sure.low, sure.high) == (n, n)
    unit = Unit.start(0.05, "1")
    unit = type(unit)("1", state, unit.watch, episode=2)
    assert count_missing(LicencePolicy((PAY,)), [unit]) == [n]


def test_a_certificate_that_never_gets_there_is_missing_for_ever():
    state = Certificate(0.05, np.zeros(len(SHARES)), 5, Reserve(0.0, 99))
    unit = Unit.start(0.05, "1")
    assert count_missing(LicencePolicy((PAY,)), [type(unit)("1", state, unit.watch)]) == [None]


def test_a_posterior_is_that_of_its_priors():
    """Against quadrature of the same mixture."""
    from scipy import stats

    grid = (np.arange(20_000) + 0.5) / 20_000
    priors = [
        stats.beta(m * s, (1 - m) * s).pdf(grid)
        for m in np.geomspace(0.003, 0.4, 12)
        for s in (0.7, 2.0, 6.0, 20.0)
    ]
    likely = np.mean(priors, axis=0) * grid**3 * (1 - grid) ** 37
    mean = (likely * grid).sum() / likely.sum()
    found = rate_posterior(40, 3)
    assert found.mean == pytest.approx(mean, rel=1e-3)
    second = (likely * grid**2).sum() / likely.sum()
    assert found.deviation == pytest.approx((second - mean**2) ** 0.5, rel=1e-3)


def test_money_begins_sooner_and_rests_where_asking_costs_less():
    kind = ActionClass("pay", bad=20.0, aim="money")
    life = Life(policy_of(kind, check=1.0, audits=AuditLadder(after_mistake=0, least=0.05)))
    assert life.book.policy.limit_of(kind) == pytest.approx(0.0475)
    assert count_missing(life.book.policy, [Unit.of(life.book.policy, kind, "1")]) == [10]
    while not life.unit.is_granted:
        life.label(life.propose(0.0), bad=False)
    assert life.unit.certificate.labels == 10  # the certificate takes 76
    root = float(acting_regret(10, 0, 0.0475)) ** 0.5
    assert life.propose(0.9).propensity == root / 2 > 0.05
    assert life.unit.level(life.book.policy) == 2
    life.label(life.propose(0.01), bad=True)
    assert not life.unit.is_granted
    assert life.unit.lost_because == "asking costs less, by its labels"
    assert (life.unit.episode, life.unit.losses, life.unit.wrong) == (1, 0, 1.0)
    for _ in range(200):
        if life.unit.is_granted:
            break
        life.label(life.propose(0.0), bad=False)
    assert acting_pays(life.unit.certificate.labels, 1.0, life.unit.limit)
    assert Unit.from_dict(life.unit.to_dict()).counts_money


@pytest.mark.parametrize(("labels", "wrong"), [(10, 0), (30, 1), (200, 6), (40, 9)])
def test_regret_is_what_a_normal_rate_above_the_limit_costs(labels, wrong):
    """Against quadrature of the same density."""
    from scipy import stats

    found = rate_posterior(labels, wrong)
    density = stats.norm(found.mean, found.deviation)
    cost = density.expect(lambda rate: rate / 0.05 - 1, lb=0.05)
    assert acting_regret(labels, wrong, 0.05) == pytest.approx(cost, rel=1e-6)


def test_audits_of_the_aim_money_go_with_the_root_of_the_regret():
    ladder = AuditLadder(least=0.03, after_loss=0.4)
    assert [ladder.rate_by_regret(one) for one in (0.0, 0.04, 0.16, 9.0)] == [0.03, 0.1, 0.2, 1.0]
    assert [ladder.rate_by_regret(one, losses=1) for one in (0.0, 1.0)] == [0.4, 0.5]


def test_golden_actions_that_are_overlooked_bring_audits_back():
    life = Life(policy_of(audits=AuditLadder((0.5, 0.05), 1.5, 0), overlooked=0.07)).earn(2)
    assert life.propose(0.4).is_audit is False
    answered = 0
    while not life.book.house.is_careless:
        life.book.golden(by="ann", missed=True, at=life.at)
        answered += 1
    assert 2 <= answered <= 6
    assert House(**json.loads(json.dumps(life.book.house.to_dict()))) == life.book.house
    watched = life.propose(0.4)
    assert (watched.is_audit, watched.level, watched.propensity) == (True, 1, 0.5)
    life.book.golden(by="ann", missed=True, at=life.at)
    assert life.book.house.gold[0] == answered + 1  # it counts on, the watch rests
    life.label(watched, bad=False)
    life.book.sign_house(by="olga")
    assert not life.book.house.is_careless
    assert life.propose(0.4).is_audit is False


def test_approvers_who_overlook_what_was_stated_are_left_alone():
    rng, policy = np.random.default_rng(4), policy_of(overlooked=0.07)
    alarms = 0
    for _ in range(200):
        house = House()
        for missed in rng.random(200) < 0.1:
            house = house.hear_gold(policy, missed=bool(missed))
        alarms += house.is_careless
    assert alarms <= 10
    silent = House().hear_gold(policy_of(), missed=True)
    assert (silent.gold_watch, silent.is_careless) == ([], False)


def test_a_share_overlooked_that_cannot_be():
    with pytest.raises(InputError, match=r"overlooked must be between 0 and \.9"):
        policy_of(overlooked=0.95)
