"""Reward schemes: how many whole points an error is worth, by how wrongly sure the model was."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, as_choice, as_probabilities
from askpoint.unknowns.case_costs import estimate_cost
from askpoint.unknowns.severity import MAX_SEVERITY, severities
from askpoint.unknowns.severity_scale import least_sure, normaliser

__all__ = [
    "BY_REPEATS",
    "SCHEMES",
    "boundary_share",
    "error_share",
    "round_points",
    "scheme_end",
    "scheme_severities",
    "unsure_share",
]

BY_REPEATS = "cost-times-share"
"""What a mistake costs, times the share of a chat model's answers that make it."""

SCHEMES = ("minimum-cost", "expected-cost", "wrong-class", BY_REPEATS, "flat")
_ESTIMATES = {"minimum-cost": "decision", "expected-cost": "expected"}


def round_points(points: float) -> int:
    """Round half up to whole points."""
    return math.floor(round(points, 6) + 0.5)


def scheme_end(costs: CostMatrix, scheme: str) -> float:
    """Return the cost at which a scheme's reward reaches 0; computed once for a campaign."""
    as_choice(scheme, SCHEMES, "a reward scheme")
    if scheme == BY_REPEATS:
        return float(costs.cost.max())
    return normaliser(costs, by=_ESTIMATES[scheme]) if scheme in _ESTIMATES else 1.0


def error_share(
    probabilities: Sequence[float],
    decision: str,
    costs: CostMatrix,
    *,
    truth: str,
    scheme: str,
    end: float,
) -> float:
    """Share of the top reward that an error on a case is worth, which in truth is another class.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), design 4.
    """
    if as_choice(scheme, SCHEMES, "a reward scheme") == "flat":
        return 1.0
    if scheme in ("wrong-class", BY_REPEATS):
        names = [str(name) for name in costs.classes]
        column = names.index(decision)
        p = as_probabilities([probabilities], n_classes=len(names))[0]
        dear = costs.cost[names.index(truth), column] / end if scheme == BY_REPEATS else 1.0
        return float(p[column] * dear)
    cost = estimate_cost([probabilities], costs, [decision], by=_ESTIMATES[scheme])[0]
    return max(0.0, 1.0 - float(cost) / end)


def scheme_severities(
    proba: ArrayLike,
    costs: CostMatrix,
    decisions: Sequence[str],
    truths: Sequence[str],
    *,
    scheme: str,
) -> FloatArray:
    """Severity of mistakes from 0 to 1,000, in the terms in which a campaign pays for them.

    What `askpoint.unknowns.severity.severities` says; with `BY_REPEATS`, a chat model's, what the
    mistake costs as a share of the dearest, times the share of its answers that make it.
    """
    if scheme != BY_REPEATS:
        return severities(proba, costs, decisions, truths)
    end = scheme_end(costs, scheme)
    rows = zip(np.asarray(proba).tolist(), decisions, truths, strict=True)
    shares = [
        0.0 if label == true else error_share(p, label, costs, truth=true, scheme=scheme, end=end)
        for p, label, true in rows
    ]
    return MAX_SEVERITY * np.array(shares, dtype=np.float64)


def boundary_share(costs: CostMatrix, scheme: str) -> float:
    """Share of the top reward that a scheme pays where the model is as unsure as can be."""
    unsure = least_sure(costs)
    names = [str(name) for name in costs.classes]
    end = scheme_end(costs, scheme)
    shares = (
        error_share(unsure.tolist(), label, costs, truth=true, scheme=scheme, end=end)
        for label in names
        for true in names
        if true != label
    )
    return round(max(shares), 6)


def unsure_share(probability: float, turn_away: float) -> float:
    """Share of the small bonus where the model was right without being sure."""
    if not 0 <= probability <= 1:
        raise InputError(f"a probability must be between 0 and 1; got {probability}")
    return min(1.0, max(0.0, (turn_away - probability) / (turn_away - 0.5)))
