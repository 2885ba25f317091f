"""Watches of a policy hear labels in their order; the first alarm that closes it ends the hearing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from askpoint.live.calibration import BINS, ConfidenceBins
from askpoint.live.events import Event, event_kind
from askpoint.live.state import State
from askpoint.live.watches.base import Audit, GoldLabel, Watch
from askpoint.live.watches.mix import MixWatch
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["apply_gold_labels", "evidence_share", "hear_audits", "hear_confidences", "place_edges"]


_RAISED = 2000  # decisions during which more answers are audited once the confidences moved


def apply_gold_labels(state: State, wrong: BoolArray) -> tuple[State, list[Event]]:
    """Take in whether people were wrong on gold cases, in the order in which they answered."""
    watches, events = dict(state.watches), []
    for is_wrong in wrong.tolist():
        for kind, watch in _hearing(watches, "gold"):
            watch = watches[kind] = watch.update(GoldLabel(is_wrong))
            if is_wrong and watch.is_alarmed:
                numbers = {**watch.numbers, "episode": state.episode}
                events.append(Event(state.decided, kind, numbers))
                watches[kind] = watch.restart()
    return replace(state, watches=watches), events


def place_edges(state: State, confidence: FloatArray) -> State:
    """Tell the watches on confidences, once, between which of them to count."""
    placed = {
        kind: watch.place_edges(confidence)
        for kind, watch in state.watches.items()
        if isinstance(watch, MixWatch)
    }
    return replace(state, watches={**state.watches, **placed})


def hear_confidences(state: State) -> tuple[State, list[Event]]:
    """Let the watches hear the confidences since the last look, which need no labels."""
    if not state.unheard:
        return state, []
    watches, events = dict(state.watches), []
    codes = np.array(state.unheard)
    state = replace(state, unheard=(), watches=watches)
    for kind, watch in _hearing(watches, "confidences"):
        watch = watches[kind] = watch.update(codes)
        if watch.is_alarmed:
            state = replace(state, raised_until=state.decided + _RAISED)
            numbers = {**watch.numbers, "until": state.raised_until, "episode": state.episode}
            events.append(Event(state.decided, kind, numbers))
            watches[kind] = watch.restart()
    return state, events


def hear_audits(
    state: State, bins: ConfidenceBins, rows: NDArray[np.void], place: IntArray
) -> tuple[State, list[Event], int | None]:
    """Let the watches hear audited answers of this episode, in the order of decisions.

    Parameters
    ----------
    state : State
        Before.
    bins : ConfidenceBins
        Of the episode.
    rows : ndarray of PENDING
        Audits whose label is there, or lost, which counts as a mistake.
    place : ndarray of int
        The bin of each.

    Returns
    -------
    State, list of Event, int or None
        After; the alarms raised; the row whose alarm closes the policy, at which the hearing ended.
    """
    watches, events = dict(state.watches), []
    stated = None if state.stated is None else state.stated.tolist()
    middle, closing = _middle(state, bins), None
    columns = (rows["wrong"] > 0, rows["share"], place, rows["seq"])
    for i, (wrong, share, k, seq) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        audit = Audit(wrong, share, k, None if stated is None else stated[k], k >= middle)
        for kind, watch in _hearing(watches, "audits"):
            watch = watches[kind] = watch.update(audit)
            if not (wrong and watch.is_alarmed):
                continue
            numbers = {**watch.numbers, "audit": seq, "episode": state.episode}
            events.append(Event(state.decided, kind, numbers))
            watches[kind] = watch.restart()
            if event_kind(kind).closes:
                closing = i
        if closing is not None:
            break
    return replace(state, watches=watches), events, closing


def evidence_share(state: State) -> float:
    """Return the evidence towards an alarm that closes the policy, over what raises it."""
    return max(
        (
            watch.evidence / watch.bound
            for kind, watch in state.watches.items()
            if event_kind(kind).closes
        ),
        default=0.0,
    )


def _hearing(watches: dict[str, Watch], what: str) -> list[tuple[str, Watch]]:
    return [(kind, watch) for kind, watch in watches.items() if watch.hears == what]


def _middle(state: State, bins: ConfidenceBins) -> float:
    """The bin that halves those from which it answers."""
    if state.threshold is None:
        return BINS / 2
    return float(bins.of(np.array(state.threshold)) + BINS) / 2
