"""Payouts: money leaves through an outbox, and nothing is ever sent blindly a second time.

::

    planned ──send──> sending ──confirm──────────────────> sent
       ^  │              ├──lose_track──> lookup ──confirm──^
       │  └─cancel──┐    └──refuse──┐        │  └──give_up──> unknown ──confirm──> sent
       │            └─> cancelled <─┘        │                   │
       └──────────────not_found──────────────┴───────────────────┘

`send` is stored BEFORE the provider is called. Whoever finds a payout in ``sending`` later
does not know whether the call was made: it goes to ``lookup``, where the provider's own
list of payments is read. Only a payment that the provider certainly does not have is
planned again; where nobody can tell, a person decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.game.clock import check_clock
from askpoint.game.transaction import (
    POINTS_PER_CENT,
    Account,
    Transaction,
    as_points,
    reversal,
    transfer,
)

__all__ = [
    "Payout",
    "cancel",
    "confirm",
    "give_up",
    "lose_track",
    "not_found",
    "plan_payout",
    "refuse",
    "send",
    "whole_cents",
]


@dataclass(frozen=True, slots=True)
class Payout:
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
        planned, sending, lookup, unknown, sent or cancelled.
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
    """Split points into whole cents and the points that are carried.

    Parameters
    ----------
    points : int
        A balance; nothing is paid from one below 0.

    Returns
    -------
    cents, carried : int

    Examples
    --------
    >>> from askpoint.game.payout import whole_cents
    >>> whole_cents(2990)
    (59, 40)
    """
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
) -> tuple[Payout, tuple[Transaction, ...]]:
    """Plan to pay the whole cents of a balance; the rest stays on the account.

    Parameters
    ----------
    id : str
        Unique name of the payout.
    payee : str
        To whom.
    balance : int
        Points on the payee's account, read under a lock.
    now : datetime
        When.
    least_cents : int, default=1
        The smallest sum that is worth a payment.

    Returns
    -------
    payout : Payout
    transactions : tuple of Transaction

    Raises
    ------
    RuleError
        ``too-little``, if the balance does not reach `least_cents`.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from askpoint.game.payout import plan_payout
    >>> payout, posted = plan_payout("p1", "alice", 2990, datetime(2026, 1, 1, tzinfo=UTC))
    >>> payout.cents, payout.points, payout.state
    (59, 2950, 'planned')
    """
    cents, _ = whole_cents(balance)
    least = as_points(least_cents, "the smallest payout in cents", least=1)
    if cents < least:
        raise RuleError(
            "too-little",
            f"{balance} points are {cents} whole cents, and the smallest payout is {least}; "
            "they stay on the account",
        )
    payout = Payout(id, payee, cents, cents * POINTS_PER_CENT, check_clock(now), now)
    return payout, _planned(payout)


def _planned(payout: Payout) -> tuple[Transaction, ...]:
    source, target = Account("earned", payout.payee), Account("paying", payout.payee)
    key = f"payout/{payout.id}"
    return transfer(key, payout.planned, payout.points, source, target, payout.id)


def _moved(payout: Payout, state: str, now: datetime, *allowed: str) -> Payout:
    check_clock(now, payout.at)
    if payout.state not in allowed:
        raise RuleError(
            "payout-state",
            f"payout {payout.id} is {payout.state!r}; only one that is "
            f"{' or '.join(map(repr, allowed))} becomes {state!r}",
        )
    return replace(payout, state=state, at=now)


def send(payout: Payout, now: datetime) -> Payout:
    """Claim a planned payout for sending; store the result before calling the provider.

    Parameters
    ----------
    payout : Payout
        Planned.
    now : datetime
        When.

    Returns
    -------
    Payout
        In state sending.

    Raises
    ------
    RuleError
        ``payout-state``, if it is not planned: it may have been sent.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from askpoint.game.payout import plan_payout, send
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> payout, _ = plan_payout("p1", "alice", 2990, now)
    >>> send(send(payout, now), now)
    Traceback (most recent call last):
    askpoint.errors.RuleError: payout p1 is 'sending'; only one that is 'planned' becomes 'sending'
    """
    return replace(_moved(payout, "sending", now, "planned"), attempts=payout.attempts + 1)


def confirm(
    payout: Payout, reference: str, now: datetime
) -> tuple[Payout, tuple[Transaction, ...]]:
    """Record that the provider has made the payment.

    Parameters
    ----------
    payout : Payout
        Sending, looked up, or unknown until somebody found it.
    reference : str
        The provider's name for the payment.
    now : datetime
        When.

    Returns
    -------
    payout : Payout
        In state sent.
    transactions : tuple of Transaction

    Raises
    ------
    RuleError
        ``payout-state`` for any other state; ``reference`` for an empty reference.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from askpoint.game.payout import confirm, plan_payout, send
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> payout, _ = plan_payout("p1", "alice", 2990, now)
    >>> confirm(send(payout, now), "prolific-93", now)[0].state
    'sent'
    """
    if not reference:
        raise RuleError("reference", f"payout {payout.id} is confirmed by a provider's reference")
    sent = replace(_moved(payout, "sent", now, "sending", "lookup", "unknown"), reference=reference)
    source, target = Account("paying", payout.payee), Account("paid", payout.payee)
    return sent, transfer(f"sent/{payout.id}", now, payout.points, source, target, payout.id)


def lose_track(payout: Payout, now: datetime) -> Payout:
    """Record that a payout in ``sending`` has no clear answer: it must be looked up.

    Parameters
    ----------
    payout : Payout
        Sending: the call timed out, or the process that made it has died.
    now : datetime
        When.

    Returns
    -------
    Payout
        In state lookup.
    """
    return _moved(payout, "lookup", now, "sending")


def not_found(payout: Payout, now: datetime) -> Payout:
    """Plan a payout again, because the provider certainly has no such payment.

    Parameters
    ----------
    payout : Payout
        Looked up, or unknown until somebody made certain.
    now : datetime
        When.

    Returns
    -------
    Payout
        In state planned.
    """
    return _moved(payout, "planned", now, "lookup", "unknown")


def give_up(payout: Payout, now: datetime) -> Payout:
    """Hand a payout to a person, because the provider can not tell whether it has it.

    Parameters
    ----------
    payout : Payout
        Looked up.
    now : datetime
        When.

    Returns
    -------
    Payout
        In state unknown.
    """
    return _moved(payout, "unknown", now, "lookup")


def refuse(payout: Payout, now: datetime) -> tuple[Payout, tuple[Transaction, ...]]:
    """Record that the provider clearly refused: the points return to the account.

    Parameters
    ----------
    payout : Payout
        Sending.
    now : datetime
        When.

    Returns
    -------
    payout : Payout
        In state cancelled.
    transactions : tuple of Transaction
        The reversing one.
    """
    return _returned(_moved(payout, "cancelled", now, "sending"))


def cancel(payout: Payout, now: datetime) -> tuple[Payout, tuple[Transaction, ...]]:
    """Take a payout back that is not on its way.

    Parameters
    ----------
    payout : Payout
        Planned.
    now : datetime
        When.

    Returns
    -------
    payout : Payout
        In state cancelled.
    transactions : tuple of Transaction
        The reversing one.

    Raises
    ------
    RuleError
        ``payout-state``, if it is not planned.
    """
    return _returned(_moved(payout, "cancelled", now, "planned"))


def _returned(payout: Payout) -> tuple[Payout, tuple[Transaction, ...]]:
    return payout, tuple(reversal(posted, payout.at) for posted in _planned(payout))
