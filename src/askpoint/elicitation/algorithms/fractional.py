"""Linear-fractional metrics, such as F-measures: two gradients say how they order all outcomes.

For phi = N / D the difference phi(x + v) - phi(x - v) has the sign of D(x) <N, v> - N(x) <D, v>, for v
of any length: a chord through x tells the gradient there exactly, as with a linear metric. The level set
through x is the plane A(c) = <gradient, c - x> = 0, and A / D differs from phi by a constant. So with
the planes A and B at two points, A(c) B(c') - B(c) A(c') says which of any two outcomes is better.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from askpoint.elicitation.algorithms.feasible import Cross, feasible_cross
from askpoint.elicitation.algorithms.linear import (
    chord_gradient,
    mistake_groups,
    most_probable_outcome,
    n_chords,
)
from askpoint.elicitation.algorithms.paper import cyclic_search, n_cyclic
from askpoint.elicitation.elicited_weights import Ratios
from askpoint.elicitation.questionnaire import LogEntry, Question, QuestionStep, Script
from askpoint.elicitation.respondents import Answer
from askpoint.elicitation.samples import Sample
from askpoint.measures.inputs import FloatArray

__all__ = ["ElicitedFraction", "bisect_fraction", "paper_fraction"]

_E = TypeVar("_E")
_R = TypeVar("_R")


@dataclass(frozen=True, eq=False)
class ElicitedFraction:
    """How a linear-fractional metric orders confusion matrices.

    Parameters
    ----------
    classes : tuple
        Class names.
    planes : ndarray of shape (2, k, k)
        Two planes of the pencil that all level sets belong to: rates that sum to 1 are weighed by
        these numbers. The first is positive where an outcome is better than at a good point, the
        second where it is better than at a bad one.
    warnings : tuple of str
        What to know before it is used.
    log : tuple of Entry
        The questions asked, and the answers.
    """

    classes: tuple[Any, ...]
    planes: FloatArray
    warnings: tuple[str, ...] = ()
    log: tuple[LogEntry, ...] = ()

    @property
    def n_queries(self) -> int:
        """Number of questions that were answered."""
        return len(self.log)

    def score(self, confusion: ArrayLike) -> float:
        """Return a number that grows with the metric."""
        good, bad = (self.planes * np.asarray(confusion)).sum(axis=(1, 2))
        return math.atan2(good + bad, bad - good)

    def prefers(self, first: FloatArray, second: FloatArray) -> Answer:
        """Compare two outcomes, as a respondent does."""
        difference = self.score(first) - self.score(second)
        return None if difference == 0 else difference > 0


def _plane(normal: FloatArray, point: FloatArray) -> FloatArray:
    """Weights of a plane through a point, for rates that sum to 1."""
    matrix = np.zeros(point.shape)
    matrix[~np.eye(len(point), dtype=bool)] = normal
    return np.asarray(matrix - (matrix * point).sum())


def _two_crosses(sample: Sample, cross: Cross) -> tuple[Cross, Cross]:
    """One cross among good classifiers, and one where every mistake is more frequent than by guess."""
    everywhere = np.ones(len(cross.reach))
    bad = cross.at(0.999 * cross.farthest(everywhere) * everywhere)
    return cross.mix(most_probable_outcome(sample), 0.2), cross.mix(bad, 0.5)


def bisect_fraction(
    sample: Sample, tolerance: float, *, groups: ArrayLike | None = None
) -> Script[ElicitedFraction]:
    """Elicit a linear-fractional metric by the gradients at two points."""
    numbers = mistake_groups(groups, sample.k)
    good, bad = _two_crosses(sample, feasible_cross(sample))
    n_each = n_chords(int(numbers.max()) + 1, tolerance)
    guess = Ratios(*np.ones((3, int(numbers.max()) + 1)))

    def estimate(at_good: Ratios, at_bad: Ratios) -> ElicitedFraction:
        planes = [
            _plane(-ratios.take(numbers).weights(2), cross.centre)
            for ratios, cross in ((at_good, good), (at_bad, bad))
        ]
        return ElicitedFraction(sample.classes, np.stack(planes))

    rules = (good.base, bad.base)
    which = Question(good.centre, bad.centre, "which of the two points is better", {}, rules)
    answer = yield QuestionStep(which, estimate(guess, guess), 2 * n_each + 1)
    if answer is False:
        good, bad = bad, good
    first = yield from _with_more(
        chord_gradient(sample, good, numbers, tolerance, lambda r: estimate(r, guess)), n_each
    )
    second = yield from chord_gradient(
        sample, bad, numbers, tolerance, lambda r: estimate(first, r)
    )
    return estimate(first, second)


def _with_more(
    steps: Generator[QuestionStep[_E], Answer, _R], n_more: int
) -> Generator[QuestionStep[_E], Answer, _R]:
    """Say that so many more questions follow."""
    try:
        step = next(steps)
        while True:
            answer = yield step._replace(remaining=step.remaining + n_more)
            step = steps.send(answer)
    except StopIteration as stop:
        result: _R = stop.value
        return result


def paper_fraction(
    sample: Sample, tolerance: float, *, cycles: int = 3, short: bool = False
) -> Script[ElicitedFraction]:
    """Elicit a linear-fractional metric by its best and its worst point on a sphere.

    A reconstruction of the paper's appendix E, which is not at hand: Algorithm 2, and once more for
    the minimum, in the opposite orthant. The planes that touch the sphere there are the two planes.
    """
    cross = feasible_cross(sample)
    radius, q = cross.radius, len(cross.reach)

    def question(first: FloatArray, second: FloatArray) -> Question:
        p, q = cross.at(radius * first), cross.at(radius * second)
        details = {"at": [*first, *second]}
        topic = "the sphere around guessing"
        return Question(p.confusion, q.confusion, topic, details, (p.rule, q.rule))

    def estimate(best: FloatArray, worst: FloatArray) -> ElicitedFraction:
        planes = [_plane(n, cross.at(radius * n).confusion) for n in (best, worst)]
        return ElicitedFraction(sample.classes, np.stack([planes[0], -planes[1]]))

    guess = np.full(q, -1 / math.sqrt(q))
    n_each = n_cyclic(q, tolerance, cycles, short=short)
    best = yield from _with_more(
        cyclic_search(question, q, tolerance, cycles, lambda n: estimate(n, -guess), short=short),
        n_each,
    )
    worst = yield from cyclic_search(
        question, q, tolerance, cycles, lambda n: estimate(best, n), short=short, worst=True
    )
    return estimate(best, worst)
