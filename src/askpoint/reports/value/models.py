"""Several models on the same cases, said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from askpoint.answers.value.models import ModelComparison, Unpaired
from askpoint.measures.intervals import Interval
from askpoint.reports.document import Block, Grid, Notice, Picture
from askpoint.reports.words import amount, probability
from askpoint.value.model_comparison import BestRange

__all__ = ["comparison_blocks", "comparison_object"]

_REASONS: dict[Unpaired, str] = {
    "other cases": "the models were not run on the same labelled cases, so they cannot be paired: "
    "name the cases in a column id, with a row for each case and model",
    "other labels": "the models' rows give the same case different labels, so they cannot be "
    "paired",
    "only counts": "only counts of the cases were kept, so the models cannot be paired",
    "one case": "one labelled case, or one cluster of cases, does not tell models apart",
    "no price": "no finite price of a mistake makes the best model's threshold the best",
}


def comparison_blocks(comparison: ModelComparison | None) -> Sequence[Block]:
    """Return the comparison in tables and a picture."""
    if comparison is None:
        return []
    blocks: list[Block] = []
    if comparison.ranges:
        heading = ("checks per mistake", "best model")
        blocks.append(
            Grid("The best model at every price, on these rows", heading, _ranges(comparison))
        )
    if comparison.differences and comparison.rate is not None:
        best = next(iter(comparison.curves))
        rows = tuple(
            (name, _worth_text(each.difference), _range(each.interval), probability(p))
            for (name, each), p in zip(comparison.differences, comparison.p_values, strict=True)
        )
        checks = amount(comparison.rate.checks_per_mistake)
        blocks.append(
            Grid(
                f"How many checks {best!r} saves per 1,000 cases, at {checks} checks per mistake",
                ("beside", "checks saved", "95%", "p"),
                rows,
                "Case by case on the same cases, each at a threshold chosen without it (ten folds). "
                "Intervals and p-values hold for all pairs of models at once, so that looking at many "
                "models finds no better one by luck; an interval that holds 0 leaves the order open.",
            )
        )
    if comparison.reason is not None:
        reason = _REASONS[comparison.reason]
        blocks.append(Notice(f"{reason[:1].upper()}{reason[1:]}."))
    if comparison.ranges:
        blocks.append(
            Picture(
                "Checks that each model saves on 1,000 cases, compared with reviewing all, at the best threshold for every price; dotted where "
                "another model becomes the best.",
                "; ".join(f"at {row[0]} checks {row[1]!r} is best" for row in _ranges(comparison)),
                _draw(comparison),
            )
        )
    return blocks


def _worth_text(worth: float) -> str:
    """Write value per case as checks saved per 1,000."""
    return f"{1000 * worth:+,.0f}"


def _range(interval: Interval) -> str:
    return f"{_worth_text(interval.lower)} to {_worth_text(interval.upper)}"


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
                "checks_per_mistake": [
                    1 + part.lower,
                    1 + part.upper if np.isfinite(part.upper) else None,
                ],
            }
            for part in comparison.ranges
        ],
        "best": next(iter(comparison.curves)),
        "shown_best": comparison.shown_best,
        "checks_per_mistake": None
        if comparison.rate is None
        else comparison.rate.checks_per_mistake,
        "differences": [
            {
                "model": name,
                "value": each.difference,
                "interval": list(each.interval),
                "p_value": p,
            }
            for (name, each), p in zip(comparison.differences, comparison.p_values, strict=True)
        ],
        "reason": None if comparison.reason is None else _REASONS[comparison.reason],
    }
