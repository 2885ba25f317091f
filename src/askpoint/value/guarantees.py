"""Thresholds that keep a promise on new cases, at a price in coverage.

`learn_then_test` promises the error among the answers with high probability,
`conformal_risk_control` the rate of accepted mistakes on average, `better_than_asking` tests
whether answering is worth it at all. All need labelled cases that the model was not trained on.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from askpoint.errors import InputError, NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.inputs import FloatArray, IntArray, as_level
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import TIE, ValueCurve

__all__ = [
    "FixedSequence",
    "best_promise",
    "better_than_asking",
    "certify_step",
    "conformal_risk_control",
    "fixed_sequences",
    "learn_then_test",
    "rows_needed",
]

_STEPS = 100
_FIRST = 4  # one sequence begins with at most so many times the least number of rows
_STARTS = (0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.55, 0.7, 0.85)  # shares of the cases
_MANY = 10  # so many times the rows that a ninth of delta takes, or there is one sequence


def rows_needed(risk: float, delta: float = 0.05) -> int:
    """Least number of answered cases, all right, that prove an error of at most `risk`."""
    return math.ceil(math.log(as_level(delta, "delta")) / math.log1p(-as_level(risk, "max-error")))


def learn_then_test(
    curve: ValueCurve, risk: float, delta: float = 0.05, *, n_models: int = 1
) -> float:
    """Lowest threshold that is proven to keep the error among the answers.

    With probability 1 - delta over the labelled cases, the share of mistakes among the
    answers to new cases is at most `risk`. Thresholds at up to 100 steps of coverage are tested
    one after the other, from cautious to bold, by exact binomial tests; the last before the first
    failure is returned (fixed sequence). Nine such sequences begin at nine shares of the cases and have
    a ninth of delta each; those that begin with fewer cases than `rows_needed` are joined with the
    next. Of fewer than ten times the cases that a ninth of delta takes there is one, from about a quarter
    of the cases on. A first test takes as many cases as allow one mistake more. Of several models each gets
    its share of delta. It holds for one look at a log: on a growing one take
    `askpoint.value.growing_log.growing_promise`.

    References
    ----------
    Angelopoulos, Bates, Candes, Jordan and Lei, Learn then Test (2021).
    """
    _check_counts(curve)
    chains = _chains(curve, risk, delta, n_models)
    least = rows_needed(risk, as_level(delta, "delta") / n_models)
    if curve.n_items < least:
        raise NotEstimableError(
            f"to promise at most {risk:g} mistakes among the answers takes {least} labelled cases "
            f"even if all are right; there are {curve.n_items}"
        )
    step = certify_step(curve, risk, delta, n_models=n_models)
    if not step:
        first = chains[0][0]
        least_risk = best_promise(curve, delta, n_models=n_models)
        best = (
            f"the least that can be promised is {least_risk:g}"
            if least_risk is not None
            else "no share below 1 can be promised"
        )
        raise UnmetError(
            f"at most {risk:g} mistakes among the answers cannot be promised: of the "
            f"{curve.items[first]} surest cases {curve.wrong[first]} are wrong; {best}"
        )
    return float(curve.thresholds[step])


def certify_step(curve: ValueCurve, risk: float, delta: float = 0.05, *, n_models: int = 1) -> int:
    """Position of the threshold that `learn_then_test` gives; 0 where nothing is certified."""
    sequences = fixed_sequences(curve, risk, delta, n_models=n_models)
    return max(sequence.last_pass(curve.wrong) for sequence in sequences)


class FixedSequence(NamedTuple):
    """Thresholds that are tested one after the other: labels decide only how far that goes.

    Attributes
    ----------
    steps : ndarray of int
        Positions of thresholds in a curve, from cautious to bold.
    allowed : ndarray of int
        With how many mistakes each is still proven; -1 where none are few enough.
    """

    steps: IntArray
    allowed: IntArray

    def last_pass(self, wrong: IntArray | FloatArray) -> int:
        """Return the position of the last threshold before the first failure; 0 where the first fails.

        Parameters
        ----------
        wrong : ndarray of int
            Mistakes at each position of the curve.
        """
        failed = np.flatnonzero(wrong[self.steps] > self.allowed)
        last = int(failed[0]) if failed.size else len(self.steps)
        return int(self.steps[last - 1]) if last else 0


def fixed_sequences(
    curve: ValueCurve, risk: float, delta: float = 0.05, *, n_models: int = 1
) -> tuple[FixedSequence, ...]:
    """Return the tests of `learn_then_test`, which are the same whatever is right on the curve."""
    return tuple(
        _sequence(curve.items, first, risk, level)
        for first, level in _chains(curve, risk, delta, n_models)
    )


def best_promise(curve: ValueCurve, delta: float = 0.05, *, n_models: int = 1) -> float | None:
    """The least risk, to a whole per mille, for which a first test would succeed; None if none."""
    for permille in range(1, 1000):
        risk = permille / 1000
        chains = _chains(curve, risk, delta, n_models)
        if any(_is_proven(curve, first, risk, level) for first, level in chains):
            return risk
    return None


def _chains(curve: ValueCurve, risk: float, delta: float, n_models: int) -> list[tuple[int, float]]:
    """Where each sequence of tests begins, and its share of delta: labels have no part in it."""
    if n_models < 1:
        raise InputError(f"models must be 1 or more; got {n_models}")
    whole = as_level(delta, "delta") / n_models
    n, each = curve.n_items, whole / len(_STARTS)
    if n < _MANY * rows_needed(risk, each):
        least = rows_needed(risk, whole)
        chains = [(min(max(least, n // 4), _FIRST * least), whole)]
    else:
        chains, level = [], 0.0
        for share in _STARTS:
            level += each
            items = math.floor(share * n)
            if items >= rows_needed(risk, level):
                chains.append((items, level))
                level = 0.0
    return [
        (int(np.searchsorted(curve.items, min(_allowing_more(items, risk, level), n))), level)
        for items, level in chains
    ]


def _allowing_more(items: int, risk: float, level: float) -> int:
    """The least size from `items` on at which the test allows one mistake more than below it."""
    from scipy import stats

    allowed = stats.binom.ppf(level, items - 1, risk)  # the first count that fails there
    sizes = np.arange(items, items + rows_needed(risk, level) + 1)
    return int(sizes[np.argmax(stats.binom.cdf(allowed, sizes, risk) <= level)])


def _sequence(items: IntArray, first: int, risk: float, level: float) -> FixedSequence:
    from scipy import stats

    wanted = np.linspace(items[first], items[-1], _STEPS)
    steps = np.unique(np.searchsorted(items, wanted.round()))
    most = stats.binom.ppf(level, items[steps], risk)  # the first count that may fail
    fails = stats.binom.cdf(most, items[steps], risk) > level
    return FixedSequence(steps, (most - fails).astype(np.int64))


def _is_proven(curve: ValueCurve, steps: Any, risk: float, level: float) -> Any:
    from scipy import stats

    return stats.binom.cdf(curve.wrong[steps], curve.items[steps], risk) <= level


def conformal_risk_control(curve: ValueCurve, risk: float) -> float:
    """Lowest threshold that keeps the rate of accepted mistakes on average.

    For new cases exchangeable with the labelled ones, the probability that a case is answered
    and wrong is at most `risk`, on average over labelled samples. The rate is one of all cases,
    not of the answers.

    References
    ----------
    Angelopoulos, Bates, Fisch, Lei and Schuster, Conformal Risk Control (2022).
    """
    _check_counts(curve)
    as_level(risk, "max-error")
    allowed = risk * (curve.n_items + 1) - 1
    if allowed < 0:
        raise NotEstimableError(
            f"to promise at most {risk:g} accepted mistakes takes {math.ceil(1 / risk) - 1} "
            f"labelled cases; there are {curve.n_items}"
        )
    within = curve.wrong <= allowed * TIE
    return float(curve.thresholds[np.flatnonzero(within)[-1]])


def better_than_asking(outcomes: Outcomes, rate: ExchangeRate) -> float:
    """Probability of so many right answers if answering were no better than asking.

    The exact binomial test of P(right | answered) <= omega / (1 + omega).
    """
    if not outcomes.answered:
        raise NotEstimableError("nothing is answered, so there is nothing to test")
    limit = rate.calibrated_threshold
    right, wrong = outcomes.right, outcomes.answered - outcomes.right
    return float(special.betainc(right, wrong + 1, limit)) if right else 1.0


def _check_counts(curve: ValueCurve) -> None:
    if curve.is_weighted:
        raise ObjectiveError(
            "guarantees count cases: they hold for unweighted labels drawn at random only"
        )
