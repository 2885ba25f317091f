from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from arena.game.scene import MINUTE, NOW
from askpoint.arena.game import payout as outbox
from askpoint.arena.game.ledger import Ledger
from askpoint.arena.game.transaction import LedgerAccount, transfer
from askpoint.errors import RuleError

BUDGET = LedgerAccount("budget", "c")
EARNED, PAYING, PAID = (LedgerAccount(kind, "alice") for kind in ("earned", "paying", "paid"))
STATES = (
    "planned",
    "sending",
    "lookup",
    "unknown",
    "said-paid",
    "disputed",
    "sent",
    "cancelled",
)


def earned(points: int) -> Ledger:
    ledger = Ledger(transfer("fund", NOW, points, LedgerAccount("funding", "c"), BUDGET, "c"))
    ledger.post(*transfer("award", NOW, points, BUDGET, EARNED, "7"))
    return ledger


@given(st.integers(0, 10**9))
def test_whole_cents_are_paid_and_the_rest_is_carried(points):
    cents, carried = outbox.whole_cents(points)
    assert cents * 50 + carried == points
    assert 0 <= carried < 50


def test_nothing_is_paid_from_a_debt():
    assert outbox.whole_cents(-120) == (0, -120)
    for balance in (-120, 0, 49):
        with pytest.raises(RuleError, match="stay on the account") as caught:
            outbox.plan_payout("p", "alice", balance, NOW)
        assert caught.value.rule == "too-little"
    with pytest.raises(RuleError):
        outbox.plan_payout("p", "alice", 4999, NOW, least_cents=100)
    assert outbox.plan_payout("p", "alice", 5000, NOW, least_cents=100)[0].cents == 100


def test_a_payout_from_plan_to_confirmation():
    ledger = earned(2990)
    payout, posted = outbox.plan_payout("p", "alice", ledger.balance(EARNED), NOW)
    ledger.post(*posted)
    assert (ledger.balance(EARNED), ledger.balance(PAYING)) == (40, 2950)
    payout = outbox.send(payout, NOW + MINUTE)
    payout, posted = outbox.confirm(payout, "ref-1", NOW + 2 * MINUTE)
    ledger.post(*posted)
    assert (payout.state, payout.reference, payout.attempts) == ("sent", "ref-1", 1)
    assert (ledger.balance(PAYING), ledger.balance(PAID)) == (0, 2950)


@pytest.mark.parametrize("way", ["cancel", "refuse"])
def test_points_return_by_a_reversing_transaction(way):
    ledger = earned(2990)
    payout, posted = outbox.plan_payout("p", "alice", 2990, NOW)
    ledger.post(*posted)
    if way == "refuse":
        payout = outbox.send(payout, NOW)
    payout, posted = getattr(outbox, way)(payout, NOW + MINUTE)
    ledger.post(*posted)
    assert (payout.state, ledger.balance(EARNED), ledger.balance(PAYING)) == ("cancelled", 2990, 0)
    assert posted[0].reverses == "payout/p"


def moves(payout):
    return {
        "sending": lambda: outbox.send(payout, NOW),
        "sent": lambda: outbox.confirm(payout, "ref", NOW)[0],
        "lookup": lambda: outbox.lose_track(payout, NOW),
        "planned": lambda: outbox.plan_again(payout, NOW),
        "unknown": lambda: outbox.give_up(payout, NOW),
        "cancelled by us": lambda: outbox.cancel(payout, NOW)[0],
        "cancelled by them": lambda: outbox.refuse(payout, NOW)[0],
        "said-paid": lambda: outbox.say_paid(payout, "ref", NOW),
        "sent as the payee says": lambda: outbox.acknowledge(payout, NOW)[0],
        "sent in silence": lambda: outbox.settle_silent(payout, NOW + outbox.SILENCE)[0],
        "disputed": lambda: outbox.dispute(payout, NOW)[0],
        "sent after all": lambda: outbox.decide_dispute(payout, NOW, paid=True)[0],
        "cancelled after all": lambda: outbox.decide_dispute(payout, NOW, paid=False)[0],
    }


ALLOWED = {
    "planned": {"sending", "cancelled by us"},
    "sending": {"sent", "lookup", "cancelled by them", "said-paid"},
    "lookup": {"sent", "planned", "unknown", "said-paid"},
    "unknown": {"sent", "planned", "said-paid"},
    "said-paid": {"sent as the payee says", "sent in silence", "disputed"},
    "disputed": {"sent after all", "cancelled after all"},
    "sent": set(),
    "cancelled": set(),
}


