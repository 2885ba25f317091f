"""One step of a policy in use: state and cases in; state, actions and events out.

Decisions and labels may come in batches of any size: the state depends on the order of the rows
only.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from askpoint.live.alarms import hear_confidences
from askpoint.live.draws import draws_again
from askpoint.live.events import Event
from askpoint.live.labels import count_labels, weigh_mistake
from askpoint.live.leases.lease import LeaseRule
from askpoint.live.pending import LOST, PENDING, UNKNOWN
from askpoint.live.silence import give_up_again, is_too_silent, silent_share
from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.live.thresholds import fade_labels, move_threshold, next_look, place_bins
from askpoint.live.watches.mix import MixWatch, mix_codes
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["Decisions", "decide_cases"]

_HEARD = 400  # decisions after which confidences are heard, however rare the looks of a long life have become


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
    kind: IntArray | None = None,
    lease: LeaseRule | None = None,
    hour: IntArray | None = None,
    asked: BoolArray | None = None,
) -> tuple[State, Decisions, list[Event]]:
    """Decide cases in their order.

    `rate` raises the audit rate of single cases, never lowers it. `kind` numbers predicted classes, `hour` those of
    the week. Cases of a `lease` were decided by its rule, and are taken in now. Those that are `asked` go to review
    by a rule of the policy, and say nothing of the others.
    """
    n, start = len(confidence), 0
    answer, episode = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.int64)
    usual = np.full(n, terms.rate) if rate is None else np.maximum(rate, terms.rate)
    chance, audit = usual.copy(), np.zeros(n, dtype=np.bool_)
    state, events = _resume(state, terms)
    while start < n:
        look = next_look(state)
        heard = min(look, (state.age // _HEARD + 1) * _HEARD)
        stop = min(n, start + heard - state.age)
        part = slice(start, stop)
        episode[part] = state.episode
        if lease is not None:
            answer[part], episode[part] = lease.answers(confidence[part]), lease.episode
            lease = lease._replace(left=lease.left - int(answer[part].sum()))
            chance[part] = lease.rate
        else:
            if state.threshold is not None and not state.waiting:
                answer[part] = confidence[part] >= state.threshold
            if asked is not None:
                answer[part] &= ~asked[part]
            raised = state.decided + np.arange(stop - start) < state.raised_until
            chance[part] = np.where(raised, np.minimum(1.0, 2 * usual[part]), usual[part])
        audit[part] = draw[part] < chance[part]
        counted = slice(None) if asked is None else ~asked[part]
        rows = (confidence[part], draw[part], chance[part], answer[part], audit[part])
        state = _append_rows(state, terms, lease, counted, *rows)
        more = [None if numbers is None else numbers[part][counted] for numbers in (kind, hour)]
        state = _keep_mix(state, confidence[part][counted], draw[part][counted], *more)
        if state.age == look:
            state, happened = _look(state, terms)
            events += happened
        elif state.age == heard:
            state, happened = hear_confidences(state)
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
    lease: LeaseRule | None,
    counted: slice | BoolArray,
    confidence: FloatArray,
    draw: FloatArray,
    chance: FloatArray,
    answer: BoolArray,
    audit: BoolArray,
) -> State:
    waits = np.zeros(len(answer), dtype=np.bool_)
    waits[counted] = (audit | ~answer)[counted]
    kept = np.flatnonzero(waits)
    pending = state.pending
    of_episode = lease is None or lease.episode == state.episode
    if len(kept):
        rows = np.empty(len(kept), dtype=PENDING)
        rows["seq"] = state.decided + kept
        rows["confidence"] = confidence[kept]
        rows["share"] = np.where(answer[kept], terms.rate / chance[kept], 1.0)
        rows["episode"] = state.episode if lease is None else lease.episode
        rows["answered"] = answer[kept]
        # the cases that place the grid are not counted on it
        rows["uniform"] = state.bins is not None
        if state.threshold is not None or (lease is not None and lease.threshold is not None):
            rows["uniform"] &= draw[kept] < terms.rate
        rows["again"] = draws_again(draw[kept])
        rows["wrong"] = UNKNOWN
        pending = pending.append_rows(rows)
    n, n_answered = len(confidence), int(np.count_nonzero(answer))
    return state.copy_with(
        decided=state.decided + n,
        answered=state.answered + n_answered,
        asked=state.asked + n - n_answered,
        audited=state.audited + int(np.count_nonzero(audit & answer)),
        age=state.age + n,
        answers=state.answers + n_answered * of_episode,
        booked=state.booked - n_answered * (of_episode and lease is not None),
        first=np.append(state.first, confidence[counted]) if state.bins is None else state.first,
        pending=pending,
    )


def _keep_mix(
    state: State,
    confidence: FloatArray,
    draw: FloatArray,
    kind: IntArray | None,
    hour: IntArray | None,
) -> State:
    """Keep what the watch on confidences hears at the next look."""
    mix = state.watches.get("mix")
    if not (isinstance(mix, MixWatch) and len(mix.edges)):
        return state
    codes = mix_codes(mix.edges, confidence, draw, kind, hour)
    return state.copy_with(unheard=state.unheard + codes)


def _look(state: State, terms: Terms) -> tuple[State, list[Event]]:
    """What is done at set ages of an episode: give up on labels, place bins, move the threshold."""
    state = place_bins(state, terms)
    pending = state.pending
    before = np.array([state.latest - terms.max_label_delay])
    # lost is what is missing beside labels of much later cases; who labels nothing is waited for
    events: list[Event] = []
    if state.decided >= state.grace:
        state = give_up_again(state, state.latest - 2 * terms.max_label_delay)
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
    state, missed = _tell_silence(state)
    state, moved_mix = hear_confidences(state)
    state, resumed = _resume(state, terms)
    events += [*missed, *moved_mix, *resumed]
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


def _tell_silence(state: State) -> tuple[State, list[Event]]:
    """Say once that too many labels are missing to know how many mistakes there are."""
    is_short = is_too_silent(state, state.given_up, state.labelled)
    if is_short == state.is_short:
        return state, []
    share = silent_share(state.given_up, state.labelled)
    told = [Event(state.decided, "silence", {"share": share, "episode": state.episode})]
    return replace(state, is_short=is_short), told if is_short else []


def _resume(state: State, terms: Terms) -> tuple[State, list[Event]]:
    """Answer again once the labels have come for which everything was asked; what paused meanwhile answers nothing."""
    if not state.waiting or _next_audit(state) < state.decided - terms.max_label_delay:
        return state, []
    resumed = replace(state, waiting=False, grace=state.decided + terms.max_label_delay)
    if state.threshold is None:
        return resumed, []
    numbers = {"threshold": state.threshold, "episode": state.episode}
    return resumed, [Event(state.decided, "resumed", numbers)]


def _next_audit(state: State) -> int:
    """The first audited answer after the latest label, or the next decision."""
    found = state.pending.next_answered(state.latest)
    return state.decided if found is None else found
