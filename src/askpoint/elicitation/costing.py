"""From weights and omega to costs.json: what each mistake costs, beside a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from askpoint.elicitation.particles import LEVEL, Particles
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval

__all__ = ["ElicitedCosts", "GroupCost", "combine_costs"]

_UNIT = "mean mistakes of the model as it is"
_GRID = (np.arange(200) + 0.5) / 200  # levels at which two independent beliefs are combined


@dataclass(frozen=True)
class GroupCost:
    """What a mistake on some classes costs.

    Parameters
    ----------
    classes : tuple
        Class names; a mistake is a case of one of them decided otherwise.
    cost : float
        In the unit of the costs.
    interval : Interval
        Where it lies with a probability of 90%.
    checks : float
        In checks: how many cases one would have a person check to catch one such mistake.
    checks_interval : Interval
        Where that lies with a probability of 90%.
    """

    classes: tuple[Any, ...]
    cost: float
    interval: Interval
    checks: float
    checks_interval: Interval


@dataclass(frozen=True)
class ElicitedCosts:
    """What was found out about costs.

    Parameters
    ----------
    costs : CostMatrix
        Complete, with the cost of asking; a mistake of the model as it is costs 1 on average.
    groups : tuple of GroupCost
        The same for people, group by group.
    """

    costs: CostMatrix
    groups: tuple[GroupCost, ...]


def combine_costs(
    classes: Sequence[Any],
    groups: Sequence[Sequence[int]],
    weights: Particles | None,
    omega: Particles,
    deployed: FloatArray,
    *,
    reference: int = 0,
    source: Mapping[str, Any] | None = None,
) -> ElicitedCosts:
    """Put weights and omega together in one unit."""
    n = len(groups)
    if weights is None:
        weights = Particles(np.zeros((1, n)), np.ones(1))
    if weights.log_weights.shape[1] != n or not 0 <= reference < n:
        raise InputError(
            f"there are {n} groups of classes, but {weights.log_weights.shape[1]} weights, and "
            f"group {reference} is the reference"
        )
    shares = _mistakes(deployed, groups)
    logs = weights.log_weights - weights.log_weights.max(axis=1, keepdims=True)
    costs = np.exp(logs) / (np.exp(logs) @ shares)[:, None]
    ratio = omega.log_weights[:, 1] - omega.log_weights[:, 0]
    checks = np.exp(omega.quantiles(np.log1p(np.exp(ratio)), _GRID))  # 1 + omega
    tails = ((1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2)
    found = []
    for g, members in enumerate(groups):
        low, middle, high = weights.quantiles(costs[:, g], tails).tolist()
        beside = weights.quantiles(logs[:, g] - logs[:, reference], _GRID)
        worth = np.quantile(np.multiply.outer(np.exp(beside), checks), tails).tolist()
        found.append(
            GroupCost(
                tuple(classes[i] for i in members),
                middle,
                Interval(low, high),
                worth[1],
                Interval(worth[0], worth[2]),
            )
        )
    return _in_one_unit(classes, groups, found, shares, reference, dict(source or {}))


def _mistakes(deployed: FloatArray, groups: Sequence[Sequence[int]]) -> FloatArray:
    """Share of each group in the model's mistakes; in its cases, where it makes none."""
    by_class = deployed.sum(axis=1) - np.diag(deployed)
    if not by_class.sum() > 0:
        by_class = deployed.sum(axis=1)
    by_group = np.array([by_class[list(members)].sum() for members in groups])
    return np.asarray(by_group / by_group.sum())


def _in_one_unit(
    classes: Sequence[Any],
    groups: Sequence[Sequence[int]],
    found: list[GroupCost],
    shares: FloatArray,
    reference: int,
    source: dict[str, Any],
) -> ElicitedCosts:
    """Scale the medians so that the mean mistake costs 1 exactly, and write the matrix."""
    factor = 1 / float(shares @ [group.cost for group in found])
    scaled = tuple(
        GroupCost(
            group.classes,
            group.cost * factor,
            Interval(*(bound * factor for bound in group.interval)),
            group.checks,
            group.checks_interval,
        )
        for group in found
    )
    matrix = np.zeros((len(classes), len(classes)))
    for members, group in zip(groups, scaled, strict=True):
        matrix[list(members)] = group.cost
    np.fill_diagonal(matrix, 0)
    named = scaled[reference]
    of = {str(name): group for group in scaled for name in group.classes}
    interval = {
        "level": LEVEL,
        "unit": _UNIT,
        "cost": {name: list(group.interval) for name, group in of.items()},
        "checks": {name: list(group.checks_interval) for name, group in of.items()},
    }
    costs = CostMatrix(
        classes, matrix, named.cost / named.checks, _UNIT, interval=interval, source=source
    )
    return ElicitedCosts(costs, scaled)
