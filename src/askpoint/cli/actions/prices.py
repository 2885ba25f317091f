"""What a mistake and a check cost: as two amounts, or by a costs.json."""

from __future__ import annotations

from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices

__all__ = ["check_price", "prices_in_money"]


def check_price(costs: CostMatrix) -> tuple[float, float]:
    """Return what a mistake and a check cost beyond a right answer, if that is alike for all."""
    if costs.one_price is None:
        raise CostsError(
            "a policy has one threshold, for mistakes that cost alike, and these costs differ by "
            "class; deploy one policy for each predicted class, with a --rho of its own"
        )
    return costs.one_price


def prices_in_money(mistake: float, check: float | None) -> Prices:
    """Read --mistake and --check."""
    if check is None:
        raise InputError("--mistake takes what a check costs, too: add --check AMOUNT")
    if not 0 < check < mistake < float("inf"):
        raise InputError(
            f"--mistake must be more than --check, and both above 0; got {mistake:g} and {check:g}"
        )
    return Prices(0.0, -check, -mistake)
