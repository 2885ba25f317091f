"""From which confidence on to answer: by certificates under a promise, by calibration for money."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from askpoint.live.budget import is_within_budget
from askpoint.live.calibration import ConfidenceBins, confidence_bins, stated_errors
from askpoint.live.events import Event
from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.measures.chains import ThresholdChains
from askpoint.measures.eprocess import log_risk_evidence

__all__ = ["fade_labels", "move_threshold", "next_look", "place_bins"]

_GRID_CASES = {"promise": 400, "money": 200}  # confidences that place grid and bins
_ENOUGH_LABELS = 200  # for a price
_WAIT = 2000  # decisions after which any certificate is used
_NEAR = 0.6  # of the coverage that the raw counts would allow: used earlier
_FROZEN = 400  # stated errors are frozen here and at each doubling
_MEMORY = 4000  # decisions after which a label says 1 / e of what it said of the model as a whole


def next_look(age: int) -> int:
    """The age at which threshold and stated errors are looked at next."""
    step = _step(age)
    return (age // step + 1) * step


def _step(age: int) -> int:
    return 50 if age < _WAIT else 400 * max(1, age // 40_000)


def fade_labels(state: State) -> State:
    """Let the labels of long ago say less, so that a price follows the world; not while none come."""
    if state.waiting:
        return state
    return replace(state, recent=math.exp(-_step(state.age - 1) / _MEMORY) * state.recent)


def place_bins(state: State, terms: Terms) -> State:
    """Place bins and grid once enough confidences are gathered; labels play no part."""
    if state.bins is not None or len(state.first) < _GRID_CASES[terms.aim]:
        return state
    return replace(state, bins=confidence_bins(state.first), first=np.empty(0))


def move_threshold(state: State, terms: Terms, bins: ConfidenceBins) -> tuple[State, list[Event]]:
    """Look at all labels so far: open, or move the threshold; freeze the stated errors when due."""
    if terms.aim == "money":
        threshold = _price_threshold(state, terms, bins)
    else:
        state = _advance_chains(state, terms)
        threshold = _find_certified_threshold(state, terms, bins)
    opens = state.threshold is None and threshold is not None
    if opens and not is_within_budget(state, terms):
        opens, threshold = False, None
    if opens or _freezes(state.age):
        # of all labels: what is watched must not follow the drift that it should show
        stated = stated_errors(bins.centres, state.labelled, state.wrong)
        state = replace(state, stated=stated.upper)
    if threshold == state.threshold:
        return state, []
    kind = "opened" if opens else "paused" if threshold is None else "threshold"
    numbers = {} if threshold is None else {"threshold": threshold}
    event = Event(state.decided, kind, {**numbers, "episode": state.episode})
    return replace(state, threshold=threshold), [event]


def _freezes(age: int) -> bool:
    doublings, rest = divmod(age, _FROZEN)
    return rest == 0 and doublings > 0 and doublings & (doublings - 1) == 0


def _price_threshold(state: State, terms: Terms, bins: ConfidenceBins) -> float | None:
    """The least confidence from which a mistake is expected to cost less than a check."""
    if state.labelled.sum() < _ENOUGH_LABELS:
        return state.threshold
    errors = stated_errors(bins.centres, state.labelled, state.wrong, state.recent)
    pays = errors.error < terms.answer_below
    if not pays.any():
        return None
    place = int(pays.argmax())
    return float(bins.edges[place - 1] if place else bins.centres[0])


def _advance_chains(state: State, terms: Terms) -> State:
    chains = ThresholdChains(terms.episode_delta(state.episode))
    evidence = log_risk_evidence(state.w, state.n, terms.limit)
    return replace(state, places=chains.advance(state.places, evidence))


def _find_certified_threshold(state: State, terms: Terms, bins: ConfidenceBins) -> float | None:
    """The boldest threshold that is certified, once it is worth to open with."""
    best = ThresholdChains(terms.episode_delta(state.episode)).boldest_passed(state.places)
    if best is None:
        return None
    if state.threshold is None and state.age < _WAIT:
        raw = np.flatnonzero(state.w <= terms.limit * state.n)
        if state.n[best] < _NEAR * state.n[raw.max(initial=best)]:
            return None
    return float(bins.grid[best])
