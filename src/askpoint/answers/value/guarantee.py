"""What is promised of new cases, what the promise costs in coverage, and whether answering pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from askpoint.measures.inputs import FloatArray
from askpoint.reports.document import Block, Grid, Paragraph
from askpoint.reports.words import amount, probability, round_share, share
from askpoint.value.curve import ValueCurve
from askpoint.value.guarantees import better_than_asking
from askpoint.value.objectives import MaxError, Objective, OperatingPoint

__all__ = [
    "Guarantee",
    "answering_pays",
    "answering_pays_block",
    "guarantee_blocks",
    "guarantee_object",
    "guarantee_of",
]


@dataclass(frozen=True)
class Guarantee:
    """A promise on new cases beside the choice without one.

    Parameters
    ----------
    risk, delta : float
        The share of mistakes among the answers is at most `risk`, but for a probability `delta`.
    point, unguarded : OperatingPoint
        With the promise and without; outcomes on the labelled cases.
    coverage, unguarded_coverage : float
        Share of all cases answered by each.
    """

    risk: float
    delta: float
    point: OperatingPoint
    coverage: float
    unguarded: OperatingPoint
    unguarded_coverage: float

    @property
    def price(self) -> float:
        """Share of the cases that go to people for the sake of the promise."""
        return self.unguarded_coverage - self.coverage


def guarantee_of(
    objective: Objective | None,
    curve: ValueCurve,
    confidence: FloatArray,
    weight: FloatArray | None,
) -> Guarantee | None:
    """Return the promise that an objective makes, with its price."""
    if not isinstance(objective, MaxError) or objective.delta is None:
        return None
    point, free = objective.choose(curve), MaxError(objective.risk).choose(curve)
    covered, freely = (
        float(np.average(confidence >= each.threshold, weights=weight)) for each in (point, free)
    )
    return Guarantee(objective.risk, objective.delta, point, covered, free, freely)


def answering_pays(curve: ValueCurve, point: OperatingPoint) -> float | None:
    """Return the p-value of answering being no better than asking, at the point's price."""
    if point.rate is None or not point.outcomes.answered or curve.is_weighted:
        return None
    return better_than_asking(point.outcomes, point.rate)


def answering_pays_block(p_value: float) -> Paragraph:
    """Return the test of answering against asking in words."""
    return Paragraph(
        "Were answering no better than asking at this price, so many right answers would have a "
        f"probability of {probability(p_value)} (exact binomial test). The threshold was chosen on "
        "the same cases, so take it for a hint; new cases would make it a proof."
    )


def guarantee_blocks(guarantee: Guarantee) -> tuple[Block, ...]:
    """Return the promise in words, and the two choices side by side."""
    rows = tuple(
        (
            name,
            "never" if np.isinf(point.threshold) else amount(point.threshold),
            share(coverage),
            "–" if point.outcomes.risk is None else share(point.outcomes.risk),
        )
        for name, point, coverage in (
            ("with the promise", guarantee.point, guarantee.coverage),
            ("without it", guarantee.unguarded, guarantee.unguarded_coverage),
        )
    )
    return (
        Paragraph(
            f"With a probability of {round_share(1 - guarantee.delta)} over labelled cases like these, at "
            f"most {round_share(guarantee.risk)} of the answers to new cases are wrong (learn then test: "
            "exact binomial tests, one threshold after the other, from cautious to bold). The "
            f"promise costs {share(guarantee.price)} of the cases: they go to people for its sake."
        ),
        Grid(
            "What the promise costs",
            ("choice", "answer from", "answered", "mistakes among answers here"),
            rows,
            "Without the promise the limit holds on these cases, and on new ones about every "
            "second time. The promise is for cases drawn like the labelled ones.",
        ),
    )


def guarantee_object(guarantee: Guarantee) -> dict[str, Any]:
    """Return the same as part of a JSON object."""
    guarded, free = (
        {
            "threshold": point.threshold if np.isfinite(point.threshold) else None,
            "coverage": coverage,
            "accepted_error": point.outcomes.risk,
        }
        for point, coverage in (
            (guarantee.point, guarantee.coverage),
            (guarantee.unguarded, guarantee.unguarded_coverage),
        )
    )
    return {
        "risk": guarantee.risk,
        "delta": guarantee.delta,
        **guarded,
        "price_in_coverage": guarantee.price,
        "unguarded": free,
    }
