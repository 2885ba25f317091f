"""Post transactions, read balances and statements, and audit the whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import F, Q

from askpoint.errors import RuleError
from askpoint.game.ledger import Ledger, check_balance
from askpoint.game.transaction import Account, Entry as GameEntry, Transaction, reversal
from askpoint.server.ledger.models import Balance, Entry, Posting

__all__ = ["audit", "balance_of", "post", "statement", "transactions"]


def balance_of(account: Account) -> int:
    """Points that an account holds; 0 for one without entries."""
    found = Balance.objects.filter(kind=account.kind, owner=account.owner)
    return found.values_list("points", flat=True).first() or 0


def post(moved: Iterable[Transaction], campaign: str) -> None:
    """Append transactions. The caller is in a database transaction and holds the campaign.

    Raises
    ------
    RuleError
        ``posted-before``, ``overdrawn`` or ``reversal``; then nothing has happened.
    """
    moved = tuple(moved)
    if not moved:
        return
    if Posting.objects.filter(key__in=[one.key for one in moved]).exists():
        raise RuleError("posted-before", f"{moved[0].key!r} is in the ledger already")
    for one in moved:
        if one.reverses is not None:
            _check_reversal(one)
    rows = Posting.objects.bulk_create(
        Posting(key=it.key, at=it.at, about=it.about, campaign=campaign, reverses=it.reverses)
        for it in moved
    )
    Entry.objects.bulk_create(
        Entry(posting=row, kind=account.kind, owner=account.owner, points=points)
        for row, one in zip(rows, moved, strict=True)
        for account, points in one.entries
    )
    _move(entry for one in moved for entry in one.entries)


def _move(entries: Iterable[GameEntry]) -> None:
    change: dict[Account, int] = defaultdict(int)
    for account, points in entries:
        change[account] += points
    wanted = Q()
    for account in change:
        wanted |= Q(kind=account.kind, owner=account.owner)
    # in one order, so that nobody waits for each other
    locked = Balance.objects.filter(wanted).order_by("kind", "owner").select_for_update()
    held = {Account(it.kind, it.owner): it for it in locked}
    for account, points in sorted(change.items()):
        row = held.get(account)
        if row is None:  # somebody's first points; in another campaign, too, at this moment
            key = {"kind": account.kind, "owner": account.owner}
            row, _ = Balance.objects.select_for_update().get_or_create(**key)
        check_balance(account, row.points + points)
        Balance.objects.filter(pk=row.pk).update(points=F("points") + points)


def _check_reversal(one: Transaction) -> None:
    wrong = next(iter(transactions(key=one.reverses)), None)
    if wrong is None or one != reversal(wrong, one.at):
        raise RuleError(
            "reversal", f"{one.key!r} must take back exactly what {one.reverses!r} posted"
        )


def transactions(**which: Any) -> Iterator[Transaction]:
    """Yield the transactions that rows hold, in their order."""
    rows = Posting.objects.filter(**which).order_by("at", "pk").prefetch_related("entries")
    for row in rows.iterator(chunk_size=1000):
        entries = sorted(row.entries.all(), key=lambda entry: entry.pk)
        yield Transaction(
            row.key,
            row.at,
            tuple(GameEntry(Account(it.kind, it.owner), it.points) for it in entries),
            row.about,
            row.reverses,
        )


def statement(account: Account) -> list[dict[str, Any]]:
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
    kept = {Account(it.kind, it.owner): it.points for it in Balance.objects.all()}
    wrong = [
        f"{account} holds {kept.get(account, 0)} and its entries say {ledger.balance(account)}"
        for account in sorted({*kept, *ledger.balances})
        if kept.get(account, 0) != ledger.balance(account)
    ]
    if wrong:
        raise RuleError("audit", "; ".join(wrong))
    return ledger
