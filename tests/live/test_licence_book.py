"""The book of licences: earned, audited, lost, earned again; only by entries."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from askpoint.errors import InputError, RuleError
from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.audit_ladder import AuditLadder
from askpoint.live.licences.book import Book
from askpoint.live.licences.certificate import grant_bound
from askpoint.live.licences.house import House
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy, is_within
from askpoint.live.licences.reading_share import evidence_with_gold
from askpoint.live.licences.replay import LicenceTerms, replay_labels
from askpoint.live.licences.standings import count_missing
from askpoint.live.licences.unit import Unit
from askpoint.live.licences.waiting import HOUR
from askpoint.measures.mixture_sequence import log_gamma_mixture

AT_ONCE = LabelRules(settle_hours=0.0)
STEEP = AuditLadder((0.5, 0.2, 0.05), 10.0, 0)
PAY = ActionClass("pay")
UNIT = "bot | pay | any"


def policy_of(*classes, limit=0.2, **terms):
    more = {"labels": AT_ONCE, "audits": STEEP, **terms}
    return LicencePolicy(classes or (PAY,), limit=limit, **more)


class Life:
    """An agent, a minute between two actions."""

    def __init__(self, policy, at=HOUR):
        self.book, self.at, self.n = Book(policy), at, 0

    def propose(
        self, drawn=0.99, *, version="1", kind=0, amount=0.0, tool="pay", timeout=24 * HOUR
    ):
        self.at, self.n = self.at + 60_000_000, self.n + 1
        return self.book.propose(
            f"k{self.n}", "bot", version, tool, kind=kind, digest=f"d{self.n}", at=self.at, drawn=drawn, amount=amount,
            timeout=timeout,
        )  # fmt: skip

    def label(self, action, bad, by="ann"):
        kind = "reject" if bad else "approve"
        return self.book.decide(action.key, kind, by=by, at=self.at + 9_000_000)

    def earn(self, level=1, **more):
        while self.unit.level(self.book.policy) < level:
            self.label(self.propose(0.0, **more), bad=False)
        return self

    @property
    def unit(self):
        return self.book.units.get(UNIT) or Unit.start(self.book.policy.limit, "1")


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from([False] * 9 + [True]), max_size=150), st.sampled_from([0.1, 0.2, 0.4])
)
def test_where_all_is_read_it_is_the_replay_of_a_log(labels, limit):
    """Every action audited, nothing to settle, an allowance without end: the steps are those of `replay_labels`."""
    life = Life(policy_of(limit=limit, mistake_budget=1e6, revocations=100))
    lost = []
    for i, bad in enumerate(labels, 1):
        episode = life.unit.episode
        life.label(life.propose(0.0), bad)
        if life.unit.episode > episode:
            lost.append(i)
    known = replay_labels([float(one) for one in labels], LicenceTerms(limit))
    assert life.unit.episode == known.episode
    assert tuple(lost) == known.lost
    assert life.unit.is_granted == (known.granted is not None)
    assert life.unit.certificate.bets.tolist() == known.certificate.bets.tolist()


def test_what_is_licensed_acts_alone_and_is_audited_by_the_draw():
    life = Life(policy_of()).earn()
    alone = life.propose(0.5)  # the rate of level 1
    assert (alone.verdict, alone.is_audit, alone.propensity, alone.level) == (
        "allow",
        False,
        0.5,
        1,
    )
    audited = life.propose(0.4999)
    assert (audited.verdict, audited.is_audit) == ("allow", True)
    assert life.unit.alone == 2
    assert life.unit.drawn == 1.0
    life.label(audited, bad=True)
    assert life.unit.seen == 1.0
    assert life.book.house.seen == 1.0


def test_levels_rise_with_tenfold_evidence_and_audits_become_rarer():
    life = Life(policy_of()).earn(3)
    assert life.unit.certificate.evidence >= 100 * grant_bound(0.05)
    assert life.propose(0.0500001).is_audit is False
    assert life.propose(0.0499999).is_audit is True


def test_an_audit_before_the_act_waits_for_its_reader():
    life = Life(policy_of(ActionClass("pay", harm="high"))).earn()
    audited = life.propose(0.1)
    assert (audited.verdict, audited.is_audit) == ("ask", True)
    assert life.unit.alone == 0
    assert life.label(audited, bad=True).verdict == "deny"
    assert life.unit.seen == 1.0  # it cost nothing, and counts
    assert life.propose(0.9).verdict == "allow"
    late = life.propose(0.1, timeout=HOUR)
    life.at += 2 * HOUR
    life.propose(0.9)
    assert life.unit.seen == 2.0  # asked, and never answered
    assert life.book.actions[late.key].as_of(life.at).verdict == "deny"
    withdrawn = life.propose(0.1)
    assert life.book.withdraw(withdrawn.key, at=life.at).status == "withdrawn"
    assert life.unit.seen == 3.0  # nor may the agent dodge it


def test_an_audit_without_a_label_is_a_mistake_at_its_deadline():
    life = Life(policy_of(max_label_delay_hours=10)).earn()
    life.propose(0.0)
    life.at += 9 * HOUR
    life.propose(0.9)
    assert life.unit.seen == 0.0
    life.at += HOUR
    life.propose(0.9)
    assert (life.unit.seen, life.book.house.seen) == (1.0, 1.0)


@pytest.mark.parametrize("is_counted", [True, False])
def test_a_label_after_the_deadline_of_an_audit_changes_nothing(is_counted):
    life = Life(policy_of(max_label_delay_hours=10)).earn()
    audited = life.propose(0.0)
    life.at += 11 * HOUR
    if is_counted:
        life.propose(0.9)
    with pytest.raises(RuleError, match="waited until its deadline, and counts as a mistake"):
        life.label(audited, bad=True)
    life.propose(0.9)
    assert (life.unit.seen, life.book.house.seen) == (1.0, 1.0)


def test_a_request_that_nobody_answers_is_no_label():
    life = Life(policy_of())
    asked = life.propose(timeout=HOUR)
    life.at += 2 * HOUR
    with pytest.raises(RuleError, match="waited until its deadline and is over") as error:
        life.label(asked, bad=False)
    assert error.value.rule == "expired"
    life.label(life.propose(), bad=False)
    assert life.unit.certificate.labels == 1


def test_silence_may_be_a_rejection():
    """Where a framework tells of approvals alone, what was refused is what nobody tells of."""
    life = Life(policy_of())
    life.at += 60_000_000
    life.book.propose(
        "silent", "bot", "1", "pay", kind=0, digest="d", at=life.at, drawn=0.9, amount=0.0, timeout=HOUR,
        silence_rejects=True,
    )  # fmt: skip
    life.label(life.propose(), bad=False)
    assert life.unit.certificate.labels == 0
    life.at += 2 * HOUR
    life.propose()
    expected = Unit.start(0.2, "1").certificate.update(1).update(0)
    assert life.unit.certificate.bets.tolist() == expected.bets.tolist()


def test_labels_count_in_the_order_of_the_proposals_when_they_are_settled():
    life = Life(policy_of(labels=LabelRules(settle_hours=1.0)))
    first, second = life.propose(), life.propose()
    life.label(second, bad=True)
    assert (
        life.unit.certificate.labels == 0
    )  # a hard one that comes late must not look good meanwhile
    life.label(first, bad=False)
    life.at += HOUR
    life.propose()
    assert life.unit.certificate.labels == 2
    undone = life.propose()
    life.label(undone, bad=False)
    life.book.undo(undone.key, by="ann", at=life.at + 10_000_000)
    one_right = Unit.start(0.2, "1").certificate.update(0).update(1)
    assert life.unit.certificate.bets.tolist() == one_right.bets.tolist()
    life.at += 30 * HOUR  # the third was never answered
    life.label(life.propose(), bad=False)
    expected = one_right.update(1)
    assert life.unit.certificate.bets.tolist() == expected.bets.tolist()


def test_undone_later_is_a_mistake_and_never_rewrites_evidence():
    life = Life(policy_of())
    done = [life.propose(0.0) for _ in range(3)]
    for one in done:
        life.label(one, bad=False)
    life.earn()
    audited = life.propose(0.0)
    life.label(audited, bad=False)
    before = life.unit
    life.book.undo(audited.key, by="ann", at=life.at)
    assert life.unit.certificate.bets.tolist() == before.certificate.bets.tolist()
    assert life.unit.seen == 1.0
    assert life.unit.watch.evidence > before.watch.evidence
    unread = life.propose(0.9)
    heard = life.unit.watch.labels
    life.book.undo(unread.key, by="ann", at=life.at)
    assert (life.unit.seen, life.unit.watch.labels) == (
        2.0,
        heard,
    )  # nobody drew it: no evidence, but a mistake
    again = life.book.undo(unread.key, by="bob", at=life.at + 5)
    assert again.undone_at == life.at
    assert life.unit.seen == 2.0
    refused = life.propose(0.9, kind=None, tool="else")
    with pytest.raises(RuleError, match="it never ran, and cannot be undone"):
        life.book.undo(refused.key, by="ann", at=life.at)


@pytest.mark.parametrize(("harm", "holds"), [("low", True), ("medium", True), ("high", False)])
def test_an_incident_of_high_harm_ends_the_licence_at_once(harm, holds):
    life = Life(policy_of()).earn()
    action = life.propose(0.9)
    life.book.undo(action.key, by="ann", at=life.at, harm=harm)
    assert life.unit.is_granted is holds
    if not holds:
        assert life.unit.lost_because == "an incident of high harm, reported by ann"
        assert life.propose(0.9).why == "it has not earned a licence"


def test_a_worse_harm_is_heard_after_a_milder_one():
    life = Life(policy_of()).earn()
    action = life.propose(0.9)
    life.book.undo(action.key, by="ann", at=life.at, harm="low")
    life.book.undo(action.key, by="ann", at=life.at, harm="none")
    assert life.unit.seen == 1.0
    assert life.book.actions[action.key].harm == "low"
    life.book.undo(action.key, by="ann", at=life.at, harm="high")
    assert not life.unit.is_granted


def test_the_watch_and_the_allowance_end_a_licence():
    for budget, why in (
        (1e6, "became worse than the limit"),
        (8.0, "more mistakes than its mistake budget"),
    ):
        life = Life(policy_of(limit=0.3 if budget == 8 else 0.05, mistake_budget=budget)).earn()
        episode = life.unit.episode
        for _ in range(40):
            if not life.unit.is_granted:
                break
            life.label(life.propose(0.0), bad=True)
        assert why in life.unit.lost_because
        assert life.unit.episode == episode + 1
        assert life.propose(0.9).verdict == "ask"


def test_the_allowance_is_that_of_the_specification():
    """limit P + b - rate against what audits saw, with the confidence of the episode."""
    life = Life(policy_of(limit=0.3, mistake_budget=12.0)).earn()
    unit = replace(life.unit, drawn=10.0, seen=2.0)
    allowed = 0.3 * 10 + 12 - 0.5
    expected = log_gamma_mixture(allowed, 2.0) >= np.log(1 / (0.8 * 0.05))
    assert unit.allows(life.book.policy, 0.5) is bool(expected)
    assert not is_within(2.0, 2.0, 0.05, 1)
    assert not is_within(1.0, 2.0, 0.05, 1)


def test_three_losses_in_one_version_ask_for_a_signature():
    life = Life(policy_of())
    for _ in range(3):
        life.earn()
        life.book.revoke(UNIT, by="ann", at=life.at, why="a rehearsal")
    assert life.unit.lost_because == "revoked by ann: a rehearsal"
    for _ in range(400):
        life.label(life.propose(0.0), bad=False)
    assert not life.unit.is_granted
    asked = life.propose()
    assert "lost 3 licences in this version: an owner must sign" in asked.why
    life.label(asked, bad=False)
    life.book.sign(UNIT, by="eve", at=life.at)
    life.label(life.propose(), bad=False)
    assert life.unit.is_granted
    fresh = Life(policy_of())
    fresh.propose()
    with pytest.raises(RuleError, match="holds no licence that could be revoked"):
        fresh.book.revoke(UNIT, by="ann", at=fresh.at)


def test_a_grant_may_wait_for_a_signature_but_a_signature_earns_nothing():
    life = Life(policy_of(sign=True))
    for _ in range(60):
        life.label(life.propose(), bad=False)
    assert not life.unit.is_granted
    life.book.sign(UNIT, by="eve", at=life.at)
    life.label(life.propose(), bad=False)
    assert life.unit.is_granted
    other = Life(policy_of(sign=True))
    other.propose()
    other.book.sign(UNIT, by="eve", at=other.at)
    assert other.propose().verdict == "ask"


def test_a_new_version_begins_anew_and_no_bad_action_passes():
    life = Life(policy_of()).earn(2)
    made = life.propose(0.99, version="2")
    assert (made.verdict, made.level, made.episode) == ("ask", 0, 2)
    assert life.unit.certificate.labels == 0
    assert life.propose(0.99, version="3").episode == 2  # no label was heard: nothing is spent
    life.label(life.propose(0.99, version="3"), bad=False)
    assert life.propose(0.99, version="2").episode == 2  # two of 3 still wait before it


def test_what_bounds_by_hand():
    life = Life(policy_of(day_actions=2)).earn()
    life.at = 100 * 24 * HOUR
    assert [life.propose(0.9).verdict for _ in range(3)] == ["allow", "allow", "ask"]
    assert "took 2 actions alone today" in life.propose(0.9).why
    life.at += 24 * HOUR
    assert life.propose(0.9).verdict == "allow"

    paid = Life(policy_of(ActionClass("pay", amount="sum"), day_money=100)).earn()
    paid.at = 100 * 24 * HOUR
    assert paid.propose(0.9, amount=60.0).verdict == "allow"
    assert "would move more than 100 alone today" in paid.propose(0.9, amount=60.0).why
    assert paid.propose(0.9, amount=40.0).verdict == "allow"
    assert "its amount (sum) cannot be read" in paid.propose(0.9, amount=None).why

    fast = Life(policy_of(in_flight=3)).earn()
    audited = fast.propose(0.0)
    assert [fast.propose(0.9).verdict for _ in range(3)] == ["allow", "allow", "ask"]
    assert "since an audit that still awaits its label" in fast.propose(0.9).why
    fast.label(audited, bad=False)
    assert fast.propose(0.9).verdict == "allow"


def test_the_house_has_one_allowance_until_somebody_signs():
    two = (ActionClass("pay"), ActionClass("mail"))
    life = Life(policy_of(*two, limit=0.3, house_budget=8.0, mistake_budget=1e6, watch_delta=1e-9))
    for _ in range(60):
        life.label(life.propose(0.0), bad=False)
        life.label(life.propose(0.0, kind=1, tool="mail"), bad=False)
    for _ in range(12):
        made = life.propose(0.0, kind=1, tool="mail")
        if made.verdict == "ask":
            break
        life.label(made, bad=True)
    said = "the mistake budget of all agents is used up: an owner must sign"
    assert said in (life.propose(0.9).why, life.propose(0.9, kind=1, tool="mail").why)
    life.book.sign_house(by="eve")
    assert life.propose(0.9).verdict == "allow"
    assert life.book.house.signed_by == "eve"


def test_the_house_is_charged_for_an_audit_of_a_licence_that_is_over():
    life = Life(policy_of()).earn()
    late = life.propose(0.0)
    assert life.book.house.allowed == 0.2 * 0.5  # the limit, times the rate of level 1
    life.book.revoke(UNIT, by="ann", at=life.at)
    life.label(late, bad=True)
    assert life.book.house.seen == 1.0
    assert (life.unit.seen, life.unit.waiting) == (0.0, ())


def test_what_nobody_reads_is_no_label():
    life = Life(policy_of())
    quick = life.propose()
    assert life.book.decide(quick.key, "approve", by="ann", at=life.at + 500_000).verdict == "allow"
    assert (
        life.book.decide(quick.key, "approve", by="ann", at=life.at + 9_000_000).status
        == "approved"
    )  # sent twice
    ruled = life.propose()
    life.book.decide(ruled.key, "approve", by="policy", at=life.at + 9_000_000, by_person=False)
    assert life.unit.certificate.labels == 0
    assert life.unit.waiting == ()
    rejected = life.propose()
    life.book.decide(rejected.key, "reject", by="ann", at=life.at + 1)
    assert life.unit.certificate.labels == 1  # however fast


def test_many_at_once_are_no_labels_the_first_of_them_neither():
    life = Life(policy_of(labels=LabelRules(settle_hours=1.0)))
    asked = [life.propose() for _ in range(6)]
    for one in asked[:5]:
        life.book.decide(one.key, "approve", by="ann", at=life.at + 9_000_000, seconds=5.0)
    assert [one.key for one in life.unit.waiting] == [asked[5].key]
    life.book.decide(asked[5].key, "approve", by="ann", at=life.at + 20_000_000)
    assert [one.bad for one in life.unit.waiting] == [0.0]


def test_an_audit_that_nobody_read_goes_on_waiting():
    life = Life(policy_of()).earn()
    audited = life.propose(0.0)
    life.book.decide(audited.key, "approve", by="ann", at=life.at + 500_000)
    assert life.unit.waiting[0].bad is None
    life.book.decide(audited.key, "reject", by="bob", at=life.at + 9_000_000)
    assert life.unit.seen == 1.0


def test_who_may_decide_and_when():
    life = Life(policy_of())
    asked = life.propose()
    with pytest.raises(RuleError, match="asked for 'k1' itself") as error:
        life.book.decide(asked.key, "approve", by="bot", at=life.at + 9_000_000)
    assert error.value.rule == "own-request"
    life.label(asked, bad=True)
    for kind in ("approve", "edit"):
        with pytest.raises(RuleError, match="was rejected already by ann"):
            life.book.decide(asked.key, kind, by="bob", at=life.at + 9_000_000)
    life.earn()
    alone = life.propose(0.9)
    with pytest.raises(RuleError, match="was allowed, and is not an audit") as error:
        life.label(alone, bad=False)
    assert error.value.rule == "not-asked"
    with pytest.raises(RuleError, match="it cannot be withdrawn"):
        life.book.withdraw(alone.key, at=life.at)


def test_what_may_never_act():
    classes = (ActionClass("pay", harm="irreversible"), ActionClass("rm", deny=True))
    life = Life(policy_of(*classes))
    for _ in range(60):
        life.label(life.propose(0.0), bad=False)
    assert life.propose(0.9).why == "irreversible"
    assert life.propose(0.9, kind=None, tool="new").why == "no declared class matches it"
    denied = life.propose(0.9, kind=1, tool="rm")
    assert (denied.verdict, denied.why) == ("deny", "the policy refuses it")
    signed = Life(policy_of(ActionClass("pay", harm="irreversible", signed=True))).earn()
    assert signed.propose(0.9).verdict == "allow"


def test_an_agent_that_turns_once_it_is_licensed_does_little():
    rng = np.random.default_rng(5)
    for _ in range(20):
        life, bad_alone = Life(policy_of(limit=0.1)).earn(), 0
        for _ in range(400):
            made = life.propose(rng.random())
            if made.verdict == "ask":
                life.label(made, bad=True)
                continue
            bad_alone += 1
            if made.is_audit:
                life.label(made, bad=True)
        assert not life.unit.is_granted
        assert bad_alone <= 40  # b / rate


def test_an_allowance_that_is_used_up_ends_the_licence_before_the_next_action():
    life = Life(policy_of()).earn()
    life.book.units[UNIT] = replace(life.unit, seen=25.0)
    made = life.propose(0.99)
    assert (made.verdict, made.level) == ("ask", 0)
    assert (
        made.why == life.unit.lost_because == "audits found more mistakes than its mistake budget"
    )


def test_audits_that_nobody_reads_end_the_licence():
    life = Life(policy_of(limit=0.3, mistake_budget=8.0, max_label_delay_hours=10)).earn()
    for _ in range(12):
        life.propose(0.0)
    life.at += 11 * HOUR
    assert life.propose(0.9).verdict == "ask"
    assert life.unit.lost_because == "audits found more mistakes than its mistake budget"
    assert life.book.house.seen == 12.0


def test_what_is_said_twice_counts_once():
    life = Life(policy_of()).earn()
    first, second = life.propose(0.0), life.propose(0.0)
    life.label(second, bad=True)  # it waits behind the first
    life.book.undo(second.key, by="ann", at=life.at)
    assert life.unit.seen == 1.0
    life.label(first, bad=False)
    asked = life.propose(0.99, kind=None, tool="else")
    taken_back = life.book.withdraw(asked.key, at=life.at)
    assert life.book.withdraw(asked.key, at=life.at + 5) == taken_back


def test_a_mistake_without_a_licence_is_no_watch_s():
    life = Life(policy_of())
    done = life.propose()
    life.label(done, bad=False)
    before = life.unit.to_dict()
    life.book.undo(done.key, by="ann", at=life.at)
    assert life.unit.to_dict() == before  # counted, and never rewritten


def test_harm_that_is_found_after_none_is_charged():
    life = Life(policy_of()).earn()
    action = life.propose(0.9)
    life.book.undo(action.key, by="ann", at=life.at, harm="none")
    assert life.unit.seen == 0.0
    life.book.undo(action.key, by="ann", at=life.at, harm="low")
    assert life.unit.seen == 1.0


def test_in_bulk_what_is_counted_stays_counted():
    life = Life(policy_of())  # nothing waits to be settled
    asked = [life.propose() for _ in range(5)]
    for one in asked:
        life.book.decide(one.key, "approve", by="ann", at=life.at + 9_000_000, seconds=5.0)
    assert life.unit.certificate.labels == 4
    assert life.unit.waiting == ()


def test_the_house_is_its_json_and_a_policy_its_digest():
    life = Life(policy_of()).earn()
    life.propose(0.0)
    said = json.dumps(life.book.house.to_dict())
    assert House(**json.loads(said)).to_dict() == life.book.house.to_dict()
    policy = policy_of(ActionClass("pay", "small", (("sum", "max", 5),)), ActionClass("pay"))
    assert policy.digest == LicencePolicy.from_json(policy.to_json()).digest != policy_of().digest
    assert [policy.find_place("pay", {"sum": n}) for n in (5, 6)] == [0, 1]
    assert policy.find_place("mail", None) is None


@pytest.mark.parametrize(
    ("first", "second", "fits"),
    [("pay", "pay", False), ("p*", "pay", False), ("pay", "p?y", False), ("p*", "pa*", False), ("*y", "p*", False),
     ("pay", "mail", True), ("p*", "m*", True), ("p*", "mail", True), ("pay", "m*", True)],
)  # fmt: skip
def test_classes_of_one_name_must_not_meet(first, second, fits):
    classes = (ActionClass(first, "a", (("x", "min", 1),)), ActionClass(second, "a"))
    if fits:
        assert LicencePolicy(classes).classes == classes
        return
    with pytest.raises(InputError, match="name them apart"):
        LicencePolicy(classes)


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"limit": 0.0}, "limit must be between 0 and 1; got 0"),
        ({"limit": True}, "limit must be a number; got True"),
        ({"mistake_budget": 2}, "with a mistake_budget of 2 no licence could ever begin"),
        ({"house_budget": 0}, "with a house_budget of 0 no licence could ever begin"),
        ({"in_flight": 0}, "in_flight is above 0; got 0"),
        ({"timeout_hours": float("nan")}, "timeout_hours is above 0"),
        ({"classes": (ActionClass("pay", bad=2.0),), "check": 3.0}, "it must be above that of a check, 3"),
        ({"classes": (ActionClass("p*", "a", (("x", "min", 1),)), ActionClass("pay", "a"))}, "name them apart"),
    ],
)  # fmt: skip
def test_policies_that_cannot_be(terms, message):
    with pytest.raises(InputError, match=message):
        LicencePolicy(**{"classes": (PAY,), **terms})


def test_a_policy_is_its_json():
    classes = (
        ActionClass("refund", "small", (("amount", "max", 50), ("to.kind", "in", ["card"])), "medium", bad=40.0,
                    amount="amount", audit="before"),
        ActionClass("rm", harm="irreversible", signed=True), ActionClass("drop", deny=True),
    )  # fmt: skip
    policy = LicencePolicy(classes, check=2.0, day_money=100.0, labels=LabelRules(edit=0.5))
    assert LicencePolicy.from_json(policy.to_json()) == policy
    assert (policy.limit_of(classes[0]), policy.limit_of(classes[1])) == (0.05, 0.05)
    for text, message in [
        ("{", "the policy is not JSON"),
        ("[]", "the policy holds no licence"),
        ('{"format": 1, "licence": {}}', "is of format 1, not 2"),
        ('{"format": 2, "licence": {"limits": 1}}', "a licence has no term 'limits'"),
        ('{"format": 2, "licence": {"classes": 3}}', "classes are a list"),
        ('{"format": 2, "licence": {"classes": [], "labels": {"speed": 1}}}', "labels of a licence have"),
        ('{"format": 2, "licence": {"classes": [], "labels": {"edit": "1"}}}', "edit must be a number"),
    ]:  # fmt: skip
        with pytest.raises(InputError, match=message):
            LicencePolicy.from_json(text)


def test_a_unit_is_its_json():
    life = Life(policy_of()).earn(2)
    life.propose(0.0)
    text = json.dumps(life.unit.to_dict())
    assert json.dumps(Unit.from_dict(json.loads(text)).to_dict()) == text


def test_where_reading_is_measured_the_evidence_is_that_of_the_table():
    """In whatever order labels and golden answers come, the book's evidence is `evidence_with_gold`."""
    life = Life(policy_of(measures_reading=True))
    rng, bad, missed = np.random.default_rng(3), [], []
    for i in range(120):
        if i % 3 == 0:
            missed.append(bool(rng.random() < 0.1))
            life.book.golden(by="ann", missed=missed[-1], at=life.at)
        made = life.propose()
        if made.status == "asked":
            bad.append(float(i == 5))
            life.book.decide(
                made.key, "reject" if i == 5 else "approve", by="ann", at=life.at, seconds=9
            )
    life.propose()  # what golden actions said last
    unit = life.book.units[UNIT]
    assert unit.is_granted
    expected = evidence_with_gold(bad[: unit.certificate.labels], missed, 0.2)[-1]
    assert unit.evidence == pytest.approx(expected)
    again = Unit.from_dict(json.loads(json.dumps(unit.to_dict())))
    assert again.to_dict() == unit.to_dict()
    lost = unit.lose("x")
    assert lost.evidence < 1
    assert lost.reading is not None


