"""What a log teaches before the first decision: bins, calibration, certificates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.errors import NotEstimableError
from askpoint.live.alarms import place_edges
from askpoint.live.calibration import confidence_bins
from askpoint.live.state import State, fresh_state
from askpoint.live.terms import Terms
from askpoint.live.thresholds import move_threshold
from askpoint.measures.chains import ThresholdChains
from askpoint.measures.eprocess import log_risk_evidence
from askpoint.measures.inputs import BoolArray, FloatArray

__all__ = ["learn_from_log"]

_GRID_ROWS = 200  # at most; they place the grid and are not counted on it
_FEWEST = 40
_LOOK = 10  # labels between two looks at the chains


def learn_from_log(confidence: FloatArray, wrong: BoolArray, terms: Terms) -> State:
    """A state that has seen a log of randomly labelled cases in order of time; it may open at once."""
    n = len(confidence)
    if n < _FEWEST:
        raise NotEstimableError(
            f"{n} labelled cases place no bins: label at least {_FEWEST}, or start without a "
            "log (every case goes to review first)"
        )
    first = min(_GRID_ROWS, n // 3)
    grid = confidence_bins(confidence[:first]).grid
    bins = confidence_bins(confidence)._replace(grid=grid)
    place = bins.of(confidence)
    size = len(bins.centres)
    labelled = np.bincount(place, minlength=size)
    mistakes = np.bincount(place[wrong], minlength=size)
    state = replace(
        place_edges(fresh_state(terms), confidence),
        bins=bins,
        age=n,
        labelled=labelled,
        wrong=mistakes,
        recent=np.array([labelled, mistakes], dtype=np.float64),
    )
    if terms.aim == "promise":
        above = confidence[first:, None] >= grid
        cases, mistakes = above.cumsum(axis=0), (above & wrong[first:, None]).cumsum(axis=0)
        chains, places = ThresholdChains(terms.episode_delta(1)), state.places
        for row in [*range(_LOOK - 1, n - first, _LOOK), n - first - 1]:
            evidence = log_risk_evidence(mistakes[row], cases[row], terms.limit)
            places = chains.advance(places, evidence)
        state = replace(state, places=places, n=cases[-1], w=mistakes[-1])
    return move_threshold(state, terms, bins)[0]
