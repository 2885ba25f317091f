"""What simpler policies would do to the same cases, and the limit of all policies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import BoolArray, IntArray
from askpoint.measures.outcomes import Outcomes
from askpoint.value.cost_curves import CostCurve
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import Objective, OperatingPoint

__all__ = ["Baseline", "matrix_baselines", "price_baselines"]

_POLICIES = ("threshold", "ask_all", "answer_all", "default", "upper_limit")


@dataclass(frozen=True)
class Baseline:
    """What a policy does to all cases, and what that costs.

    Parameters
    ----------
    name : {"threshold", "ask_all", "answer_all", "default", "upper_limit"}
        The policy.
    outcomes : Outcomes
        What becomes of the cases.
    cost : float or None
        Per 1,000 cases, in the answer's unit; less is better, a gain is below 0. None where no
        price of a mistake is stated or implied.
    label : str or None, default=None
        The class that the policy decides for every case; None for policies without one.
    people_wrong : float, default=0
        Mistakes that people are expected to make on the cases asked, on top of the outcomes'.
    """

    name: str
    outcomes: Outcomes
    cost: float | None
    label: str | None = None
    people_wrong: float = 0.0


def price_baselines(
    curve: ValueCurve,
    point: OperatingPoint,
    default: tuple[str, float],
    objective: Objective,
) -> tuple[Baseline, ...]:
    """Compare a threshold with simpler policies, in money or in checks."""
    total, right, wrong = curve.total, curve.right[-1].item(), curve.wrong[-1].item()
    name, hits = default
    outcomes = (
        point.outcomes,
        Outcomes(0, 0, total),
        Outcomes(right, wrong, 0),
        Outcomes(hits, max(total - hits, 0), 0),
        Outcomes(right, 0, wrong),
    )

    return tuple(
        Baseline(
            policy, part, objective.cost(part, point.rate), name if policy == "default" else None
        )
        for policy, part in zip(_POLICIES, outcomes, strict=True)
    )


def matrix_baselines(
    costly: CostCurve, point: OperatingPoint, default: str, *, coverage: float | None = None
) -> tuple[Baseline, ...]:
    """Compare a threshold with simpler policies by a cost matrix.

    `coverage` is the share of all cases that the threshold answers, where some have no label: these
    cost what the labelled ones do that are answered, or asked, like them.
    """
    curve, cases, costs = costly.curve, costly.curve.cases, costly.costs
    if cases is None:  # cost_curve always keeps them
        raise InputError("the cost curve does not know its cases")
    total = curve.total
    code = costs.classes.index(default)
    weight = np.ones(len(cases.truth)) if cases.weight is None else cases.weight
    asking = costs.reject_costs[cases.truth]
    deciding = costs.cost[cases.truth, cases.predicted]
    fixed = costs.cost[cases.truth, code]
    k = int(np.searchsorted(-curve.thresholds, -point.threshold, side="right")) - 1

    def outcomes(decision: IntArray | int, asked: BoolArray) -> Outcomes:
        right = ~asked & (decision == cases.truth)
        masses = (weight[rows].sum() for rows in (right, ~right & ~asked, asked))
        return Outcomes(*map(float, masses))

    nobody = np.zeros(len(weight), dtype=np.bool_)
    made, spent = curve.outcomes(point.threshold), float(costly.cost[k])
    if coverage is not None and 0 < made.answered < total:
        more, fewer = coverage * total / made.answered, (1 - coverage) * total / made.asked
        made = Outcomes(made.right * more, made.wrong * more, made.asked * fewer)
        spent = float(costly.loss[k] * more + costly.asking[k] * fewer) / total
    parts = (
        (made, spent),
        (Outcomes(0, 0, total), float(costly.asking[0] / total)),
        (outcomes(cases.predicted, nobody), float(costly.loss[-1] / total)),
        (outcomes(code, nobody), float(weight @ fixed / total)),
        (
            outcomes(cases.predicted, asking < deciding),
            float(weight @ np.minimum(asking, deciding) / total),
        ),
    )
    return tuple(
        Baseline(policy, part, 1000 * cost, default if policy == "default" else None)
        for policy, (part, cost) in zip(_POLICIES, parts, strict=True)
    )