def test_where_reading_is_measured_approvals_alone_earn_nothing():
    policy = policy_of(measures_reading=True)
    life = Life(policy)
    for _ in range(40):
        life.book.decide(life.propose().key, "approve", by="ann", at=life.at, seconds=9)
    unit = life.book.units[UNIT]
    assert not unit.is_granted
    assert count_missing(policy, [unit]) == [None]  # golden actions are missing, not approvals
    for _ in range(40):
        life.book.golden(by="ann", missed=False, at=life.at)
    life.book.decide(life.propose().key, "reject", by="ann", at=life.at)
    (left,) = count_missing(policy, [life.book.units[UNIT]])
    for n in range(left or 0):
        assert not life.book.units[UNIT].is_granted, n
        life.book.decide(life.propose().key, "approve", by="ann", at=life.at, seconds=9)
    assert life.book.units[UNIT].is_granted


def test_what_was_allowed_and_never_ran_is_no_action():
    life = Life(policy_of())
    for _ in range(40):
        made = life.propose()
        if made.status == "asked":
            life.book.decide(made.key, "approve", by="ann", at=life.at, seconds=9)
    before, house = life.book.units[UNIT], life.book.house
    made = life.propose(0.1)
    assert made.is_audit
    assert life.book.lapse(made.key, at=life.at).status == "lapsed"
    assert life.book.lapse(made.key, at=life.at).verdict == "deny"
    after = life.book.units[UNIT]
    assert (after.alone, after.drawn, after.waiting) == (before.alone, before.drawn, before.waiting)
    assert life.book.house.allowed == pytest.approx(house.allowed)
    ran = life.propose()
    life.book.undo(ran.key, by="ann", at=life.at)
    for key in (ran.key, "k1"):
        with pytest.raises(RuleError, match="it cannot lapse") as error:
            life.book.lapse(key, at=life.at)
        assert error.value.rule == "not-allowed"
    drawn = life.propose(0.1)
    life.book.units[UNIT] = life.book.units[UNIT].lose("x")
    assert life.book.lapse(drawn.key, at=life.at).status == "lapsed"  # of a licence that is over
    assert life.book.units[UNIT].alone == 0


