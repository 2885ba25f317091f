"""Post transactions, read balances and statements, and audit the whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import IntegrityError

from askpoint.arena.game.ledger import Ledger
from askpoint.arena.game.transaction import (
    LedgerAccount,
    LedgerEntry as GameEntry,
    LedgerTransaction,
    reversal,
)
from askpoint.arena.server.ledger.models import Balance, Entry, Posting
from askpoint.errors import RuleError

__all__ = [
    "audit",
    "balance_of",
    "open_account",
    "overdrawn",
    "post",
    "statement",
    "transactions",
]


def balance_of(account: LedgerAccount) -> int:
    """Points that an account holds; 0 for one without entries."""
    found = Balance.objects.filter(kind=account.kind, owner=account.owner)
    return next(iter(found.values_list("points", flat=True)), 0)


def open_account(account: LedgerAccount) -> None:
    """Let an account be there before anything came to it."""
    Balance.objects.create(kind=account.kind, owner=account.owner)


def post(moved: Iterable[LedgerTransaction], campaign: str) -> None:
    """Append transactions. The caller is in a database transaction and holds the campaign.

    Raises
    ------
    RuleError
        ``posted-before``, ``overdrawn`` or ``reversal``; then nothing has happened.
    """
    moved = tuple(moved)
    if not moved:
        return
    for one in moved:
        if one.reverses is not None:
            _check_reversal(one)
    try:
        rows = Posting.objects.bulk_create(
            Posting(
                key=transaction.key,
                at=transaction.at,
                about=transaction.about,
                campaign=campaign,
                reverses=transaction.reverses,
            )
            for transaction in moved
        )
    except IntegrityError:  # keys are unique
        raise RuleError("posted-before", f"{moved[0].key!r} is in the ledger already") from None
    entries = [
        Entry(posting=row, kind=account.kind, owner=account.owner, points=points)
        for row, one in zip(rows, moved, strict=True)
        for account, points in one.entries
    ]
    try:
        Entry.objects.bulk_create(entries)  # the database moves the balances with them
    except IntegrityError:  # and checks what `check_balance` does
        raise overdrawn(moved) from None


def overdrawn(moved: Iterable[LedgerTransaction]) -> RuleError:
    """Return the error that names the accounts which do not hold the points that would leave them.

    The purse and earnings may be below zero.
    """
    sources = {str(account) for one in moved for account, points in one.entries if points < 0}
    bound = sorted(it for it in sources if not it.startswith(("funding:", "earned:")))
    return RuleError(
        "overdrawn", f"{' or '.join(bound)} does not hold the points that would leave it"
    )


def _check_reversal(one: LedgerTransaction) -> None:
    wrong = next(iter(transactions(key=one.reverses)), None)
    if wrong is None or one != reversal(wrong, one.at):
        raise RuleError(
            "reversal", f"{one.key!r} must take back exactly what {one.reverses!r} posted"
        )


def transactions(**which: Any) -> Iterator[LedgerTransaction]:
    """Yield the transactions that rows hold, in the order in which they were posted.

    That is not always the order of their times: a clock may be set back.
    """
    rows = Posting.objects.filter(**which).order_by("pk").prefetch_related("entries")
    for row in rows.iterator(chunk_size=1000):
        entries = sorted(row.entries.all(), key=lambda entry: entry.pk)
        yield LedgerTransaction(
            row.key,
            row.at,
            tuple(
                GameEntry(LedgerAccount(entry.kind, entry.owner), entry.points) for entry in entries
            ),
            row.about,
            row.reverses,
        )


def statement(account: LedgerAccount) -> list[dict[str, Any]]:
    """Return an account's lines, the newest first, each with the balance after it."""
    lines = Entry.objects.filter(kind=account.kind, owner=account.owner).order_by("pk")
    total, found = 0, []
    for entry in lines.select_related("posting"):
        total += entry.points
        row = entry.posting
        found.append(
            {
                "at": row.at,
                "what": row.key.split("/", 1)[0],
                "about": row.about,
                "campaign": row.campaign,
                "points": entry.points,
                "balance": total,
            }
        )
    return found[::-1]


def audit() -> Ledger:
    """Post every transaction anew by the game's rules, and compare with the kept balances.

    Raises
    ------
    RuleError
        ``audit``, if a balance is not what its entries say; or what `Ledger.post` raises.
    """
    ledger = Ledger(transactions())
    kept = {
        LedgerAccount(balance.kind, balance.owner): balance.points
        for balance in Balance.objects.all()
    }
    wrong = [
        f"{account} holds {kept.get(account, 0)} and its entries say {ledger.balance(account)}"
        for account in sorted({*kept, *ledger.balances})
        if kept.get(account, 0) != ledger.balance(account)
    ]
    if wrong:
        raise RuleError("audit", "; ".join(wrong))
    return ledger
