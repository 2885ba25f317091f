"""Chord bisection: one question halves what is left, exactly, on any sample.

Every answer is one linear cut on the weights: the sign of <a, p - q>. So each pair shown differs by
nothing but a trade of two weights: whoever prefers it tells which side of a ratio theirs lies on. No
search over a boundary is needed, nothing has to be unimodal, and no end is flat.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from askpoint.elicitation.algorithms.trade_offs import Staircase, TradeOff
from askpoint.elicitation.elicited_weights import ElicitedWeights, Ratios
from askpoint.elicitation.questionnaire import Question, QuestionStep, Script
from askpoint.elicitation.respondents import Answer
from askpoint.elicitation.samples import Sample

__all__ = ["Scale", "bisect_diagonal", "bisect_ratios", "few_cases"]

_E = TypeVar("_E")
_FEWEST = 5


@dataclass(frozen=True)
class Scale:
    """Where bisection looks for the ratio of a weight to the greatest one.

    Parameters
    ----------
    zero, one : float
        Position of the ratios 0 and 1.
    ratio : callable
        From position to ratio.
    """

    zero: float
    one: float
    ratio: Callable[[float], float]

    def n_halvings(self, tolerance: float) -> int:
        """How many halvings leave an interval no wider than the tolerance."""
        return max(0, math.ceil(math.log2(abs(self.one - self.zero) / tolerance)))


_OF_WEIGHTS = Scale(zero=1.0, one=0.5, ratio=lambda m: (1 - m) / m)


def bisect_ratios(
    n: int,
    question: Callable[[int, int, float], Question],
    scale: Scale,
    tolerance: float,
    estimate: Callable[[Ratios], _E],
) -> Generator[QuestionStep[_E], Answer, Ratios]:
    """Find the greatest of n weights, then the ratio of each other one to it."""
    halvings = scale.n_halvings(tolerance)
    remaining = (n - 1) * (halvings + 1)
    low, middle, high = np.zeros(n), np.ones(n), np.full(n, np.inf)
    pivot = 0
    low[0] = high[0] = 1
    for i in range(1, n):
        here = Ratios(low.copy(), middle.copy(), high.copy())
        answer = yield QuestionStep(question(pivot, i, scale.one), estimate(here), remaining)
        remaining -= 1
        loser = i
        if answer is False:
            pivot, loser = i, pivot
            low[pivot] = high[pivot] = 1
        low[loser], high[loser] = 0, 1
        middle[loser] = scale.ratio((scale.zero + scale.one) / 2)
        middle[pivot] = 1
    for i in (i for i in range(n) if i != pivot):
        a, b = scale.zero, scale.one
        for left in range(halvings, 0, -1):
            here = Ratios(low.copy(), middle.copy(), high.copy())
            at = (a + b) / 2
            answer = yield QuestionStep(question(pivot, i, at), estimate(here), remaining)
            if answer is None:  # about equal: the ratio itself, as far as the respondent can tell
                remaining -= left
                break
            remaining -= 1
            a, b = (a, at) if answer else (at, b)
            low[i], middle[i], high[i] = map(scale.ratio, (a, (a + b) / 2, b))
    return Ratios(low, middle, high)


def bisect_diagonal(sample: Sample, tolerance: float) -> Script[ElicitedWeights]:
    """Elicit class weights: k - 1 questions for the pivot, then ceil(log2(1 / (2 eps))) a class."""
    stairs: dict[tuple[int, int], Staircase] = {}
    trade_offs: dict[tuple[int, int], TradeOff] = {}

    def question(pivot: int, other: int, m: float) -> Question:
        if (pivot, other) not in stairs:
            stairs[pivot, other] = Staircase.of(sample, pivot, other)
            trade_offs[pivot, other] = TradeOff.of(stairs[pivot, other], sample.classes)
        p, q = trade_offs[pivot, other].pair(m)
        names = f"{sample.classes[pivot]} and {sample.classes[other]}"
        details = {"pivot": pivot, "other": other, "m": m}
        return Question(p.confusion, q.confusion, f"classes {names}", details, (p.rule, q.rule))

    def estimate(ratios: Ratios) -> ElicitedWeights:
        return ElicitedWeights("diagonal", sample.classes, ratios.weights(1), ratios.interval(1))

    ratios = yield from bisect_ratios(sample.k, question, _OF_WEIGHTS, tolerance, estimate)
    pivot = int(ratios.low.argmax())
    ends = {
        i: (stairs[pivot, i], 1 / (1 + ratios.high[i]), 1 / (1 + ratios.low[i]))
        for i in range(sample.k)
        if i != pivot
    }
    return replace(estimate(ratios), warnings=few_cases(ends.values(), sample.classes))


def few_cases(
    ends: Iterable[tuple[Staircase, float, float]], classes: tuple[object, ...]
) -> tuple[str, ...]:
    """Warn where the last intervals are finer than the sample can tell."""
    few = [
        f"{classes[stairs.first]} and {classes[stairs.second]} ({n})"
        for stairs, low, high in ends
        if (n := stairs.n_between(low, high)) < _FEWEST
    ]
    if not few:
        return ()
    text = (
        "the tolerance is finer than the sample can tell: fewer than 5 cases lie in the last "
        f"interval between classes {', '.join(few)}; the weights fit this sample, new cases may "
        "move them further"
    )
    return (text,)
