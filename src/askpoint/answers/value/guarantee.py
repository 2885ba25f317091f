"""What is promised of new cases, what the promise costs in coverage, and whether answering pays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.measures.inputs import FloatArray
from askpoint.value.curve import ValueCurve
from askpoint.value.guarantees import better_than_asking
from askpoint.value.limits import MaxError
from askpoint.value.objectives import Objective, OperatingPoint

__all__ = ["Guarantee", "answering_pays", "guarantee_of"]


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
    objective: Objective,
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
