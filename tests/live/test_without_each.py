"""Licences that stand on no single approver: what each labels without, who takes over, and who chooses."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.book import Book
from askpoint.live.licences.certificate import Certificate, grant_bound
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.standings import count_missing, unit_statuses
from askpoint.live.licences.unit import Unit
from askpoint.live.licences.waiting import HOUR
from askpoint.live.licences.without_each import MOST_APPROVERS, OTHERS, WithoutEach, find_pivot

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import bench_licence_readers as bench

UNIT = "bot | pay | any"
TERMS = LicencePolicy(
    (ActionClass("pay"),), limit=0.2, without_each_approver=True,
    labels=LabelRules(settle_hours=0.0),
)  # fmt: skip
PEOPLE = ("ann", "ben", "cyd")


class Desk:
    """An agent whose actions are dealt among approvers, a minute apart."""

    def __init__(self, policy=TERMS, people=PEOPLE):
        self.book, self.people, self.at, self.n = Book(policy), people, HOUR, 0

    def propose(self, dealt=None, **more):
        self.at, self.n = self.at + 60_000_000, self.n + 1
        place = self.n % len(self.people) if dealt is None else self.people.index(dealt)
        return self.book.propose(
            f"k{self.n}", "bot", "1", "pay", kind=0, digest=f"d{self.n}", at=self.at, drawn=0.0, amount=0.0,
            timeout=24 * HOUR, approvers=self.people, dealt=(place + 0.5) / len(self.people), **more,
        )  # fmt: skip

    def decide(self, made, kind="approve", by=None, seconds=9.0, **more):
        by = made.approver if by is None else by
        return self.book.decide(made.key, kind, by=by, at=self.at + 9, seconds=seconds, **more)

    @property
    def unit(self):
        return self.book.units[UNIT]


def random_labels(n, seed):
    """Labels, to whom each was dealt (nobody in some) and who decided; the last approver comes late."""
    rng, people = np.random.default_rng(seed), list(PEOPLE)
    for i in range(n):
        among = people[: 2 if i < n // 2 else 3]
        dealt = None if rng.random() < 0.2 else str(rng.choice(among))
        by = str(rng.choice(among)) if dealt is None or rng.random() < 0.1 else dealt
        yield float(rng.random() < 0.1), dealt, by


@pytest.mark.parametrize("again", [False, True])
def test_each_certificate_is_that_of_the_labels_without_one_approver(again):
    whole, apart = Certificate.start(0.2, again=again), WithoutEach.start(0.2)
    labels = list(random_labels(120, 4))
    for bad, dealt, by in labels:
        apart = apart.update(bad, whole, dealt=dealt, by=by)
        whole = whole.update(bad)
    least = np.inf
    for name, bets in zip(apart.names, apart.bets, strict=True):
        alone = Certificate.start(0.2, again=again)
        for bad, dealt, by in labels:
            if (dealt or by) != name:  # what another one left to this approver is this one's word
                alone = alone.update(1.0 if by == name else bad)
        assert bets == pytest.approx(alone.bets, rel=1e-9)
        least = min(least, alone.evidence)
    assert set(apart.names) == set(PEOPLE)
    assert apart.evidence == pytest.approx(least)
    assert whole.evidence > apart.evidence
    kept = WithoutEach.from_list(0.2, apart.to_list())
    assert kept.names == apart.names
    assert kept.update(1.0, whole, by="ann").to_list() == apart.update(1.0, whole, by="ann").to_list()  # fmt: skip


def test_the_rows_of_the_benchmark_are_these():
    rng = np.random.default_rng(8)
    bad, dealt = rng.random((2, 200)) < 0.003, rng.integers(3, size=(2, 200))
    by = np.where(rng.random((2, 200)) < 0.003, (dealt + 1) % 3, dealt)
    when = bench.without_each(bad, dealt, by, 3)
    for row in range(2):
        whole, apart, first = Certificate.start(0.05), WithoutEach.start(0.05), bench.NEVER
        for t in range(200):
            names = PEOPLE[dealt[row, t]], PEOPLE[by[row, t]]
            apart = apart.update(float(bad[row, t]), whole, dealt=names[0], by=names[1])
            whole = whole.update(float(bad[row, t]))
            if min(whole.evidence, apart.evidence) >= grant_bound(0.05):
                first = min(first, t + 1)
        assert when[row] == first
    assert (when < bench.NEVER).any()


def test_who_colludes_earns_a_bad_agent_no_licence_unless_approvers_choose(monkeypatch):
    """Of 150 lives at the limit at most 17 may be licensed by chance (p < 1e-3); by all labels 4 in 10 are."""
    monkeypatch.setattr(bench, "ACTIONS", 300)
    lives = {
        how: (bench.colluding(150, 0.05, 3, 5, how) < bench.NEVER).sum()
        for how in ("drawn", "taken", "chosen")
    }
    assert lives["drawn"] <= 17
    assert lives["taken"] <= 17
    assert lives["chosen"] == 150


def test_one_approver_alone_licenses_nothing_and_the_page_can_say_so():
    desk = Desk()
    while desk.unit.certificate.evidence < grant_bound(0.05) if desk.n else True:
        desk.decide(desk.propose(dealt="ann"))
    assert not desk.unit.is_granted
    (status,) = unit_statuses(TERMS, {UNIT: desk.unit})
    assert (status.state, status.pivot.name) == ("asks", "ann")
    (missing,) = count_missing(TERMS, [desk.unit])
    assert missing == status.pivot.missing
    for _ in range(missing):
        assert not desk.unit.is_granted
        desk.decide(desk.propose(dealt="ben"))
    assert desk.unit.is_granted  # without ann it is what ben said, and without ben what ann did
    assert unit_statuses(TERMS, {UNIT: desk.unit})[0].pivot is None
    assert Desk(replace(TERMS, without_each_approver=False)).propose().status == "asked"


@pytest.mark.parametrize("people", [("ann", "ben"), PEOPLE, ("ann", "ben", "cyd", "dan", "eve")])
def test_what_is_missing_is_what_an_even_part_of_each_takes(people):
    """Once it is known who decides; before that, two are taken to."""
    desk = Desk(people=people)
    for _ in people:
        desk.decide(desk.propose())
    (missing,) = count_missing(TERMS, [desk.unit])
    while not desk.unit.is_granted:
        desk.decide(desk.propose())
    assert abs(desk.n - len(people) - missing) < len(people)
    assert count_missing(TERMS, [Unit.of(TERMS, TERMS.classes[0], "1")]) == [2 * 18]  # 18 at .2


def test_the_state_is_kept_bit_for_bit():
    desk = Desk()
    for i in range(12):
        desk.decide(desk.propose(), "reject" if i == 5 else "approve")
    desk.propose()
    kept = Unit.from_dict(desk.unit.to_dict())
    assert kept.to_dict() == desk.unit.to_dict()
    assert kept.waiting == desk.unit.waiting
    assert kept.evidence == desk.unit.evidence < kept.certificate.evidence
    plain = Unit.start(0.2, "1").to_dict()
    assert "apart" not in plain
    assert "without_each" not in LicencePolicy(()).to_json()  # so digests of older terms stay


@pytest.mark.parametrize("how", ["read", "unread", "a rule", "in bulk"])
def test_what_an_approver_takes_over_is_bad_without_that_one(how):
    """Also unread: else whoever colludes would let it vanish from the labels of the others."""
    desk = Desk(replace(TERMS, labels=LabelRules(settle_hours=0.0, bulk=2)))
    for _ in range(9):
        desk.decide(desk.propose())
        desk.at += 1_000_000
    before = desk.unit.apart
    made = desk.propose(dealt="ann")
    if how == "in bulk":
        other = desk.propose(dealt="cyd")
        desk.decide(made, by="cyd")
        desk.decide(other, by="cyd")
    else:
        desk.decide(
            made, by="cyd", seconds=0.2 if how == "unread" else 9.0, by_person=how != "a rule"
        )
    after = desk.unit.apart
    place = after.names.index("cyd")
    assert after.labels[place] == before.labels[place] + 1
    assert (after.bets[place] < before.bets[place]).all()  # a right one raises each
    assert (after.bets[after.names.index("ann")] == before.bets[before.names.index("ann")]).all()


def test_silence_of_the_drawn_approver_is_a_rejection_for_all_others():
    desk = Desk(people=("ann", "ben"))
    for _ in range(8):
        desk.decide(desk.propose())
    before = desk.unit.apart
    desk.propose(dealt="ann", silence_rejects=True)
    desk.at += 25 * HOUR
    desk.book.settle(UNIT, at=desk.at)
    after, ann, ben = desk.unit.apart, before.names.index("ann"), before.names.index("ben")
    assert (after.bets[ann] == before.bets[ann]).all()
    assert (after.bets[ben] < before.bets[ben]).all()


def test_an_agent_cannot_take_back_what_was_not_dealt_to_its_accomplice():
    """Also where silence does not reject: it would know from ben that an action went to ann."""
    desk = Desk(people=("ann", "ben"))
    made = desk.propose(dealt="ann", silence_rejects=False)
    desk.book.withdraw(made.key, at=desk.at)
    apart = desk.unit.apart
    assert (apart.names, desk.unit.certificate.labels, desk.unit.wrong) == (("ann",), 1, 1.0)
    plain = Desk(replace(TERMS, without_each_approver=False))
    plain.book.withdraw(plain.propose(silence_rejects=False).key, at=plain.at)
    assert plain.unit.certificate.labels == 0


def test_a_lost_licence_begins_again_without_each_too():
    desk = Desk(people=("ann", "ben"))
    while not (desk.n and desk.unit.is_granted):
        desk.decide(desk.propose())
    desk.book.revoke(UNIT, by="eve", at=desk.at)
    assert desk.unit.apart.names == ()
    desk.decide(desk.propose())
    assert not np.isnan(desk.unit.apart.left).any()  # with its reserve
    assert desk.unit.apart.evidence <= desk.unit.certificate.evidence


def test_too_many_approvers_count_as_one_and_the_unnamed_too():
    whole, apart = Certificate.start(0.05), WithoutEach.start(0.05)
    for i in range(60):
        apart = apart.update(0.0, whole, by=f"p{i % 30}")
        whole = whole.update(0.0)
    assert len(apart.names) == MOST_APPROVERS
    assert apart.pivotal == OTHERS
    assert apart.labels[apart.names.index(OTHERS)] == 2 * (MOST_APPROVERS - 1)
    unnamed = WithoutEach.start(0.05).update(0.0, Certificate.start(0.05))
    assert (unnamed.names, unnamed.labels.tolist()) == ((OTHERS,), [0])


def test_on_whom_the_licence_of_a_log_hangs():
    bad, bound = [0.0] * 160, grant_bound(0.05)
    pivot = find_pivot(bad, ["ann"] * 120 + ["ben"] * 40, 0.05, bound)
    assert (pivot.name, pivot.missing) == ("ann", 36)  # 76 in a row, of which ben said 40
    assert find_pivot(bad, ["ann", "ben"] * 80, 0.05, bound) is None
    assert find_pivot([1.0] * 20, ["ann"] * 20, 0.05, bound).missing is not None
    hopeless = find_pivot([0.0] * 100 + [1.0] * 60, ["ann"] * 100 + ["ben"] * 60, 0.05, bound)
    assert hopeless.name == "ann"


def test_before_anybody_decided_nothing_is_kept_of_them():
    start = WithoutEach.start(0.2)
    assert start.to_list() == []
    kept = WithoutEach.from_list(0.2, [])
    assert (kept.names, kept.evidence, kept.pivotal, kept.limit) == ((), np.inf, OTHERS, 0.2)
    assert kept.update(1.0, Certificate.start(0.2), by="ann").to_list() == start.update(1.0, Certificate.start(0.2), by="ann").to_list()  # fmt: skip


def test_what_others_can_hardly_ever_make_up_for_is_not_foretold():
    """Ann's labels alone suffice, at a limit where 1,900 right ones do; ben said bad, and 3,000 are too few after that."""
    whole, apart = Certificate.start(0.002), WithoutEach.start(0.002)
    for i in range(55):
        bad, by = (1.0, "ben") if i < 45 else (0.0, "ann")
        apart = apart.update(bad, whole, dealt=by, by=by)
        whole = whole.update(bad)
    bound = grant_bound(0.05)
    assert (
        WithoutEach.start(0.002).update(0.0, Certificate.start(0.002)).count_missing(bound) < 3000
    )
    assert (apart.pivotal, apart.count_missing(bound)) == ("ann", None)
    assert apart.count_missing(apart.evidence) == 0 < apart.count_missing(2 * apart.evidence)
    enough = replace(whole, bets=np.full_like(whole.bets, 100.0))
    unit = replace(Unit.of(TERMS, TERMS.classes[0], "1"), certificate=enough, apart=apart)
    assert count_missing(TERMS, [unit, replace(unit, apart=None)]) == [None, 0]
