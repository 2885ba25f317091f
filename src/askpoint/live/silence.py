"""Labels that did not come: a bound, not a gap. What they may have been, and whom to ask again.

A label that is given up counts as a mistake: in the mistake budget, the watch, the certificates and the
rates of mistakes by confidence. Less than that may be known only by asking again: a fifth of what was
given up is drawn for that, by digits of the audit draw that decide nothing else, so that those asked
again are a random sample of the silent (Hansen and Hurwitz, 1946).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from askpoint.live.calibration import BINS, ConfidenceBins, StatedErrors, stated_errors
from askpoint.live.pending import SILENT, UNKNOWN
from askpoint.live.state import State
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = [
    "add_silent",
    "bounded_errors",
    "give_up_again",
    "hear_silent",
    "is_too_silent",
    "late_audits",
    "list_asked_again",
    "list_wanted",
    "silent_share",
    "worst_rates",
]

_REGIONS = 4  # of confidence, in each of which the silent are judged by those asked again
_LEVEL = 0.8  # of the upper end for their mistakes
_MOST_SHARE = 0.1  # of the labels may be missing
_ENOUGH = 20  # labels of cases asked again, after which more may be missing
_KEPT = 4000  # cases given up whose label may still come


def list_asked_again(state: State) -> IntArray:
    """Decisions that were given up, are asked again, and have no label yet."""
    silent = state.silent
    return np.asarray(silent["seq"][silent["again"] & ~silent["lost"]])


def list_wanted(state: State) -> list[int]:
    """Return the decisions whose label is wanted: silent cases that are asked again, then all awaited."""
    pending = state.pending.rows()
    awaited: list[int] = pending["seq"][pending["wrong"] == UNKNOWN].tolist()
    again: list[int] = list_asked_again(state).tolist()
    return again + awaited


def late_audits(state: State, max_label_delay: int) -> int:
    """Return how many audits are half-way to their deadline: ask another person before they count as mistakes."""
    pending = state.pending.rows()
    late = pending["seq"] < state.latest - max_label_delay // 2
    return int(np.count_nonzero(late & pending["answered"] & (pending["wrong"] == UNKNOWN)))


def silent_share(given_up: IntArray, labelled: IntArray) -> float:
    """Share of labels that were given up."""
    missing = int(given_up.sum())
    return missing / max(1, missing + int(labelled.sum()))


def is_too_silent(
    state: State, given_up: IntArray, labelled: IntArray, opens_from: float | None = None
) -> bool:
    """Whether so many labels are missing, and so few of those asked again came, that nothing can open.

    What would be asked anyway may lack as many labels as it likes: with `opens_from`, a threshold, only the bins
    from there on are looked at.
    """
    if opens_from is not None and state.bins is not None:
        place = int(state.bins.of(np.array(opens_from)))
        given_up, labelled = given_up[place:], labelled[place:]
    if silent_share(given_up, labelled) <= _MOST_SHARE:
        return False
    in_vain = np.count_nonzero(state.silent["lost"])
    return bool(state.heard[0].sum() - in_vain < _ENOUGH)


def bounded_errors(
    state: State,
    bins: ConfidenceBins,
    labelled: IntArray,
    wrong: IntArray,
    given_up: IntArray,
    recent: FloatArray | None = None,
) -> StatedErrors:
    """Rates of mistakes by bin, where labels that were given up count as far as they may be mistakes."""
    if not given_up.any():
        return stated_errors(bins.centres, labelled, wrong, recent)
    mistakes = given_up * worst_rates(state)
    if recent is not None:
        shown = np.divide(recent[0], labelled, out=np.ones(BINS), where=labelled > 0)
        recent = np.array([recent[0] + shown * given_up, recent[1] + shown * mistakes])
    return stated_errors(bins.centres, labelled + given_up, wrong + mistakes, recent)


def worst_rates(state: State) -> FloatArray:
    """How many of the silent may be mistakes, by bin: all, until enough of them were asked again."""
    came, wrong = state.heard
    if came.sum() < _ENOUGH:
        return np.ones(BINS)
    upper = np.ones(_REGIONS)
    some = wrong < came
    upper[some] = special.betaincinv(wrong[some] + 1.0, (came - wrong)[some], _LEVEL)
    return np.repeat(upper, BINS // _REGIONS)


def add_silent(state: State, rows: NDArray[np.void], place: IntArray) -> State:
    """Keep cases that were given up, so that their label may still come."""
    fresh = np.zeros(len(rows), dtype=SILENT)
    fresh["seq"], fresh["place"], fresh["again"] = rows["seq"], place, rows["again"]
    given_up = state.given_up + np.bincount(place, minlength=BINS)
    return replace(state, given_up=given_up, silent=np.concatenate([state.silent, fresh])[-_KEPT:])


def give_up_again(state: State, before: int) -> State:
    """Count cases that were asked again in vain as mistakes of those asked again."""
    silent = state.silent
    over = silent["again"] & ~silent["lost"] & (silent["seq"] < before)
    if not over.any():
        return state
    again, heard = silent.copy(), _by_region(silent["place"][over])
    again["lost"] |= over
    return replace(state, silent=again, heard=state.heard + np.array([heard, heard]))


def hear_silent(state: State, seq: IntArray, wrong: BoolArray) -> State:
    """Take in labels of cases that were given up: they teach what they found."""
    silent = state.silent
    if not len(silent) or not len(seq):
        return state
    first = np.unique(seq, return_index=True)[1]
    _, mine, theirs = np.intersect1d(silent["seq"], seq[first], return_indices=True)
    if not len(mine):
        return state
    rows, is_wrong = silent[mine], wrong[first][theirs]
    place = rows["place"].astype(np.int64)
    labelled = np.bincount(place, minlength=BINS)
    mistakes = np.bincount(place[is_wrong], minlength=BINS)
    again = rows["again"]
    # one that was asked again in vain counts as a mistake there already
    heard = np.array(
        [
            _by_region(place[again & ~rows["lost"]]),
            _by_region(place[again & is_wrong]) - _by_region(place[again & rows["lost"]]),
        ]
    )
    return replace(
        state,
        silent=np.delete(silent, mine),
        given_up=state.given_up - labelled,
        labelled=state.labelled + labelled,
        wrong=state.wrong + mistakes,
        recent=state.recent + np.array([labelled, mistakes]),
        heard=state.heard + heard,
    )


def _by_region(place: NDArray[np.integer]) -> IntArray:
    return np.bincount(place.astype(np.int64) * _REGIONS // BINS, minlength=_REGIONS)
