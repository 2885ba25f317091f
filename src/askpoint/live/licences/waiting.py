"""Labels that are not counted yet: actions that wait for one, and those that may still be undone."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

__all__ = [
    "HOUR",
    "Waiting",
    "add_label",
    "drop_action",
    "find_next_due",
    "mark_heard",
    "oldest_audit",
]

HOUR = 3_600_000_000
"""Of microseconds."""


@dataclass(frozen=True)
class Waiting:
    """An action whose label is not counted yet.

    Parameters
    ----------
    key : str
        Of the action.
    deadline : int
        When an audit without a label counts as a mistake, and a request without an answer is over.
    is_audit : bool
        Whether it was drawn, in a licensed unit.
    is_licensed : bool
        Whether the unit was licensed: then the watch hears it.
    alone_before : int
        Actions that the unit had taken alone by then.
    bad : float or None
        Its label, once there is one.
    at : int or None
        When that came.
    is_heard : bool
        Whether the watch has heard it.
    is_no : bool
        Whether silence until the deadline is a rejection.
    is_older : bool
        Whether a version before took it, whose licence was carried over: the watch and the mistake budget take its
        label, the certificate does not.
    approver : str or None
        To whom it was dealt, where licences have to hold without each approver.
    by : str or None
        Who decided it, there.
    """

    key: str
    deadline: int
    is_audit: bool
    is_licensed: bool
    alone_before: int
    bad: float | None = None
    at: int | None = None
    is_heard: bool = False
    is_no: bool = False
    is_older: bool = False
    approver: str | None = None
    by: str | None = None

    @property
    def is_taken(self) -> bool:
        """Whether another approver decided it than the one to whom it was dealt."""
        return None not in (self.approver, self.by) and self.approver != self.by

    def to_list(self) -> list[Any]:
        """Return it as JSON: approvers only where licences have to hold without each of them."""
        said = list(asdict(self).values())
        return said if self.approver or self.by else said[:-2]


def add_label(
    waiting: tuple[Waiting, ...], key: str, bad: float, at: int, by: str | None = None
) -> tuple[Waiting, ...]:
    """Return them with the label of an action; a worse one may follow, of whoever decided first."""
    return tuple(
        replace(one, bad=bad, at=at, by=one.by or by) if one.key == key else one for one in waiting
    )


def drop_action(waiting: tuple[Waiting, ...], key: str) -> tuple[Waiting, ...]:
    """Return them without an action, of which what was decided is no label."""
    return tuple(one for one in waiting if one.key != key)


def mark_heard(waiting: tuple[Waiting, ...], key: str) -> tuple[Waiting, ...]:
    """Return them where the watch has heard one."""
    return tuple(replace(one, is_heard=True) if one.key == key else one for one in waiting)


def oldest_audit(waiting: tuple[Waiting, ...]) -> Waiting | None:
    """Return the oldest audit that awaits its label."""
    return next((one for one in waiting if one.is_audit and one.bad is None), None)


def find_next_due(waiting: tuple[Waiting, ...], settle_hours: float) -> int | None:
    """Return the next moment at which a wait is over, or a label settles: only the first can be counted."""
    due = [one.deadline for one in waiting if one.bad is None]
    if waiting and waiting[0].bad is not None:
        waits = settle_hours * HOUR if waiting[0].bad == 0 else 0
        due.append((waiting[0].at or 0) + int(waits))
    return min(due, default=None)
