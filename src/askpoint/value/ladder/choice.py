"""The ladder or its best single rung: never the ladder where labels do not show that it saves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.value.ladder.learning import (
    LadderCases,
    LearnedLadder,
    learn_ladder,
    single_rung,
)
from askpoint.value.ladder.prospects import LadderProspects, ladder_prospects
from askpoint.value.ladder.stages import Walk
from askpoint.value.posterior.cross_fitting import draw_folds

__all__ = ["Guard", "LadderChoice", "choose_ladder", "held_out_costs", "held_out_walk"]

_FOLDS = 4
_LEAST_SAVED = 0.01  # checks per case, by the model


@dataclass(frozen=True)
class Guard:
    """Whether the ladder is used in place of the best single rung.

    Parameters
    ----------
    saved_by_model : float
        Checks per case that it is expected to save.
    saved_by_labels : float
        Checks per labelled case that it saved, each case by a ladder and a single rung learned without it.
    error : float
        Standard error of that.
    n_labelled : int
        Cases with a label and an output of each rung.
    is_used : bool
        Whether both show a saving.
    """

    saved_by_model: float
    saved_by_labels: float
    error: float
    n_labelled: int
    is_used: bool


@dataclass(frozen=True, eq=False)
class LadderChoice:
    """What to do with cases to come.

    Parameters
    ----------
    learned : LearnedLadder
        What to use: the ladder, the best single rung, or asking at once.
    guard : Guard
        Why.
    prospects : LadderProspects
        What it does to 1,000 new cases.
    ladder, single : LadderProspects
        The same of the ladder and of the best single rung, whichever is used.
    """

    learned: LearnedLadder
    guard: Guard
    prospects: LadderProspects
    ladder: LadderProspects
    single: LadderProspects


def choose_ladder(
    cases: LadderCases, rng: np.random.Generator, *, n_new: int = 1000
) -> LadderChoice:
    """Learn a ladder, and use it where it is shown to save against its best single rung.

    Parameters
    ----------
    cases : LadderCases
        Cases, labels and prices.
    rng : numpy.random.Generator
        Of folds and draws.
    n_new : int, default=1000
        Of how many new cases the intervals speak.

    Returns
    -------
    LadderChoice

    Raises
    ------
    NotEstimableError
        If a rung was called on no case with a label.

    Notes
    -----
    Asking at once counts as a single rung. The ladder is used where the model expects it to save more than a
    hundredth of a check per case, and where it saved more than a standard error in four folds of the labels, each
    learned without. Stated is the dearer of what the model expects and what the folds show.
    """
    learned = learn_ladder(cases, rng)
    single = single_rung(learned, cases)
    guard = _guard(cases, single.cost - learned.cost, rng)
    shown = single.cost - guard.saved_by_labels if guard.n_labelled else None
    of_single = ladder_prospects(cases, single, rng, n_new=n_new)
    of_ladder = ladder_prospects(cases, learned, rng, at_least=shown, n_new=n_new)
    return LadderChoice(
        learned if guard.is_used else single,
        guard,
        of_ladder if guard.is_used else of_single,
        of_ladder,
        of_single,
    )


def held_out_walk(
    cases: LadderCases, rng: np.random.Generator, *, is_ladder: bool
) -> tuple[IntArray, Walk]:
    """Walk each labelled case that has every output by a rule learned without it.

    Parameters
    ----------
    cases : LadderCases
        Cases, labels and prices.
    rng : numpy.random.Generator
        Of the folds.
    is_ladder : bool
        Whether by the ladder, or by the best single rung.

    Returns
    -------
    rows : ndarray of int
        Those cases.
    walk : Walk
        Where they end.
    """
    rows = _complete_rows(cases)
    walks, places = [], []
    for held, rules in _rules_of_folds(cases, rows, rng):
        learned = rules[0] if is_ladder else rules[1]
        places.append(held)
        walks.append(learned.ladder.walk(cases.outputs.take(rows[held])))
    order = np.argsort(np.concatenate(places))
    columns = (np.concatenate(column)[order] for column in zip(*walks, strict=True))
    return rows, Walk(*columns)


def _guard(cases: LadderCases, saved: float, rng: np.random.Generator) -> Guard:
    rows = _complete_rows(cases)
    if len(rows) < 2 * _FOLDS or saved <= 0:
        return Guard(saved, 0.0, 0.0, len(rows), is_used=False)
    gains = np.empty(len(rows))
    for held, rules in _rules_of_folds(cases, rows, rng):
        ladder, alone = (held_out_costs(cases, rule, rows[held]) for rule in rules)
        gains[held] = alone - ladder
    mean, error = float(gains.mean()), float(gains.std(ddof=1) / np.sqrt(len(gains)))
    return Guard(saved, mean, error, len(rows), is_used=saved > _LEAST_SAVED and mean > error)


def held_out_costs(cases: LadderCases, learned: LearnedLadder, rows: IntArray) -> FloatArray:
    """Return what a ladder costs on cases with labels and all outputs, in checks."""
    walk = learned.ladder.walk(cases.outputs.take(rows))
    return walk.costs(cases.prices, cases.label[rows], cases.checks, cases.asking)


def _complete_rows(cases: LadderCases) -> IntArray:
    """Return the cases with a label and every output."""
    return np.flatnonzero(cases.labelled & cases.outputs.seen.all(axis=0))


def _rules_of_folds(
    cases: LadderCases, rows: IntArray, rng: np.random.Generator
) -> Iterator[tuple[IntArray, tuple[LearnedLadder, LearnedLadder]]]:
    """Yield places of rows, and the ladder and the best single rung learned without their labels."""
    folds = draw_folds(len(rows), rng, n_folds=_FOLDS)
    for fold in range(_FOLDS):
        held = np.flatnonzero(folds == fold)
        hidden: BoolArray = np.zeros(cases.outputs.n_items, dtype=np.bool_)
        hidden[rows[held]] = True
        fewer = cases.without_labels(hidden)
        learned = learn_ladder(fewer, rng)
        yield held, (learned, single_rung(learned, fewer))
