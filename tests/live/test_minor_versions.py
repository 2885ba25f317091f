"""A minor version: the licence goes on at level 1, under a mistake budget of its own, and nothing of it is evidence."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.live.licences.certificate import Certificate
from askpoint.live.licences.house import House
from askpoint.live.licences.standings import count_missing, unit_statuses
from askpoint.live.licences.unit import Unit
from askpoint.live.licences.waiting import HOUR
from live.test_licence_book import UNIT, Life, policy_of


def declare(life, version="2", of="1"):
    life.book.declare_minor("bot", version, of, by="eve", at=life.at)
    return life


def test_a_minor_version_keeps_acting_at_level_1_and_keeps_no_evidence():
    life = declare(Life(policy_of()).earn(3))
    made = life.propose(0.99, version="2")
    assert (made.verdict, made.level, made.propensity, made.episode) == ("allow", 1, 0.5, 2)
    unit = life.unit
    assert (unit.is_carried, unit.evidence) == (True, pytest.approx(0.9))
    assert unit.certificate.bets.tolist() == Certificate.start(0.2).bets.tolist()
    assert (unit.seen, unit.drawn) == (0.0, 0.5)  # S and P begin anew
    (status,) = unit_statuses(life.book.policy, {UNIT: unit})
    assert (status.state, status.is_carried, status.level) == ("licensed", True, 1)


def test_it_earns_its_own_licence_at_the_bound_of_the_next_period():
    """Once in its own labels, as a version that was not declared; only then do audits become rarer."""
    life = declare(Life(policy_of()).earn(3))
    life.propose(0.99, version="2")
    (missing,) = count_missing(life.book.policy, [life.unit])
    other = Life(policy_of()).earn(3)
    other.propose(0.99, version="2")
    assert count_missing(other.book.policy, [other.unit]) == [missing]
    for _ in range(missing):
        assert life.unit.is_carried
        assert life.unit.level(life.book.policy) == 1
        life.label(life.propose(0.0, version="2"), bad=False)
    assert life.unit.evidence >= life.unit.bound(life.book.policy)
    assert (life.unit.is_granted, life.unit.is_carried) == (True, False)


def test_what_was_not_declared_is_another_version_as_before():
    life = declare(Life(policy_of()).earn())
    for version in ("3", "1.1", ""):
        other = declare(Life(policy_of()).earn())
        assert other.propose(0.99, version=version).verdict == "ask"
    life.propose(0.99, version="2")
    assert life.propose(0.99, version="1").verdict == "ask"  # the way back was not declared
    stranger = declare(Life(policy_of()).earn(), of="0.9")
    assert stranger.propose(0.99, version="2").verdict == "ask"  # of a version that it is not in


def test_a_unit_without_a_licence_gains_nothing_and_keeps_its_losses():
    life = Life(policy_of()).earn()
    life.book.revoke(UNIT, by="ann", at=life.at)
    life.label(life.propose(0.0), bad=False)
    declare(life)
    made = life.propose(0.99, version="2")
    assert (made.verdict, life.unit.is_carried, life.unit.losses) == ("ask", False, 1)
    other = Life(policy_of()).earn()
    other.book.revoke(UNIT, by="ann", at=other.at)
    other.propose(0.99, version="2")
    assert other.unit.losses == 0


def test_a_version_between_that_a_unit_never_ran_is_passed_over():
    life = declare(declare(Life(policy_of()).earn(), "2", "1"), "3", "2")
    assert life.propose(0.99, version="3").verdict == "allow"


def test_minor_versions_in_a_row_share_one_budget_until_one_earns_its_licence():
    life = Life(policy_of(limit=0.3, mistake_budget=20.0, watch_delta=1e-9)).earn()
    before, bad, last = "1", 0, life.unit.episode
    for version in map(str, range(2, 60)):
        declare(life, version, before)
        made, before = life.propose(0.0, version=version), version
        if made.verdict == "ask":
            break
        assert life.unit.episode >= last
        life.label(made, bad=True)
        bad, last = bad + 1, life.unit.episode
    assert "more mistakes than its mistake budget" in life.unit.lost_because
    assert bad <= 20 + 0.3 * bad


def test_audits_of_the_version_before_are_owed_still():
    life = Life(policy_of(in_flight=3, max_label_delay_hours=10)).earn()
    audited, other = life.propose(0.0), life.propose(0.0)
    declare(life)
    assert [life.propose(0.9, version="2").verdict for _ in range(2)] == ["allow", "ask"]
    life.label(audited, bad=True)
    assert life.unit.seen == 1.0
    labels = life.unit.certificate.labels
    life.label(other, bad=False)
    life.propose(0.9, version="2")
    assert life.unit.certificate.labels == labels == 0  # no evidence about the new version
    assert life.unit.watch.labels == 2
    late = Life(policy_of(max_label_delay_hours=10)).earn()
    late.propose(0.0)
    declare(late).propose(0.9, version="2")
    late.at += 11 * HOUR
    late.propose(0.9, version="2")
    assert late.unit.seen == 1.0  # what nobody read


def test_an_undo_and_a_lapse_of_an_audit_of_the_version_before():
    life = Life(policy_of()).earn()
    wrong, unused, quiet = life.propose(0.0), life.propose(0.0), life.propose(0.9)
    declare(life).propose(0.9, version="2")
    life.book.undo(wrong.key, by="ann", at=life.at)
    assert life.unit.seen == 1.0
    life.book.lapse(unused.key, at=life.at)
    assert [one.key for one in life.unit.waiting] == []
    life.book.undo(quiet.key, by="ann", at=life.at)  # of a licence period that is over
    assert life.unit.seen == 1.0


def test_by_money_its_own_labels_decide_once_there_are_enough():
    policy = policy_of(limit=0.2, aim="money")
    for bad in (False, True):
        life = Life(policy).earn(2)
        declare(life).propose(0.9, version="2")
        assert (life.unit.level(policy), life.unit.audit_rate(policy)) == (1, 0.5)
        for n in range(12):
            made = life.propose(0.0, version="2")
            if made.verdict == "ask" or not life.unit.is_carried:
                break
            life.label(made, bad=bad and n > 6)
        assert not life.unit.is_carried
        assert life.unit.is_granted is not bad
        assert not bad or life.unit.lost_because == "asking costs less, by its labels"


def test_an_incident_a_hand_and_the_watch_end_what_was_carried_over():
    for how in ("incident", "revoke", "watch"):
        life = declare(Life(policy_of(limit=0.05, mistake_budget=1e6)).earn())
        made = life.propose(0.9, version="2")
        if how == "incident":
            life.book.undo(made.key, by="ann", at=life.at, harm="high")
        elif how == "revoke":
            life.book.revoke(UNIT, by="ann", at=life.at)
        else:
            while life.unit.is_granted:
                life.label(life.propose(0.0, version="2"), bad=True)
        assert (life.unit.is_granted, life.unit.is_carried) == (False, False)
        assert life.propose(0.9, version="2").verdict == "ask"


def test_the_house_keeps_the_newest_declarations_and_is_its_json():
    house = House()
    for n in range(30):
        house = house.declare_minor("bot", f"{n + 1}", f"{n}")
    assert house.is_minor("bot", "30", "10")
    assert not house.is_minor("bot", "30", "9")
    assert not house.is_minor("other", "30", "29")
    again = House(**json.loads(json.dumps(house.to_dict())))
    assert again.to_dict() == house.to_dict()
    loop = House().declare_minor("bot", "1", "2").declare_minor("bot", "2", "1")
    assert not loop.is_minor("bot", "1", "3")


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from(["right"] * 8 + ["bad", "minor", "other"]), st.floats(0, 0.999)),
        max_size=80,
    )
)
def test_whatever_comes_the_certificate_hears_the_labels_of_its_own_version_alone(steps):
    """Replayed from the labels of its licence period it is the same, bit for bit; no grant comes from elsewhere."""
    life = Life(policy_of(limit=0.3)).earn()
    certificate, version = life.unit.certificate, 1
    for what, drawn in steps:
        before = life.unit
        if what in ("minor", "other"):
            if what == "minor":
                declare(life, str(version + 1), str(version))
            version += 1
        made = life.propose(drawn, version=str(version))
        if life.unit.version != before.version:
            certificate = Certificate.start(0.3)
            carries = what == "minor" and before.is_granted
            assert life.unit.is_granted == life.unit.is_carried == carries
        if made.verdict == "ask" or made.is_audit:
            episode = life.unit.episode
            life.label(made, bad=what == "bad")
            is_lost = life.unit.episode != episode
            certificate = (
                Certificate.start(0.3, again=True)
                if is_lost
                else certificate.update(float(what == "bad"))
            )
        unit = life.unit
        assert unit.certificate.bets.tolist() == certificate.bets.tolist()
        assert Unit.from_dict(json.loads(json.dumps(unit.to_dict()))).to_dict() == unit.to_dict()
        if unit.is_granted and not unit.is_carried and not before.is_granted:
            assert unit.evidence >= unit.bound(life.book.policy)


@pytest.mark.parametrize("silent", [0.3, 0.6, 1.0])
def test_a_bad_minor_version_stays_within_the_budget(silent):
    """Q2, with luck of the draws: sum of rates times chances, whatever the version does; here it is bad at once."""
    rng, policy = np.random.default_rng(11), policy_of(limit=0.1)
    alone = []
    for _ in range(4):
        life = declare(Life(policy).earn())
        excess, n = 0.0, 0
        for _ in range(250):
            bad = rng.random() < silent
            made = life.propose(rng.random(), version="2")
            if made.level:
                excess += made.propensity * (silent - 0.1)
                n += bad and made.verdict == "allow"
                assert excess <= policy.mistake_budget
            if made.verdict == "ask" or made.is_audit:
                life.label(made, bad)
        assert not life.unit.is_granted
        alone.append(n)
    assert np.mean(alone) < policy.mistake_budget / 0.5
