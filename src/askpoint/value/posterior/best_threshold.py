"""The threshold that is best in expectation, from the posterior mean alone: nothing is drawn."""

from __future__ import annotations

import numpy as np

from askpoint.errors import ObjectiveError, UnmetError
from askpoint.value.limits import MaxError
from askpoint.value.objectives import Objective
from askpoint.value.posterior.prospects import Prospects
from askpoint.value.posterior.rightness import RightnessPosterior
from askpoint.value.priced import FBeta

__all__ = ["expected_best", "is_expected"]


def is_expected(objective: Objective) -> bool:
    """Whether the posterior of all cases answers an objective in expectation."""
    if isinstance(objective, MaxError):
        return objective.delta is None
    return objective.rate is not None or isinstance(objective, FBeta)


def expected_best(posterior: RightnessPosterior, objective: Objective) -> float:
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
    if isinstance(objective, MaxError):
        within = np.flatnonzero(found.wrong[:-1] <= objective.risk * answered[:-1])
        if not within.size:
            least = float((found.wrong[:-1] / answered[:-1]).min())
            raise UnmetError(
                f"no threshold is expected to keep the error among the answers at or below "
                f"{objective.risk:g}: the lowest expected error is {least:.4g}"
            )
        return float(found.thresholds[within[0]])
    if isinstance(objective, FBeta):
        score = (answered - found.wrong) / (objective.beta**2 + answered)
        return float(found.thresholds[int(np.argmax(score))])
    if objective.rate is None:
        raise ObjectiveError(f"{objective} is not answered from the posterior of all cases")
    cost = found.asked + objective.rate.checks_per_mistake * found.wrong
    # of equal ones that which asks more, as in hindsight
    return float(found.thresholds[len(cost) - 1 - int(np.argmin(cost[::-1]))])
