"""One step of a policy in use: state and rows in; state, actions and events out.

Decisions and labels may come in batches of any size: the state depends on the order of the rows
only. Labels are counted in the order of the decisions, so that labels which come late because of
what they are mislead nothing; an audited mistake is weighed against the allowance at once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from askpoint.live.calibration import ConfidenceBins
from askpoint.live.opening import forgotten, next_look, with_bins, with_threshold
from askpoint.live.state import PENDING, UNKNOWN, Event, State, fresh_state
from askpoint.live.terms import Terms
from askpoint.live.watching import (
    alarm_bound,
    alarm_evidence,
    lost_so_far_at_most,
    watched,
    within_allowance,
)
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["Decisions", "decided", "labelled"]

_MISSING = 2  # the label of a pending case that did not come in time
_OF_THE_LIFE = (
    *("decided", "answered", "asked", "audited", "seen", "missing", "pending", "latest", "grace"),
    *("golden", "golden_t", "golden_items", "golden_mistakes", "people_alarms"),
)


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


def decided(
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
    state, events = _resumed(state, terms)
    room = _Room(n)
    while start < n:
        stop = min(n, start + next_look(state.age) - state.age)
        part = slice(start, stop)
        if state.threshold is not None and not state.waiting:
            answer[part] = confidence[part] >= state.threshold
        episode[part] = state.episode
        rows = (confidence[part], draw[part], chance[part], answer[part], audit[part])
        state = _with_rows(state, terms, room, *rows)
        if state.age == next_look(state.age - 1):
            state, happened = _looked(state, terms)
            events += happened
        start = stop
    return (
        state,
        Decisions(answer, audit & answer, np.where(answer, chance, 1.0), episode),
        events,
    )


class _Room:
    """Space for what waits, so that the parts of a batch are appended without copying all before."""

    def __init__(self, n: int) -> None:
        self._left = n
        self._space: NDArray[np.void] = np.empty(0, dtype=PENDING)
        self._end = 0

    def appended(
        self, pending: NDArray[np.void], n: int
    ) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """What waits with room for n more at its end, and that room."""
        m = len(pending)
        if pending.base is not self._space:
            self._space, self._end = np.empty(m + self._left, dtype=PENDING), m
            self._space[:m] = pending
        first, last = self._end - m, self._end + n
        self._left, self._end = self._left - n, last
        return self._space[first:last], self._space[last - n : last]


def _with_rows(
    state: State,
    terms: Terms,
    room: _Room,
    confidence: FloatArray,
    draw: FloatArray,
    chance: FloatArray,
    answer: BoolArray,
    audit: BoolArray,
) -> State:
    kept = np.flatnonzero(audit | ~answer)
    pending = state.pending
    if len(kept):
        pending, rows = room.appended(state.pending, len(kept))
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
    n, n_answered = len(confidence), int(np.count_nonzero(answer))
    return state.replaced(
        decided=state.decided + n,
        answered=state.answered + n_answered,
        asked=state.asked + n - n_answered,
        audited=state.audited + int(np.count_nonzero(audit & answer)),
        age=state.age + n,
        answers=state.answers + n_answered,
        first=np.append(state.first, confidence) if state.bins is None else state.first,
        pending=pending,
    )


def _looked(state: State, terms: Terms) -> tuple[State, list[Event]]:
    """What is done at set ages of an episode: give up on labels, place bins, move the threshold."""
    state = with_bins(state, terms)
    pending = state.pending
    # lost is what is missing beside labels of much later cases; who labels nothing is waited for
    late = pending["seq"] < state.latest - terms.patience
    overdue = late & (pending["wrong"] == UNKNOWN) & (state.decided >= state.grace)
    events: list[Event] = []
    if overdue.any():
        pending = pending.copy()
        pending["wrong"][overdue] = _MISSING
        state = replace(state, pending=pending)
        for row in pending[overdue & pending["answered"]]:
            state = replace(state, missing=state.missing + 1)
            state, happened = _weighed(state, terms, row)
            events += happened
    state, counted = _counted(state, terms)
    events += counted
    bins = state.bins
    if bins is not None:  # an alarm forgets them
        state, moved = with_threshold(forgotten(state), terms, bins)
        events += moved
    state, resumed = _resumed(state, terms)
    events += resumed
    audit = _next_audit(state)
    if state.threshold is not None and not state.waiting and audit < state.decided - terms.patience:
        numbers = {"audit": audit, "episode": state.episode}
        events.append(Event(state.decided, "waiting", numbers))
        state = replace(state, waiting=True)
    return state, events


def _resumed(state: State, terms: Terms) -> tuple[State, list[Event]]:
    """Answer again once the labels have come for which everything was asked."""
    if not state.waiting or _next_audit(state) < state.decided - terms.patience:
        return state, []
    numbers = {} if state.threshold is None else {"threshold": state.threshold}
    event = Event(state.decided, "resumed", {**numbers, "episode": state.episode})
    return replace(state, waiting=False, grace=state.decided + terms.patience), [event]


def _next_audit(state: State) -> int:
    """The first audited answer after the latest label, or the next decision."""
    pending = state.pending
    since = pending[np.searchsorted(pending["seq"], state.latest, side="right") :]
    answered = since["answered"]
    return int(since["seq"][answered.argmax()]) if answered.any() else state.decided


def labelled(
    state: State, terms: Terms, seq: IntArray, wrong: BoolArray
) -> tuple[State, list[Event]]:
    """Take in labels in the order in which they came; those of no pending case change nothing."""
    place = np.searchsorted(state.pending["seq"], seq)
    inside = place < len(state.pending)
    inside[inside] = state.pending["seq"][place[inside]] == seq[inside]
    place, wrong = place[inside], wrong[inside]
    # an audited mistake is weighed at once; all other labels only wait to be counted
    mistakes = np.flatnonzero(wrong & state.pending["answered"][place])
    stops = np.unique(np.concatenate([mistakes, mistakes + 1]))
    events: list[Event] = []
    for rows in np.split(np.arange(len(place)), stops):
        waiting = len(state.pending)
        state, happened = _taken(state, terms, place[rows], wrong[rows])
        events += happened
        place = place - (waiting - len(state.pending))  # what was counted left from the front
    return state, events


def _taken(
    state: State, terms: Terms, place: IntArray, wrong: BoolArray
) -> tuple[State, list[Event]]:
    waiting = place >= 0
    place, wrong = place[waiting], wrong[waiting]
    first = np.unique(place, return_index=True)[1]  # the first label counts
    first = first[state.pending["wrong"][place[first]] == UNKNOWN]
    place, wrong = place[first], wrong[first]
    if not len(place):
        return state, []
    pending = state.pending.copy()
    pending["wrong"][place] = wrong
    latest = max(state.latest, int(pending["seq"][place].max()))
    state = replace(state, pending=pending, latest=latest)
    events: list[Event] = []
    if wrong.any() and pending["answered"][place[wrong]].any():
        row = pending[place[0]]
        state = replace(state, seen=state.seen + float(row["share"]))
        state, events = _weighed(state, terms, row)
    state, happened = _counted(state, terms)
    return state, events + happened


def _weighed(state: State, terms: Terms, row: np.void) -> tuple[State, list[Event]]:
    """Weigh a mistake, or a label that never came, against the allowance at once."""
    share = float(row["share"])
    if row["episode"] != state.episode:
        return state, []
    state = replace(state, mistakes=state.mistakes + share)
    if state.threshold is None or within_allowance(state, terms):
        return state, []
    numbers = {
        "lost_at_most": lost_so_far_at_most(state, terms),
        "allowance": terms.lost_at_most,
        "answers": state.answers,
    }
    state, event = _closed(state, terms, "gate", numbers)
    return state, [event]


def _counted(state: State, terms: Terms) -> tuple[State, list[Event]]:
    """Count the labels that are known up to the first that is awaited, or that raises an alarm."""
    bins, pending = state.bins, state.pending
    unknown = pending["wrong"] == UNKNOWN
    stop = int(unknown.argmax()) if unknown.any() else len(pending)
    if bins is None or not stop:
        return state, []
    rows = pending[:stop]
    place = bins.of(rows["confidence"])
    now = rows["episode"] == state.episode
    audits = np.flatnonzero(now & rows["answered"])
    if len(audits):
        wrong, share = rows["wrong"][audits] > 0, rows["share"][audits]
        state, alarm = watched(state, terms, bins, place[audits], wrong, share)
        if alarm is not None:
            at = int(audits[alarm])
            numbers = {
                "evidence": alarm_evidence(state.level, state.region),
                "bound": alarm_bound(state, terms),
                "audit": int(rows["seq"][at]),
            }
            state = replace(state, pending=pending[at + 1 :])
            state, event = _closed(state, terms, "alarm", numbers)
            return state, [event]
    state = _tallied(state, bins, rows[now], place[now])
    return replace(state, pending=pending[stop:]), []


def _tallied(state: State, bins: ConfidenceBins, rows: NDArray[np.void], place: IntArray) -> State:
    """Add labels to the bins (those that came) and to the grid (missing ones as mistakes)."""
    came = rows["wrong"] != _MISSING
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


def _closed(
    state: State, terms: Terms, kind: str, numbers: dict[str, float]
) -> tuple[State, Event]:
    """Ask everything, forget what was counted, and learn anew in the next episode."""
    event = Event(state.decided, kind, {**numbers, "episode": state.episode})
    kept = {name: getattr(state, name) for name in _OF_THE_LIFE}
    return replace(fresh_state(terms, state.episode + 1), **kept), event
