"""What an approver's work shows, in words: whether it looks as if they read, and what to do."""

from __future__ import annotations

from askpoint.live.licences.without_each import OTHERS, Pivot
from askpoint.reports.words import plural

__all__ = ["one_approver_words", "pivot_words", "reading_words"]

_LEAST = 20  # approvals, before anything is said of how fast they come
_FEW_SECONDS = 3.0
_LEAST_GOLD = 5


def one_approver_words(name: str, *, licenses: bool = True) -> str:
    """Return what an owner should know and do where one person alone decides; what if that licenses nothing."""
    if not licenses:
        return (
            f"Only {name} decides, and by its terms a licence takes evidence without any one approver. So it earns none "
            "until a second person decides a part of the actions."
        )
    return (
        f"Only {name} decides, so each licence rests on the word of {name} alone. Nobody sees what {name} overlooks, or "
        "lets pass on purpose. Let a second person decide half of the actions."
    )


def pivot_words(pivot: Pivot) -> str:
    """Return on whose word a licence hangs, and what it takes that it does not.

    Examples
    --------
    >>> pivot_words(Pivot("ANNA", 44))
    'hangs on ANNA: without the decisions of ANNA, 44 more approvals are needed'
    """
    name = "the approvers who are not told apart" if pivot.name == OTHERS else pivot.name
    without = f"hangs on {name}: without the decisions of {name}"
    if pivot.missing is None:
        return f"{without} too many are bad"
    needed = f"{plural(pivot.missing, 'more approval is', 'more approvals are')} needed"
    return f"{without}, {needed}"


def reading_words(
    name: str,
    *,
    approved: int,
    fast: int,
    seconds: float | None,
    gold_seen: int,
    gold_right: int,
) -> tuple[bool, str]:
    """Return whether an approver's decisions look unread, and what the owner is to know and do.

    Parameters
    ----------
    name : str
        Of the approver.
    approved, fast : int
        Approvals, and those of them within a second.
    seconds : float or None
        The median time of a decision.
    gold_seen, gold_right : int
        Golden actions decided, and rejected.

    Examples
    --------
    >>> reading_words("rosa", approved=100, fast=0, seconds=9.0, gold_seen=20, gold_right=19)
    (False, 'rosa stopped 19 of 20 actions that were known to be bad. Nothing to do.')
    """
    missed = gold_seen - gold_right
    if gold_seen >= _LEAST_GOLD and 2 * missed >= gold_seen:
        return True, (
            f"{name} let {missed} of {gold_seen} actions pass that were known to be bad: approvals of {name} show little. "
            f"Speak with {name}, give smaller batches, or ask another approver; until then expect as many bad actions to "
            "pass."
        )
    if approved >= _LEAST and (
        2 * fast >= approved or (seconds is not None and seconds < _FEW_SECONDS)
    ):
        how = (
            f"half of the decisions take less than {seconds:.0f} seconds" if seconds else "at once"
        )
        return True, (
            f"{name} approves fast: {fast:,} of {approved:,} within a second, and {how}. Such approvals teach nothing. "
            f"Deal golden actions to see whether {name} reads."
        )
    if gold_seen < _LEAST_GOLD:
        return False, (
            f"Whether {name} reads is not known yet: that takes {_LEAST_GOLD} golden actions, and {name} decided "
            f"{gold_seen or 'none'}. Deal some."
        )
    return (
        False,
        f"{name} stopped {gold_right} of {gold_seen} actions that were known to be bad. Nothing to do.",
    )
