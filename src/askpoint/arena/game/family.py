"""One find is one find: cases that repeat one another are a family, and one of them is new.

A case that repeats an earlier submitted one joins its family, whether or not that was ruled. In
a family the first error found in the order of submission is the find; what comes after repeats it.
While an earlier one is not ruled, a found case waits: it is paid as a repeat, and the rest of what
it was promised stays reserved. So in the end the order of rulings changes nobody's pay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from askpoint.arena.game.probe import ProbeState, prizes_of
from askpoint.arena.game.terms import CampaignTerms

__all__ = [
    "LATER",
    "find_moves",
    "is_new_find",
    "join_families",
    "place_of",
    "reserve_if_first",
    "worth",
]

LATER = ("repeat", "unpaid")
"""The places of what is no find of its own."""


def _order(probe: ProbeState) -> tuple[Any, bool, str]:
    return probe.submitted, probe.id != probe.family, probe.id


def _walk(members: Iterable[ProbeState]) -> Iterator[tuple[ProbeState, str]]:
    """Return the ruled members of a family in the order of submission, each with its place."""
    finders, is_open = set[str](), False
    for number, probe in enumerate(sorted(members, key=_order)):
        if probe.truth is None:
            is_open = True
            continue
        if number == 0:
            place = "first"
        elif not probe.prize.found:
            place = "repeat"
        elif probe.player in finders:
            place = "unpaid"
        elif finders:
            place = "repeat"
        else:
            place = "waits" if is_open else "first"
        if probe.prize.found:
            finders.add(probe.player)
        yield probe, place


def place_of(probe: ProbeState, family: Iterable[ProbeState]) -> str:
    """Return the place of a ruled case in its family, as far as that is ruled.

    It is the first (the find, or the first that was submitted), waits for an earlier one that is open, is a repeat,
    or is unpaid, of a player who has a find there already.
    """
    earlier = [one for one in family if one.id != probe.id and _order(one) < _order(probe)]
    return [place for _, place in _walk([*earlier, probe])][-1]


def worth(terms: CampaignTerms, probe: ProbeState, place: str) -> int:
    """Return what a ruled case brings in its place, base pay included.

    Where design 5 is on, a repeat brings no base pay, and of the reward what an exact copy would; who repeats an
    own find is paid nothing for it.
    """
    if place == "first" or not terms.compares:
        return terms.pay.base + probe.prize.points
    if probe.answer is None or not probe.prize.found or place == "unpaid":
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
    return probe.prize.found and probe.place not in LATER


def find_moves(family: Sequence[ProbeState]) -> list[ProbeState]:
    """Return the judged members whose place is not what it was, in the order of submission."""
    return [probe for probe, place in _walk(family) if place != probe.place]


def join_families(
    family: Sequence[ProbeState], *others: Sequence[ProbeState]
) -> tuple[ProbeState, ...]:
    """Return the members of other families as members of a family that began before them."""
    head = family[0].family
    return tuple(replace(probe, family=head) for other in others for probe in other)
