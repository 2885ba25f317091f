"""How approvers decide: how many of their decisions cannot have been read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from askpoint.live.licences.label_rules import CountedLabel
from askpoint.records.approved_actions import ApprovalLog

__all__ = ["ReviewerPace", "measure_pace"]


@dataclass(frozen=True)
class ReviewerPace:
    """How a reviewer decides.

    Parameters
    ----------
    name : str
    decided, fast, bulk : int
        Decisions; approvals within a second; approvals in bulk.
    """

    name: str
    decided: int
    fast: int
    bulk: int

    @property
    def unread(self) -> float:
        """Share of the decisions that cannot have been read."""
        return (self.fast + self.bulk) / self.decided


def measure_pace(log: ApprovalLog, labels: Sequence[CountedLabel]) -> tuple[ReviewerPace, ...]:
    """Return how each approver of a log decides, the most hasty first."""
    found: dict[str, Counter[str]] = {}
    for action, label in zip(log.actions, labels, strict=True):
        if action.reviewer and action.by_person and label.reason != "open":
            found.setdefault(action.reviewer, Counter())[label.reason or "read"] += 1
    paces = [ReviewerPace(name, n.total(), n["fast"], n["bulk"]) for name, n in found.items()]
    return tuple(sorted(paces, key=lambda one: (-one.unread, one.name)))
