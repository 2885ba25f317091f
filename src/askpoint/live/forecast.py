"""When a closed policy answers again, if people go on to find what they found lately.

The rates of mistakes behind the labels that speak best for an opening are drawn from their posterior;
each draw lives on, label by label, under the very rules by which the policy opens. As large a share of its
labels is missing as of these.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from askpoint.live.calibration import BINS, ConfidenceBins, draw_errors, stated_errors
from askpoint.live.certificates import advance_start, place_to_open
from askpoint.live.opening import own_start, paying_threshold
from askpoint.live.restarts import LabelCounts, Restarts, Start
from askpoint.live.silence import is_too_silent, silent_share, worst_rates
from askpoint.live.state import State
from askpoint.live.terms import Terms
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["Forecast", "forecast_reopening"]

_ENOUGH = 200  # labels before which nothing can be said
_FEWEST = 50  # that may show that a trouble has just ended
_FAR = 0.5  # of the mistakes of before
_FUTURES = 40
_STEPS = np.array([50] * 40 + [200] * 30)  # labels between looks
_ENDS = np.cumsum(_STEPS)
_OFTEN = 1000  # labels during which a price is fitted at each look; then so many labels apart
_COVERAGE = 0.08 + 0.9 * np.arange(32) / 31  # of the thresholds of the grid
_SHARES = np.clip(
    np.arange(1, BINS + 1)[:, None] - BINS * (1 - _COVERAGE), 0, 1
)  # of bins, above them
_NEVER = 0.8  # of the futures
_POOLED = 20  # cases for which the share of all missing labels counts in each bin
_MANY = 0.5  # of the limit: where so many labels are missing, they may be why it does not open


class _Future(NamedTuple):
    """Labels that came, mistakes among them, and labels that did not come, by look and bin."""

    labelled: IntArray
    wrong: IntArray
    given_up: IntArray


@dataclass(frozen=True)
class Forecast:
    """How many more labels until it answers again.

    Parameters
    ----------
    labels : int
        Labels on which this rests.
    lower, middle, upper : float
        More labels: half of the futures open before the middle, nine of ten between the others; infinite
        where it does not open within 8,000.
    never : float
        Share of the futures in which it does not open within 8,000 labels.
    is_silent : bool
        Whether so many labels are missing that they may be the reason.
    """

    labels: int
    lower: float
    middle: float
    upper: float
    never: float
    is_silent: bool = False

    @property
    def is_never(self) -> bool:
        """Whether it does not come back at these terms, unless the model changes."""
        return self.never >= _NEVER


def forecast_reopening(
    state: State, terms: Terms, rng: np.random.Generator, *, futures: int = _FUTURES
) -> Forecast | None:
    """Return when a closed policy answers again; None where it answers, or while too little is known.

    Parameters
    ----------
    state : State
        As of now.
    terms : Terms
        What was agreed.
    rng : numpy.random.Generator
        Draws the futures.
    futures : int, default=40
        How many.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint import Terms
    >>> from askpoint.live.forecast import forecast_reopening
    >>> from askpoint.live.state import fresh_state
    >>> forecast_reopening(
    ...     fresh_state(Terms("money", 0.1)), Terms("money", 0.1), np.random.default_rng(0)
    ... )
    """
    bins = state.bins
    if state.threshold is not None or bins is None:
        return None
    start, known = _best_start(state, terms), _known_blocks(state)
    counts = _latest(known) if terms.aim == "money" else start.counts
    if counts is None or counts.labelled.sum() < _ENOUGH:
        return None
    if terms.aim == "money" and _has_just_ended(known, counts):
        return None
    found = _open_after(state, terms, bins, start, known, counts, rng, futures)
    lower, middle, upper = np.quantile(found, [0.05, 0.5, 0.95], method="nearest").tolist()
    never = float(np.isinf(found).mean())
    silent = silent_share(counts.given_up, counts.labelled) > _MANY * terms.answer_below
    return Forecast(int(counts.labelled.sum()), lower, middle, upper, never, silent)


def _open_after(
    state: State,
    terms: Terms,
    bins: ConfidenceBins,
    start: Start,
    known: list[LabelCounts],
    counts: LabelCounts,
    rng: np.random.Generator,
    futures: int,
) -> FloatArray:
    """Labels until each future opens, where people go on to find what they found in these labels."""
    asked, found = counts.labelled + counts.given_up, []
    pooled = _POOLED * silent_share(counts.given_up, counts.labelled)
    missing: FloatArray = (counts.given_up + pooled) / (asked + _POOLED)
    share = (asked + 1) / (asked + 1).sum()
    for errors in draw_errors(bins.centres, counts.labelled, counts.wrong, rng, futures):
        labelled = rng.multinomial(_STEPS, share)
        given_up = rng.binomial(labelled, missing) if missing.any() else np.zeros_like(labelled)
        labelled = labelled - given_up
        future = _Future(labelled, rng.binomial(labelled, errors), given_up)
        if terms.aim == "money":
            found.append(_paying_after(state, terms, bins, known, future))
        else:
            found.append(_labels_to_certificate(state, terms, bins, start, counts, future))
    return np.array(found)


def _best_start(state: State, terms: Terms) -> Start:
    """The start that is next to open, by its evidence."""
    starts = () if state.restarts is None else state.restarts.starts
    return max([own_start(state), *starts], key=lambda start: start.score(terms.limit))


def _known_blocks(state: State) -> list[LabelCounts]:
    """What a price looks at, in its order: blocks counted anew, else all of the episode."""
    if state.restarts is None:
        own = own_start(state).counts
        return [] if own is None else [own]
    blocks = (*state.restarts.blocks, state.restarts.partial)
    return [block for block in blocks if block is not None]


def _latest(blocks: list[LabelCounts], enough: int = _ENOUGH) -> LabelCounts | None:
    """The last labels, so many and a block more at most."""
    total: LabelCounts | None = None
    for block in reversed(blocks):
        if total is not None and total.labelled.sum() >= enough:
            break
        total = block if total is None else total + block
    return total


def _has_just_ended(known: list[LabelCounts], counts: LabelCounts) -> bool:
    """Whether the last labels have far fewer mistakes than those before: a trouble may have just ended."""
    last = _latest(known, _FEWEST) or counts
    n, w = last.labelled.sum(), last.wrong.sum()
    before, mistakes = counts.labelled.sum() - n, counts.wrong.sum() - w
    return bool(before > 0 and w * before < _FAR * mistakes * n)


def _labels_to_certificate(
    state: State,
    terms: Terms,
    bins: ConfidenceBins,
    start: Start,
    base: LabelCounts,
    future: _Future,
) -> float:
    """Labels until a start opens; infinite if it does not."""
    relapses = None if start.number == state.start else state.relapses
    labelled, wrong, given_up = (column.cumsum(axis=0) for column in future)
    n = base.n + (labelled + given_up) @ _SHARES
    w = base.w + (wrong + given_up) @ _SHARES
    for step, labels in enumerate(_ENDS.tolist()):
        counts = replace(base, labels=base.labels + labels, n=n[step], w=w[step])
        start = advance_start(replace(start, counts=counts), terms)
        place = place_to_open(start, terms, relapses)
        if place is None:
            continue
        so_far = base.given_up + given_up[step], base.labelled + labelled[step]
        if not is_too_silent(state, *so_far, float(bins.grid[place])):
            return float(labels)
    return math.inf


def _paying_after(
    state: State,
    terms: Terms,
    bins: ConfidenceBins,
    known: list[LabelCounts],
    future: _Future,
) -> float:
    """Labels until the window pays, which is looked at ever more rarely: each look is a fit."""
    columns = [(block.labelled, block.wrong, block.given_up) for block in known]
    columns += zip(*future, strict=True)
    labelled, wrong, given_up = (np.cumsum(column, axis=0) for column in zip(*columns, strict=True))
    worst = worst_rates(state)
    restarts = Restarts() if state.restarts is None else state.restarts
    total, must = (labelled + given_up).sum(axis=1), restarts.window_labels(state.relapses)
    for step in np.flatnonzero((_ENDS <= _OFTEN) | (_ENDS % _OFTEN == 0)).tolist():
        now = len(known) + step
        first = int(np.searchsorted(total, total[now] - must, side="right")) - 1
        if total[now] < must:
            continue
        window = [
            column[now] - (column[first] if first >= 0 else 0)
            for column in (labelled, wrong, given_up)
        ]
        errors = stated_errors(bins.centres, window[0] + window[2], window[1] + window[2] * worst)
        threshold = paying_threshold(errors, terms, bins)
        if threshold is not None and not is_too_silent(state, window[2], window[0], threshold):
            return float(_ENDS[step])
    return math.inf
