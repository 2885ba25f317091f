"""What to want of a threshold: each objective is a value that chooses a point of the curve."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from askpoint.errors import ObjectiveError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import ValueCurve

__all__ = ["ClassLimit", "Objective", "OperatingPoint"]


@dataclass(frozen=True)
class OperatingPoint:
    """A threshold, what becomes of the cases, and the exchange rate that it amounts to.

    Parameters
    ----------
    threshold : float
        Answer where confidence >= threshold; infinity means never to answer.
    outcomes : Outcomes
        Right, wrong and asked cases at this threshold, on the cases of the curve.
    rate : ExchangeRate or None
        What was stated, or what the choice implies (the shadow price of a constraint): at a
        lower price of a mistake one would rather answer more. None where no finite price
        makes this point the best.
    """

    threshold: float
    outcomes: Outcomes
    rate: ExchangeRate | None

    @classmethod
    def at(cls, curve: ValueCurve, threshold: float) -> OperatingPoint:
        """Return the point at any threshold, with the exchange rate that it implies.

        Parameters
        ----------
        curve : ValueCurve
            Right and wrong answers at every threshold.
        threshold : float
            Any number; infinity means never to answer.
        """
        omega = curve.implied_omega(threshold)
        rate = ExchangeRate(omega) if math.isfinite(omega) else None
        return cls(threshold, curve.outcomes(threshold), rate)

    @property
    def value(self) -> float | None:
        """V(omega) per case at the exchange rate."""
        return None if self.rate is None else self.outcomes.value(self.rate.omega)

    @property
    def expected_profit(self) -> float | None:
        """EP_rho at the exchange rate."""
        return None if self.rate is None else self.outcomes.expected_profit(self.rate.rho)


@dataclass(frozen=True)
class ClassLimit:
    """A class, and the least that must hold of it."""

    of: Literal["recall", "precision"]
    label: Any
    level: float


class Objective:
    """What to want of a threshold; chooses one operating point of a value curve.

    One record says all that commands, answers and reports must know of an objective; a new one
    overrides what differs.

    Attributes
    ----------
    states_price : bool
        Whether what a mistake costs is stated, and so the same for every model.
    is_limit : bool
        Whether a limit is set, from which a price follows.
    is_capacity : bool
        Whether the limit is one of people's work, which needs no labels.
    is_promised : bool
        Whether the limit is promised of new cases.
    is_measure : bool
        Whether `measure` scores outcomes.
    needs_cases : bool
        Whether a choice looks at single cases, and not at counts alone.
    charges_people : bool
        Whether the mistakes of the people who are asked are counted.
    hint : str
        What else could be asked for, where a limit is not promised.
    unit : str
        Of the costs of policies.
    rate : ExchangeRate or None
        The one price of a mistake that is stated.
    checks_between : tuple of float, or None
        Interval, 90%, of the checks per mistake, where the price is not known exactly.
    costs : CostMatrix or None
        Costs of the decisions, whose expected saving then takes the place of confidence.
    capacity : float or None
        Most cases that may be asked, or their share if it is below 1.
    error_limit : float or None
        Greatest share of mistakes among the answers.
    output_limit : float or None
        Greatest share of mistakes among all cases, those that people look at included.
    promise_delta : float or None
        With what probability the limit of error may fail on new cases, where it is promised.
    recall_weight : float or None
        Beta of the F_beta that is wanted.
    class_limit : ClassLimit or None
        The least recall or precision of a class.
    """

    states_price: ClassVar[bool] = False
    is_limit: ClassVar[bool] = False
    is_capacity: ClassVar[bool] = False
    is_measure: ClassVar[bool] = False
    needs_cases: ClassVar[bool] = False
    charges_people: ClassVar[bool] = False
    hint: ClassVar[str] = ""

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the best operating point."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """What JSON calls it."""
        return type(self).__name__

    @property
    def stated(self) -> dict[str, Any]:
        """Its numbers by their names."""
        fields = dataclasses.asdict(self)  # type: ignore[call-overload]
        return {key: value for key, value in fields.items() if value is not None}

    @property
    def wish(self) -> str:
        """What the user asked for, after "You asked"."""
        return f"for {self.name}"

    @property
    def is_promised(self) -> bool:
        """Whether the limit is promised of new cases."""
        return False

    @property
    def unit(self) -> str:
        """Unit of the costs of policies."""
        return "checks"

    @property
    def rate(self) -> ExchangeRate | None:
        """The one price of a mistake that is stated."""
        return None

    @property
    def checks_between(self) -> tuple[float, float] | None:
        """Interval of the checks per mistake."""
        return None

    @property
    def costs(self) -> CostMatrix | None:
        """Costs of the decisions."""
        return None

    @property
    def capacity(self) -> float | None:
        """Most cases that may be asked, or their share."""
        return None

    @property
    def error_limit(self) -> float | None:
        """Greatest share of mistakes among the answers."""
        return None

    @property
    def output_limit(self) -> float | None:
        """Greatest share of mistakes in the whole output."""
        return None

    @property
    def promise_delta(self) -> float | None:
        """Probability that a promised limit of error fails."""
        return None

    @property
    def recall_weight(self) -> float | None:
        """Beta of the F_beta that is wanted."""
        return None

    @property
    def class_limit(self) -> ClassLimit | None:
        """Least recall or precision of a class."""
        return None

    @property
    def has_one_price(self) -> bool:
        """Whether one price of a mistake sums it up; a cost matrix, and people who err, have many."""
        return self.costs is None and not self.charges_people

    @property
    def counts_weight(self) -> bool:
        """Whether cases count by their weight, and not one by one."""
        return True

    def share_of(self, n_items: int) -> float:
        """Greatest share of the cases that may be asked."""
        del n_items
        return 1.0

    def cost(self, outcomes: Outcomes, rate: ExchangeRate | None) -> float | None:
        """Cost per 1,000 cases in the unit, at a rate; None where there is no rate."""
        if rate is None:
            return None
        return 1000 * (outcomes.asked + rate.checks_per_mistake * outcomes.wrong) / outcomes.total

    def measure(self, outcomes: Outcomes) -> float:
        """Score outcomes; more is better."""
        raise ObjectiveError(f"{self.name} is a limit and does not measure {outcomes}")

    def loss(self, outcomes: Outcomes) -> float | None:
        """Order models, the least first; None where their costs do."""
        return -outcomes.coverage if self.is_limit else None
