"""Is it still as good as stated? Evidence from audited answers, and the gate on the allowance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.live.calibration import BINS, ConfidenceBins
from askpoint.live.state import REGIONS, State
from askpoint.live.terms import Terms
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.measures.mixture_sequence import total_interval
from askpoint.measures.restarts import (
    bet_factors,
    level_factors,
    mix_starts,
    restart_weight,
)

__all__ = ["alarm_bound", "alarm_evidence", "lost_so_far_at_most", "watched", "within_allowance"]


def watched(
    state: State,
    terms: Terms,
    bins: ConfidenceBins,
    place: IntArray,
    wrong: BoolArray,
    share: FloatArray,
) -> tuple[State, int | None]:
    """Take audited answers of the bins `place` into all streams, up to the first that alarms."""
    limit, horizon, bound = terms.answer_below, terms.audits, alarm_bound(state, terms)
    level, level_t = state.level.copy(), state.level_t.tolist()
    region, region_t = state.region.copy(), state.region_t.tolist()
    middle, alarm = _middle(state, bins), None
    for i, (k, e, h) in enumerate(zip(place.tolist(), wrong.tolist(), share.tolist(), strict=True)):
        factors = level_factors(e, limit, h)
        for stream in (0, 1 if k >= middle else 2)[: len(level)]:
            level_t[stream] += 1
            weight = restart_weight(level_t[stream], horizon)
            level[stream] = mix_starts(level[stream], weight, factors)
        if state.stated is not None:
            factors = bet_factors(e, float(state.stated[k]), h)
            for stream in (0, 1 + k * REGIONS // BINS):
                region_t[stream] += 1
                weight = restart_weight(region_t[stream], horizon)
                region[stream] = mix_starts(region[stream], weight, factors)
        if e and alarm_evidence(level, region) >= bound:  # right answers never raise it so far
            alarm = i
            break
    state = replace(
        state,
        level=level,
        level_t=np.array(level_t),
        region=region,
        region_t=np.array(region_t),
    )
    return state, alarm


def _middle(state: State, bins: ConfidenceBins) -> float:
    """The bin that halves those from which it answers."""
    if state.threshold is None:
        return BINS / 2
    return float(bins.of(np.array(state.threshold)) + BINS) / 2


def alarm_evidence(level: FloatArray, region: FloatArray) -> float:
    """Half the evidence against the limit, half of that against what was stated."""
    regions = region.mean(axis=1)
    stated = regions[0] / 2 + regions[1:].mean() / 2
    return float((level.mean() + stated) / 2)


def alarm_bound(state: State, terms: Terms) -> float:
    """The evidence that raises an alarm in this episode."""
    return state.episode * (state.episode + 1) / terms.watch_delta


def lost_so_far_at_most(state: State, terms: Terms) -> float:
    """Upper end of the expected mistakes of the episode, valid at all times."""
    delta = terms.episode_delta(state.episode)
    return total_interval(state.mistakes, delta=delta).upper / terms.rate


def within_allowance(state: State, terms: Terms) -> bool:
    """Whether one more mistake would still keep to the limit and the allowance."""
    if not terms.gated:
        return True
    allowed = terms.answer_below * state.answers + terms.lost_at_most
    return lost_so_far_at_most(state, terms) + 1 <= allowed
