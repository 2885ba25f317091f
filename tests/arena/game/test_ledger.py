from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from arena.game.scene import MINUTE, NOW
from askpoint.arena.game.ledger import Ledger, check_balance
from askpoint.arena.game.transaction import (
    LedgerAccount,
    LedgerEntry,
    LedgerTransaction,
    reversal,
    transfer,
)
from askpoint.errors import RuleError

PURSE, BUDGET, ALICE = (
    LedgerAccount("funding", "c"),
    LedgerAccount("budget", "c"),
    LedgerAccount("earned", "alice"),
)


def funded(points: int = 1000) -> Ledger:
    return Ledger(transfer("fund", NOW, points, PURSE, BUDGET, "c"))


def test_balances_are_the_sums_of_entries():
    ledger = funded()
    ledger.post(*transfer("award", NOW, 300, BUDGET, ALICE, "7"))
    assert dict(ledger.balances) == {PURSE: -1000, BUDGET: 700, ALICE: 300}
    assert sum(ledger.balances.values()) == 0
    assert ledger.balance(LedgerAccount("earned", "nobody")) == 0
    assert (len(ledger), "award" in ledger, ledger["award"].about) == (2, True, "7")


def test_the_same_key_is_never_posted_twice():
    ledger = funded()
    award = transfer("award", NOW, 300, BUDGET, ALICE, "7")
    ledger.post(*award)
    for again in (award, award + transfer("new", NOW, 1, BUDGET, ALICE, "8")):
        with pytest.raises(RuleError, match="already") as caught:
            ledger.post(*again)
        assert caught.value.rule == "posted-before"
    with pytest.raises(RuleError):
        ledger.post(*transfer("twin", NOW, 1, BUDGET, ALICE, "9") * 2)
    assert ledger.balance(ALICE) == 300
    assert len(ledger) == 2


def test_a_refused_batch_leaves_nothing_behind():
    ledger = funded(100)
    first = transfer("one", NOW, 60, BUDGET, ALICE, "7")
    with pytest.raises(RuleError, match="20 points too few") as caught:
        ledger.post(*first, *transfer("two", NOW, 60, BUDGET, ALICE, "8"))
    assert caught.value.rule == "overdrawn"
    assert ledger.balance(BUDGET) == 100
    ledger.post(*first)


def test_only_the_purse_and_the_earnings_go_below_zero():
    for kind in ("funding", "earned"):
        check_balance(LedgerAccount(kind, "x"), -1)
    for kind in ("budget", "reserved", "paying", "paid"):
        check_balance(LedgerAccount(kind, "x"), 0)
        with pytest.raises(RuleError, match="add to the campaign's budget"):
            check_balance(LedgerAccount(kind, "x"), -1)


def test_the_order_is_that_of_posting_whatever_the_clock_says():
    ledger = funded()
    ledger.post(*transfer("t", NOW - MINUTE, 1, BUDGET, ALICE, "7"))
    assert [one.key for one in ledger][-1] == "t"
    assert Ledger(ledger).balances == ledger.balances


def test_a_reversal_must_take_back_what_it_names():
    ledger = funded()
    (award,) = transfer("award", NOW, 300, BUDGET, ALICE, "7")
    with pytest.raises(RuleError, match="exactly what 'award' posted"):
        ledger.post(reversal(award, NOW))  # not posted yet
    ledger.post(award)
    half = (LedgerEntry(BUDGET, 150), LedgerEntry(ALICE, -150))
    with pytest.raises(RuleError, match="exactly what 'award' posted"):
        ledger.post(LedgerTransaction("reverse/award", NOW, half, "7", "award"))
    ledger.post(reversal(award, NOW))
    assert ledger.balance(ALICE) == 0
    with pytest.raises(RuleError, match="already"):
        ledger.post(reversal(award, NOW))


def test_nothing_can_be_changed_from_outside():
    ledger = funded()
    with pytest.raises(TypeError):
        ledger.balances[ALICE] = 10**6  # type: ignore[index]
    with pytest.raises(AttributeError):
        next(iter(ledger)).entries = ()  # type: ignore[misc]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_replay_gives_the_same_balances_and_audits_every_rule(data):
    accounts = [BUDGET, ALICE, LedgerAccount("reserved", "c"), LedgerAccount("paying", "alice")]
    ledger = funded(500)
    for step in range(data.draw(st.integers(0, 30))):
        source, target = data.draw(st.permutations(accounts))[:2]
        points = data.draw(st.integers(0, 300))
        with suppress(RuleError):  # what would overdraw an account
            ledger.post(*transfer(str(step), NOW + step * MINUTE, points, source, target, "x"))
    assert Ledger(ledger).balances == ledger.balances
    by_hand: dict[str, Fraction] = {}
    for transaction in ledger:
        for entry in transaction.entries:
            name = str(entry.account)
            by_hand[name] = by_hand.get(name, Fraction(0)) + entry.points
    assert by_hand == {str(account): value for account, value in ledger.balances.items()}
