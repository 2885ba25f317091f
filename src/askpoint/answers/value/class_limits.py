"""A recall or a precision of one class for new cases: each class has a posterior of its own."""

from __future__ import annotations

import numpy as np

from askpoint.answers.value.model_cases import ModelCases
from askpoint.answers.value.posteriors import posterior_of
from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import BoolArray, FloatArray
from askpoint.records.predictions import PredictionLog
from askpoint.value.objectives import Objective
from askpoint.value.posterior.prospects import Prospects, from_above
from askpoint.value.posterior.recommendation import (
    SURE,
)

__all__ = ["class_step", "draws_on"]

_FEWEST = 10  # labels among the answers of a class, below which its rates are hearsay


def draws_on(
    case: ModelCases, found: Prospects, rows: BoolArray, hit: BoolArray, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Mass of some rows in each group of all cases, and draws of how often they are hit.

    `hit` tells of each labelled row whether what the posterior is about holds.
    """
    log, places = _log(case), case.places
    groups = np.searchsorted(found.thresholds[:-1], places.lowest[rows], side="right") - 1
    mass = np.bincount(groups.clip(0), places.mass[rows], len(found.mass)) / places.mass.sum()
    if not rows.any():
        return mass, np.ones((len(found.right_draws), len(mass)))
    right, wrong = np.zeros(log.n_items), np.zeros(log.n_items)
    right[log.labelled], wrong[log.labelled] = hit, ~hit
    subset = places._replace(right=right, wrong=wrong).take(rows)
    posterior = posterior_of(
        subset,
        is_weighted=case.is_weighted and log.chosen is None,
        is_score=case.question.objective.costs is not None,
    )
    return mass, posterior.draw(found.thresholds[:-1], len(found.right_draws), rng)


def class_step(
    case: ModelCases, objective: Objective, found: Prospects, rng: np.random.Generator
) -> tuple[int, float, bool]:
    """The boldest threshold that keeps a limit on a class with probability .9, by its position.

    Where there is none, that which most likely keeps it; the probability, and whether that is
    decided.
    """
    limit = objective.class_limit
    if limit is None:
        raise InputError(f"{objective} is not a limit on a class")
    log = _log(case)
    if str(limit.label) not in log.classes:
        shown = ", ".join(map(repr, log.classes[:10]))
        raise InputError(f"the label {limit.label!r} is not among the classes {shown}")
    code = log.classes.index(str(limit.label))
    said = log.prediction == code
    of_recall = limit.of == "recall"
    if of_recall and log.n_labelled and not (log.label == code).any():
        raise NotEstimableError(
            f"no case has the label {limit.label!r}, so its recall is not known; label some"
        )
    asked_about = ~said if of_recall else said
    n_known = int((asked_about & log.labelled).sum())
    if log.n_labelled and asked_about.any() and n_known < _FEWEST:
        raise NotEstimableError(
            f"of the answers {'other than ' * of_recall}{limit.label!r} {n_known} have a label, too "
            f"few to know how often they are right: label {_FEWEST} of them, drawn at random"
        )
    mass, right = draws_on(case, found, said, log.label == code, rng)
    if not of_recall:
        bad, whole = from_above(mass * (1 - right)), from_above(mass)[None, :]
    else:
        others, kept_right = draws_on(case, found, ~said, log.label != code, rng)
        bad = from_above(others * (1 - kept_right))
        whole = (mass * right).sum(axis=1, keepdims=True) + bad[:, :1]
    holds = (bad <= (1 - limit.level) * whole + 1e-12).mean(axis=0)
    last = len(found.mass)
    sure = int(np.flatnonzero(holds >= SURE)[0])  # asking everybody keeps any limit
    if sure < last:
        return sure, float(holds[sure]), True
    likely = (bad.mean(axis=0) <= (1 - limit.level) * whole.mean(axis=0)).argmax()
    step = int(likely)
    return step, float(holds[step]), bool(holds[:-1].max() <= 1 - SURE)


def _log(case: ModelCases) -> PredictionLog:
    if case.log is None:
        raise InputError("limits on single classes look at the cases, which a sketch does not keep")
    return case.log
