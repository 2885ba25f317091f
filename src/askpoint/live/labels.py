"""Labels of a policy in use: state and labels in, state and events out.

Labels are counted in the order of the decisions, so that labels which come late because of what they
are mislead nothing; an audited mistake is weighed against the mistake budget at once.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from askpoint.live.alarms import hear_audits
from askpoint.live.budget import is_within_budget, mistakes_at_most
from askpoint.live.calibration import ConfidenceBins
from askpoint.live.events import Event
from askpoint.live.pending import LOST, UNKNOWN
from askpoint.live.restarts import LabelCounts, Restarts, count_relapses
from askpoint.live.silence import add_silent, hear_silent
from askpoint.live.state import State, fresh_state
from askpoint.live.terms import Terms
from askpoint.measures.inputs import BoolArray, IntArray

__all__ = ["apply_labels", "count_labels", "weigh_mistake"]

_KEPT = (
    *("decided", "answered", "asked", "audited", "seen", "missing"),
    *("pending", "latest", "grace", "last_start", "unheard", "raised_until"),
)


def apply_labels(
    state: State, terms: Terms, seq: IntArray, wrong: BoolArray
) -> tuple[State, list[Event]]:
    """Take in labels in the order in which they came; those of no pending case change nothing."""
    place, inside = state.pending.places_of(seq)
    state = hear_silent(state, seq[~inside], wrong[~inside])
    place, wrong = place[inside], wrong[inside]
    # an audited mistake is weighed at once; all other labels only wait to be counted
    mistakes = np.flatnonzero(wrong & state.pending.take(place)["answered"])
    stops = np.unique(np.concatenate([mistakes, mistakes + 1]))
    events: list[Event] = []
    for rows in np.split(np.arange(len(place)), stops):
        waiting = len(state.pending)
        state, happened = _take_labels(state, terms, place[rows], wrong[rows])
        events += happened
        place = place - (waiting - len(state.pending))  # what was counted left from the front
    return state, events


def _take_labels(
    state: State, terms: Terms, place: IntArray, wrong: BoolArray
) -> tuple[State, list[Event]]:
    waiting = place >= 0
    place, wrong = place[waiting], wrong[waiting]
    first = np.unique(place, return_index=True)[1]  # the first label counts
    first = first[state.pending.take(place[first])["wrong"] == UNKNOWN]
    place, wrong = place[first], wrong[first]
    if not len(place):
        return state, []
    rows = state.pending.take(place)
    latest = max(state.latest, int(rows["seq"].max()))
    state = replace(state, pending=state.pending.set_labels(place, wrong), latest=latest)
    events: list[Event] = []
    if wrong.any() and rows["answered"][wrong].any():
        row = rows[0]
        state = replace(state, seen=state.seen + float(row["share"]))
        state, events = weigh_mistake(state, terms, row)
    state, happened = count_labels(state, terms)
    return state, events + happened


def weigh_mistake(state: State, terms: Terms, row: np.void) -> tuple[State, list[Event]]:
    """Weigh a mistake, or a label that never came, against the mistake budget at once."""
    share = float(row["share"])
    if row["episode"] != state.episode:
        return state, []
    state = replace(state, mistakes=state.mistakes + share)
    if state.threshold is None or is_within_budget(state, terms):
        return state, []
    numbers = {
        "mistakes_at_most": mistakes_at_most(state, terms),
        "budget": terms.budget,
        "answers": state.answers,
        "episode": state.episode,
    }
    event = Event(state.decided, "budget_spent", numbers)
    return _close_policy(state, terms), [event]


def count_labels(state: State, terms: Terms) -> tuple[State, list[Event]]:
    """Count the labels that are known up to the first that is awaited, or that raises an alarm."""
    bins, pending = state.bins, state.pending
    stop = 0 if bins is None else pending.n_known()
    if bins is None or not stop:
        return state, []
    rows = pending.head(stop)
    place = bins.of(rows["confidence"])
    now = rows["episode"] == state.episode
    audits = np.flatnonzero(now & rows["answered"])
    state, events, closing = hear_audits(state, bins, rows[audits], place[audits])
    if closing is not None:
        state = replace(state, pending=pending.drop_head(int(audits[closing]) + 1))
        return _close_policy(state, terms), events
    state = _add_counts(state, terms, bins, rows[now], place[now])
    return replace(state, pending=pending.drop_head(stop)), events


def _add_counts(
    state: State, terms: Terms, bins: ConfidenceBins, rows: NDArray[np.void], place: IntArray
) -> State:
    """Add labels to what the episode has counted, and to what began anew, block by block."""
    while len(rows):
        stop, restarts = len(rows), state.restarts
        if restarts is not None:
            room = restarts.room(terms.aim, state.relapses)
            used = np.flatnonzero(_is_used(terms, rows))[:room]
            if len(used) == room:
                stop = int(used[-1]) + 1
            restarts = restarts.add(_count(bins, rows[used], place[used]))
        state = replace(_add_own(state, bins, rows[:stop], place[:stop]), restarts=restarts)
        block = None if restarts is None else restarts.full_block(terms.aim, state.relapses)
        if restarts is not None and block is not None:
            state = _end_block(state, terms, restarts, block, int(rows["seq"][stop - 1]))
        rows, place = rows[stop:], place[stop:]
    return state


def _is_used(terms: Terms, rows: NDArray[np.void]) -> BoolArray:
    """Which labels restarts count: for certificates those of the uniform sample."""
    if terms.aim == "promise":
        return np.asarray(rows["uniform"])
    return np.ones(len(rows), dtype=np.bool_)


def _end_block(
    state: State, terms: Terms, restarts: Restarts, block: LabelCounts, seq: int
) -> State:
    if terms.aim == "money":
        return replace(state, restarts=restarts.end_block(block, state.relapses))
    own = (state.start, state.n, state.w)
    restarts, last = restarts.begin_start(terms, block, own, state.last_start, seq)
    return replace(state, restarts=restarts, last_start=last)


def _count(bins: ConfidenceBins, rows: NDArray[np.void], place: IntArray) -> LabelCounts:
    above = rows["confidence"][:, None] >= bins.grid
    return LabelCounts.of(above, rows["wrong"], place)


def _add_own(state: State, bins: ConfidenceBins, rows: NDArray[np.void], place: IntArray) -> State:
    """Add labels to bins and grid, where a missing one is a mistake; bins may learn better."""
    came = rows["wrong"] != LOST
    if not came.all():
        state = add_silent(state, rows[~came], place[~came])
    uniform = rows[rows["uniform"]]
    above = uniform["confidence"][:, None] >= bins.grid
    size = len(state.labelled)
    labelled = np.bincount(place[came], minlength=size)
    wrong = np.bincount(place[rows["wrong"] == 1], minlength=size)
    return replace(
        state,
        labelled=state.labelled + labelled,
        wrong=state.wrong + wrong,
        recent=state.recent + np.array([labelled, wrong]),
        n=state.n + above.sum(axis=0),
        w=state.w + above[uniform["wrong"] > 0].sum(axis=0),
    )


def _close_policy(state: State, terms: Terms) -> State:
    """Send everything to review, drop what was counted, and learn anew in the next episode."""
    fresh = fresh_state(terms, state.episode + 1)
    watches = {
        kind: watch if watch.is_lifelong else fresh.watches[kind]
        for kind, watch in state.watches.items()
    }
    kept = {name: getattr(state, name) for name in _KEPT}
    number = state.last_start + 1
    return replace(
        fresh,
        **{**kept, "last_start": number},
        watches=watches,
        start=number,
        since=state.decided,
        restarts=Restarts(),
        relapses=count_relapses(terms.aim, state.relapses, state.decided - state.opened),
    )
