"""Thresholds chosen without the rows on which they are stated: numbers that choosing does not flatter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.answers.value.model_cases import ModelCases
from askpoint.answers.value.posteriors import needs_weights, posterior_of
from askpoint.errors import UnmetError
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.value.posterior.best_threshold import expected_best, is_expected
from askpoint.value.posterior.cross_fitting import draw_folds

__all__ = ["folds_of", "is_chosen_by_labels", "thresholds_out_of_fold"]


def is_chosen_by_labels(case: ModelCases) -> bool:
    """Whether a threshold is chosen by labels and can be chosen again without some of them."""
    return case.log is not None and is_expected(case.question.objective)


def folds_of(case: ModelCases) -> IntArray:
    """Ten folds of the labelled rows; rows that belong together lie in one."""
    if case.log is None:
        return np.zeros(0, dtype=np.int64)
    cluster = None if case.places.cluster is None else case.places.cluster[case.log.labelled]
    rng = np.random.default_rng(case.question.seed)
    return draw_folds(case.log.n_labelled, rng, cluster=cluster)


def thresholds_out_of_fold(case: ModelCases, folds: IntArray, fixed: float) -> FloatArray:
    """For each labelled row the threshold that the labels of the other folds choose.

    `fixed` for all where labels do not choose it.
    """
    log, places = case.log, case.places
    if log is None or not is_chosen_by_labels(case):
        return np.full(len(folds), fixed)
    objective = case.question.objective
    is_weighted = needs_weights(case)
    posterior = posterior_of(places, is_weighted=is_weighted)
    evidence = posterior.evidence_
    rows = np.flatnonzero(log.labelled)
    group = evidence.group_of(places.lowest[rows])
    weight = places.weight[rows] if is_weighted else np.ones(len(rows))
    weight = weight * (evidence.n_labelled / weight.sum())
    right, wrong = places.right[rows] * weight, places.wrong[rows] * weight
    n = len(evidence.lowest)
    found = np.empty(len(folds))
    for fold in np.unique(folds):
        held = folds == fold
        parts = (np.bincount(group[held], part[held], n) for part in (right, wrong))
        others = (
            np.maximum(whole - part, 0.0)
            for whole, part in zip((evidence.right, evidence.wrong), parts, strict=True)
        )
        rest = replace(evidence, **dict(zip(("right", "wrong"), others, strict=True)))
        try:
            found[held] = expected_best(posterior.copy_settings().fit_evidence(rest), objective)
        except UnmetError:
            found[held] = np.inf
    return found
