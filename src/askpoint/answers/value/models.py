"""Several models on the same cases: which is best at which price, and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.exchange import ExchangeRate
from askpoint.records.predictions import PredictionLog
from askpoint.value.curve import ValueCurve
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.model_comparison import (
    BestRange,
    PairedDifference,
    best_ranges,
    paired_difference,
)
from askpoint.value.objectives import OperatingPoint

__all__ = ["ModelComparison", "Unpaired", "compare_models"]

Unpaired = Literal["other cases", "other labels", "only counts", "no price"]
"""Why ranges of prices, or differences, are missing from a comparison."""


@dataclass(frozen=True)
class ModelComparison:
    """What models are worth beside each other.

    Parameters
    ----------
    curves : mapping from name to ValueCurve
        The best model first.
    ranges : tuple of BestRange
        Prices at which each model is best.
    rate : ExchangeRate or None
        The price of the differences.
    differences : tuple of (str, PairedDifference)
        Value per case of the first model minus that of each other one, at each model's own
        threshold.
    reason : Unpaired or None
        Why ranges or differences are missing.
    """

    curves: Mapping[str, ValueCurve]
    ranges: tuple[BestRange, ...] = ()
    rate: ExchangeRate | None = None
    differences: tuple[tuple[str, PairedDifference], ...] = ()
    reason: Unpaired | None = None


def compare_models(
    logs: Mapping[str, PredictionLog],
    curves: Mapping[str, ValueCurve],
    points: Mapping[str, OperatingPoint],
    *,
    level: float = 0.95,
) -> ModelComparison:
    """Compare models case by case, where they were run on the same cases."""
    names = list(curves)
    paired = [_by_id(logs[name], curves[name].cases) for name in names]
    ids, cases = zip(*paired, strict=True)
    if not all(np.array_equal(ids[0], other) for other in ids):
        return ModelComparison(curves, reason="other cases")
    if not all(np.array_equal(cases[0].truth, other.truth) for other in cases):
        return ModelComparison(curves, reason="other labels")
    ranges = tuple(best_ranges(curves))
    rate = points[names[0]].rate
    if rate is None:
        return ModelComparison(curves, ranges, reason="no price")
    thresholds = [points[name].threshold for name in names]
    differences = tuple(
        (
            name,
            paired_difference(
                cases[0], other, rate.omega, thresholds=(thresholds[0], threshold), level=level
            ),
        )
        for name, other, threshold in list(zip(names, cases, thresholds, strict=True))[1:]
    )
    return ModelComparison(curves, ranges, rate, differences)


def _by_id(log: PredictionLog, cases: LabelledCases | None) -> tuple[Any, LabelledCases]:
    """The labelled cases in the order of their ids."""
    if cases is None:
        raise InputError("models are compared case by case: their curves do not know the cases")
    ids = log.ids[log.labelled]
    order = np.argsort(ids, kind="stable")
    return ids[order], LabelledCases(
        cases.classes,
        cases.truth[order],
        cases.predicted[order],
        cases.confidence[order],
        None if cases.weight is None else cases.weight[order],
    )
