"""What a mistake and a check cost: as two amounts, or by a costs.json."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from askpoint.answers.value.volume import Volume
from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices

__all__ = ["capacity_share", "check_price", "prices_in_money", "stated_checks"]


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


def capacity_share(capacity: Volume, volume: Volume) -> float:
    """Return --ask-at-most as a share of the cases that come."""
    share = capacity.share_of(volume)
    if share >= 1:
        raise InputError(
            "--ask-at-most must be less than --volume; got a capacity for all cases: send every case to review"
        )
    return share


def stated_checks(options: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Return the checks per mistake, None if nobody stated it, and what a check costs in money, if stated."""
    rho, mistake, check = (options[name] for name in ("rho", "mistake", "check"))
    if rho is not None and mistake is not None:
        raise InputError("give one objective; got --rho and --mistake")
    if (mistake is None) != (check is None):
        raise InputError(
            "--mistake and --check belong together: what a mistake costs, and what a check costs"
        )
    if options["currency"] is not None and check is None:
        raise InputError("--currency names what prices are in: add --mistake AMOUNT --check AMOUNT")
    if mistake is not None and not 0 < check < mistake < math.inf:
        raise InputError(
            f"--mistake must be more than --check, and both above 0; got {mistake:g} and {check:g}"
        )
    if rho is not None and not 0 < rho < 1:
        raise InputError(f"--rho must be between 0 and 1; got {rho:g}")
    if mistake is not None:
        return mistake / check, check
    return None if rho is None else 1 / rho, None
