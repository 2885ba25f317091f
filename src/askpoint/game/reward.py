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
    """Round half up to whole points.

    Parameters
    ----------
    points : float
        0 or more. What lies within a millionth of a half is one: 199.99999999999997 from
        1000 (1 - .4 / .5) is 200, and 200.49999999999997 from a half of a point is 201.

    Returns
    -------
    int

    Examples
    --------
    >>> from askpoint.game.reward import rounded
    >>> rounded(199.99999999999997), rounded(0.5), rounded(1.5)
    (200, 1, 2)
    """
    return math.floor(round(points, 6) + 0.5)


def scheme_end(costs: CostMatrix, scheme: str) -> float:
    """Return the cost at which a scheme's reward reaches 0; computed once for a campaign.

    Parameters
    ----------
    costs : CostMatrix
        The classes and what mistakes cost.
    scheme : {"minimum-cost", "expected-cost", "wrong-class", "flat"}
        The scheme; the last two know no such end, and get 1.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If there is no such scheme.
    CostsError
        If some decision never costs anything.

    Examples
    --------
    >>> from askpoint.game.reward import scheme_end
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> scheme_end(CostMatrix.zero_one(["normal", "hate"]), "minimum-cost")
    0.5
    """
    as_choice(scheme, SCHEMES, "a reward scheme")
    return normaliser(costs, by=_ESTIMATES[scheme]) if scheme in _ESTIMATES else 1.0


def error_share(
    probabilities: Sequence[float], decision: str, costs: CostMatrix, *, scheme: str, end: float
) -> float:
    """Share of the top reward that an error on a case is worth.

    Parameters
    ----------
    probabilities : sequence of length n_classes
        What the model said (symbol p).
    decision : str
        What the deployed system decided, wrongly.
    costs : CostMatrix
        The classes and what mistakes cost.
    scheme : {"minimum-cost", "expected-cost", "wrong-class", "flat"}
        Linear in the expected cost of the decision made, which is MinCost when that
        decision is the cheapest: 1 - DecCost / end. Linear in ExpCost:
        1 - ExpCost / end. The probability that the model gave to the wrong class that it
        chose. Or the same for every error.
    end : float
        From `scheme_end`.

    Returns
    -------
    float
        Between 0 and 1.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), design 4.

    Examples
    --------
    >>> from askpoint.game.reward import error_share, rounded, scheme_end
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> costs = CostMatrix.zero_one(["normal", "hate"])
    >>> for scheme in ("minimum-cost", "expected-cost"):
    ...     end = scheme_end(costs, scheme)
    ...     [
    ...         rounded(1000 * error_share([p, 1 - p], "normal", costs, scheme=scheme, end=end))
    ...         for p in (0.6, 0.75, 0.9, 0.99)
    ...     ]
    [200, 500, 800, 980]
    [40, 250, 640, 960]
    """
    if as_choice(scheme, SCHEMES, "a reward scheme") == "flat":
        return 1.0
    if scheme == "wrong-class":
        p = as_probabilities([probabilities], n_classes=len(costs.classes))[0]
        return float(p[[str(name) for name in costs.classes].index(decision)])
    cost = estimated_cost([probabilities], costs, [decision], by=_ESTIMATES[scheme])[0]
    return max(0.0, 1.0 - float(cost) / end)


def boundary_share(costs: CostMatrix, scheme: str) -> float:
    """Share of the top reward that a scheme pays where the model is as unsure as can be.

    Parameters
    ----------
    costs : CostMatrix
        The classes and what mistakes cost.
    scheme : {"minimum-cost", "expected-cost", "wrong-class", "flat"}
        The scheme.

    Returns
    -------
    float
        0 for the scheme that is linear in the cost of the decision; ExpCost peaks elsewhere
        when mistakes cost differently, and pays there.

    Examples
    --------
    >>> from askpoint.game.reward import boundary_share
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> costs = CostMatrix(["normal", "hate"], [[0, 1], [9, 0]])
    >>> schemes = ("minimum-cost", "expected-cost", "wrong-class", "flat")
    >>> [round(boundary_share(costs, scheme), 6) for scheme in schemes]
    [0.0, 0.64, 0.9, 1.0]
    """
    unsure = least_sure(costs)
    names = [str(name) for name in costs.classes]
    end = scheme_end(costs, scheme)
    shares = (error_share(unsure.tolist(), name, costs, scheme=scheme, end=end) for name in names)
    return round(max(shares), 6)


def unsure_share(probability: float, turn_away: float) -> float:
    """Share of the small bonus where the model was right without being sure.

    Parameters
    ----------
    probability : float
        What the model gave to the right class (symbol p).
    turn_away : float
        From here on the model is sure (symbol tau), above .6.

    Returns
    -------
    float
        (tau - p) / (tau - 1/2), at most 1 and at least 0.

    Examples
    --------
    >>> from askpoint.game.reward import unsure_share
    >>> round(unsure_share(0.6, 0.8), 6), unsure_share(0.8, 0.8), unsure_share(0.4, 0.8)
    (0.666667, 0.0, 1.0)
    """
    if not 0 <= probability <= 1:
        raise InputError(f"a probability lies between 0 and 1, got {probability}")
    return min(1.0, max(0.0, (turn_away - probability) / (turn_away - 0.5)))
