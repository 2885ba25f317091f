"""Objectives by price: what a mistake costs, a check costs, or what F_beta weighs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from askpoint.errors import ObjectiveError
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import Objective, OperatingPoint

__all__ = ["CheckCost", "FBeta", "MistakeCost"]


@dataclass(frozen=True)
class MistakeCost(Objective):
    """Greatest value V(omega).

    Parameters
    ----------
    omega : float
        Cost of a mistake in units of what a right answer gains; 0 or more.

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.priced import MistakeCost
    >>> curve = ValueCurve.from_outcomes([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])
    >>> MistakeCost(2).choose(curve).threshold
    0.8
    """

    states_price: ClassVar[bool] = True
    is_measure: ClassVar[bool] = True

    omega: float

    def __post_init__(self) -> None:
        ExchangeRate(self.omega)

    @property
    def rate(self) -> ExchangeRate:
        """The stated price."""
        return ExchangeRate(self.omega)

    def measure(self, outcomes: Outcomes) -> float:
        """V(omega) per case."""
        return outcomes.value(self.omega)

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the operating point of greatest value; on a tie the one that asks more."""
        threshold = curve.threshold(self.omega)
        return OperatingPoint(threshold, curve.outcomes(threshold), ExchangeRate(self.omega))


@dataclass(frozen=True)
class CheckCost(Objective):
    """Greatest expected profit EP_rho.

    Parameters
    ----------
    rho : float
        Cost of asking in units of a mistake, above 0 and at most 1; 1 / rho checks are worth
        one mistake.
    between : tuple of float, optional
        Interval of the checks per mistake, where they are not known exactly: 90% of what
        is believed of them. What it leaves open is in what is said of new cases.

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.priced import CheckCost
    >>> curve = ValueCurve.from_outcomes([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])
    >>> CheckCost(0.25).choose(curve).outcomes
    Outcomes(right=2, wrong=0, asked=2)
    """

    states_price: ClassVar[bool] = True
    is_measure: ClassVar[bool] = True

    rho: float
    between: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        ExchangeRate.from_rho(self.rho)
        if self.between is not None and not 0 < self.between[0] <= self.between[1] < math.inf:
            raise ObjectiveError(
                f"an interval of a price has two finite ends above 0; got {self.between}"
            )

    @property
    def checks_between(self) -> tuple[float, float] | None:
        """Interval of the checks per mistake."""
        return self.between

    @property
    def rate(self) -> ExchangeRate:
        """The stated price."""
        return ExchangeRate.from_rho(self.rho)

    def measure(self, outcomes: Outcomes) -> float:
        """EP_rho per case."""
        return outcomes.expected_profit(self.rho)

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the operating point of greatest expected profit."""
        return MistakeCost(ExchangeRate.from_rho(self.rho).omega).choose(curve)


@dataclass(frozen=True)
class FBeta(Objective):
    """Greatest F_beta; the exchange rate that this implies depends on the model.

    Parameters
    ----------
    beta : float
        Weight of recall, above 0.

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.priced import FBeta
    >>> curve = ValueCurve.from_outcomes([1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6])
    >>> FBeta(0.5).choose(curve).threshold
    0.8
    """

    is_measure: ClassVar[bool] = True

    beta: float

    def __post_init__(self) -> None:
        ExchangeRate.from_f_beta(0, self.beta)

    @property
    def wish(self) -> str:
        """What the user asked for."""
        return f"for the greatest F with beta {Decimal(f'{self.beta:.3g}'):f}"

    @property
    def recall_weight(self) -> float:
        """Beta."""
        return self.beta

    def measure(self, outcomes: Outcomes) -> float:
        """F_beta."""
        return outcomes.f_beta(self.beta)

    def loss(self, outcomes: Outcomes) -> float:
        """Minus F_beta."""
        return -self.measure(outcomes)

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the operating point of greatest F_beta."""
        threshold = curve.f_beta_threshold(self.beta)
        outcomes = curve.outcomes(threshold)
        rate = ExchangeRate.from_f_beta(outcomes.f_beta(self.beta), self.beta)
        return OperatingPoint(threshold, outcomes, rate)
