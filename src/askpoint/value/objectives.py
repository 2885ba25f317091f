"""What to want of a threshold: each objective is a value that chooses a point of the curve.

By price: `MistakeCost`, `CheckCost`, `FBeta`. By constraint: `AskAtMost`, `MaxError`,
`MinRecall`, `MinPrecision`; the price that a constraint implies is part of the answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from askpoint.errors import InputError, NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.inputs import BoolArray
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import TIE, ValueCurve
from askpoint.value.guarantees import learn_then_test, rows_needed
from askpoint.value.labelled_cases import LabelledCases

__all__ = [
    "AskAtMost",
    "ByClass",
    "CheckCost",
    "FBeta",
    "MaxError",
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


class Objective(Protocol):
    """Chooses one operating point of a value curve."""

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the best operating point."""
        ...


@dataclass(frozen=True)
class MistakeCost:
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

    omega: float

    def __post_init__(self) -> None:
        ExchangeRate(self.omega)

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the operating point of greatest value; on a tie the one that asks more."""
        threshold = curve.threshold(self.omega)
        return OperatingPoint(threshold, curve.outcomes(threshold), ExchangeRate(self.omega))


@dataclass(frozen=True)
class CheckCost:
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

    rho: float

    def __post_init__(self) -> None:
        ExchangeRate.from_rho(self.rho)

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the operating point of greatest expected profit."""
        return MistakeCost(ExchangeRate.from_rho(self.rho).omega).choose(curve)


@dataclass(frozen=True)
class FBeta:
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

    beta: float

    def __post_init__(self) -> None:
        ExchangeRate.from_f_beta(0, self.beta)

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the operating point of greatest F_beta."""
        threshold = curve.f_beta_threshold(self.beta)
        outcomes = curve.outcomes(threshold)
        rate = ExchangeRate.from_f_beta(outcomes.f_beta(self.beta), self.beta)
        return OperatingPoint(threshold, outcomes, rate)


@dataclass(frozen=True)
class AskAtMost:
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

    limit: float

    def __post_init__(self) -> None:
        if not (0 <= self.limit < 1 or (self.limit >= 1 and float(self.limit).is_integer())):
            raise ObjectiveError(
                "ask-at-most must be a whole number of cases, or a share from 0 to below 1; "
                f"got {self.limit}"
            )

    def choose(self, curve: ValueCurve) -> OperatingPoint:
        """Return the point of fewest mistakes within the limit; of several the one that asks least.

        Cases of equal confidence are asked together or not at all.
        """
        allowed = self.limit * curve.total if self.limit < 1 else self.limit
        asked = curve.total - (curve.right + curve.wrong)
        fewest = curve.wrong[np.argmax(asked <= allowed * TIE)]
        return _point(curve, int(np.searchsorted(curve.wrong, fewest, side="right")) - 1)


@dataclass(frozen=True)
class MaxError:
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

    risk: float
    delta: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.risk < 1:
            raise ObjectiveError(f"max-error must lie from 0 to below 1, got {self.risk}")
        if self.delta is not None:
            rows_needed(self.risk, self.delta)  # refuses what is no probability

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
class MinRecall:
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

    label: Any
    level: float

    def __post_init__(self) -> None:
        _check_level(self.level, "min-recall")

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
class MinPrecision:
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

    label: Any
    level: float

    def __post_init__(self) -> None:
        _check_level(self.level, "min-precision")

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
