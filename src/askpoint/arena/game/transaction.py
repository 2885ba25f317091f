"""Accounts and transactions: whole points that move, and sum to zero.

::

    funding   where a campaign's money comes from: the organiser's purse, 0 or below
    budget    what a campaign may still promise
    reserved  what it has promised and not yet paid
    held      what a person has earned and cannot withdraw yet
    earned    what a person may withdraw; below 0 when a correction came after a payout
    debt      what a person owes, 0 or below: it is set off against later pay
    paying    what is on its way to a person
    disputed  what is said to be paid, and its payee says it is not
    paid      what has reached a person

A server keeps one such ledger for each workspace: no transaction names accounts of two.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from askpoint.errors import InputError, RuleError
from askpoint.labelling.clock import check_clock
from askpoint.measures.inputs import as_choice

__all__ = [
    "ACCOUNT_KINDS",
    "POINTS_PER_CENT",
    "LedgerAccount",
    "LedgerEntry",
    "LedgerTransaction",
    "as_points",
    "reversal",
    "transfer",
]

ACCOUNT_KINDS = (
    "funding",
    "budget",
    "reserved",
    "held",
    "earned",
    "debt",
    "paying",
    "disputed",
    "paid",
)
POINTS_PER_CENT = 50


class LedgerAccount(NamedTuple):
    """One account: its kind, and the campaign or the person whose it is."""

    kind: str
    owner: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.owner}"


class LedgerEntry(NamedTuple):
    """Points that come to an account, or leave it when below zero."""

    account: LedgerAccount
    points: int


def as_points(value: int, name: str, *, least: int = 0) -> int:
    """Check that `value` is a whole number of points."""
    try:
        points = operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be a whole number of points; got {value!r}") from None
    if points < least:
        raise InputError(f"{name} must be at least {least} points; got {points}")
    return points


@dataclass(frozen=True, slots=True)
class LedgerTransaction:
    """Entries that belong together and sum to zero.

    Parameters
    ----------
    key : str
        What makes it unique: posting the same key twice is refused, so that a double click
        or a job that runs again moves no point a second time.
    at : datetime
        When.
    entries : tuple of Entry
        At least two, of one account each, none of them 0.
    about : str
        The case or payout that it concerns.
    reverses : str, optional
        Key of the transaction that it takes back.
    """

    key: str
    at: datetime
    entries: tuple[LedgerEntry, ...]
    about: str
    reverses: str | None = None

    def __post_init__(self) -> None:
        check_clock(self.at)
        if len(self.entries) < 2:
            raise InputError(f"transaction {self.key!r} needs at least two entries")
        seen = set()
        for account, points in self.entries:
            as_choice(account.kind, ACCOUNT_KINDS, "an account's kind")
            as_points(abs(points), f"an entry of transaction {self.key!r}", least=1)
            if account in seen:
                raise InputError(f"transaction {self.key!r} must name {account} only once")
            seen.add(account)
        total = sum(entry.points for entry in self.entries)
        if total:
            raise InputError(f"transaction {self.key!r} must sum to zero, but sums to {total:+d}")


def transfer(
    key: str, at: datetime, points: int, source: LedgerAccount, target: LedgerAccount, about: str
) -> tuple[LedgerTransaction, ...]:
    """Move points from one account to another; nothing to move is no transaction."""
    if not as_points(points, "a transfer"):
        return ()
    return (
        LedgerTransaction(
            key, at, (LedgerEntry(source, -points), LedgerEntry(target, points)), about
        ),
    )


def reversal(transaction: LedgerTransaction, at: datetime) -> LedgerTransaction:
    """Return the transaction that takes `transaction` back."""
    if transaction.reverses is not None:
        raise RuleError(
            "reversal",
            f"{transaction.key!r} is a reversal itself; post a new transaction instead",
        )
    check_clock(at, transaction.at)
    entries = tuple(LedgerEntry(account, -points) for account, points in transaction.entries)
    return LedgerTransaction(
        f"reverse/{transaction.key}", at, entries, transaction.about, transaction.key
    )
