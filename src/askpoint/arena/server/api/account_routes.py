"""What every token opens: whom it stands for, the own points, the own payouts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ninja import Query, Router

from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.api.serializers import serialize_payout
from askpoint.arena.server.ledger.people import accounts_of, choose_workspace
from askpoint.arena.server.ledger.services import balance_of, statement
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.payouts.services import withdraw_from
from askpoint.arena.wire.points import PayoutStatus, PointsAccount, StatementLine
from askpoint.server.api.access import Bearer
from askpoint.server.api.idempotency import answer_once
from askpoint.server.api.paging import Page, Paged, paginate
from askpoint.server.api.serializers import serialize_account

__all__ = [
    "Statement",
    "account",
    "accounts",
    "own_payouts",
    "own_statement",
    "payouts",
    "statements",
    "withdraw_all",
]

accounts = Router(tags=["everybody"])
statements = Router(tags=["everybody"])
payouts = Router(tags=["everybody"])


class Statement(Paged[StatementLine]):
    """An account's lines, the newest first."""

    balance: int


@accounts.get("", auth=Bearer(), response=PointsAccount)
def account(request: Any) -> PointsAccount:
    """Return whose token it is, and what it opens."""
    balances = {where.pk: earned for where, earned in accounts_of(request.user)}
    return PointsAccount(**asdict(serialize_account(request.auth)), balances=balances)


@statements.get("", auth=Bearer(), response=Statement)
def own_statement(request: Any, page: Query[Page], workspace: str = "") -> dict[str, Any]:
    """List your account's lines, newest first, each with the balance after it.

    Who has accounts in several workspaces names one: `workspace`.
    """
    where = choose_workspace(request.user, workspace)
    account = LedgerAccount("earned", request.user.username)
    lines = [] if where is None else statement(where, account)
    part = paginate(lines, page, lambda line: StatementLine(**line))
    return {**part, "balance": 0 if where is None else balance_of(where, account)}


@payouts.get("", auth=Bearer(), response=Paged[PayoutStatus])
def own_payouts(request: Any, page: Query[Page], workspace: str = "") -> dict[str, Any]:
    """List your payouts, newest first; with `workspace`, those of one workspace."""
    rows = Payout.objects.filter(payee=request.user.username).order_by("-planned", "pk")
    if workspace:
        rows = rows.filter(workspace=choose_workspace(request.user, workspace))
    return paginate(rows, page, serialize_payout)


@payouts.post("", auth=Bearer(scope="write"), response=PayoutStatus)
def withdraw_all(request: Any, workspace: str = "") -> Any:
    """Withdraw all whole cents: plan a payout. Needs an Idempotency-Key.

    Who has accounts in several workspaces names one: `workspace`.
    """
    return answer_once(request, lambda: serialize_payout(withdraw_from(workspace, request.user)))
