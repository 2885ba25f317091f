"""What is asked of a log: one objective, or costs, or prices, and what the user vouches for."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices
from askpoint.value.objectives import (
    AskAtMost,
    CheckCost,
    MaxError,
    MinPrecision,
    MinRecall,
    MistakeCost,
    Objective,
)

__all__ = ["ASSUMED_CHECKS", "ValueQuestion"]

ASSUMED_CHECKS = 20
"""Checks taken to be worth one mistake where nobody stated a price."""


@dataclass(frozen=True)
class ValueQuestion:
    """What is asked of a log.

    Parameters
    ----------
    objective : Objective, optional
        What to want of the threshold; by default 20 checks are taken to be worth one mistake,
        and the report says that this is assumed.
    costs : CostMatrix, optional
        A full cost matrix with a reject cost, instead of an objective.
    prices : Prices, optional
        Worth of a right answer, a case asked and a mistake in money, instead of an objective.
    measure : str, default="max_probability"
        Confidence measure, where the log has probabilities.
    labels_are_random : bool, default=False
        The user's word that labels do not depend on the model's confidence.
    check_price : float, optional
        Work of one check in units of a mistake, for people who err, instead of an objective.
    people_right : float, optional
        Share of cases that people get right; by default what the log shows.
    default : str, optional
        Class that all cases would get without a model; by default the most frequent one.
    level : float, default=0.95
        Interval coverage.
    """

    objective: Objective | None = None
    costs: CostMatrix | None = None
    prices: Prices | None = None
    measure: str = "max_probability"
    labels_are_random: bool = False
    check_price: float | None = None
    people_right: float | None = None
    default: str | None = None
    level: float = 0.95

    def __post_init__(self) -> None:
        wishes = (self.objective, self.costs, self.prices, self.check_price)
        given = [x is not None for x in wishes]
        if sum(given) > 1:
            raise InputError("state one objective: a price, a constraint, costs or prices; not two")

    @property
    def is_limit(self) -> bool:
        """Whether a limit is set, from which a price follows, and not a price itself."""
        return isinstance(self.objective, AskAtMost | MaxError | MinRecall | MinPrecision)

    @property
    def states_price(self) -> bool:
        """Whether the price of a mistake is the same for every model (stated, or assumed)."""
        return isinstance(self.objective, MistakeCost | CheckCost | None)
