"""Weights of the kinds of mistakes, by chords: from uniform guessing, or around any classifier."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.elicitation.algorithms.bisection import Scale, bisect_ratios
from askpoint.elicitation.algorithms.feasible import Cross, feasible_cross
from askpoint.elicitation.algorithms.trade_offs import ClassifierOutcome
from askpoint.elicitation.elicited_weights import ElicitedWeights, Ratios
from askpoint.elicitation.questionnaire import Question, QuestionStep, Script
from askpoint.elicitation.respondents import Answer
from askpoint.elicitation.rules import CostRule, Mixture
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError
from askpoint.measures.inputs import IntArray

__all__ = [
    "bisect_linear",
    "chord_gradient",
    "mistake_groups",
    "most_probable_outcome",
    "n_chords",
    "noise_warning",
]

_E = TypeVar("_E")

_OF_COSTS = Scale(zero=0.0, one=math.pi / 4, ratio=math.tan)
_TOO_NOISY = 0.1


def mistake_groups(groups: ArrayLike | None, n_classes: int) -> IntArray:
    """Number the groups of mistakes that weigh the same."""
    q = n_classes * n_classes - n_classes
    if groups is None:
        return np.arange(q)
    table: NDArray[Any] = np.asarray(groups)
    if table.shape != (n_classes, n_classes):
        raise InputError(
            f"groups must be a table of {n_classes} x {n_classes} names, one for each truth and "
            f"decision; got {' x '.join(map(str, table.shape))}"
        )
    names = table[~np.eye(n_classes, dtype=bool)].tolist()
    order = list(dict.fromkeys(names))
    if len(order) < 2:
        raise InputError("all mistakes are in one group: there is nothing to compare")
    return np.array([order.index(name) for name in names])


def chord_gradient(
    sample: Sample,
    cross: Cross,
    groups: IntArray,
    tolerance: float,
    estimate: Callable[[Ratios], _E],
) -> Generator[QuestionStep[_E], Answer, Ratios]:
    """Compare groups of mistakes around the centre of a cross."""
    k = sample.k
    spread = [np.where(groups == g, 1 / (groups == g).sum(), 0.0) for g in range(groups.max() + 1)]
    cells = np.argwhere(~np.eye(k, dtype=bool))
    names = [
        ", ".join(f"{sample.classes[i]} as {sample.classes[j]}" for i, j in cells[groups == g])
        for g in range(groups.max() + 1)
    ]

    def question(pivot: int, other: int, angle: float) -> Question:
        direction = math.cos(angle) * spread[other] - math.sin(angle) * spread[pivot]
        # a hair inside, where round-off leaves every weight positive
        change = (1 - 1e-12) * cross.farthest(direction) * direction
        first, second = cross.at(change), cross.at(-change)
        return Question(
            first.confusion,
            second.confusion,
            f"{names[pivot]} against {names[other]}",
            {"pivot": pivot, "other": other, "angle": angle},
            (first.rule, second.rule),
        )

    return (yield from bisect_ratios(len(spread), question, _OF_COSTS, tolerance, estimate))


def n_chords(n_groups: int, tolerance: float) -> int:
    """Count the questions that `chord_gradient` asks."""
    return (n_groups - 1) * (_OF_COSTS.n_halvings(tolerance) + 1)


def most_probable_outcome(sample: Sample) -> ClassifierOutcome:
    """Return the classifier that decides for the most probable class, and what it does."""
    rule = CostRule.most_probable(sample.k)
    return ClassifierOutcome(Mixture((rule,), (1.0,)), sample.confusion(rule))


def noise_warning(error: float, noise: float) -> tuple[str, ...]:
    """Warn where the pairs lie too close together for the respondent."""
    if error <= _TOO_NOISY:
        return ()
    text = (
        f"the pairs lie too close together for a respondent with noise {noise:g}: it adds about "
        f"{error:.2g} to the error of the weights; ask for class weights, group the mistakes, or use "
        "a model that tells the classes apart better"
    )
    return (text,)


def bisect_linear(
    sample: Sample,
    tolerance: float,
    *,
    groups: ArrayLike | None = None,
    share: float = 1.0,
    noise: float = 0.0,
) -> Script[ElicitedWeights]:
    """Elicit the weights of mistakes: 8 questions for each but one at a tolerance of 0.01."""
    if not 0 < share <= 1:
        raise InputError(f"a share must be above 0 and at most 1; got {share}")
    numbers = mistake_groups(groups, sample.k)
    cross = feasible_cross(sample)
    if share < 1:
        cross = cross.mix(most_probable_outcome(sample), share)

    def estimate(ratios: Ratios, warnings: tuple[str, ...] = ()) -> ElicitedWeights:
        all_cells = ratios.take(numbers)
        interval = -all_cells.interval(2)[:, ::-1]
        weights = -all_cells.weights(2)
        return ElicitedWeights("linear", sample.classes, weights, interval, warnings)

    ratios = yield from chord_gradient(sample, cross, numbers, tolerance, estimate)
    return estimate(ratios, noise_warning(noise / cross.radius, noise))
