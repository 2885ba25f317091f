"""Accounts and transactions: whole points that move, and sum to zero.

::

    funding   where a campaign's money comes from: the organiser's purse, 0 or below
    budget    what a campaign may still promise
    reserved  what it has promised and not yet paid
    earned    what a person may withdraw; below 0 when a correction came after a payout
    paying    what is on its way to a person
    paid      what has reached a person
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from askpoint.errors import InputError, RuleError
from askpoint.game.clock import check_clock
from askpoint.measures.inputs import as_choice

__all__ = [
    "ACCOUNT_KINDS",
    "POINTS_PER_CENT",
    "Account",
    "Entry",
    "Transaction",
    "as_points",
    "reversal",
    "transfer",
]

ACCOUNT_KINDS = ("funding", "budget", "reserved", "earned", "paying", "paid")
POINTS_PER_CENT = 50


class Account(NamedTuple):
    """One account: its kind, and the campaign or the person whose it is.

    Examples
    --------
    >>> from askpoint.game.transaction import Account
    >>> str(Account("earned", "alice"))
    'earned:alice'
    """

    kind: str
    owner: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.owner}"


class Entry(NamedTuple):
    """Points that come to an account, or leave it when below zero."""

    account: Account
    points: int


def as_points(value: int, name: str, *, least: int = 0) -> int:
    """Check that `value` is a whole number of points.

    Parameters
    ----------
    value : int
        What was given; NumPy integers become plain ones.
    name : str
        What the caller calls it.
    least : int, default=0
        The smallest value that is allowed.

    Returns
    -------
    int

    Raises
    ------
    InputError
        If it is no whole number, or below `least`.

    Examples
    --------
    >>> from askpoint.game.transaction import as_points
    >>> as_points(200, "the reward")
    200
    """
    try:
        points = operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be a whole number of points, got {value!r}") from None
    if points < least:
        raise InputError(f"{name} must be at least {least} points, got {points}")
    return points


@dataclass(frozen=True, slots=True)
class Transaction:
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

    Raises
    ------
    InputError
        If the entries do not sum to zero, name an account twice, or are no whole points.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from askpoint.game.transaction import Account, Entry, Transaction
    >>> budget, alice = Account("budget", "hate"), Account("earned", "alice")
    >>> award = Transaction(
    ...     "award/7",
    ...     datetime(2026, 1, 1, tzinfo=UTC),
    ...     (Entry(budget, -800), Entry(alice, 800)),
    ...     "7",
    ... )
    >>> sum(entry.points for entry in award.entries)
    0
    """

    key: str
    at: datetime
    entries: tuple[Entry, ...]
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
    key: str, at: datetime, points: int, source: Account, target: Account, about: str
) -> tuple[Transaction, ...]:
    """Move points from one account to another; nothing to move is no transaction.

    Parameters
    ----------
    key : str
        What makes the transaction unique.
    at : datetime
        When.
    points : int
        How many, 0 or more.
    source, target : Account
        From where to where.
    about : str
        What it concerns.

    Returns
    -------
    tuple of Transaction
        One, or none for 0 points.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from askpoint.game.transaction import Account, transfer
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> transfer("none", now, 0, Account("budget", "c"), Account("reserved", "c"), "7")
    ()
    """
    if not as_points(points, "a transfer"):
        return ()
    return (Transaction(key, at, (Entry(source, -points), Entry(target, points)), about),)


def reversal(transaction: Transaction, at: datetime) -> Transaction:
    """Return the transaction that takes `transaction` back.

    Parameters
    ----------
    transaction : Transaction
        What was wrong; itself no reversal.
    at : datetime
        When it is taken back.

    Returns
    -------
    Transaction

    Raises
    ------
    RuleError
        ``reversal``, if it is a reversal itself: post what is right instead.
        ``clock``, if `at` is earlier than the transaction.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from askpoint.game.transaction import Account, reversal, transfer
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> (wrong,) = transfer(
    ...     "award/7", now, 800, Account("budget", "c"), Account("earned", "a"), "7"
    ... )
    >>> reversal(wrong, now).entries[1]
    Entry(account=Account(kind='earned', owner='a'), points=-800)
    """
    if transaction.reverses is not None:
        raise RuleError(
            "reversal",
            f"{transaction.key!r} is a reversal itself; post a new transaction instead",
        )
    check_clock(at, transaction.at)
    entries = tuple(Entry(account, -points) for account, points in transaction.entries)
    return Transaction(
        f"reverse/{transaction.key}", at, entries, transaction.about, transaction.key
    )
