"""One find is one find: cases that repeat one another are a family, and one of them is new.

A case that repeats an earlier submitted one joins its family, whether or not that was ruled. In
a family the first error found in the order of submission is the find; what comes after repeats it.
While an earlier one is not ruled, a found case waits: it is paid as a repeat, and the rest of what
it was promised stays reserved. So in the end the order of rulings changes nobody's pay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from askpoint.arena.game.probe import ProbeState, prizes_of
from askpoint.arena.game.terms import CampaignTerms

__all__ = ["PLACES", "find_moves", "is_new_find", "place_of", "reserve_if_first", "worth"]

PLACES = ("first", "waits", "repeat")
"""In a family: the find, or the first that was submitted; a find with an earlier one open; later."""


def _order(probe: ProbeState) -> tuple[Any, bool, str]:
    return probe.submitted, probe.id != probe.family, probe.id


def place_of(probe: ProbeState, family: Iterable[ProbeState]) -> str:
    """Return the place of a case in its family, as far as that is ruled."""
    earlier = [one for one in family if one.id != probe.id and _order(one) < _order(probe)]
    find = any(one.prize.found for one in earlier)
    return _place(
        probe, first=not earlier, find=find, waits=any(one.truth is None for one in earlier)
    )


def _place(probe: ProbeState, *, first: bool, find: bool, waits: bool) -> str:
    """Return the place of a case after those that may hold a find or wait for their ruling."""
    if first:
        return "first"
    if not probe.prize.found or find:
        return "repeat"
    return "waits" if waits else "first"


def worth(terms: CampaignTerms, probe: ProbeState, place: str) -> int:
    """Return what a ruled case brings in its place, base pay included.

    Where design 5 is on, a repeat brings no base pay, and of the reward what an exact copy would.
    """
    if place == "first" or not terms.compares:
        return terms.pay.base + probe.prize.points
    if probe.answer is None or not probe.prize.found:
        return 0
    as_copy = prizes_of(terms, probe.answer, 1.0)[probe.options.index(str(probe.truth))]
    return min(probe.prize.points, as_copy.points)


def reserve_if_first(terms: CampaignTerms, probe: ProbeState) -> int:
    """Return what stays reserved for a case, should no earlier one be found."""
    if probe.place != "waits":
        return 0
    return worth(terms, probe, "first") - worth(terms, probe, "waits")


def is_new_find(probe: ProbeState) -> bool:
    """Tell whether a case is an error found, and no earlier find of its family is."""
    return probe.prize.found and probe.place != "repeat"


def find_moves(family: Sequence[ProbeState]) -> list[ProbeState]:
    """Return the judged members whose place is not what it was, in the order of submission."""
    changed, earlier_find, earlier_open = [], False, False
    for number, probe in enumerate(sorted(family, key=_order)):
        if probe.truth is None:
            earlier_open = True
            continue
        if _place(probe, first=number == 0, find=earlier_find, waits=earlier_open) != probe.place:
            changed.append(probe)
        earlier_find = earlier_find or probe.prize.found
    return changed
