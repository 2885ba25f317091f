"""What counts as a label of an agent's action, and what does not (spec/approvals.md, A2)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from askpoint.errors import InputError

__all__ = ["NOT_COUNTED", "Approval", "CountedLabel", "LabelRules", "count_labels"]

NOT_COUNTED = {
    "fast": "approved within a second, so not read",
    "bulk": "approved many at once",
    "repeat": "the same action at the same moment once more: a row that was exported twice",
    "rule": "decided by a rule, a lasting permission or another model",
    "open": "expired, cancelled or never decided",
    "unsettled": "still within the time in which an action may be undone",
    "unclear": "decided in a word that says neither approved nor rejected",
}
"""Why a decision is no label."""


@dataclass(frozen=True)
class Approval:
    """One action that an agent proposed, and what became of it.

    Parameters
    ----------
    decision : {"approve", "reject", "edit", "open", "unclear"}
        What was decided; open is expired, cancelled or not decided.
    by_person : bool
        Whether a person decided this one action, rather than a rule, a lasting permission or a model.
    reviewer : str or None
        Who decided.
    asked_at, decided_at, undone_at : float or None
        Seconds since 1970; None where unknown, or where nothing was undone.
    what : str or None
        What was to be done: approvals of the same thing, asked and decided at the same moments, are one.
    """

    decision: str
    by_person: bool = True
    reviewer: str | None = None
    asked_at: float | None = None
    decided_at: float | None = None
    undone_at: float | None = None
    what: str | None = None


@dataclass(frozen=True)
class LabelRules:
    """Which decisions are read as labels.

    Parameters
    ----------
    fast_seconds : float, default=1
        An approval within this time was not read.
    bulk : int, default=5
        So many approvals of one person in one second were not read either.
    settle_hours : float, default=72
        An approval counts as right when it was not undone for this long.
    edit : float, default=1
        How wrong an action is that a person changed before it ran.
    """

    fast_seconds: float = 1.0
    bulk: int = 5
    settle_hours: float = 72.0
    edit: float = 1.0

    def __post_init__(self) -> None:
        for name in ("fast_seconds", "settle_hours"):
            if not 0 <= getattr(self, name) < math.inf:
                raise InputError(f"{name} is 0 or more; got {getattr(self, name)}")
        if not 0 <= self.edit <= 1:
            raise InputError(f"an edit is wrong by 0 to 1; got {self.edit:g}")


@dataclass(frozen=True)
class CountedLabel:
    """What a decision says: how bad the action was, or why it says nothing.

    Parameters
    ----------
    bad : float or None
        0 right, 1 wrong; None if it is no label.
    reason : str
        Why it is none, a key of `NOT_COUNTED`; empty if it is one.
    """

    bad: float | None
    reason: str = ""


def count_labels(
    actions: Sequence[Approval], rules: LabelRules, until: float | None = None
) -> list[CountedLabel]:
    """Say of each action what its decision counts for.

    Fast rejections count and fast approvals do not, which only removes labels that say right: valid where what
    people skip is not where the mistakes hide.

    Parameters
    ----------
    actions : sequence of Approval
    rules : LabelRules
    until : float, optional
        When the log was written, in seconds since 1970: what was approved less than `settle_hours` before may
        still be undone. By default everything is settled.
    """
    once = _are_originals(actions)
    together: Counter[tuple[str | None, int]] = Counter(
        (one.reviewer, math.floor(one.decided_at))
        for one, first in zip(actions, once, strict=True)
        if first
        and one.decision == "approve"
        and one.by_person
        and one.decided_at is not None
        and one.reviewer
    )
    return [
        _count(one, rules, together, until) if first else CountedLabel(None, "repeat")
        for one, first in zip(actions, once, strict=True)
    ]


def _are_originals(actions: Sequence[Approval]) -> list[bool]:
    """Say which are no copies: an approval by a person that is, to the moment, one that came before.

    Rejections and undone actions count each time: without them evidence might rise.
    """
    seen: set[Approval] = set()
    first = []
    for one in actions:
        is_right = one.decision == "approve" and one.by_person and one.undone_at is None
        is_dated = one.what is not None and one.asked_at is not None
        first.append(not (is_right and is_dated and one in seen))
        seen.add(one)
    return first


def _count(
    one: Approval,
    rules: LabelRules,
    together: Counter[tuple[str | None, int]],
    until: float | None,
) -> CountedLabel:
    if one.decision == "open":
        return CountedLabel(None, "open")
    if one.undone_at is not None:  # whoever let it run
        return CountedLabel(1.0)
    if not one.by_person:
        return CountedLabel(None, "rule")
    if one.decision == "unclear":
        return CountedLabel(None, "unclear")
    if one.decision == "reject":
        return CountedLabel(1.0)
    if one.decision == "edit":
        return CountedLabel(rules.edit)
    at = one.decided_at
    if at is not None and one.reviewer and together[one.reviewer, math.floor(at)] >= rules.bulk:
        return CountedLabel(None, "bulk")
    if at is not None and one.asked_at is not None and at - one.asked_at < rules.fast_seconds:
        return CountedLabel(None, "fast")
    moment = at if at is not None else one.asked_at
    if until is not None and moment is not None and until - moment < rules.settle_hours * 3600:
        return CountedLabel(None, "unsettled")
    return CountedLabel(0.0)
