"""What every token opens: whom it stands for, the own account, the own payouts."""

from __future__ import annotations

from typing import Any

from ninja import Query, Router

import askpoint.server.api.shapes as shapes
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.ledger.services import balance_of, statement
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.payouts.services import withdraw
from askpoint.server.api.access import Bearer
from askpoint.server.api.keys import once
from askpoint.server.api.saying import paged, payout_said

__all__ = ["account", "own_payouts", "own_statement", "router", "withdraw_all"]

router = Router(tags=["everybody"])


def _balance(request: Any) -> int:
    return balance_of(LedgerAccount("earned", request.user.username))


@router.get("account", auth=Bearer(), response=shapes.Account)
def account(request: Any) -> shapes.Account:
    """Say whom the token stands for, and what it opens."""
    token = request.auth
    return shapes.Account(
        name=request.user.username,
        role=token.role,
        scope=token.scope,
        campaign=token.campaign or None,
        expires=token.expires,
        balance=_balance(request),
    )


@router.get("statement", auth=Bearer(), response=shapes.Statement)
def own_statement(request: Any, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the own account's lines, the newest first, each with the balance after it."""
    lines = statement(LedgerAccount("earned", request.user.username))
    said = paged(lines, page, lambda line: shapes.Line(**line))
    return {**said, "balance": _balance(request)}


@router.get("payouts", auth=Bearer(), response=shapes.Paged[shapes.Payout])
def own_payouts(request: Any, page: Query[shapes.Page]) -> dict[str, Any]:
    """List the own payouts, the newest first."""
    rows = Payout.objects.filter(payee=request.user.username).order_by("-planned", "pk")
    return paged(rows, page, payout_said)


@router.post("payouts", auth=Bearer(scope="write"), response=shapes.Payout)
def withdraw_all(request: Any) -> Any:
    """Withdraw all whole cents: plan a payout. Needs an Idempotency-Key."""
    return once(request, lambda: payout_said(withdraw(request.user)))
