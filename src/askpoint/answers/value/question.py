"""What is asked of a log: one objective, and what the user vouches for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from askpoint.value.objectives import Objective
from askpoint.value.priced import CheckCost

__all__ = ["ASSUMED_CHECKS", "ValueQuestion"]

ASSUMED_CHECKS = 20
"""Checks taken to be worth one mistake where nobody stated a price."""


@dataclass(frozen=True)
class ValueQuestion:
    """What is asked of a log.

    Parameters
    ----------
    objective : Objective
        What to want of the threshold; by default 20 checks are taken to be worth one mistake.
    is_assumed : bool, default=False
        Whether nobody stated an objective; the report says so.
    measure : str, default="max_probability"
        Confidence measure, where the log has probabilities.
    labels_are_random : bool, default=False
        The user's word that labels do not depend on the model's confidence.
    default : str, optional
        Class that all cases would get without a model; by default the most frequent one.
    level : float, default=0.95
        Interval coverage.
    seed : int, default=0
        Of the draws from the posterior.
    in_use : float, optional
        A threshold in use, to be judged.
    since : mapping, optional
        The report (its JSON object) that chose it.
    look : {"once", "again"}, optional
        Whether a promise is asked for once, or again while the log grows; without, what is safe
        either way.
    n_models : int, default=1
        So many models share a promise's probability to fail.
    daily : float, optional
        A capacity is one of days, to be kept with this probability.
    audit_share : float, optional
        A promise about the whole output rests on audits from the surest case down, each case with
        this chance.
    currency : str, optional
        What prices in money are in, such as EUR; only said, never computed with.
    check : float, optional
        What a check costs in money, where the objective states the price of a mistake in checks.
    """

    objective: Objective = CheckCost(1 / ASSUMED_CHECKS)  # noqa: RUF009
    is_assumed: bool = False
    measure: str = "max_probability"
    labels_are_random: bool = False
    default: str | None = None
    level: float = 0.95
    seed: int = 0
    in_use: float | None = None
    since: Mapping[str, Any] | None = None
    look: Literal["once", "again"] | None = None
    n_models: int = 1
    daily: float | None = None
    audit_share: float | None = None
    currency: str | None = None
    check: float | None = None

    @property
    def check_in_money(self) -> float | None:
        """What a check costs in money, where that was stated."""
        if self.check is not None:
            return self.check
        stated = self.objective.stated
        if self.objective.unit != "money" or stated["right"] != 0:
            return None
        return -float(stated["ask"])
