"""One step of a policy in use: state and cases in; state, actions and events out.

Decisions and labels may come in batches of any size: the state depends on the order of the rows
only.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from askpoint.live.events import Event
from askpoint.live.labels import LOST, count_labels, weigh_mistake
from askpoint.live.pending import PENDING, UNKNOWN
from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.live.thresholds import fade_labels, move_threshold, next_look, place_bins
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["Decisions", "decide_cases"]


class Decisions(NamedTuple):
    """What was decided, row by row.

    Attributes
    ----------
    answer : ndarray of bool
        Whether it answers; else it asks.
    audit : ndarray of bool
        Whether an answer is audited.
    propensity : ndarray
        The chance that the case is labelled: 1 where it asks, else the audit rate.
    episode : ndarray of int
        The episode of each decision.
    """

    answer: BoolArray
    audit: BoolArray
    propensity: FloatArray
    episode: IntArray


def decide_cases(
    state: State,
    terms: Terms,
    confidence: FloatArray,
    draw: FloatArray,
    rate: FloatArray | None = None,
) -> tuple[State, Decisions, list[Event]]:
    """Decide cases in their order. `rate` raises the audit rate of single cases, never lowers it."""
    n, start = len(confidence), 0
    answer, episode = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.int64)
    chance = np.full(n, terms.rate) if rate is None else np.maximum(rate, terms.rate)
    audit = draw < chance
    state, events = _resume(state, terms)
    while start < n:
        look = next_look(state)
        stop = min(n, start + look - state.age)
        part = slice(start, stop)
        if state.threshold is not None and not state.waiting:
            answer[part] = confidence[part] >= state.threshold
        episode[part] = state.episode
        rows = (confidence[part], draw[part], chance[part], answer[part], audit[part])
        state = _append_rows(state, terms, *rows)
        if state.age == look:
            state, happened = _look(state, terms)
            events += happened
        start = stop
    return (
        state,
        Decisions(answer, audit & answer, np.where(answer, chance, 1.0), episode),
        events,
    )


def _append_rows(
    state: State,
    terms: Terms,
    confidence: FloatArray,
    draw: FloatArray,
    chance: FloatArray,
    answer: BoolArray,
    audit: BoolArray,
) -> State:
    kept = np.flatnonzero(audit | ~answer)
    pending = state.pending
    if len(kept):
        rows = np.empty(len(kept), dtype=PENDING)
        rows["seq"] = state.decided + kept
        rows["confidence"] = confidence[kept]
        rows["share"] = np.where(answer[kept], terms.rate / chance[kept], 1.0)
        rows["episode"] = state.episode
        rows["answered"] = answer[kept]
        # the cases that place the grid are not counted on it
        rows["uniform"] = state.bins is not None
        if state.threshold is not None:
            rows["uniform"] &= draw[kept] < terms.rate
        rows["wrong"] = UNKNOWN
        pending = pending.append_rows(rows)
    n, n_answered = len(confidence), int(np.count_nonzero(answer))
    return state.copy_with(
        decided=state.decided + n,
        answered=state.answered + n_answered,
        asked=state.asked + n - n_answered,
        audited=state.audited + int(np.count_nonzero(audit & answer)),
        age=state.age + n,
        answers=state.answers + n_answered,
        first=np.append(state.first, confidence) if state.bins is None else state.first,
        pending=pending,
    )


def _look(state: State, terms: Terms) -> tuple[State, list[Event]]:
    """What is done at set ages of an episode: give up on labels, place bins, move the threshold."""
    state = place_bins(state, terms)
    pending = state.pending
    before = np.array([state.latest - terms.max_label_delay])
    # lost is what is missing beside labels of much later cases; who labels nothing is waited for
    events: list[Event] = []
    if state.decided >= state.grace:
        late = pending.head(int(pending.places_of(before)[0][0]))
        overdue = np.flatnonzero(late["wrong"] == UNKNOWN)
        if len(overdue):
            state = replace(state, pending=pending.set_labels(overdue, LOST))
        for row in late[overdue][late["answered"][overdue]]:
            state = replace(state, missing=state.missing + 1)
            state, happened = weigh_mistake(state, terms, row)
            events += happened
    state, counted = count_labels(state, terms)
    events += counted
    bins = state.bins
    if bins is not None:  # a closing drops them
        state, moved = move_threshold(fade_labels(state), terms, bins)
        events += moved
    state, resumed = _resume(state, terms)
    events += resumed
    audit = _next_audit(state)
    if (
        state.threshold is not None
        and not state.waiting
        and audit < state.decided - terms.max_label_delay
    ):
        numbers = {"audit": audit, "episode": state.episode}
        events.append(Event(state.decided, "waiting", numbers))
        state = replace(state, waiting=True)
    return state, events


def _resume(state: State, terms: Terms) -> tuple[State, list[Event]]:
    """Answer again once the labels have come for which everything was asked."""
    if not state.waiting or _next_audit(state) < state.decided - terms.max_label_delay:
        return state, []
    numbers = {} if state.threshold is None else {"threshold": state.threshold}
    event = Event(state.decided, "resumed", {**numbers, "episode": state.episode})
    return replace(state, waiting=False, grace=state.decided + terms.max_label_delay), [event]


def _next_audit(state: State) -> int:
    """The first audited answer after the latest label, or the next decision."""
    found = state.pending.next_answered(state.latest)
    return state.decided if found is None else found
