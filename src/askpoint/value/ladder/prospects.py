"""What a ladder does to new cases: calls, checks and mistakes, with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.value.ladder.learning import LadderCases, LearnedLadder
from askpoint.value.ladder.stages import ANSWER, ASK
from askpoint.value.posterior.prospects import Expected

__all__ = ["LadderProspects", "ladder_prospects"]

_DRAWS = 400
_BINS = 30
_SHARED = (
    0.5  # of the luck of a state's labels; with 1 intervals are wider, and held in all of 240 runs
)


@dataclass(frozen=True)
class LadderProspects:
    """What happens to new cases, with the middle 95% of the next 1,000.

    Parameters
    ----------
    cost_per_1000 : Expected
        In checks: calls, people and mistakes.
    asked, mistakes : Expected
        Share of the cases that people look at, and that are answered wrongly.
    calls : tuple of Expected
        Share of the cases on which each rung is called.
    """

    cost_per_1000: Expected
    asked: Expected
    mistakes: Expected
    calls: tuple[Expected, ...]


def ladder_prospects(
    cases: LadderCases,
    learned: LearnedLadder,
    rng: np.random.Generator,
    *,
    at_least: float | None = None,
    n_new: int = 1000,
) -> LadderProspects:
    """Return what a ladder does to new cases.

    Parameters
    ----------
    cases : LadderCases
        On which it was learned.
    learned : LearnedLadder
        The ladder.
    rng : numpy.random.Generator
        Of the draws.
    at_least : float, optional
        Checks per case that labels in folds show it to cost: stated where that is more.
    n_new : int, default=1000
        Of how many new cases the intervals speak.

    Returns
    -------
    LadderProspects
    """
    n_rungs = cases.outputs.n_rungs
    if learned.ladder.first == ASK:
        none = Expected(0.0, 0.0, 0.0)
        asked = Expected(1.0, 1.0, 1.0)
        cost = Expected(*(1000 * cases.asking,) * 3)
        return LadderProspects(cost, asked, none, (none,) * n_rungs)
    calls = np.zeros(n_rungs)
    calls[learned.ladder.first] = 1.0
    asked_share, wrong = 0.0, 0.0
    draws, luck = np.zeros(_DRAWS), rng.standard_normal(_DRAWS)
    for state, mass in _arrivals(cases, learned):
        posterior, confidence = learned.posteriors[state], learned.opinions[state].confidence
        action = _actions(learned, state)
        for rung in range(n_rungs):
            calls[rung] += mass[action == rung].sum()
        asked_share += float(mass[action == ASK].sum())
        groups = posterior.evidence_.group_of(confidence)
        answered = np.where(action == ANSWER, mass, 0.0)
        by_group = np.bincount(groups, answered, len(posterior.right_))
        wrong += float(by_group @ (1 - posterior.right_))
        # states share labels in part: what is bad for one is bad for another with this correlation
        both = np.sqrt(_SHARED) * luck + np.sqrt(1 - _SHARED) * rng.standard_normal(_DRAWS)
        lost = np.sort((1 - posterior.draw_groups(_DRAWS, rng)) @ by_group)
        draws += lost[both.argsort().argsort()]
    return _of_new_cases(cases, calls, asked_share, wrong, draws, at_least, n_new, rng)


def _arrivals(cases: LadderCases, learned: LearnedLadder) -> Iterator[tuple[int, FloatArray]]:
    """Yield each state, and the share of all cases that each case with its outputs stands for there.

    Where a rung was called on part of the cases only, those stand for the others of about the same confidence.
    """
    seen, ladder = cases.outputs.seen, learned.ladder
    mass = {1 << ladder.first: seen[ladder.first] / seen[ladder.first].sum()}
    for state in ladder.reachable_states():
        rows = cases.outputs.rows_of(state)
        own = mass.get(state, np.zeros(cases.outputs.n_items))[rows]
        yield state, own
        action, confidence = _actions(learned, state), learned.opinions[state].confidence
        for rung in np.unique(action[action >= 0]).tolist():
            onward = np.zeros(cases.outputs.n_items)
            onward[rows] = np.where(action == rung, own, 0.0)
            onward[rows] = _shift_to(onward[rows], seen[rung][rows], confidence)
            target = state | 1 << rung
            mass[target] = mass.get(target, 0.0) + onward


def _shift_to(mass: FloatArray, has_output: BoolArray, confidence: FloatArray) -> FloatArray:
    """Give the mass of cases without an output to those with one, of about the same confidence."""
    here = mass > 0
    carriers = here & has_output
    if not here.any() or (carriers == here).all():
        return mass
    if (
        not carriers.any()
    ):  # every one that is called for lacks it: take those nearest in confidence
        nearest = np.abs(confidence - confidence[here].mean())
        carriers = has_output & (nearest <= np.sort(nearest[has_output])[:_BINS][-1])
    ordered = np.sort(confidence[carriers])
    n_bins = max(1, min(_BINS, len(ordered) // 15))
    edges = np.unique(ordered[np.arange(n_bins) * len(ordered) // n_bins])
    place = (np.searchsorted(edges, confidence, side="right") - 1).clip(0)
    wanted = np.bincount(place, mass, len(edges))
    weight = np.where(here, mass, 1.0) * carriers
    return np.asarray(weight * (wanted / np.bincount(place, weight, len(edges)))[place])


def _actions(learned: LearnedLadder, state: int) -> IntArray:
    stage = learned.ladder.stages[state]
    return np.asarray(stage.action[stage.piece_of(learned.opinions[state].confidence)])


def _of_new_cases(
    cases: LadderCases,
    calls: FloatArray,
    asked: float,
    wrong: float,
    draws: FloatArray,
    at_least: float | None,
    n_new: int,
    rng: np.random.Generator,
) -> LadderProspects:
    model = float(calls @ cases.prices) + asked * cases.asking + wrong * cases.checks
    more = 0.0 if at_least is None else max(0.0, at_least - model) / cases.checks
    draws = (draws - draws.mean() + wrong + more).clip(0, 1)
    seen = float(cases.outputs.n_items)
    new_calls = [_new_share(share, seen, n_new, rng) for share in calls]
    new_asked = _new_share(asked, seen, n_new, rng)
    new_wrong = rng.binomial(n_new, draws) / n_new
    cost = 1000 * (
        np.array(new_calls).T @ cases.prices + new_asked * cases.asking + new_wrong * cases.checks
    )
    return LadderProspects(
        _summarise_draws(1000 * (model + more * cases.checks), cost),
        _summarise_draws(asked, new_asked),
        _summarise_draws(wrong + more, new_wrong),
        tuple(
            _summarise_draws(share, new)
            for share, new in zip(calls.tolist(), new_calls, strict=True)
        ),
    )


def _new_share(share: float, seen: float, n_new: int, rng: np.random.Generator) -> FloatArray:
    """Draw shares of the next cases, of one that is known from those seen."""
    if share <= 0 or share >= 1:
        return np.full(_DRAWS, min(max(share, 0.0), 1.0))
    drawn = rng.beta(share * seen + 0.5, (1 - share) * seen + 0.5, _DRAWS)
    return np.asarray(rng.binomial(n_new, drawn) / n_new)


def _summarise_draws(mean: float, draws: FloatArray) -> Expected:
    low, high = np.quantile(draws, [0.025, 0.975])
    return Expected(mean, min(float(low), mean), max(float(high), mean))
