"""Payouts: money leaves through an outbox, and nothing is ever sent blindly a second time.

::

    planned ──send──> sending ──confirm──────────────────> sent
       ^  │              ├──lose_track──> lookup ──confirm──^
       │  └─cancel──┐    └──refuse──┐        │  └──give_up──> unknown ──confirm──> sent
       │            └─> cancelled <─┘        │                   │
       └─────────────plan_again──────────────┴───────────────────┘

`send` is stored BEFORE the provider is called. Whoever finds a payout in ``sending`` later
does not know whether the call was made: it goes to ``lookup``, where the provider's own
list of payments is read. Only a payment that the provider certainly does not have is
planned again; where nobody can tell, a person decides.

What a person pays by hand is only said to be paid, until whom it names answers::

    sending ──say_paid──> said-paid ──acknowledge──────────> sent
                              ├──────settle_silent (14 d)────^
                              └──dispute──> disputed ──decide_dispute──> sent | cancelled
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from askpoint.arena.game.transaction import (
    POINTS_PER_CENT,
    LedgerAccount,
    LedgerTransaction,
    as_points,
    reversal,
    transfer,
)
from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock

__all__ = [
    "SILENCE",
    "PayoutState",
    "acknowledge",
    "cancel",
    "confirm",
    "decide_dispute",
    "dispute",
    "give_up",
    "lose_track",
    "plan_again",
    "plan_payout",
    "refuse",
    "say_paid",
    "send",
    "settle_silent",
    "whole_cents",
]


SILENCE = timedelta(days=14)
"""How long a payee may say that a payment which is said to be made has not come."""


@dataclass(frozen=True, slots=True)
class PayoutState:
    """Whole cents on their way to a person.

    Parameters
    ----------
    id : str
        Given to the provider as its reference, so that a lookup finds it.
    payee : str
        To whom.
    cents, points : int
        How much, in money and in the ledger.
    planned : datetime
        When it was planned.
    at : datetime
        When it last changed.
    state : str, default="planned"
        planned, sending, lookup, unknown, said-paid, disputed, sent or cancelled.
    attempts : int, default=0
        How often it was sent.
    reference : str, default=""
        The provider's name for the payment; empty until it is confirmed.
    """

    id: str
    payee: str
    cents: int
    points: int
    planned: datetime
    at: datetime
    state: str = "planned"
    attempts: int = 0
    reference: str = ""


def whole_cents(points: int) -> tuple[int, int]:
    """Split points into whole cents and the points that are carried."""
    if points < 0:
        return 0, points
    return divmod(points, POINTS_PER_CENT)


def plan_payout(
    id: str,  # noqa: A002 - the record's own word
    payee: str,
    balance: int,
    now: datetime,
    *,
    least_cents: int = 1,
) -> tuple[PayoutState, tuple[LedgerTransaction, ...]]:
    """Plan to pay the whole cents of a balance; the rest stays on the account."""
    cents, _ = whole_cents(balance)
    least = as_points(least_cents, "the smallest payout in cents", least=1)
    if cents < least:
        raise RuleError(
            "too-little",
            f"{balance} points are {cents} whole cents, and the smallest payout is {least}; "
            "they stay on the account",
        )
    payout = PayoutState(id, payee, cents, cents * POINTS_PER_CENT, check_clock(now), now)
    return payout, _plan_transfer(payout)


def _plan_transfer(payout: PayoutState) -> tuple[LedgerTransaction, ...]:
    source, target = LedgerAccount("earned", payout.payee), LedgerAccount("paying", payout.payee)
    key = f"payout/{payout.id}"
    return transfer(key, payout.planned, payout.points, source, target, payout.id)


def _move_state(payout: PayoutState, state: str, now: datetime, *allowed: str) -> PayoutState:
    check_clock(now, payout.at)
    if payout.state not in allowed:
        raise RuleError(
            "payout-state",
            f"payout {payout.id} is {payout.state!r}; only one that is "
            f"{' or '.join(map(repr, allowed))} becomes {state!r}",
        )
    return replace(payout, state=state, at=now)


def send(payout: PayoutState, now: datetime) -> PayoutState:
    """Claim a planned payout for sending; store the result before calling the provider."""
    return replace(_move_state(payout, "sending", now, "planned"), attempts=payout.attempts + 1)


def confirm(
    payout: PayoutState, reference: str, now: datetime
) -> tuple[PayoutState, tuple[LedgerTransaction, ...]]:
    """Record that the provider has made the payment."""
    if not reference:
        raise RuleError("reference", f"payout {payout.id} is confirmed by a provider's reference")
    sent = replace(
        _move_state(payout, "sent", now, "sending", "lookup", "unknown"), reference=reference
    )
    source, target = LedgerAccount("paying", payout.payee), LedgerAccount("paid", payout.payee)
    return sent, transfer(f"sent/{payout.id}", now, payout.points, source, target, payout.id)


def say_paid(payout: PayoutState, reference: str, now: datetime) -> PayoutState:
    """Record that somebody says to have paid by hand; no point moves before the payee answers."""
    if not reference:
        raise RuleError("reference", f"payout {payout.id} is marked as paid, with a reference")
    said = _move_state(payout, "said-paid", now, "sending", "lookup", "unknown")
    return replace(said, reference=reference)


def acknowledge(
    payout: PayoutState, now: datetime
) -> tuple[PayoutState, tuple[LedgerTransaction, ...]]:
    """Record that the payee has the payment."""
    return _reach(_move_state(payout, "sent", now, "said-paid"), "paying")


def settle_silent(
    payout: PayoutState, now: datetime
) -> tuple[PayoutState, tuple[LedgerTransaction, ...]]:
    """Take a payment as made of which the payee has said nothing for 14 days."""
    if payout.state == "said-paid" and now < payout.at + SILENCE:
        raise RuleError(
            "silence",
            f"the payee of {payout.id} may answer until {payout.at + SILENCE:%Y-%m-%d %H:%M}",
        )
    return acknowledge(payout, now)


def dispute(
    payout: PayoutState, now: datetime
) -> tuple[PayoutState, tuple[LedgerTransaction, ...]]:
    """Record that the payee says the payment has not come: the points wait apart."""
    disputed = _move_state(payout, "disputed", now, "said-paid")
    source, target = _account("paying", payout), _account("disputed", payout)
    return disputed, transfer(
        f"disputed/{payout.id}", now, payout.points, source, target, payout.id
    )


def decide_dispute(
    payout: PayoutState, now: datetime, *, paid: bool
) -> tuple[PayoutState, tuple[LedgerTransaction, ...]]:
    """Decide that a disputed payment was made, or give its points back to the payee."""
    if paid:
        return _reach(_move_state(payout, "sent", now, "disputed"), "disputed")
    returned = _move_state(payout, "cancelled", now, "disputed")
    source, target = _account("disputed", payout), _account("earned", payout)
    return returned, transfer(
        f"returned/{payout.id}", now, payout.points, source, target, payout.id
    )


def _account(kind: str, payout: PayoutState) -> LedgerAccount:
    return LedgerAccount(kind, payout.payee)


def _reach(payout: PayoutState, kind: str) -> tuple[PayoutState, tuple[LedgerTransaction, ...]]:
    source, target = _account(kind, payout), _account("paid", payout)
    return payout, transfer(
        f"sent/{payout.id}", payout.at, payout.points, source, target, payout.id
    )


def lose_track(payout: PayoutState, now: datetime) -> PayoutState:
    """Record that a payout in ``sending`` has no clear answer: it must be looked up."""
    return _move_state(payout, "lookup", now, "sending")


def plan_again(payout: PayoutState, now: datetime) -> PayoutState:
    """Plan a payout again, because the provider certainly has no such payment."""
    return _move_state(payout, "planned", now, "lookup", "unknown")


def give_up(payout: PayoutState, now: datetime) -> PayoutState:
    """Hand a payout to a person, because the provider cannot tell whether it has it."""
    return _move_state(payout, "unknown", now, "lookup")


def refuse(payout: PayoutState, now: datetime) -> tuple[PayoutState, tuple[LedgerTransaction, ...]]:
    """Record that the provider clearly refused: the points return to the account."""
    return _reverse_plan(_move_state(payout, "cancelled", now, "sending"))


def cancel(payout: PayoutState, now: datetime) -> tuple[PayoutState, tuple[LedgerTransaction, ...]]:
    """Take a payout back that is not on its way."""
    return _reverse_plan(_move_state(payout, "cancelled", now, "planned"))


def _reverse_plan(payout: PayoutState) -> tuple[PayoutState, tuple[LedgerTransaction, ...]]:
    return payout, tuple(reversal(posted, payout.at) for posted in _plan_transfer(payout))
