"""The threshold that is best in expectation, from the posterior mean alone: nothing is drawn."""

from __future__ import annotations

import numpy as np

from askpoint.errors import ObjectiveError, UnmetError
from askpoint.value.objectives import Objective
from askpoint.value.posterior.prospects import Prospects
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["expected_best", "is_expected"]


def is_expected(objective: Objective) -> bool:
    """Whether the posterior of all cases answers an objective in expectation."""
    stated = (objective.rate, objective.recall_weight, objective.error_limit)
    return any(number is not None for number in stated) and not objective.is_promised


def expected_best(posterior: RightnessModel, objective: Objective) -> float:
    """Threshold of least expected cost, greatest F_beta or most answers within a limit of error."""
    evidence = posterior.evidence_
    found = Prospects(
        np.append(evidence.lowest, np.inf),
        evidence.mass,
        evidence.n_cases,
        posterior.n_labelled_,
        posterior.right_,
        posterior.right_[None, :],
    )
    answered = 1 - found.asked
    if objective.error_limit is not None:
        within = np.flatnonzero(found.wrong[:-1] <= objective.error_limit * answered[:-1])
        if not within.size:
            least = float((found.wrong[:-1] / answered[:-1]).min())
            raise UnmetError(
                f"no threshold is expected to keep the error among the answers at or below "
                f"{objective.error_limit:g}: the lowest expected error is {least:.4g}"
            )
        return float(found.thresholds[within[0]])
    if objective.recall_weight is not None:
        score = (answered - found.wrong) / (objective.recall_weight**2 + answered)
        return float(found.thresholds[int(np.argmax(score))])
    if objective.rate is None:
        raise ObjectiveError(f"{objective} is not answered from the posterior of all cases")
    cost = found.asked + objective.rate.checks_per_mistake * found.wrong
    # of equal ones that which asks more, as in hindsight
    return float(found.thresholds[len(cost) - 1 - int(np.argmin(cost[::-1]))])
