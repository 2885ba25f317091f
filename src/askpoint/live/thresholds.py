"""When a policy in use looks at its labels, and what follows: it opens, moves its threshold or pauses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from askpoint.live.alarms import place_edges
from askpoint.live.budget import is_within_budget
from askpoint.live.calibration import ConfidenceBins, confidence_bins
from askpoint.live.events import Event
from askpoint.live.opening import find_certified_threshold, find_paying_threshold, own_errors
from askpoint.live.restarts import Restarts, count_relapses
from askpoint.live.state import State
from askpoint.live.terms import Terms

__all__ = ["fade_labels", "move_threshold", "next_look", "place_bins"]

_GRID_CASES = {"promise": 400, "money": 200}  # confidences that place grid and bins
_EARLY = 2000  # decisions of an episode, and of an opening, during which it is looked at often
_FROZEN = 400  # stated errors are frozen here and at each doubling
_EXACT = 2.0**36
_MEMORY = 4000  # decisions after which a label says 1 / e of what it said of the model as a whole


def next_look(state: State) -> int:
    """The age at which threshold and stated errors are looked at next."""
    step = _step(state)
    return (state.age // step + 1) * step


def _step(state: State, back: int = 0) -> int:
    """Decisions between looks, so many decisions ago."""
    age, open_for = state.age - back, state.decided - state.opened - back
    if state.threshold is None or min(age, open_for) < _EARLY:
        return 50
    return 400 * max(1, age // 40_000)


def fade_labels(state: State) -> State:
    """Let the labels of long ago say less, so that a price follows the world; not while none come."""
    if state.waiting:
        return state
    faded = math.exp(-_step(state, back=1) / _MEMORY) * state.recent
    # to a grid on which labels add up exactly, in whatever batches they come
    return replace(state, recent=np.round(faded * _EXACT) / _EXACT)


def place_bins(state: State, terms: Terms) -> State:
    """Place bins and grid once enough confidences are gathered; labels play no part."""
    if state.bins is not None or len(state.first) < _GRID_CASES[terms.aim]:
        return state
    state = place_edges(state, state.first)
    return replace(state, bins=confidence_bins(state.first), first=np.empty(0))


def move_threshold(state: State, terms: Terms, bins: ConfidenceBins) -> tuple[State, list[Event]]:
    """Look at all labels so far: open, or move the threshold; freeze the stated errors when due."""
    was_closed, threshold = state.threshold is None, None
    if not was_closed or is_within_budget(state, terms):
        find = find_paying_threshold if terms.aim == "money" else find_certified_threshold
        state, threshold = find(state, terms, bins)
    opens = was_closed and threshold is not None
    if opens or _freezes(state.age):
        # of all labels: what is watched must not follow the drift that it should show
        state = replace(state, stated=own_errors(state, bins).upper)
    if threshold == state.threshold:
        return state, []
    kind = "opened" if opens else "paused" if threshold is None else "threshold"
    numbers = {} if threshold is None else {"threshold": threshold}
    numbers |= {"episode": state.episode}
    if opens and state.start > 1:
        numbers |= {"start": state.start, "since": state.since}
    event = Event(state.decided, kind, numbers)
    return _restart_count(replace(state, threshold=threshold), terms, opens), [event]


def _restart_count(state: State, terms: Terms, opens: bool) -> State:
    """Begin to count anew where it pauses, and end that where it opens."""
    if opens:
        return replace(state, restarts=None, opened=state.decided)
    if state.threshold is None:
        relapses = count_relapses(terms.aim, state.relapses, state.decided - state.opened)
        return replace(state, restarts=Restarts(), relapses=relapses)
    return state


def _freezes(age: int) -> bool:
    doublings, rest = divmod(age, _FROZEN)
    return rest == 0 and doublings > 0 and doublings & (doublings - 1) == 0