@pytest.mark.parametrize("state", STATES)
def test_every_other_move_is_refused(state):
    payout, _ = outbox.plan_payout("p", "alice", 100, NOW)
    payout = outbox.replace(payout, state=state)
    for target, move in moves(payout).items():
        if target in ALLOWED[state]:
            assert move().state == target.split()[0]
        else:
            with pytest.raises(RuleError, match=f"is '{state}'") as caught:
                move()
            assert caught.value.rule == "payout-state"


@pytest.mark.parametrize(
    ("ends", "balances"),
    [
        ("acknowledge", (40, 0, 0, 2950)),
        ("settle_silent", (40, 0, 0, 2950)),
        ("dispute", (40, 0, 2950, 0)),
        ("paid", (40, 0, 0, 2950)),
        ("not-paid", (2990, 0, 0, 0)),
    ],
)
def test_what_is_paid_by_hand_leaves_when_the_payee_answers(ends, balances):
    ledger = earned(2990)
    payout, posted = outbox.plan_payout("p", "alice", 2990, NOW)
    ledger.post(*posted)
    payout = outbox.say_paid(outbox.send(payout, NOW), "bank 1", NOW)
    assert (payout.reference, ledger.balance(PAYING)) == ("bank 1", 2950)
    later = NOW + outbox.SILENCE
    if ends in ("paid", "not-paid"):
        payout, posted = outbox.dispute(payout, NOW)
        ledger.post(*posted)
        payout, posted = outbox.decide_dispute(payout, later, paid=ends == "paid")
    else:
        payout, posted = getattr(outbox, ends)(payout, later)
    ledger.post(*posted)
    kinds = ("earned", "paying", "disputed", "paid")
    assert tuple(ledger.balance(LedgerAccount(kind, "alice")) for kind in kinds) == balances


def test_silence_is_waited_for_and_a_mark_needs_a_reference():
    payout = outbox.send(outbox.plan_payout("p", "alice", 100, NOW)[0], NOW)
    with pytest.raises(RuleError, match="with a reference"):
        outbox.say_paid(payout, "", NOW)
    payout = outbox.say_paid(payout, "bank", NOW)
    with pytest.raises(RuleError, match="may answer until") as caught:
        outbox.settle_silent(payout, NOW + outbox.SILENCE - MINUTE)
    assert caught.value.rule == "silence"


def test_a_confirmation_needs_a_reference_and_a_clock_that_goes_on():
    payout = outbox.send(outbox.plan_payout("p", "alice", 100, NOW)[0], NOW)
    with pytest.raises(RuleError, match="provider's reference"):
        outbox.confirm(payout, "", NOW)
    with pytest.raises(RuleError, match="went backwards"):
        outbox.confirm(payout, "ref", NOW - MINUTE)


@pytest.mark.parametrize("seed", range(25))
def test_the_outbox_pays_once_however_often_it_is_killed(seed):
    """300 payouts, a process that dies anywhere, a provider that pays twice when asked twice."""
    rng = np.random.default_rng(seed)
    stored = {str(i): outbox.plan_payout(str(i), "alice", 100, NOW)[0] for i in range(300)}
    provider: list[str] = []  # not idempotent: every call is a payment

    def run(lives: int) -> None:
        for key in list(stored):
            payout = stored[key]
            if payout.state == "sending":  # whoever sent it is dead
                stored[key] = payout = outbox.lose_track(payout, NOW)
            if payout.state == "lookup":
                answer = rng.random() < 0.9  # else the provider's list is out of reach now
                if answer and key in provider:
                    stored[key] = outbox.confirm(payout, "ref", NOW)[0]
                elif answer:
                    stored[key] = outbox.plan_again(payout, NOW)
                continue
            if payout.state == "planned":
                stored[key] = outbox.send(payout, NOW)
                lives -= 1
                if lives == 0:
                    return  # dies before the call
                provider.append(key)
                lives -= 1
                if lives == 0:
                    return  # dies after the call
                stored[key] = outbox.confirm(stored[key], "ref", NOW)[0]

    while any(payout.state != "sent" for payout in stored.values()):
        run(int(rng.integers(1, 100)))
    assert sorted(provider) == sorted(stored)  # everybody once, nobody twice
