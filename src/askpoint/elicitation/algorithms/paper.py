"""The paper's searches: Algorithm 1 along the boundary, Algorithm 2 around a sphere.

Four questions halve an interval. Two of them never change what follows where no two points are
equal; the method "short" asks only the two that do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import TypeVar

import numpy as np

from askpoint.elicitation.algorithms.bisection import few_cases
from askpoint.elicitation.algorithms.feasible import feasible_cross
from askpoint.elicitation.algorithms.linear import noise_warning
from askpoint.elicitation.algorithms.trade_offs import ClassifierOutcome, Staircase
from askpoint.elicitation.elicited_weights import ElicitedWeights, Ratios
from askpoint.elicitation.questionnaire import Question, QuestionStep, Script
from askpoint.elicitation.respondents import Answer
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray

__all__ = ["cyclic_search", "n_cyclic", "on_sphere", "paper_diagonal", "paper_linear"]

_NO_INTERVAL = (
    "the paper's search gives no interval: on a sample its boundary has flat ends, where it may lose "
    "the weights; method 'chord' gives one"
)
_E = TypeVar("_E")
_Better = Callable[[float, float, int], Generator[QuestionStep[_E], Answer, Answer]]
_MANY_KINDS = 12
_CYCLES = 3


def _shrink(
    a: float, b: float, better: _Better[_E], remaining: int, *, short: bool
) -> Generator[QuestionStep[_E], Answer, tuple[float, float]]:
    """Halve an interval around the maximum of a unimodal function (ShrinkInterval-1 and -2)."""
    c, d, e = (3 * a + b) / 4, (a + b) / 2, (a + 3 * b) / 4
    c_a = True if short else (yield from better(c, a, remaining))
    d_c = yield from better(d, c, remaining - (not short))
    decided = short and d_c is False
    e_d = True if decided else (yield from better(e, d, remaining - (1 if short else 2)))
    if not short:
        yield from better(b, e, remaining - 3)
    if c_a is False or d_c is False:
        return a, d
    return (c, e) if e_d is False else (d, b)


def paper_diagonal(
    sample: Sample, tolerance: float, *, short: bool = False
) -> Script[ElicitedWeights]:
    """Algorithm 1: 4 (k - 1) ceil(log2(1 / eps)) questions."""
    k, classes = sample.k, sample.classes
    halvings = math.ceil(math.log2(1 / tolerance))
    middle = np.ones(k)

    def estimate() -> ElicitedWeights:
        ratios = Ratios(middle, middle.copy(), middle)
        return ElicitedWeights("diagonal", classes, ratios.weights(1), None, (_NO_INTERVAL,))

    ends = []
    for i in range(1, k):
        stairs = Staircase.of(sample, 0, i)

        def better(
            m: float, n: float, remaining: int, i: int = i, stairs: Staircase = stairs
        ) -> Generator[QuestionStep[ElicitedWeights], Answer, Answer]:
            first, second = stairs.outcome(m), stairs.outcome(n)
            topic = f"classes {classes[0]} and {classes[i]}"
            question = _question(first, second, topic, {"other": i, "m": [m, n]})
            return (yield QuestionStep(question, estimate(), remaining))

        a, b = 0.0, 1.0
        for left in range(halvings, 0, -1):
            remaining = ((k - 1 - i) * halvings + left) * (2 if short else 4)
            a, b = yield from _shrink(a, b, better, remaining, short=short)
            m = (a + b) / 2
            middle[i] = (1 - m) / m
        ends.append((stairs, a, b))
    elicited = estimate()
    return replace(elicited, warnings=elicited.warnings + few_cases(ends, classes))


def _question(
    first: ClassifierOutcome, second: ClassifierOutcome, topic: str, details: dict[str, object]
) -> Question:
    rules = (first.rule, second.rule)
    return Question(first.confusion, second.confusion, topic, details, rules)


def on_sphere(angles: FloatArray) -> FloatArray:
    """Return the point of the unit sphere with these angles."""
    sines = np.append(1, np.cumprod(np.sin(angles)))
    return np.asarray(sines * np.append(np.cos(angles), 1))


def cyclic_search(
    question: Callable[[FloatArray, FloatArray], Question],
    q: int,
    tolerance: float,
    cycles: int,
    estimate: Callable[[FloatArray], _E],
    *,
    short: bool = False,
    worst: bool = False,
) -> Generator[QuestionStep[_E], Answer, FloatArray]:
    """Algorithm 2: one angle after the other, cycle after cycle, from the middle of the quadrant."""
    sign = -1.0 if worst else 1.0
    starts = np.append(np.full(q - 2, np.pi / 2), np.pi)
    angles = starts + np.pi / 4
    halvings = math.ceil(math.log2(math.pi / (2 * tolerance)))
    for t in range(cycles * (q - 1)):
        j = t % (q - 1)

        def point(angle: float, j: int = j) -> FloatArray:
            moved = angles.copy()
            moved[j] = angle
            return np.asarray(sign * on_sphere(moved))

        def better(
            x: float, y: float, remaining: int
        ) -> Generator[QuestionStep[_E], Answer, Answer]:
            pair = (point(y), point(x)) if worst else (point(x), point(y))
            return (
                yield QuestionStep(question(*pair), estimate(sign * on_sphere(angles)), remaining)
            )

        a, b = starts[j], starts[j] + np.pi / 2
        for left in range(halvings, 0, -1):
            remaining = ((cycles * (q - 1) - 1 - t) * halvings + left) * (2 if short else 4)
            a, b = yield from _shrink(a, b, better, remaining, short=short)
        angles[j] = (a + b) / 2
    return sign * on_sphere(angles)


def n_cyclic(q: int, tolerance: float, cycles: int, *, short: bool = False) -> int:
    """Count the questions that `cyclic_search` asks at most."""
    halvings = math.ceil(math.log2(math.pi / (2 * tolerance)))
    return cycles * (q - 1) * halvings * (2 if short else 4)


def paper_linear(
    sample: Sample, tolerance: float, *, cycles: int = 2, short: bool = False, noise: float = 0.0
) -> Script[ElicitedWeights]:
    """Algorithm 2 on the sphere around uniform guessing: 4 T ceil(log2(pi / (2 eps))) questions."""
    if cycles < 1:
        raise InputError(f"at least one cycle is needed; got {cycles}")
    cross = feasible_cross(sample)
    radius, q = cross.radius, len(cross.reach)
    warnings: tuple[str, ...] = (_NO_INTERVAL,)
    if q >= _MANY_KINDS and cycles < _CYCLES:
        warnings += (f"two cycles are too few for {q} kinds of mistakes; give cycles=3",)
    warnings += noise_warning(math.sqrt(noise / radius), noise)

    def question(first: FloatArray, second: FloatArray) -> Question:
        pair = cross.at(radius * first), cross.at(radius * second)
        return _question(*pair, "the sphere around guessing", {"at": [*first, *second]})

    def estimate(weights: FloatArray) -> ElicitedWeights:
        return ElicitedWeights("linear", sample.classes, weights, None, warnings)

    search = cyclic_search(question, q, tolerance, cycles, estimate, short=short)
    return estimate((yield from search))
