"""Post transactions, read balances and statements, and audit the whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import IntegrityError
from django.db.models import Sum

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
    "sum_entries",
    "transactions",
]


def balance_of(workspace: str, account: LedgerAccount) -> int:
    """Points that an account of a workspace holds; 0 for one without entries."""
    found = Balance.objects.filter(workspace=workspace, kind=account.kind, owner=account.owner)
    return next(iter(found.values_list("points", flat=True)), 0)


def sum_entries(workspace: str, account: LedgerAccount) -> int:
    """Return the sum of an account's entries, which what is withdrawn must agree with.

    Raises
    ------
    RuleError
        ``audit``, if the kept balance is another: one changed row stops what would be paid by it.
    """
    lines = Entry.objects.filter(workspace=workspace, kind=account.kind, owner=account.owner)
    total = int(lines.aggregate(all=Sum("points"))["all"] or 0)
    if total != balance_of(workspace, account):
        raise RuleError(
            "audit",
            f"the balance kept for {account} is not the sum of its entries: nothing is paid until the "
            "administrator of the server has run `askpoint check`",
        )
    return total


def open_account(workspace: str, account: LedgerAccount) -> None:
    """Let an account be there before anything came to it."""
    Balance.objects.create(workspace=workspace, kind=account.kind, owner=account.owner)


def post(workspace: str, moved: Iterable[LedgerTransaction], campaign: str = "") -> None:
    """Append transactions. The caller is in a database transaction and holds the campaign.

    Parameters
    ----------
    workspace : str
        Whose accounts they name.
    moved : iterable of LedgerTransaction
    campaign : str, default=""
        What they belong to; payouts belong to none.

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
            _check_reversal(workspace, one)
    try:
        rows = Posting.objects.bulk_create(
            Posting(
                workspace_id=workspace,
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
        Entry(
            posting=row,
            workspace=workspace,
            kind=account.kind,
            owner=account.owner,
            points=points,
        )
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
    bound = sorted(it for it in sources if not it.startswith(("funding:", "earned:", "debt:")))
    return RuleError(
        "overdrawn", f"{' or '.join(bound)} does not hold the points that would leave it"
    )


def _check_reversal(workspace: str, one: LedgerTransaction) -> None:
    wrong = next(iter(transactions(workspace, key=one.reverses)), None)
    if wrong is None or one != reversal(wrong, one.at):
        raise RuleError(
            "reversal", f"{one.key!r} must take back exactly what {one.reverses!r} posted"
        )


def transactions(workspace: str, **which: Any) -> Iterator[LedgerTransaction]:
    """Yield the transactions of a workspace that rows hold, in the order in which they were posted.

    That is not always the order of their times: a clock may be set back.
    """
    rows = Posting.within(workspace).filter(**which).order_by("pk").prefetch_related("entries")
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


def statement(workspace: str, account: LedgerAccount) -> list[dict[str, Any]]:
    """Return an account's lines in a workspace, the newest first, each with the balance after it."""
    lines = Entry.objects.filter(workspace=workspace, kind=account.kind, owner=account.owner)
    lines = lines.order_by("pk")
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


def audit(workspace: str) -> Ledger:
    """Post every transaction of a workspace anew by the game's rules, and compare with the kept balances.

    Raises
    ------
    RuleError
        ``audit``, if a balance is not what its entries say; or what `Ledger.post` raises.
    """
    ledger = Ledger(transactions(workspace))
    kept = {
        LedgerAccount(balance.kind, balance.owner): balance.points
        for balance in Balance.objects.filter(workspace=workspace)
    }
    wrong = [
        f"{account} holds {kept.get(account, 0)} and its entries say {ledger.balance(account)}"
        for account in sorted({*kept, *ledger.balances})
        if kept.get(account, 0) != ledger.balance(account)
    ]
    if wrong:
        raise RuleError("audit", "; ".join(wrong))
    return ledger
