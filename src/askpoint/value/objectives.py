"""What to want of a threshold: each objective is a value that chooses a point of the curve.

By price: `MistakeCost`, `CheckCost`, `FBeta`. By limit: `AskAtMost`, `MaxError`, `MeanError`,
`MinRecall`, `MinPrecision`; the price that a limit implies is part of the answer.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np

from askpoint.errors import InputError, NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.inputs import BoolArray
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import TIE, ValueCurve
from askpoint.value.guarantees import conformal_risk_control, learn_then_test, rows_needed
from askpoint.value.labelled_cases import LabelledCases

__all__ = [
    "AskAtMost",
    "ByClass",
    "CheckCost",
    "FBeta",
    "MaxError",
    "MeanError",
    "MinPrecision",
    "MinRecall",
    "MistakeCost",
    "Objective",
    "OperatingPoint",
]


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
    costs : CostMatrix or None
        Costs of the decisions, whose expected saving then takes the place of confidence.
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
    def costs(self) -> CostMatrix | None:
        """Costs of the decisions."""
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
    >>> from askpoint.value.objectives import MistakeCost
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

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.objectives import CheckCost
    >>> curve = ValueCurve.from_outcomes([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])
    >>> CheckCost(0.25).choose(curve).outcomes
    Outcomes(right=2, wrong=0, asked=2)
    """

    states_price: ClassVar[bool] = True
    is_measure: ClassVar[bool] = True

    rho: float

    def __post_init__(self) -> None:
        ExchangeRate.from_rho(self.rho)

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
    >>> from askpoint.value.objectives import FBeta
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


@dataclass(frozen=True)
class AskAtMost(Objective):
    """Fewest mistakes with no more than so many cases asked: the reviewers' capacity.

    Parameters
    ----------
    limit : int or float
        A whole number of cases, or a share below 1.

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.objectives import AskAtMost
    >>> curve = ValueCurve.from_outcomes([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])
    >>> AskAtMost(0.5).choose(curve).outcomes
    Outcomes(right=2, wrong=0, asked=2)
    >>> AskAtMost(0.25).choose(curve).outcomes
    Outcomes(right=3, wrong=1, asked=0)
    """

    is_limit: ClassVar[bool] = True
    is_capacity: ClassVar[bool] = True

    limit: float

    def __post_init__(self) -> None:
        if not (0 <= self.limit < 1 or (self.limit >= 1 and float(self.limit).is_integer())):
            raise ObjectiveError(
                "ask-at-most must be a whole number of cases, or a share from 0 to below 1; "
                f"got {self.limit}"
            )

    @property
    def wish(self) -> str:
        """What the user asked for."""
        cases = (
            f"{_percent(self.limit)} of the cases"
            if self.limit < 1
            else f"{self.limit:,.0f} case{'s' * (self.limit != 1)}"
        )
        return f"for at most {cases} to go to people"

    @property
    def counts_weight(self) -> bool:
        """Whether a share is asked for."""
        return self.limit < 1

    def share_of(self, n_items: int) -> float:
        """Greatest share of the cases that may be asked."""
        return self.limit if self.limit < 1 else min(self.limit / n_items, 1)

    def loss(self, outcomes: Outcomes) -> float:
        """Share of mistakes among all cases."""
        return outcomes.wrong / outcomes.total

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of fewest mistakes within the limit; of several the one that asks least.

        Cases of equal confidence are asked together or not at all.
        """
        allowed = self.limit * curve.total if self.limit < 1 else self.limit
        asked = curve.total - (curve.right + curve.wrong)
        fewest = curve.wrong[np.argmax(asked <= allowed * TIE)]
        return _point(curve, int(np.searchsorted(curve.wrong, fewest, side="right")) - 1)


@dataclass(frozen=True)
class MaxError(Objective):
    """Most cases answered with at most this share of mistakes among the answers.

    Parameters
    ----------
    risk : float
        Greatest share of wrong answers among the answers, from 0 to below 1.

    delta : float, optional
        Probability that the limit fails on new cases, at most, by `learn_then_test`.

    Notes
    -----
    Without `delta` the share is that of the cases at hand; a threshold chosen this way exceeds
    the limit on new cases about every second time.

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.objectives import MaxError
    >>> curve = ValueCurve.from_outcomes([0] + [1] * 99, range(100, 0, -1))
    >>> MaxError(0.05).choose(curve).outcomes.coverage  # though the surest case is wrong
    1.0
    """

    is_limit: ClassVar[bool] = True
    hint: ClassVar[str] = " --guarantee 0.05 chooses one that keeps it but for 5 %."

    risk: float
    delta: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.risk < 1:
            raise ObjectiveError(f"max-error must lie from 0 to below 1, got {self.risk}")
        if self.delta is not None:
            rows_needed(self.risk, self.delta)  # refuses what is no probability

    @property
    def wish(self) -> str:
        """What the user asked for."""
        return f"for at most {_percent(self.risk)} mistakes among the answers"

    @property
    def is_promised(self) -> bool:
        """Whether the limit is promised of new cases."""
        return self.delta is not None

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of greatest coverage within the limit.

        Raises
        ------
        UnmetError
            If every threshold exceeds it.
        NotEstimableError
            If there are too few cases for a promise with `delta`.
        """
        if self.delta is not None:
            return OperatingPoint.at(curve, learn_then_test(curve, self.risk, self.delta))
        wish = f"the error among the answers at or below {self.risk:g}"
        return _point(curve, _last_within(curve, self.risk, wish))


