"""The ledger: double entry, append-only.

Every transaction sums to zero, and every balance is the sum of an account's entries. A
mistake is corrected by a reversing transaction; nothing is ever changed or removed. The order
is that of posting: what a transaction's time says was the clock's business, which can be set back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from askpoint.arena.game.transaction import LedgerAccount, LedgerTransaction, reversal
from askpoint.errors import RuleError

__all__ = ["Ledger", "check_balance"]

_MAY_BE_NEGATIVE = ("funding", "earned", "debt")


def check_balance(account: LedgerAccount, balance: int) -> None:
    """Check that an account may hold `balance`."""
    if balance < 0 and account.kind not in _MAY_BE_NEGATIVE:
        raise RuleError(
            "overdrawn",
            f"{account} holds {-balance} points too few; add to the campaign's budget first",
        )


class Ledger:
    """All transactions in their order, and the balances that follow from them.

    Parameters
    ----------
    transactions : iterable of Transaction, optional
        An earlier ledger, posted anew one by one: the audit of what a database holds.
    """

    def __init__(self, transactions: Iterable[LedgerTransaction] = ()) -> None:
        self._transactions: dict[str, LedgerTransaction] = {}
        self._balances: dict[LedgerAccount, int] = {}
        for transaction in transactions:
            self.post(transaction)

    def post(self, *transactions: LedgerTransaction) -> None:
        """Append transactions, all of them or none."""
        balances: dict[LedgerAccount, int] = {}
        new: dict[str, LedgerTransaction] = {}
        for transaction in transactions:
            if transaction.key in self._transactions or transaction.key in new:
                raise RuleError(
                    "posted-before", f"{transaction.key!r} is in the ledger already: nothing moved"
                )
            if transaction.reverses is not None:
                wrong = self._transactions.get(transaction.reverses)
                if wrong is None or transaction != reversal(wrong, transaction.at):
                    raise RuleError(
                        "reversal",
                        f"{transaction.key!r} must take back exactly what {transaction.reverses!r} "
                        "posted; make it by `reversal`",
                    )
            new[transaction.key] = transaction
            for account, points in transaction.entries:
                balances[account] = balances.get(account, self.balance(account)) + points
                check_balance(account, balances[account])
        self._transactions |= new
        self._balances |= balances

    def balance(self, account: LedgerAccount) -> int:
        """Points that `account` holds; 0 for one without entries."""
        return self._balances.get(account, 0)

    @property
    def balances(self) -> Mapping[LedgerAccount, int]:
        """Every account that has entries, with its balance."""
        return MappingProxyType(self._balances)

    def __getitem__(self, key: str) -> LedgerTransaction:
        return self._transactions[key]

    def __contains__(self, key: object) -> bool:
        return key in self._transactions

    def __iter__(self) -> Iterator[LedgerTransaction]:
        return iter(self._transactions.values())

    def __len__(self) -> int:
        return len(self._transactions)