def test_a_request_taken_back_counts_as_silence():
    policy = policy_of()
    life = Life(policy)
    made = life.propose()
    life.book.withdraw(made.key, at=life.at)
    assert life.book.units[UNIT].certificate.labels == 0
    key = "silent"
    life.book.propose(
        key, "bot", "1", "pay", kind=0, digest="d", at=life.at, drawn=0.9, amount=0.0, timeout=HOUR, silence_rejects=True
    )  # fmt: skip
    life.book.withdraw(key, at=life.at)
    assert life.book.units[UNIT].certificate.labels == 1
    assert life.book.units[UNIT].evidence < 0.9


def test_looking_up_a_unit_changes_nothing_and_shows_what_is_due_by_then():
    life = Life(policy_of(labels=LabelRules(settle_hours=2.0)))
    asked = [life.propose(timeout=HOUR) for _ in range(3)]
    life.label(asked[0], bad=False)
    life.label(asked[1], bad=True)
    unit = life.unit
    # first the approval settles; a rejection at once behind it; then the third request is over
    settles = life.at + 9_000_000 + 2 * HOUR
    assert unit.next_due(life.book.policy) == asked[2].deadline < settles
    seen = {}
    for at in (life.at, asked[2].deadline - 1, asked[2].deadline, settles - 1, settles):
        seen[at] = life.book.look_up(UNIT, at)
        assert life.unit is unit
    counts = [(one.certificate.labels, one.wrong, len(one.waiting)) for one in seen.values()]
    assert counts == [(0, 0.0, 3), (0, 0.0, 3), (0, 0.0, 2), (0, 0.0, 2), (2, 1.0, 0)]
    over = seen[asked[2].deadline]
    assert over.next_due(life.book.policy) == settles
    assert seen[settles].next_due(life.book.policy) is None
    life.book.settle(UNIT, at=settles)
    assert life.unit.to_dict() == seen[settles].to_dict()


