"""A pairwise judge asked in both orders: how often a swap changes the verdict, and which place wins.

Runs of one judge are told by their names: ``gpt|AB`` and ``gpt|BA``, ``gpt`` and ``gpt swapped``.
Votes name the answer and not the place, in either order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from askpoint.judges.sketch.codes import MISSING
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import IntArray
from askpoint.measures.intervals import Interval, binomial_interval

__all__ = ["SwappedOrders", "compare_orders", "pairs_of_orders"]

_AS_GIVEN = re.compile(r"(?i)^(.+?)[ _\-|/:#@]+(ab|order[ _-]?1|original|unswapped|forward)$")
_PLACES = (("1", "2"), ("a", "b"), ("first", "second"), ("left", "right"), ("model_a", "model_b"))
_SWAPPED = re.compile(r"(?i)^(.+?)[ _\-|/:#@]+(ba|order[ _-]?2|swap(?:ped)?|reversed?|flipped)$")


@dataclass(frozen=True, kw_only=True)
class SwappedOrders:
    """One judge in two orders.

    Attributes
    ----------
    judge : str
    runs : (str, str)
        As given, and swapped.
    n_items : int
        That both runs judged.
    n_changed : int
        Of these, with another verdict after the swap.
    changed : Interval
        Of the share that changes, 95%.
    n_first, n_second : int
        Changed verdicts that go to whatever stands first, and second; the others, as of ties, tell
        of no place.
    place : {"first", "second"} or None
        The place that wins more of these than chance lets expect (two-sided, 5%).
    """

    judge: str
    runs: tuple[str, str]
    n_items: int
    n_changed: int
    changed: Interval
    n_first: int
    n_second: int
    place: str | None


def pairs_of_orders(judges: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return by judge the names of its two runs, as given and swapped.

    Examples
    --------
    >>> from askpoint.judges.checks.swapped_orders import pairs_of_orders
    >>> pairs_of_orders(["gpt|AB", "gpt|BA", "bob", "bob swapped", "ann"])
    {'gpt': ('gpt|AB', 'gpt|BA'), 'bob': ('bob', 'bob swapped')}
    """
    swapped = {match[1]: judge for judge in judges if (match := _SWAPPED.match(judge))}
    found = {}
    for judge in judges:
        match = _AS_GIVEN.match(judge)
        base = match[1] if match else judge
        if base in swapped and swapped[base] != judge:
            found[base] = (judge, swapped[base])
    return found


def compare_orders(sketch: VoteSketch) -> tuple[SwappedOrders, ...]:
    """Compare the two runs of each judge that was asked in both orders.

    Where labels name the two answers (1 and 2, A and B, first and second, left and right) a judge who
    prefers the first place gives the first of them as given, and the other one after the swap.

    Examples
    --------
    >>> from askpoint.judges.checks.swapped_orders import compare_orders
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["gpt|AB", "gpt|BA"], ["1", "2"])
    >>> sketch.update_codes([[0, 0], [1, 1], [0, 1], [1, 0]], [40, 30, 25, 5])
    >>> (found,) = compare_orders(sketch)
    >>> found.n_changed, found.n_first, found.n_second, found.place
    (30, 25, 5, 'first')
    """
    cells = sketch.cells()
    place = {judge: i for i, judge in enumerate(sketch.judges)}
    found = []
    for judge, runs in pairs_of_orders(sketch.judges).items():
        given, swapped = (cells.votes[:, place[run]] for run in runs)
        both = (given != MISSING) & (swapped != MISSING)
        n = int(cells.counts[both].sum())
        if not n:
            continue
        changed = both & (given != swapped)
        first, second = _places(sketch.labels, given, swapped, cells.counts * changed)
        n_changed = int(cells.counts[changed].sum())
        found.append(
            SwappedOrders(
                judge=judge,
                runs=runs,
                n_items=n,
                n_changed=n_changed,
                changed=binomial_interval(n_changed, n, method="wilson"),
                n_first=first,
                n_second=second,
                place=_find_preference(first, second),
            )
        )
    return tuple(found)


def _places(
    labels: Sequence[str], given: NDArray[np.int16], swapped: NDArray[np.int16], counts: IntArray
) -> tuple[int, int]:
    """Count changed verdicts by the place that they follow; none where labels name no answers."""
    words = [label.strip().casefold().replace(" ", "_") for label in labels]
    for one, other in _PLACES:
        if one in words and other in words:
            a, b = words.index(one), words.index(other)
            first, second = (given == a) & (swapped == b), (given == b) & (swapped == a)
            return int(counts[first].sum()), int(counts[second].sum())
    return 0, 0


def _find_preference(first: int, second: int) -> str | None:
    if not first + second:
        return None
    low, high = binomial_interval(first, first + second, method="clopper-pearson")
    return "first" if low > 0.5 else "second" if high < 0.5 else None
