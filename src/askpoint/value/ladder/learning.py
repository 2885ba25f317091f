"""A ladder learned from cases of which some have labels: backward induction over the sets of rungs seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import NotEstimableError, ObjectiveError
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.value.ladder.outputs import RungOutputs
from askpoint.value.ladder.pooling import Opinion, pool, pool_weights
from askpoint.value.ladder.stages import ANSWER, ASK, Ladder, Stage, rungs_of
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["LadderCases", "LearnedLadder", "induce", "learn_ladder", "single_rung"]

_FOLDS = 5
_BINS, _LEAST_IN_BIN = 30, 15
_PASSES = 2  # of smoothing over neighbouring bins, by halves
_MARGIN = 0.01  # checks that a call must be expected to save
_TOP = 1 - 1e-12


@dataclass(frozen=True, eq=False)
class LadderCases:
    """Cases, what the rungs said of them, and what a mistake, a call and a person cost.

    Parameters
    ----------
    outputs : RungOutputs
        What the rungs said.
    labelled : ndarray of bool of shape (n_items,)
        Which cases have a label.
    label : ndarray of int of shape (n_items,)
        Their true classes; of no meaning where there is none.
    prices : ndarray of shape (n_rungs,)
        Of a call, in checks.
    checks : float
        Checks worth one mistake, 1 or more.
    asking : float, default=1
        What asking costs, in checks: 1, and what mistakes of people cost.
    """

    outputs: RungOutputs
    labelled: BoolArray
    label: IntArray
    prices: FloatArray
    checks: float
    asking: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.checks) and self.checks >= 1):
            raise ObjectiveError(f"checks per mistake must be at least 1; got {self.checks:g}")

    def without_labels(self, rows: BoolArray) -> LadderCases:
        """Return the same cases, of which some have lost their labels."""
        return LadderCases(
            self.outputs, self.labelled & ~rows, self.label, self.prices, self.checks, self.asking
        )


@dataclass(frozen=True, eq=False)
class LearnedLadder:
    """A ladder, what it is expected to cost, and what is known of each state.

    Parameters
    ----------
    ladder : Ladder
        The rule.
    cost : float
        Checks per case, in the posterior mean.
    posteriors : mapping of int to RightnessModel
        How often the opinion of each state is right.
    opinions : mapping of int to Opinion
        Of the cases that have all outputs of a state, in order.
    """

    ladder: Ladder
    cost: float
    posteriors: dict[int, RightnessModel]
    opinions: dict[int, Opinion]


def learn_ladder(cases: LadderCases, rng: np.random.Generator) -> LearnedLadder:
    """Learn which rung to call in which state, and where to answer.

    Parameters
    ----------
    cases : LadderCases
        Labels are used for how often an opinion is right; what a further call is worth is learned from all cases
        that have its output.
    rng : numpy.random.Generator
        Of the folds.

    Returns
    -------
    LearnedLadder

    Raises
    ------
    NotEstimableError
        If a rung was called on none of the cases with labels.

    Notes
    -----
    Weights of a state and how often its opinion is right are cross-fitted: the second is learned at confidences
    that four of five folds of the labels gave the others.
    """
    outputs = cases.outputs
    for rung in range(outputs.n_rungs):
        if not (outputs.seen[rung] & cases.labelled).any():
            raise NotEstimableError(
                f"rung {rung + 1} was called on no case that has a label: run it on the cases that you label"
            )
    folds = rng.permutation(outputs.n_items) % _FOLDS
    posteriors: dict[int, RightnessModel] = {}
    opinions: dict[int, Opinion] = {}
    weights: dict[int, FloatArray] = {}
    for state in _states(cases):
        weights[state], opinions[state], posteriors[state] = _learn_state(cases, state, folds)
    return induce(cases, weights, opinions, posteriors)


def single_rung(learned: LearnedLadder, cases: LadderCases) -> LearnedLadder:
    """Return the best rule that calls one rung at most, from what was learned already."""
    kept = [1 << rung for rung in range(cases.outputs.n_rungs)]
    return induce(
        cases,
        {state: np.ones(1) for state in kept},
        {state: learned.opinions[state] for state in kept},
        {state: learned.posteriors[state] for state in kept},
    )


def induce(
    cases: LadderCases,
    weights: dict[int, FloatArray],
    opinions: dict[int, Opinion],
    posteriors: dict[int, RightnessModel],
) -> LearnedLadder:
    """Find the best action of each state, from the last to the first."""
    n = cases.outputs.n_items
    worth: dict[int, FloatArray] = {}
    stages: dict[int, Stage] = {}
    for state in sorted(weights, key=lambda state: -len(rungs_of(state))):
        rows = cases.outputs.rows_of(state)
        confidence, posterior = opinions[state].confidence, posteriors[state]
        further = {
            rung: _MeanCost.of(confidence[both[rows]], worth[state | 1 << rung][both] + price)
            for rung, price in enumerate(cases.prices.tolist())
            if state | 1 << rung in worth and not state >> rung & 1
            for both in (cases.outputs.rows_of(state | 1 << rung),)
        }
        stages[state], values = _stage(cases, weights[state], posterior, further)
        worth[state] = np.zeros(n)
        worth[state][rows] = values[stages[state].piece_of(confidence)]
    starts = {
        rung: price + float(worth[1 << rung][cases.outputs.seen[rung]].mean())
        for rung, price in enumerate(cases.prices.tolist())
    }
    first = min(starts, key=lambda rung: starts[rung])
    if starts[first] >= cases.asking - _MARGIN:
        return LearnedLadder(Ladder(ASK, {}), cases.asking, posteriors, opinions)
    return LearnedLadder(Ladder(first, stages), starts[first], posteriors, opinions)


def _states(cases: LadderCases) -> list[int]:
    """Return the sets of rungs that were seen together on some case with a label."""
    return [
        state
        for state in range(1, 1 << cases.outputs.n_rungs)
        if (cases.outputs.rows_of(state) & cases.labelled).any()
    ]


def _learn_state(
    cases: LadderCases, state: int, folds: IntArray
) -> tuple[FloatArray, Opinion, RightnessModel]:
    """Return the weights of a state, its opinion of all cases that have it, and how often it is right."""
    rungs = rungs_of(state)
    rows = cases.outputs.rows_of(state)
    known = np.flatnonzero(rows & cases.labelled)
    log_p, label, prices = (
        cases.outputs.log_p[rungs][:, known],
        cases.label[known],
        cases.prices[rungs],
    )
    weights = pool_weights(log_p, label, prices)
    every = pool(cases.outputs.log_p[rungs][:, rows], weights)
    answer, confidence = np.empty(len(known), dtype=np.int64), np.empty(len(known))
    for fold in np.unique(folds[known]):
        held = folds[known] == fold
        own = pool_weights(log_p[:, ~held], label[~held], prices)
        answer[held], confidence[held] = pool(log_p[:, held], own)
    posterior = RightnessModel(scale="probability").fit(
        confidence.clip(0, _TOP), answer == label, every.confidence.clip(0, _TOP)
    )
    return weights, every, posterior


class _MeanCost:
    """Mean cost of going on, by confidence: in bins of about equal numbers of cases, smoothed."""

    def __init__(self, lowest: FloatArray, mean: FloatArray) -> None:
        self.lowest, self.mean = lowest, mean

    @classmethod
    def of(cls, confidence: FloatArray, cost: FloatArray) -> _MeanCost:
        """Average the cost of cases; a bin of one value is not smoothed with others."""
        n_bins = max(1, min(_BINS, len(confidence) // _LEAST_IN_BIN))
        ordered = np.sort(confidence)
        lowest = np.unique(ordered[np.arange(n_bins) * len(ordered) // n_bins])
        place = np.searchsorted(lowest, confidence, side="right") - 1
        total, cases = np.bincount(place, cost), np.bincount(place).astype(np.float64)
        ends = np.append(np.searchsorted(ordered, lowest)[1:], len(ordered))
        is_wide = ordered[ends - 1] > lowest
        share = 0.5 * (is_wide[1:] & is_wide[:-1])
        for _ in range(_PASSES):
            total, cases = (
                part + np.append(0.0, share * part[:-1]) + np.append(share * part[1:], 0.0)
                for part in (total, cases)
            )
        lowest[0] = 0.0
        return cls(lowest, total / cases)

    def at(self, confidence: FloatArray) -> FloatArray:
        """Return the mean of the bin of each confidence."""
        return np.asarray(self.mean[np.searchsorted(self.lowest, confidence, side="right") - 1])


def _stage(
    cases: LadderCases,
    weights: FloatArray,
    posterior: RightnessModel,
    further: dict[int, _MeanCost],
) -> tuple[Stage, FloatArray]:
    """Return the best action of each piece of confidence, and what it is expected to cost."""
    edges = [posterior.evidence_.lowest[1:], *(mean.lowest[1:] for mean in further.values())]
    lowest = np.unique(np.append(0.0, np.concatenate(edges)))
    right = posterior.predict(lowest)
    stop = np.minimum(cases.checks * (1 - right), cases.asking)
    action = np.where(cases.checks * (1 - right) <= cases.asking, ANSWER, ASK)
    least = stop - _MARGIN
    for rung, mean in further.items():
        cost = mean.at(lowest)
        action[cost < least] = rung
        stop = np.where(cost < least, cost, stop)
        least = np.minimum(least, cost)
    same = (action[1:] == action[:-1]) & (right[1:] == right[:-1]) & (stop[1:] == stop[:-1])
    keep = np.append(True, ~same)
    return Stage(weights, lowest[keep], right[keep], action[keep]), stop[keep]
