"""A ruling: a case that a campaign's judges label, with what stands behind it and may follow.

::

    ruled ──appeal──> appealed ──decide──> final

Its purpose says what kind of case it is about:

::

    submitted  by a player; what is ruled is settled with its probe
    drawn      from the stream, for an examination: no player, no reward, no appeal
    gold       a case with a known answer, never ruled: it judges the judges
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.labelling.case import Case
from askpoint.labelling.gold import gold_of
from askpoint.measures.inputs import as_choice

__all__ = ["RULING_PURPOSES", "Ruling", "gold_ruling"]

RULING_PURPOSES = ("submitted", "drawn", "gold")


@dataclass(frozen=True, slots=True)
class Ruling(Case):
    """A case that judges decide; it may also be appealed.

    Parameters
    ----------
    purpose : {"submitted", "drawn", "gold"}
        What kind of case it is about.
    reserved : int, default=0
        Points of the campaign's budget that still stand behind it.
    """

    purpose: str = "submitted"
    reserved: int = 0

    def __post_init__(self) -> None:
        Case.__post_init__(self)  # no super(): a class with slots is made twice
        as_choice(self.purpose, RULING_PURPOSES, "a ruling's purpose")


def gold_ruling(ruling: Ruling, name: str, now: datetime) -> Ruling:
    """Return a gold case made of a ruled one; what is still reserved stays with the ruled one."""
    return replace(gold_of(ruling, name, now), reserved=0)