@dataclass(frozen=True)
class MeanError(Objective):
    """Most cases answered while the rate of accepted mistakes is promised on average.

    For new cases like the labelled ones, the probability that a case is answered and wrong is at
    most `risk`, on average over labelled samples (conformal risk control).

    Parameters
    ----------
    risk : float
        Greatest share of wrong answers among all cases, between 0 and 1.

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.objectives import MeanError
    >>> curve = ValueCurve.from_outcomes([1] * 90 + [0] * 10, range(100, 0, -1))
    >>> MeanError(0.05).choose(curve).outcomes
    Outcomes(right=90, wrong=4, asked=6)
    """

    is_limit: ClassVar[bool] = True

    risk: float

    def __post_init__(self) -> None:
        if not 0 < self.risk < 1:
            raise ObjectiveError(f"the mean error must lie between 0 and 1, got {self.risk}")

    @property
    def wish(self) -> str:
        """What the user asked for."""
        return f"that of new cases, on average, at most {_percent(self.risk)} are answered wrongly"

    @property
    def is_promised(self) -> bool:
        """Whether the limit is promised of new cases."""
        return True

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of greatest coverage that keeps the promise.

        Raises
        ------
        NotEstimableError
            If there are too few cases for it.
        """
        return OperatingPoint.at(curve, conformal_risk_control(curve, self.risk))


@dataclass(frozen=True)
class MinRecall(Objective):
    """Most cases answered while at least this share of a class is not answered wrongly.

    An asked case counts as found: people see it. Lost are the cases of the class that the
    model answers with another class.

    Parameters
    ----------
    label : object
        One of the classes.
    level : float
        Least share of its cases that must not be lost, above 0 and at most 1.

    Examples
    --------
    >>> from askpoint.value.probabilities import value_curve
    >>> from askpoint.value.objectives import MinRecall
    >>> curve = value_curve([1, 1, 0, 0], [0.9, 0.4, 0.1, 0.3])
    >>> MinRecall(1, 1.0).choose(curve).outcomes
    Outcomes(right=3, wrong=0, asked=1)
    """

    is_limit: ClassVar[bool] = True
    needs_cases: ClassVar[bool] = True

    label: Any
    level: float

    def __post_init__(self) -> None:
        _check_level(self.level, "min-recall")

    @property
    def wish(self) -> str:
        """What the user asked for."""
        return (
            f"that at least {_percent(self.level)} of the cases {self.label!r} are not lost to a "
            "wrong answer (those left to people count as found)"
        )

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of greatest coverage that keeps the recall.

        Raises
        ------
        NotEstimableError
            If no case has the label.
        """
        cases, code = _class(curve, self.label)
        rows = cases.truth == code
        if not rows.any():
            raise NotEstimableError(
                f"no case has the label {self.label!r}, so its recall is not known; label some"
            )
        part = _part(cases, rows)
        kept = part.wrong <= (1 - self.level) * part.total * TIE
        return _before(curve, part, int(np.flatnonzero(kept)[-1]) + 1)


