"""Several models on the same cases: which is best at which price, and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from askpoint.answers.value.out_of_fold import thresholds_out_of_fold
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.row_case import RowCase
from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.intervals import Interval
from askpoint.records.predictions import PredictionLog
from askpoint.value.curve import ValueCurve
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.model_comparison import (
    BestRange,
    ModelDifference,
    best_ranges,
)
from askpoint.value.objectives import OperatingPoint
from askpoint.value.posterior.best_threshold import is_expected
from askpoint.value.posterior.choosing import CHOSEN_IN_FOLDS, compare_costs
from askpoint.value.posterior.cross_fitting import draw_folds

__all__ = ["ModelComparison", "Unpaired", "compare_models"]

Unpaired = Literal["other cases", "other labels", "only counts", "no price", "one case"]
"""Why ranges of prices, or differences, are missing from a comparison."""


@dataclass(frozen=True)
class ModelComparison:
    """What models are worth beside each other.

    Parameters
    ----------
    curves : mapping from name to ValueCurve
        The model that is expected to be best first.
    ranges : tuple of BestRange
        Prices at which each model is best on these rows, in hindsight.
    rate : ExchangeRate or None
        The price of the differences.
    differences : tuple of (str, PairedDifference)
        Value per case of the first model minus that of each other one; each case at a threshold
        chosen without it, and the intervals hold for all pairs of models at once.
    p_values : tuple of float
        Of no difference, for each of these, corrected for all pairs.
    shown_best : str or None
        The model that is shown to be better than every other one.
    reason : Unpaired or None
        Why ranges or differences are missing.
    """

    curves: Mapping[str, ValueCurve]
    ranges: tuple[BestRange, ...] = ()
    rate: ExchangeRate | None = None
    differences: tuple[tuple[str, ModelDifference], ...] = ()
    p_values: tuple[float, ...] = ()
    shown_best: str | None = None
    reason: Unpaired | None = None


def compare_models(
    logs: Mapping[str, PredictionLog],
    curves: Mapping[str, ValueCurve],
    points: Mapping[str, OperatingPoint],
    question: ValueQuestion,
) -> ModelComparison:
    """Compare models case by case, where they were run on the same cases."""
    names = list(curves)
    paired = [_by_id(logs[name], curves[name].cases) for name in names]
    orders, ids, cases = zip(*paired, strict=True)
    if not all(np.array_equal(ids[0], other) for other in ids):
        return ModelComparison(curves, reason="other cases")
    if not all(np.array_equal(cases[0].truth, other.truth) for other in cases):
        return ModelComparison(curves, reason="other labels")
    ranges = tuple(best_ranges(curves))
    rate = points[names[0]].rate
    if rate is None:
        return ModelComparison(curves, ranges, reason="no price")
    first = logs[names[0]]
    cluster = None if first.cluster is None else first.cluster[first.labelled][orders[0]]
    rng = np.random.default_rng(question.seed)
    try:
        folds = draw_folds(len(ids[0]), rng, cluster=cluster)
    except NotEstimableError:
        return ModelComparison(curves, ranges, rate, reason="one case")
    costs = np.column_stack(
        [
            _costs(RowCase(logs[name], question), order, folds, points[name].threshold, rate)
            for name, order in zip(names, orders, strict=True)
        ]
    )
    weight = cases[0].weight
    if weight is not None:
        costs = costs * (weight / weight.mean())[:, None]
    # labels that choose no threshold make none luckier
    inflation = CHOSEN_IN_FOLDS if is_expected(question.objective) else 1.0
    found = compare_costs(costs, rng, level=question.level, cluster=cluster, inflation=inflation)
    beside = {pair.models[1]: pair for pair in found.pairs if pair.models[0] == 0}
    differences = tuple(
        (
            names[k],
            # a check less is worth one right answer more
            ModelDifference(-pair.difference, Interval(-pair.interval.upper, -pair.interval.lower)),
        )
        for k, pair in beside.items()
    )
    return ModelComparison(
        curves,
        ranges,
        rate,
        differences,
        tuple(pair.p_value for pair in beside.values()),
        None if found.best is None else names[found.best],
    )


def _costs(
    case: RowCase, order: IntArray, folds: IntArray, fixed: float, rate: ExchangeRate
) -> FloatArray:
    """Cost in checks of each labelled case, in the order of ids, at a threshold chosen without it."""
    own = np.empty_like(folds)
    own[order] = folds
    thresholds = thresholds_out_of_fold(case, own, fixed)
    labelled = case.log.labelled
    answered = case.places.lowest[labelled] >= thresholds
    wrong = case.places.wrong[labelled] > 0
    return np.where(answered, rate.checks_per_mistake * wrong, 1.0)[order]


def _by_id(log: PredictionLog, cases: LabelledCases | None) -> tuple[IntArray, Any, LabelledCases]:
    """The order of ids, and the labelled cases in it."""
    if cases is None:
        raise InputError("models are compared case by case: their curves do not know the cases")
    ids = log.ids[log.labelled]
    order = np.argsort(ids, kind="stable")
    return (
        order,
        ids[order],
        LabelledCases(
            cases.classes,
            cases.truth[order],
            cases.predicted[order],
            cases.confidence[order],
            None if cases.weight is None else cases.weight[order],
        ),
    )
