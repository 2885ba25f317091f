"""The state of a classifier in one line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from askpoint.live.events import event_kind
from askpoint.reports.state_line import StateLine
from askpoint.reports.words import short_threshold

__all__ = ["ClassifierFacts", "classifier_state_line"]

_TO_REVIEW = "Every case goes to review"
_KEPT = "An owner keeps it closed. It measures what it would decide, and nobody acts on it until an owner lets it go on."


@dataclass(frozen=True, kw_only=True)
class ClassifierFacts:
    """What the state of a classifier follows from.

    Parameters
    ----------
    adopted : datetime or None
        Since when its version is in use; None while none is.
    decided : int
        Cases that it decided, over all versions.
    mode : {"shadow", "rollout", "all"}
        Which cases are acted on.
    rollout : float
        Share of the cases in the mode rollout.
    threshold : float or None
        From where the version in use decides alone, by its document or its last event that moved it.
    by_group : bool
        Whether each group has a threshold of its own.
    switched : (kind, moment) or None
        The last event of the version in use that began or ended answers.
    kept_closed : datetime or None
        Since when an owner keeps it closed.
    archived, deleted, removed_on : datetime or None
        Since when it is archived or deleted, and when the rest of what was deleted goes.
    asks_where : str
        Where it asks whatever the confidence; mostly empty.
    """

    adopted: datetime | None
    decided: int
    mode: str
    rollout: float
    threshold: float | None
    by_group: bool = False
    switched: tuple[str, datetime] | None = None
    kept_closed: datetime | None = None
    archived: datetime | None = None
    deleted: datetime | None = None
    removed_on: datetime | None = None
    asks_where: str = ""


def classifier_state_line(facts: ClassifierFacts) -> StateLine:
    """Return the state of a classifier; the first that fits of archived, closed, waiting, learning, shadow, answering."""
    if facts.deleted is not None and facts.removed_on is not None:
        last = f"{facts.removed_on.day} {facts.removed_on:%B %Y}"
        why = f"Every case is refused. Contents are deleted; decision records and labels go on {last}."
        return StateLine("archived", "Deleted", why, facts.deleted)
    if facts.archived is not None:
        return StateLine("archived", "Archived", "Every case is refused.", facts.archived)
    if facts.adopted is None:
        return StateLine(
            "empty",
            "No version in use",
            "Every case is refused until an owner activates a version.",
        )
    if facts.kept_closed is not None:
        return StateLine("closed", "Kept closed", _KEPT, facts.kept_closed)
    if not facts.decided:
        why = "Send one case and this page continues automatically."
        if facts.mode == "shadow":
            why += " In shadow, nobody acts on what it decides."
        return StateLine("empty", "No case yet", why)
    kind, at = facts.switched or ("", facts.adopted)
    record = event_kind(kind) if kind else None
    answers = facts.threshold is not None if record is None else bool(record.answers)
    if record is not None and not answers:
        why = f"{record.because} {_TO_REVIEW}."
        if record.closes:
            return StateLine("closed", "Closed", why, at)
        if record.watch is None and kind == "waiting":
            return StateLine("waiting", "Waiting for labels", why, at)
        return StateLine("learning", "Learning", why, at)
    if not answers:
        why = f"{_TO_REVIEW} until labels show where the model can decide alone."
        return StateLine("learning", "Learning", why, at)
    if facts.mode == "shadow":
        why = "It shows what it would decide. Nobody acts on it."
        return StateLine("shadow", "Shadow", why, facts.adopted)
    word = "Answering" if facts.mode == "all" else f"Answering {100 * facts.rollout:g}% of cases"
    return StateLine("answering", word, f"{_where(facts)} Nothing to do.", at)


def _where(facts: ClassifierFacts) -> str:
    if facts.by_group or facts.threshold is None:
        return "It decides alone where each group is sure enough."
    never = f", but never where {facts.asks_where}" if facts.asks_where else ""
    return f"It decides alone from a confidence of {short_threshold(facts.threshold)}{never}."