@dataclass(frozen=True)
class MinPrecision(Objective):
    """Most cases answered while answers of a class are right at least this often.

    Parameters
    ----------
    label : object
        One of the classes.
    level : float
        Least share of right answers among the answers of this class, above 0 and at most 1.

    Examples
    --------
    >>> from askpoint.value.probabilities import value_curve
    >>> from askpoint.value.objectives import MinPrecision
    >>> curve = value_curve([1, 0, 0, 0], [0.9, 0.6, 0.1, 0.3])
    >>> MinPrecision(1, 0.9).choose(curve).threshold
    0.7
    """

    is_limit: ClassVar[bool] = True
    needs_cases: ClassVar[bool] = True

    label: Any
    level: float

    def __post_init__(self) -> None:
        _check_level(self.level, "min-precision")

    @property
    def wish(self) -> str:
        """What the user asked for."""
        return f"that answers {self.label!r} are right at least {_percent(self.level)} of the time"

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of greatest coverage that keeps the precision.

        Raises
        ------
        UnmetError
            If every threshold at which the class is answered falls below it.
        """
        cases, code = _class(curve, self.label)
        rows = cases.predicted == code
        if not rows.any():
            return _point(curve, len(curve.thresholds) - 1)
        part = _part(cases, rows)
        wish = f"the precision of the answers {self.label!r} at or above {self.level:g}"
        return _before(curve, part, _last_within(part, 1 - self.level, wish) + 1)


@dataclass(frozen=True)
class ByClass:
    """One objective, and so one threshold, for each predicted class: deny, ask or allow.

    The cases fall apart by what the model predicts, so each class has a curve of its own and its
    optimum does not depend on the others'.

    Parameters
    ----------
    objectives : mapping from class to Objective
        One for each class.

    Examples
    --------
    >>> from askpoint.value.probabilities import value_curve
    >>> from askpoint.value.objectives import ByClass, MistakeCost
    >>> curve = value_curve([1, 0, 0, 0], [0.9, 0.6, 0.1, 0.3])
    >>> points = ByClass({0: MistakeCost(1), 1: MistakeCost(9)}).choose_each(curve)
    >>> points[0].threshold, points[1].threshold  # allow from 0.7, deny from 0.9
    (0.7, 0.9)
    """

    objectives: Mapping[Any, Objective]

    def choose_each(self, curve: ValueCurve) -> dict[Any, OperatingPoint]:
        """Return the best operating point of each predicted class.

        Parameters
        ----------
        curve : ValueCurve
            Made by `value_curve`, so that it knows the classes.

        Returns
        -------
        dict
            From class to point. The outcomes are those of the cases predicted so. A class
            that is never predicted is always asked.

        Raises
        ------
        ObjectiveError
            If a class has no objective, or one is not among the classes.
        """
        cases = _known_classes(curve)
        if set(self.objectives) != set(cases.classes):
            named = ", ".join(sorted(map(repr, self.objectives)))
            raise ObjectiveError(
                f"name one objective for each class {', '.join(map(repr, cases.classes))}; "
                f"got {named or 'none'}"
            )
        points = {}
        for code, name in enumerate(cases.classes):
            rows = cases.predicted == code
            if rows.any():
                points[name] = self.objectives[name].choose(_part(cases, rows))
        return points


def _check_level(level: float, name: str) -> None:
    if not 0 < level <= 1:
        raise ObjectiveError(f"{name} must lie above 0 and at most at 1, got {level}")


def _percent(share: float) -> str:
    return f"{100 * share:.6g}\N{NO-BREAK SPACE}%"


def _point(curve: ValueCurve, k: int) -> OperatingPoint:
    return OperatingPoint.at(curve, float(curve.thresholds[k]))


def _before(curve: ValueCurve, part: ValueCurve, k: int) -> OperatingPoint:
    """Answer all that is surer than group k of a part of the cases; all, if there is none."""
    group = np.append(part.thresholds, -np.inf)[k]
    return _point(curve, int(np.searchsorted(-curve.thresholds, -group)) - 1)


def _last_within(curve: ValueCurve, risk: float, wish: str) -> int:
    wrong, answered = curve.wrong[1:], curve.right[1:] + curve.wrong[1:]
    within = wrong <= risk * answered * TIE
    if not within.any():
        best = int((wrong / answered).argmin())
        raise UnmetError(
            f"no threshold keeps {wish}: the lowest error is {wrong[best] / answered[best]:.4g}, "
            f"with {answered[best] / curve.total:.1%} answered"
        )
    return int(np.flatnonzero(within)[-1]) + 1


def _known_classes(curve: ValueCurve) -> LabelledCases:
    if curve.cases is None:
        raise InputError(
            "an objective on single classes needs a curve that knows them: make it with "
            "value_curve(y_true, y_proba)"
        )
    return curve.cases


def _class(curve: ValueCurve, label: Any) -> tuple[LabelledCases, int]:
    cases = _known_classes(curve)
    if label not in cases.classes:
        shown = ", ".join(map(repr, cases.classes[:10]))
        raise InputError(f"the label {label!r} is not among the classes {shown}")
    return cases, cases.classes.index(label)


def _part(cases: LabelledCases, rows: BoolArray) -> ValueCurve:
    weight = None if cases.weight is None else cases.weight[rows]
    right = (cases.truth == cases.predicted)[rows]
    return ValueCurve.from_outcomes(right, cases.confidence[rows], sample_weight=weight)
