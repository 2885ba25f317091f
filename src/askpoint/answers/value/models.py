"""Several models on the same cases: which is best at which price, and by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.exchange import ExchangeRate
from askpoint.records.predictions import PredictionLog
from askpoint.reports.document import Block, Grid, Notice, Picture
from askpoint.reports.words import amount
from askpoint.value.curve import ValueCurve
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.model_comparison import (
    BestRange,
    PairedDifference,
    best_ranges,
    paired_difference,
)
from askpoint.value.objectives import OperatingPoint

__all__ = ["ModelComparison", "compare_models", "comparison_blocks", "comparison_object"]


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
    reason : str
        Why ranges or differences are missing; else empty.
    """

    curves: Mapping[str, ValueCurve]
    ranges: tuple[BestRange, ...] = ()
    rate: ExchangeRate | None = None
    differences: tuple[tuple[str, PairedDifference], ...] = ()
    reason: str = ""


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
        return ModelComparison(
            curves,
            reason="the models were not run on the same labelled cases, so they can not be paired: "
            "name the cases in a column id, with a row for each case and model",
        )
    if not all(np.array_equal(cases[0].truth, other.truth) for other in cases):
        return ModelComparison(
            curves,
            reason="the models' rows give the same case different labels, so they can not be paired",
        )
    ranges = tuple(best_ranges(curves))
    rate = points[names[0]].rate
    if rate is None:
        why = "no finite price of a mistake makes the best model's threshold the best"
        return ModelComparison(curves, ranges, reason=why)
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


def comparison_blocks(comparison: ModelComparison | None) -> Sequence[Block]:
    """Return the comparison in tables and a picture."""
    if comparison is None:
        return []
    blocks: list[Block] = []
    if comparison.ranges:
        heading = ("checks worth one mistake", "best model")
        blocks.append(Grid("The best model at every price", heading, _ranges(comparison)))
    if comparison.differences and comparison.rate is not None:
        best = next(iter(comparison.curves))
        rows = tuple(
            (
                name,
                f"{each.difference:+.4f}",
                f"{each.interval.lower:+.4f} to {each.interval.upper:+.4f}",
            )
            for name, each in comparison.differences
        )
        checks = amount(comparison.rate.checks_per_mistake)
        blocks.append(
            Grid(
                f"How much more {best!r} is worth per case, at {checks} checks a mistake",
                ("than", "difference in value", "95 %"),
                rows,
                "Case by case on the same cases, each model at its own threshold; the intervals are "
                "for thresholds fixed before. One that holds 0 leaves the order open.",
            )
        )
    if comparison.reason:
        blocks.append(Notice(f"{comparison.reason[:1].upper()}{comparison.reason[1:]}."))
    if comparison.ranges:
        blocks.append(
            Picture(
                "Value per case of each model at the best threshold for every price; dotted where "
                "another model becomes the best.",
                "; ".join(f"at {row[0]} checks {row[1]!r} is best" for row in _ranges(comparison)),
                _draw(comparison),
            )
        )
    return blocks


def _ranges(comparison: ModelComparison) -> tuple[tuple[str, str], ...]:
    return tuple((_checks(part), part.model) for part in comparison.ranges)


def _checks(part: BestRange) -> str:
    low = amount(1 + part.lower)
    return f"{low} and more" if np.isinf(part.upper) else f"{low} to {amount(1 + part.upper)}"


def _draw(comparison: ModelComparison) -> Any:
    def draw(ax: Any) -> object:
        from askpoint.displays.models import ModelsDisplay  # only pages need matplotlib

        checks = None if comparison.rate is None else comparison.rate.checks_per_mistake
        return ModelsDisplay(comparison.curves, checks).plot(ax)

    return draw


def comparison_object(comparison: ModelComparison) -> dict[str, Any]:
    """Return the same as part of a JSON object."""
    return {
        "best_ranges": [
            {
                "model": part.model,
                "omega": [part.lower, part.upper if np.isfinite(part.upper) else None],
            }
            for part in comparison.ranges
        ],
        "best": next(iter(comparison.curves)),
        "omega": None if comparison.rate is None else comparison.rate.omega,
        "differences": [
            {"model": name, "value": each.difference, "interval": list(each.interval)}
            for name, each in comparison.differences
        ],
        "reason": comparison.reason or None,
    }