def test_a_rejection_at_the_front_is_due_at_once():
    life = Life(policy_of(labels=LabelRules(settle_hours=2.0)))
    asked = life.propose()
    unit = life.unit.label(asked.key, 1.0, life.at)
    assert unit.next_due(life.book.policy) == life.at
    assert Life(policy_of()).unit.next_due(policy_of()) is None


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from([False] * 9 + [True]), max_size=120))
@example([False] * 40 + [True] * 30 + [False] * 60)
def test_labels_of_a_log_are_its_replay(labels):
    """As `replay_labels` says of them, whoever wrote the log."""
    life = Life(policy_of(limit=0.3, mistake_budget=1e6, revocations=100))
    for bad in labels:
        life.book.learn("bot", "1", "pay", kind=0, bad=float(bad), at=life.at)
    known = replay_labels([float(one) for one in labels], LicenceTerms(0.3))
    assert life.unit.episode == known.episode
    assert life.unit.is_granted == (known.granted is not None)
    assert life.unit.certificate.bets.tolist() == known.certificate.bets.tolist()
    assert life.unit.asked == (len(labels) if labels else 0)
    life.propose()
    with pytest.raises(RuleError, match="was proposed here already: a log is read") as error:
        life.book.learn("bot", "1", "pay", kind=0, bad=0.0, at=life.at)
    assert error.value.rule == "in-use"


