"""What a costs.json says for a policy: one price of a mistake, one of a check."""

from __future__ import annotations

from askpoint.errors import CostsError
from askpoint.measures.cost_matrix import CostMatrix

__all__ = ["check_price"]


def check_price(costs: CostMatrix) -> tuple[float, float]:
    """Return what a mistake and a check cost beyond a right answer, if that is alike for all."""
    right = costs.cost.diagonal()
    classes = range(len(right))
    losses = {float(costs.cost[i, j] - right[i]) for i in classes for j in classes if i != j}
    asking = {float(price) for price in costs.reject_costs - right}
    if len(losses) > 1 or len(asking) > 1:
        raise CostsError(
            "a policy has one threshold, for mistakes that cost alike, and these costs differ by "
            "class; deploy one policy for each predicted class, with a --rho of its own"
        )
    return losses.pop(), asking.pop()
