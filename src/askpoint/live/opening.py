"""From which confidence on to answer: by certificates under a promise, by calibration for money.

While a policy is closed its labels are counted twice: since its episode began, and anew. What allows an
opening first is what counts from then on, so that the labels of a trouble that is over stay behind.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.live.calibration import ConfidenceBins, StatedErrors
from askpoint.live.certificates import advance_start, certified_place, place_to_open
from askpoint.live.restarts import LabelCounts, Start
from askpoint.live.silence import bounded_errors, is_too_silent
from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.measures.inputs import FloatArray

__all__ = [
    "find_certified_threshold",
    "find_paying_threshold",
    "own_errors",
    "own_start",
    "paying_threshold",
]

_ENOUGH_LABELS = 200  # for a price
_OFTEN, _SELDOM = 2000, 400  # decisions of an episode with a look each 50, and between later ones
_FEWEST_BINS = 4  # that must pay before the last labels alone may open


def find_paying_threshold(
    state: State, terms: Terms, bins: ConfidenceBins
) -> tuple[State, float | None]:
    """The least confidence from which a mistake is expected to cost less than a check.

    While it is closed the last labels alone may open, too.
    """
    threshold = state.threshold
    is_closed = threshold is None
    # who looks often at the same labels opens often by chance
    is_due = not is_closed or not state.decided  # a log is looked at once, however long it is
    is_due |= state.age < _OFTEN or state.age % _SELDOM == 0
    if is_due and state.labelled.sum() >= _ENOUGH_LABELS:
        errors = own_errors(state, bins, state.recent)
        threshold = paying_threshold(errors, terms, bins)
        if is_closed and is_too_silent(state, state.given_up, state.labelled, threshold):
            threshold = None
    if not is_closed or state.restarts is None:
        return state, threshold
    window = state.restarts.window(state.relapses)
    if window is None:
        return state, threshold
    errors = bounded_errors(state, bins, window.labelled, window.wrong, window.given_up)
    lately = paying_threshold(errors, terms, bins)
    if np.count_nonzero(errors.error < terms.answer_below) < _FEWEST_BINS:
        lately = None  # a handful of labels among the surest says little
    if is_too_silent(state, window.given_up, window.labelled, lately):
        lately = None
    if lately is None or (threshold is not None and threshold <= lately):
        return state, threshold
    return _with_counts(state, window), lately


def paying_threshold(errors: StatedErrors, terms: Terms, bins: ConfidenceBins) -> float | None:
    """Return the least confidence from which answers pay at these rates of mistakes; None if none does."""
    pays = errors.error < terms.answer_below
    if not pays.any():
        return None
    place = int(pays.argmax())
    return float(bins.edges[place - 1] if place else bins.centres[0])


def find_certified_threshold(
    state: State, terms: Terms, bins: ConfidenceBins
) -> tuple[State, float | None]:
    """The boldest threshold that is certified, once it is worth to open with; the first start opens."""
    own = advance_start(own_start(state), terms)
    state, winner = replace(state, places=own.places), None
    best = certified_place(own, terms) if state.threshold is not None else place_to_open(own, terms)
    if state.threshold is None and _is_hidden(state, bins, own, best):
        best = None
    if state.threshold is None and state.restarts is not None:
        starts = tuple(advance_start(start, terms) for start in state.restarts.starts)
        state = replace(state, restarts=replace(state.restarts, starts=starts))
        for start in starts:
            place = place_to_open(start, terms, state.relapses)
            if _is_hidden(state, bins, start, place):
                continue
            if place is not None and (best is None or place > best):
                best, winner = place, start
    if best is None:
        return state, None
    if winner is not None and winner.counts is not None:
        state = replace(
            _with_counts(state, winner.counts),
            start=winner.number,
            since=winner.since,
            places=winner.places,
        )
    return state, float(bins.grid[best])


def _is_hidden(state: State, bins: ConfidenceBins, start: Start, place: int | None) -> bool:
    """Whether too many labels are missing from a place of the grid on."""
    if place is None or start.counts is None:
        return False
    counts = start.counts
    return is_too_silent(state, counts.given_up, counts.labelled, float(bins.grid[place]))


def own_start(state: State) -> Start:
    """Return the certificates that began with the episode, or that it opened with."""
    bins = state.labelled, state.wrong, state.given_up
    counts = LabelCounts(state.age, state.n, state.w, *bins)
    return Start(state.start, state.since, counts, state.places)


def own_errors(
    state: State, bins: ConfidenceBins, recent: FloatArray | None = None
) -> StatedErrors:
    """Rates of mistakes by bin as the episode's labels show them, missing ones bounded."""
    return bounded_errors(state, bins, state.labelled, state.wrong, state.given_up, recent)


def _with_counts(state: State, counts: LabelCounts) -> State:
    """Return the state that has counted these labels alone in its episode."""
    return replace(
        state,
        n=counts.n,
        w=counts.w,
        labelled=counts.labelled,
        wrong=counts.wrong,
        given_up=counts.given_up,
        silent=state.silent[:0],
        recent=np.array([counts.labelled, counts.wrong], dtype=np.float64),
    )
