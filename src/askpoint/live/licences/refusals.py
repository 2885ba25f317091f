"""Why an action waits for a person, and what an approver cannot decide any more."""

from __future__ import annotations

from askpoint.errors import RuleError
from askpoint.live.licences.action import Action
from askpoint.live.licences.action_classes import HARMS, ActionClass
from askpoint.live.licences.house import House
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.unit import Unit

__all__ = ["check_decidable", "explain_asking"]


def explain_asking(
    policy: LicencePolicy,
    house: House,
    unit: Unit,
    kind: ActionClass | None,
    *,
    amount: float | None,
    at: int,
    rate: float,
    waits_for: str = "",
) -> str:
    """Return why a unit may not take an action alone; nothing where it may.

    Parameters
    ----------
    policy : LicencePolicy
    house : House
    unit : Unit
        Settled at this moment.
    kind : ActionClass or None
        Class of the action; None where no class matches.
    amount : float or None
        How much money it moves; None where that cannot be read.
    at : int
        Microseconds since 1970.
    rate : float
        Share of its actions that are audited.
    waits_for : str
        The more cautious step of its amount that is not licensed.
    """
    today = unit.on_day(at)
    if kind is None:
        return "no declared class matches it"
    if kind.deny:
        return "the policy refuses it"
    if kind.harm == HARMS[-1] and not kind.signed:
        return "irreversible"
    if not unit.is_granted:
        if unit.losses >= policy.revocations and unit.signed_by is None:
            return f"it lost {unit.losses} licences in this version: an owner must sign"
        return "it has not earned a licence"
    if waits_for:
        return f"{waits_for}, a more cautious step, is not licensed"
    if amount is None:
        return f"its amount ({kind.amount}) cannot be read"
    if policy.day_actions is not None and today.day_actions + 1 > policy.day_actions:
        return f"it took {today.day_actions} actions alone today, the most that it may"
    if policy.day_money is not None and today.day_money + amount > policy.day_money:
        return f"it would move more than {policy.day_money:g} alone today"
    if unit.in_flight() >= policy.in_flight:
        return f"{unit.in_flight()} actions were taken since an audit that still awaits its label"
    if not house.allows(policy, rate):
        return "the mistake budget of all agents is used up: an owner must sign"
    return ""


def check_decidable(action: Action, *, is_unread: bool, at: int) -> None:
    """Check that an approver, or the reader of an audit, may still decide about an action.

    Parameters
    ----------
    action : Action
        As of this moment.
    is_unread : bool
        Whether it waits for a label still.
    at : int
        Microseconds since 1970.

    Raises
    ------
    RuleError
        ``expired``, ``not-asked`` or ``decided``.
    """
    key = action.key
    if action.status == "expired":
        raise RuleError(
            "expired",
            f"{key!r:.60} waited until its deadline and is over: nothing ran; let the agent propose it again",
        )
    if action.is_audit and at >= action.deadline:
        raise RuleError(
            "expired",
            f"the audit {key!r:.60} waited until its deadline, and counts as a mistake; to report "
            "what a reader finds now, use undo or incident",
        )
    if action.status == "allowed" and not action.is_audit:
        raise RuleError(
            "not-asked",
            f"{key!r:.60} was allowed, and is not an audit: labels count only for actions that were drawn. To "
            "report what it did, use undo or incident",
        )
    is_read = action.status == "allowed" and (action.decided_by is None or is_unread)
    if not (action.status == "asked" or is_read or (action.status == "approved" and is_unread)):
        raise RuleError(
            "decided",
            f"{key!r:.60} was {action.status} already{f' by {action.decided_by}' if action.decided_by else ''}; "
            "to report what comes later, use undo or incident",
        )
