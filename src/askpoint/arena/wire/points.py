"""Accounts of points, their lines, and payouts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from askpoint.wire.fields import about
from askpoint.wire.token_account import TokenAccount

__all__ = ["PayoutStatus", "PointsAccount", "PostedEntry", "PostedTransaction", "StatementLine"]


@dataclass(frozen=True, kw_only=True)
class PointsAccount(TokenAccount):
    """Whom a token stands for, and what it opens."""

    balances: dict[str, int] = field(
        metadata=about("Points on the own account in each workspace; 1,000 are 20 cents.")
    )


@dataclass(frozen=True, kw_only=True)
class StatementLine:
    """A line of an account."""

    at: datetime
    what: str
    about: str
    campaign: str
    points: int
    balance: int


@dataclass(frozen=True, kw_only=True)
class PostedEntry:
    """Points that come to an account, or leave it."""

    account: str
    points: int


@dataclass(frozen=True, kw_only=True)
class PostedTransaction:
    """A transaction of a campaign's ledger; its entries sum to zero."""

    key: str
    at: datetime
    about: str
    reverses: str | None
    entries: list[PostedEntry]


@dataclass(frozen=True, kw_only=True)
class PayoutStatus:
    """Whole cents on their way."""

    id: str
    workspace: str
    payee: str
    cents: int
    points: int
    state: str = field(
        metadata=about("planned, sending, lookup, unknown, said-paid, disputed, sent or cancelled.")
    )
    planned: datetime
    at: datetime
    reference: str
