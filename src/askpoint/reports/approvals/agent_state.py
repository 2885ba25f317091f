"""The state of an agent's licences in one line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from askpoint.live.licences.standings import UnitStatus
from askpoint.reports.approvals.unit_names import unit_words
from askpoint.reports.state_line import StateLine

__all__ = ["agent_state_line"]


def agent_state_line(
    units: Sequence[UnitStatus],
    missing: Sequence[int | None],
    *,
    lost: tuple[str, datetime] | None = None,
    overdue: int = 0,
    is_careless: bool = False,
) -> StateLine:
    """Return the state of an agent's licences.

    Parameters
    ----------
    units : sequence of UnitStatus
        Of the agent.
    missing : sequence of int or None
        Read approvals that each still needs.
    lost : (unit, moment), optional
        The last licence that was lost, where it is not back.
    overdue : int, default=0
        Audits that are near their deadline: unread they count as bad.
    is_careless : bool, default=False
        Whether golden actions found that approvers overlook more than was stated.
    """
    licensed = [one for one in units if one.state == "licensed"]
    if not units:
        return StateLine(
            "empty", "No action yet", "Send one action and this page continues automatically."
        )
    if lost is not None:
        place, since = lost
        why = next((one.lost_because for one in units if _place(one) == place), "")
        rest = f" {_kinds(len(licensed))} may still act alone." if licensed else ""
        return StateLine(
            "closed",
            "Lost a licence",
            f"It asks before {unit_words(place)} again: {why or 'another version of the agent'}.{rest}",
            since,
        )
    if is_careless:
        return StateLine(
            "waiting",
            "Approvers overlook too much",
            "They let pass more golden actions than the terms state. More actions are audited, each by two people, until "
            "an owner signs on the page of golden actions.",
        )
    if overdue:
        return StateLine(
            "waiting",
            "Audits wait",
            f"{overdue:,} {'audit is' if overdue == 1 else 'audits are'} near the deadline. What nobody reads counts as "
            "bad, and takes licences away.",
        )
    if licensed:
        what = f"{_kinds(len(licensed))} of {len(units):,} without asking"
        return StateLine("answering", "Acts alone", f"{what}. Nothing to do.")
    return StateLine("learning", "Asks about everything", _learning(units, missing))


def _learning(units: Sequence[UnitStatus], missing: Sequence[int | None]) -> str:
    near = [
        (n, unit_words(_place(one)))
        for one, n in zip(units, missing, strict=True)
        if one.state == "asks" and n is not None and not (one.waits_for and n == 0)
    ]
    if not near:
        return "None of what it did so far may ever act alone by its terms."
    n, words = min(near)
    return f"The nearest, {words}, needs {n:,} more read {'approval' if n == 1 else 'approvals'}."


def _kinds(n: int) -> str:
    return f"{n:,} {'kind' if n == 1 else 'kinds'} of action"


def _place(unit: UnitStatus) -> str:
    return f"{unit.agent} | {unit.tool} | {unit.name}"
