"""Steps of an amount: declared without labels, and licensed no oftener than promised."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.live.licences.action_classes import ActionClass, classes_from
from askpoint.live.licences.amount_steps import (
    AmountStep,
    boldest_step,
    classes_by_step,
    steps_of,
)
from askpoint.live.licences.gateway import read_proposal
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.replay import LicenceTerms, replay_labels
from askpoint.live.licences.unit import Unit
from askpoint.records.stores.licences import Licences

TERMS = LicenceTerms(0.2)


def test_steps_follow_from_the_amounts_alone():
    assert steps_of([3, 18.5, 240]) == (5, 20)  # 10 divides them as 5 does
    assert steps_of([0.3, 0.9]) == (0.5,)
    assert steps_of([20, 20]) == ()
    assert steps_of([]) == steps_of([0.0, -3.0]) == ()
    wide = steps_of(np.geomspace(1, 1e9, 50))
    assert len(wide) == 8
    assert wide == tuple(sorted(wide))
    assert (wide[0], wide[-1]) == (1, 5e8)


def test_the_boldest_step_is_where_bad_actions_begin():
    amounts = [10.0, 30.0, 70.0, 300.0] * 60
    bad = [float(one > 100) for one in amounts]
    found = boldest_step({"amount": amounts}, bad, TERMS)
    assert (found.argument, found.up_to) == ("amount", 100)
    assert (found.counted, found.bad) == (180, 0)
    assert found.tried == len(steps_of(amounts)) == 3  # 10, 50, 100


def test_a_step_takes_more_evidence_than_a_unit_of_its_own():
    """Eighteen right labels license a unit at 20%; of several steps the first takes as much as a share of the chance."""
    amounts = [10.0] * 200 + [40.0, 900.0]
    steps = len(steps_of(amounts))
    assert steps == 2
    needed = next(n for n in range(1, 200) if replay_labels([0.0] * n, TERMS).granted)
    shared = LicenceTerms(0.2, delta=0.05 / steps)
    more = next(n for n in range(1, 200) if replay_labels([0.0] * n, shared).granted)
    assert needed < more
    for n, is_found in ((more - 1, False), (more, True)):
        values = amounts[-2:] + amounts[:n]
        found = boldest_step({"amount": values[2:] + values[:2]}, [0.0] * n + [1.0] * 2, TERMS)
        assert (found is not None) == is_found, n


def test_another_argument_costs_evidence_and_none_is_looked_over():
    amounts = [10.0, 500.0] * 60
    bad = [float(one > 100) for one in amounts]
    rows = [float(n) for n in range(1, 121)]
    alone = boldest_step({"amount": amounts}, bad, TERMS)
    both = boldest_step({"amount": amounts, "rows": rows}, bad, TERMS)
    assert alone.up_to == both.up_to == 10
    assert both.tried == alone.tried + len(steps_of(rows))
    some = [None if i % 4 == 0 else one for i, one in enumerate(amounts)]
    assert boldest_step({"amount": some}, bad, TERMS).counted == 30
    assert boldest_step({}, bad, TERMS) is None


@pytest.mark.soak
@pytest.mark.no_cover
def test_no_step_is_licensed_oftener_than_promised():
    """At the limit whatever the amount: any step in 500 logs of 150 labels; promised are 5%, and a licence of each alone breaks it."""
    rng = np.random.default_rng(8)
    any_step = by_itself = 0
    for _ in range(500):
        amounts = np.exp(rng.uniform(np.log(5), np.log(1000), 150)).tolist()
        bad = (rng.random(150) < 0.2).astype(float).tolist()
        any_step += boldest_step({"amount": amounts}, bad, TERMS) is not None
        by_itself += any(
            replay_labels([b for a, b in zip(amounts, bad, strict=True) if a <= step], TERMS).granted is not None
            for step in steps_of(amounts)
        )  # fmt: skip
    assert any_step / 500 <= 0.05 + 3 * (0.05 * 0.95 / 500) ** 0.5
    assert by_itself > any_step


def test_a_step_divides_a_class_where_all_who_use_it_have_one():
    kind = ActionClass("refund", harm="medium", bad=40.0)
    low, high = (
        AmountStep("amount", one, 100, 0.0, 4, share) for one, share in ((20.0, 0.25), (50.0, 0.75))
    )
    up_to, over = classes_by_step(kind, [high])
    assert (up_to.conditions, over.conditions) == (
        (("amount", "min", 0), ("amount", "max", 50.0)),
        (("amount", "above", 50.0),),
    )
    assert (up_to.delta_share, over.delta_share) == (0.75, 0.25)
    assert (up_to.harm, over.bad) == ("medium", 40.0)
    up_to, over = classes_by_step(
        kind, [high, low]
    )  # the cautious one; the other agent's share of it is one in four
    assert (up_to.name, up_to.delta_share, over.delta_share) == ("amount up to 20", 0.25, 0.25)
    other = AmountStep("rows", 20.0, 100, 0.0, 2, 0.5)
    for steps in ([], [None], [high, None], [high, other]):
        assert classes_by_step(kind, steps) == (kind,)
    assert classes_from([one.to_dict() for one in (up_to, over)]) == (up_to, over)
    for share in (0, 1.5, True, "1"):
        with pytest.raises(InputError, match="delta_share must be above 0 and at most 1"):
            ActionClass("refund", delta_share=share)


@pytest.mark.parametrize("again", [False, True])
def test_the_share_of_a_class_is_that_of_its_units_in_every_licence_period(again):
    """0.8 delta at first, delta / 10 in the second period (A4): each times the share."""
    kind = ActionClass("pay", delta_share=0.25)
    policy = LicencePolicy((kind,), limit=0.2)
    assert policy.delta_of(kind) == 0.0125
    assert policy.delta_of(None) == policy.delta_of(ActionClass("x")) == 0.05
    unit = Unit.of(policy, kind, "1")
    if again:
        unit = replace(unit, is_granted=True).lose("x")
    expected = 1 / (0.05 * 0.25 * (0.2 / 2 if again else 0.8))
    assert unit.bound(policy) == pytest.approx(expected)
    assert unit.take_over("2").delta_share == 0.25
    assert LicencePolicy.from_json(policy.to_json()) == policy


@pytest.mark.soak
@pytest.mark.no_cover
def test_what_a_step_leaves_over_is_licensed_no_oftener_than_promised():
    """At the limit whatever the amount, whichever step divides it: one share of the chance for each that might."""
    rng, shared, whole, n = np.random.default_rng(9), 0, 0, 400
    for _ in range(n):
        amounts = np.exp(rng.uniform(np.log(5), np.log(1000), 150))
        bad, steps = (rng.random(150) < 0.2).astype(float), steps_of(amounts.tolist())
        rests = [bad[amounts > step].tolist() for step in steps]
        terms = replace(TERMS, delta=TERMS.delta / len(steps))
        shared += any(replay_labels(rest, terms).granted is not None for rest in rests)
        whole += any(replay_labels(rest, TERMS).granted is not None for rest in rests)
    assert shared / n <= 0.05 + 3 * (0.05 * 0.95 / n) ** 0.5
    assert whole > shared


STEPS = {"tool": "pay", "steps": {"amount": [50, 200]}}
AT, MINUTE = 1_800_000_000_000_000, 60_000_000


class Payments:
    """A door at a limit of 20%, with three steps of an amount; 18 right labels earn one of them."""

    def __init__(self):
        rules = LabelRules(settle_hours=0.0)
        self.door = Licences(
            ":memory:", LicencePolicy(classes_from([STEPS]), limit=0.2, labels=rules)
        )
        self.n = 0

    def pay(self, amount, *, says="approve", version="1"):
        self.n += 1
        at = AT + self.n * MINUTE
        made = self.door.propose(
            f"k{self.n}", agent="a", tool="pay", arguments={"amount": amount, "n": self.n}, version=version, at=at
        )  # fmt: skip
        if made.verdict == "ask":
            self.door.decide(made.key, says, by="ann", seconds=9, at=at + MINUTE // 2)
        return made

    def earn(self, amount, **more):
        for _ in range(18):
            self.pay(amount, **more)

    @property
    def standing(self):
        found = self.door.units(AT + self.n * MINUTE + MINUTE // 2)
        return {one.name.removeprefix("amount "): (one.state, one.waits_for) for one in found}


def test_the_door_takes_the_next_step_when_its_own_evidence_earns_it():
    life = Payments()
    life.earn(10)
    assert life.pay(10).verdict == "allow"
    assert life.pay(100).why == "it has not earned a licence"
    life.earn(100)
    assert life.pay(100).verdict == "allow"
    assert life.pay(500).verdict == "ask"
    assert life.standing == {
        "up to 50": ("licensed", ""),
        "50 to 200": ("licensed", ""),
        "over 200": ("asks", ""),
    }
    life.door.verify()


def test_a_bold_step_waits_for_the_cautious_ones_however_good_it_is():
    life = Payments()
    life.earn(500)
    made = life.pay(500)
    assert made.why == "amount up to 50, a more cautious step, is not licensed"
    life.earn(10)
    assert life.pay(500).why == "amount 50 to 200, a more cautious step, is not licensed"
    assert life.standing["over 200"] == ("asks", "amount 50 to 200")
    life.earn(100)
    assert life.pay(500).verdict == "allow"


def test_a_lost_step_takes_the_bolder_ones_with_it_until_it_is_back():
    life = Payments()
    for amount in (10, 100, 500):
        life.earn(amount)
    life.door.incident("k1", harm="high", by="ann", at=AT + life.n * MINUTE + MINUTE // 2)
    assert life.standing == {
        "up to 50": ("asks", ""),
        "50 to 200": ("asks", "amount up to 50"),
        "over 200": ("asks", "amount up to 50"),
    }
    assert life.pay(500).verdict == life.pay(100).verdict == "ask"
    while life.pay(10).verdict == "ask":
        assert life.n < 200
    assert life.pay(500).verdict == "allow"
    life.door.verify()


def test_a_step_of_another_version_licenses_no_bolder_one():
    life = Payments()
    life.earn(10)
    life.earn(100, version="2")
    assert (
        life.pay(100, version="2").why == "amount up to 50, a more cautious step, is not licensed"
    )
    assert life.standing["50 to 200"] == ("asks", "amount up to 50")


def test_a_proposal_names_the_units_that_must_be_licensed_first():
    """A store loads these with its own, so that many proposals still take few statements."""
    policy = LicencePolicy(classes_from([STEPS]))
    for amount, steps in ((10, ()), (100, ("a | pay | amount up to 50",)), ("100", ())):
        made = read_proposal(policy, "k", agent="a", tool="pay", arguments={"amount": amount})
        assert made.steps == steps


@pytest.mark.parametrize(
    "steps", [{}, [50], {"amount": []}, {"amount": [0, 50]}, {"amount": [50, math.inf]}, {"amount": [200, 50]}, {"amount": ["50"]}, {"a": [1], "b": [2]}]
)  # fmt: skip
def test_steps_that_cannot_be(steps):
    with pytest.raises(
        InputError, match="steps of class 1 are growing numbers above 0 of one argument"
    ):
        classes_from([{"tool": "pay", "steps": steps}])


def test_a_step_comes_after_an_earlier_class_of_its_tool():
    kinds = classes_from([{**STEPS, "name": "cards", "if": {"by": "card"}, "harm": "low"}])
    assert [one.name for one in kinds] == [
        "cards, amount up to 50", "cards, amount 50 to 200", "cards, amount over 200",
    ]  # fmt: skip
    assert kinds[1].matches("pay", {"by": "card", "amount": 50.5})
    assert not kinds[1].matches("pay", {"by": "card", "amount": 50})
    assert kinds[0].matches("pay", {"by": "card", "amount": 0})
    assert not any(one.matches("pay", {"by": "card", "amount": -900}) for one in kinds)
    policy = LicencePolicy(kinds)
    assert policy.cautious_steps(kinds[2]) == kinds[:2]
    assert LicencePolicy.from_json(policy.to_json()).digest == policy.digest
    for wrong in (kinds[::-1], (kinds[0], replace(kinds[1], tool="move"))):
        with pytest.raises(InputError, match="is not an earlier class of the same tool"):
            LicencePolicy(wrong)


def test_a_log_leaves_the_bolder_steps_to_the_door():
    """Beyond the step that the log supports: those that a tenth of the actions reach, in one chain at one share."""
    amounts = [10.0, 30.0, 70.0, 300.0, 800.0] * 60
    bad = [float(one > 50) for one in amounts]
    found = boldest_step({"amount": amounts}, bad, TERMS)
    assert (found.up_to, found.bolder) == (50, (100, 500))
    kinds = classes_by_step(ActionClass("refund"), [found])
    assert [one.name for one in kinds] == [
        "amount up to 50", "amount 50 to 100", "amount 100 to 500", "amount over 500",
    ]  # fmt: skip
    assert [one.after for one in kinds] == [None, *(one.name for one in kinds[:3])]
    assert {one.delta_share for one in kinds[1:]} == {1 / found.tried}
