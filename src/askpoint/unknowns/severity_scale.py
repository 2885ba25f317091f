"""The end of the scale of estimated costs: the most that a wholly uncertain case can cost."""

from __future__ import annotations

import numpy as np

from askpoint.errors import CostsError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, as_choice
from askpoint.unknowns.case_costs import mistakes_only
from askpoint.unknowns.examination_names import ESTIMATES

__all__ = ["game_value", "largest_expected_cost", "least_sure", "normaliser"]


def game_value(cost_matrix: CostMatrix) -> float:
    """Return the largest MinCost that any probabilities can give: max_p min_j sum_i p_i c_ij.

    The value of the zero-sum game in which nature picks the truth and the model the decision,
    by a linear programme; c01 c10 / (c01 + c10) for two classes.
    """
    return float((least_sure(cost_matrix) @ cost_matrix.cost).min())


def least_sure(cost_matrix: CostMatrix) -> FloatArray:
    """Return the probabilities that make even the cheapest decision as costly as can be."""
    from scipy import optimize

    k = len(cost_matrix.classes)
    solved = optimize.linprog(
        np.append(np.zeros(k), -1.0),
        A_ub=np.column_stack([-cost_matrix.cost.T, np.ones(k)]),
        b_ub=np.zeros(k),
        A_eq=np.append(np.ones(k), 0.0)[None],
        b_eq=[1.0],
        method="highs",
    )
    p: FloatArray = solved.x[:k]
    return p


def largest_expected_cost(cost_matrix: CostMatrix) -> float:
    """Return the largest ExpCost that any probabilities can give: max_p sum_ij p_i p_j c_ij.

    A quadratic programme over the simplex, solved to optimality as a mixed-integer linear one;
    (c01 + c10) / 4 for two classes, 1 - 1/k for k classes with 0/1 costs.

    References
    ----------
    Xia, Vera and Zuluaga, INFORMS Journal on Computing 32 (2020).
    """
    from scipy import optimize

    cost = mistakes_only(cost_matrix).cost
    scale = cost.max()
    pairs = (cost + cost.T) / (2 * scale)
    k = len(pairs)
    # p, z, v: where z is 1 the case may have probability, and pairs @ p is at least v there,
    # so v is at most p' pairs p; at the maximum they are equal
    only_chosen = np.column_stack([np.eye(k), -np.eye(k), np.zeros(k)])
    at_least = np.column_stack([pairs, -np.eye(k), -np.ones(k)])
    total = np.concatenate([np.ones(k), np.zeros(k + 1)])[None]
    solved = optimize.milp(
        np.append(np.zeros(2 * k), -1.0),
        constraints=[
            optimize.LinearConstraint(only_chosen, -np.inf, 0),
            optimize.LinearConstraint(at_least, -1, np.inf),
            optimize.LinearConstraint(total, 1, 1),
        ],
        integrality=np.append(np.repeat([0, 1], k), 0),
        bounds=optimize.Bounds(0, 1),
    )
    p = solved.x[:k] / solved.x[:k].sum()
    return float(p @ pairs @ p * scale)


def normaliser(cost_matrix: CostMatrix, *, by: str = "decision") -> float:
    """Return the end of the scale of estimated costs: what a wholly uncertain case costs.

    Parameters
    ----------
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns.
    by : {"decision", "minimum", "expected"}
        Which estimate: the game's value for the first two, else the largest ExpCost.

    Returns
    -------
    float
        Above 0, in the unit of the costs.

    Raises
    ------
    CostsError
        If some decision never costs anything: then no case is uncertain.
    InputError
        If `by` is not one of these.

    Examples
    --------
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.severity_scale import normaliser
    >>> normaliser(CostMatrix.zero_one(["ham", "spam"]))
    0.5
    """
    as_choice(by, ESTIMATES, "by")
    mistakes = mistakes_only(cost_matrix)
    free = np.flatnonzero(~mistakes.cost.any(axis=0))
    if free.size:
        raise CostsError(
            f"deciding {mistakes.classes[free[0]]!r} never costs anything, so no case is "
            "uncertain under these costs; every decision must cost more than 0 under some truth"
        )
    return largest_expected_cost(mistakes) if by == "expected" else game_value(mistakes)
