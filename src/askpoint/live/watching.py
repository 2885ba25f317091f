"""Is it still as good as stated? Evidence from audited answers, and the gate on the allowance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.live.calibration import BINS, ConfidenceBins
from askpoint.live.state import REGIONS, State
from askpoint.live.terms import Terms
from askpoint.measures.mixture_sequence import seen_total_interval
from askpoint.measures.restarts import (
    level_factors,
    restart_weight,
    restarted,
    stated_factors,
)

__all__ = ["alarm_bound", "alarm_evidence", "lost_so_far_at_most", "watched", "within_allowance"]


def watched(
    state: State, terms: Terms, bins: ConfidenceBins, place: int, *, wrong: bool, share: float
) -> State:
    """Take an audited answer of the bin `place` into all streams that it belongs to."""
    limit, horizon = terms.answer_below, terms.audits
    level, level_t = state.level.copy(), state.level_t.copy()
    streams = [0]
    if len(level) > 1:
        streams.append(1 if place >= _middle(state, bins) else 2)
    factors = level_factors(wrong, limit, share)
    for stream in streams:
        level_t[stream] += 1
        weight = restart_weight(int(level_t[stream]), horizon)
        level[stream] = restarted(level[stream], weight, factors)
    region, region_t = state.region, state.region_t
    if state.stated is not None:
        region, region_t = region.copy(), region_t.copy()
        factors = stated_factors(wrong, float(state.stated[place]), share)
        for stream in (0, 1 + place * REGIONS // BINS):
            region_t[stream] += 1
            weight = restart_weight(int(region_t[stream]), horizon)
            region[stream] = restarted(region[stream], weight, factors)
    return replace(state, level=level, level_t=level_t, region=region, region_t=region_t)


def _middle(state: State, bins: ConfidenceBins) -> float:
    """The bin that halves those from which it answers."""
    if state.threshold is None:
        return BINS / 2
    return float(bins.of(np.array(state.threshold)) + BINS) / 2


def alarm_evidence(state: State) -> float:
    """Half the evidence against the limit, half of that against what was stated."""
    regions = state.region.mean(axis=1)
    stated = regions[0] / 2 + regions[1:].mean() / 2
    return float((state.level.mean() + stated) / 2)


def alarm_bound(state: State, terms: Terms) -> float:
    """The evidence that raises an alarm in this episode."""
    return state.episode * (state.episode + 1) / terms.watch_delta


def lost_so_far_at_most(state: State, terms: Terms) -> float:
    """Upper end of the expected mistakes of the episode, valid at all times."""
    delta = terms.episode_delta(state.episode)
    return seen_total_interval(state.mistakes, delta=delta).upper / terms.rate


def within_allowance(state: State, terms: Terms) -> bool:
    """Whether one more mistake would still keep to the limit and the allowance."""
    if not terms.gated:
        return True
    allowed = terms.answer_below * state.answers + terms.lost_at_most
    return lost_so_far_at_most(state, terms) + 1 <= allowed
