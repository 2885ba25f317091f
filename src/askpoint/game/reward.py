"""Reward schemes: how many whole points an error is worth, by how wrongly sure the model was."""

from __future__ import annotations

import math
from collections.abc import Sequence

from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import as_choice, as_probabilities
from askpoint.unknowns.case_costs import estimated_cost
from askpoint.unknowns.scale import least_sure, normaliser

__all__ = ["SCHEMES", "boundary_share", "error_share", "rounded", "scheme_end", "unsure_share"]

SCHEMES = ("minimum-cost", "expected-cost", "wrong-class", "flat")
_ESTIMATES = {"minimum-cost": "decision", "expected-cost": "expected"}


def rounded(points: float) -> int:
    """Round half up to whole points."""
    return math.floor(round(points, 6) + 0.5)


def scheme_end(costs: CostMatrix, scheme: str) -> float:
    """Return the cost at which a scheme's reward reaches 0; computed once for a campaign."""
    as_choice(scheme, SCHEMES, "a reward scheme")
    return normaliser(costs, by=_ESTIMATES[scheme]) if scheme in _ESTIMATES else 1.0


def error_share(
    probabilities: Sequence[float], decision: str, costs: CostMatrix, *, scheme: str, end: float
) -> float:
    """Share of the top reward that an error on a case is worth.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), design 4.
    """
    if as_choice(scheme, SCHEMES, "a reward scheme") == "flat":
        return 1.0
    if scheme == "wrong-class":
        p = as_probabilities([probabilities], n_classes=len(costs.classes))[0]
        return float(p[[str(name) for name in costs.classes].index(decision)])
    cost = estimated_cost([probabilities], costs, [decision], by=_ESTIMATES[scheme])[0]
    return max(0.0, 1.0 - float(cost) / end)


def boundary_share(costs: CostMatrix, scheme: str) -> float:
    """Share of the top reward that a scheme pays where the model is as unsure as can be."""
    unsure = least_sure(costs)
    names = [str(name) for name in costs.classes]
    end = scheme_end(costs, scheme)
    shares = (error_share(unsure.tolist(), name, costs, scheme=scheme, end=end) for name in names)
    return round(max(shares), 6)


def unsure_share(probability: float, turn_away: float) -> float:
    """Share of the small bonus where the model was right without being sure."""
    if not 0 <= probability <= 1:
        raise InputError(f"a probability lies between 0 and 1, got {probability}")
    return min(1.0, max(0.0, (turn_away - probability) / (turn_away - 0.5)))
