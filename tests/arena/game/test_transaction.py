from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from arena.game.scene import MINUTE, NOW
from askpoint.arena.game.transaction import (
    LedgerAccount,
    LedgerEntry,
    LedgerTransaction,
    as_points,
    reversal,
    transfer,
)
from askpoint.errors import InputError, RuleError

BUDGET, ALICE, BOB = (
    LedgerAccount("budget", "c"),
    LedgerAccount("earned", "alice"),
    LedgerAccount("earned", "bob"),
)


def test_points_are_whole_numbers():
    assert as_points(np.int64(7), "pay") == 7
    assert type(as_points(np.int64(7), "pay")) is int
    for wrong in (7.0, "7", None):
        with pytest.raises(InputError, match="whole number of points"):
            as_points(wrong, "pay")
    with pytest.raises(InputError, match="at least 1 points; got 0"):
        as_points(0, "pay", least=1)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ((LedgerEntry(BUDGET, -1),), "at least two"),
        ((LedgerEntry(BUDGET, -1), LedgerEntry(ALICE, 2)), r"sums to \+1"),
        ((LedgerEntry(BUDGET, 0), LedgerEntry(ALICE, 0)), "at least 1 points; got 0"),
        ((LedgerEntry(ALICE, -1), LedgerEntry(ALICE, 1)), "earned:alice only once"),
        (
            (LedgerEntry(LedgerAccount("purse", "c"), -1), LedgerEntry(ALICE, 1)),
            "kind must be one of",
        ),
    ],
)
def test_entries_that_do_not_balance_are_refused(entries, message):
    with pytest.raises(InputError, match=message):
        LedgerTransaction("t", NOW, entries, "case")


def test_half_points_are_refused():
    with pytest.raises(InputError, match="whole number of points"):
        LedgerTransaction("t", NOW, (LedgerEntry(BUDGET, -0.5), LedgerEntry(ALICE, 0.5)), "case")


def test_a_transfer_of_nothing_is_no_transaction():
    assert transfer("t", NOW, 0, BUDGET, ALICE, "case") == ()
    with pytest.raises(InputError, match="at least 0"):
        transfer("t", NOW, -1, BUDGET, ALICE, "case")


@given(st.lists(st.integers(-(10**9), 10**9).filter(bool), min_size=1, max_size=6, unique=True))
def test_a_reversal_takes_back_every_entry(points):
    entries = [
        LedgerEntry(LedgerAccount("earned", str(i)), value) for i, value in enumerate(points)
    ]
    if sum(points):
        entries.append(LedgerEntry(BUDGET, -sum(points)))
    if len(entries) < 2:
        return
    posted = LedgerTransaction("t", NOW, tuple(entries), "case")
    back = reversal(posted, NOW + MINUTE)
    assert back.reverses == "t"
    assert [(a, -p) for a, p in back.entries] == list(posted.entries)


def test_a_reversal_is_not_reversed_and_never_comes_first():
    (posted,) = transfer("t", NOW, 5, BUDGET, ALICE, "case")
    back = reversal(posted, NOW)
    with pytest.raises(RuleError, match="reversal itself"):
        reversal(back, NOW)
    with pytest.raises(RuleError, match="went backwards"):
        reversal(posted, NOW - MINUTE)
