"""What a costs.json says for a policy: one price of a mistake, one of a check."""

from __future__ import annotations

from askpoint.errors import CostsError
from askpoint.measures.cost_matrix import CostMatrix

__all__ = ["check_price"]


def check_price(costs: CostMatrix) -> tuple[float, float]:
    """Return what a mistake and a check cost beyond a right answer, if that is alike for all."""
    if costs.one_price is None:
        raise CostsError(
            "a policy has one threshold, for mistakes that cost alike, and these costs differ by "
            "class; deploy one policy for each predicted class, with a --rho of its own"
        )
    return costs.one_price