def test_a_bad_action_costs_what_is_stated_in_checks_or_what_the_limit_stands_for():
    stated, plain = ActionClass("pay", bad=40.0), ActionClass("mail")
    policy = policy_of(stated, plain, limit=0.05, check=2.0)
    assert [policy.price_of(one) for one in (stated, plain, None)] == [20, 20, 20]
    assert policy.limit_of(stated) == 1 / policy.price_of(stated)
    dear = policy_of(replace(stated, bad=100.0), plain, limit=0.05, check=2.0)
    assert [dear.price_of(one) for one in (*dear.classes, None)] == [50, 20, 20]
    assert policy_of(stated, limit=0.05).price_of(stated) == 20  # nobody stated a check


def test_terms_without_each_approver_are_in_the_json_and_the_digest():
    apart = policy_of(without_each_approver=True)
    assert LicencePolicy.from_json(apart.to_json()) == apart != policy_of()
    assert LicencePolicy.from_json(apart.to_json()).digest == apart.digest != policy_of().digest


def test_what_would_take_more_than_three_thousand_labels_is_not_foretold():
    policy = policy_of(limit=0.001)
    near, far = Unit.start(0.05, "1"), Unit.start(0.001, "1")
    assert count_missing(policy, [near, far, near]) == [76, None, 76]


def test_with_golden_actions_the_labels_that_are_missing_are_those_that_license():
    policy = policy_of(measures_reading=True)
    life = Life(policy)
    for _ in range(60):
        life.book.golden(by="ann", missed=False, at=life.at)
    life.book.decide(life.propose().key, "reject", by="ann", at=life.at)
    (left,) = count_missing(policy, [life.unit])
    assert left > 5
    for n in range(left):
        assert not life.unit.is_granted, n
        assert count_missing(policy, [life.unit]) == [left - n]
        life.book.decide(life.propose().key, "approve", by="ann", at=life.at, seconds=9)
    assert life.unit.is_granted
