"""The three ways to choose a threshold for an objective on one curve."""

from __future__ import annotations

from typing import cast

from askpoint.errors import ObjectiveError
from askpoint.value.curve import ValueCurve
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.objectives import Objective, OperatingPoint
from askpoint.value.posterior.best_threshold import expected_best, is_expected
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["METHODS", "choose_point"]

METHODS = ("posterior", "hindsight", "calibrated")
"""In expectation for new cases; best for these very cases; by the price alone."""


def choose_point(
    objective: Objective, curve: ValueCurve, *, method: str, is_probability: bool
) -> OperatingPoint:
    """Choose a threshold by one of `METHODS`.

    Raises
    ------
    ObjectiveError
        If the price alone should choose, and there is none, or the confidence is no probability.
    """
    if method == "calibrated":
        if objective.rate is None:
            raise ObjectiveError(
                "method 'calibrated' needs a price, such as MistakeCost or CheckCost; "
                f"got {type(objective).__name__}"
            )
        if not is_probability:
            raise ObjectiveError(
                "method 'calibrated' needs a confidence that is a probability: "
                "'max_probability' or a SecondStage"
            )
        threshold = objective.rate.calibrated_threshold
        return OperatingPoint(threshold, curve.outcomes(threshold), objective.rate)
    if method == "hindsight" or not is_expected(objective):
        return objective.choose(curve)
    return _choose_in_expectation(objective, curve)


def _choose_in_expectation(objective: Objective, curve: ValueCurve) -> OperatingPoint:
    cases = cast("LabelledCases", curve.cases)  # `value_curve` keeps them
    posterior = RightnessModel().fit(
        cases.confidence, cases.truth == cases.predicted, sample_weight=cases.weight
    )
    threshold = expected_best(posterior, objective)
    if objective.rate is None:
        return OperatingPoint.at(curve, threshold)
    return OperatingPoint(threshold, curve.outcomes(threshold), objective.rate)
