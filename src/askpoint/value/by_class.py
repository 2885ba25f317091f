"""Objectives on single classes: a recall, a precision, or one objective for each class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from askpoint.errors import InputError, NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.inputs import BoolArray, as_level
from askpoint.value.curve import TIE, ValueCurve
from askpoint.value.labelled_cases import LabelledCases
from askpoint.value.limits import last_within, percent, point_at
from askpoint.value.objectives import ClassLimit, Objective, OperatingPoint

__all__ = ["ByClass", "MinPrecision", "MinRecall"]


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
    delta : float, optional
        With it the recall is promised of new cases: the probability that it is less, at most.

    Examples
    --------
    >>> from askpoint.value.probabilities import value_curve
    >>> from askpoint.value.by_class import MinRecall
    >>> curve = value_curve([1, 1, 0, 0], [0.9, 0.4, 0.1, 0.3])
    >>> MinRecall(1, 1.0).choose(curve).outcomes
    Outcomes(right=3, wrong=0, asked=1)
    """

    is_limit: ClassVar[bool] = True
    needs_cases: ClassVar[bool] = True

    label: Any
    level: float
    delta: float | None = None

    def __post_init__(self) -> None:
        _check_level(self.level, "min-recall")
        if self.delta is not None:
            as_level(self.delta, "delta")
            if self.level == 1:
                raise ObjectiveError(
                    "no number of labels promises a recall of 1: state less, such as 0.99"
                )

    @property
    def promise_delta(self) -> float | None:
        """Probability that the limit fails, where it is promised."""
        return self.delta

    @property
    def is_promised(self) -> bool:
        """Whether the limit is promised."""
        return self.delta is not None

    @property
    def wish(self) -> str:
        """What the user asked for."""
        return (
            f"that at least {percent(self.level)} of the cases {self.label!r} are not lost to a "
            "wrong answer (those sent to review count as found)"
        )

    @property
    def class_limit(self) -> ClassLimit:
        """The least recall."""
        return ClassLimit("recall", self.label, self.level)

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
        if self.delta is not None:
            from askpoint.value.acceptance import labels_to_promise, stream_acceptance_number

            accepted = stream_acceptance_number(int(part.total), 1 - self.level, self.delta)
            if accepted < 0:
                n = int(part.total)
                raise UnmetError(
                    f"{n} case{'s' * (n != 1)} {self.label!r} cannot promise a recall of {self.level:g}: label "
                    f"{labels_to_promise(1 - self.level, self.delta)} or more"
                )
            return _before(curve, part, int(np.flatnonzero(part.wrong <= accepted)[-1]) + 1)
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
    >>> from askpoint.value.by_class import MinPrecision
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
        return f"that answers {self.label!r} are right at least {percent(self.level)} of the time"

    @property
    def class_limit(self) -> ClassLimit:
        """The least precision."""
        return ClassLimit("precision", self.label, self.level)

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
            return point_at(curve, len(curve.thresholds) - 1)
        part = _part(cases, rows)
        wish = f"the precision of the answers {self.label!r} at or above {self.level:g}"
        return _before(curve, part, last_within(part, 1 - self.level, wish) + 1)


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
    >>> from askpoint.value.by_class import ByClass
    >>> from askpoint.value.priced import MistakeCost
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
        cases = _cases_of(curve)
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
        raise ObjectiveError(f"{name} must be above 0 and at most 1; got {level}")


def _before(curve: ValueCurve, part: ValueCurve, k: int) -> OperatingPoint:
    """Answer all that is surer than group k of a part of the cases; all, if there is none."""
    group = np.append(part.thresholds, -np.inf)[k]
    return point_at(curve, int(np.searchsorted(-curve.thresholds, -group)) - 1)


def _cases_of(curve: ValueCurve) -> LabelledCases:
    if curve.cases is None:
        raise InputError(
            "an objective on single classes needs a curve that knows them: make it with "
            "value_curve(y_true, y_proba)"
        )
    return curve.cases


def _class(curve: ValueCurve, label: Any) -> tuple[LabelledCases, int]:
    cases = _cases_of(curve)
    if label not in cases.classes:
        shown = ", ".join(map(repr, cases.classes[:10]))
        raise InputError(f"the label {label!r} is not among the classes {shown}")
    return cases, cases.classes.index(label)


def _part(cases: LabelledCases, rows: BoolArray) -> ValueCurve:
    weight = None if cases.weight is None else cases.weight[rows]
    right = (cases.truth == cases.predicted)[rows]
    return ValueCurve.from_outcomes(right, cases.confidence[rows], sample_weight=weight)
