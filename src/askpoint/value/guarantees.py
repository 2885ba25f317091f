"""Thresholds that keep a promise on new cases, at a price in coverage.

`learn_then_test` promises the error among the answers with high probability,
`conformal_risk_control` the rate of accepted mistakes on average, `better_than_asking` tests
whether answering is worth it at all. All need labelled cases that the model was not trained on.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats

from askpoint.errors import NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.inputs import as_level
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import TIE, ValueCurve

__all__ = ["better_than_asking", "conformal_risk_control", "learn_then_test", "rows_needed"]

_STEPS = 100
# the first test takes this many times the least number of rows, so that one early mistake is no end
_FIRST = 4


def rows_needed(risk: float, delta: float = 0.05) -> int:
    """Least number of answered cases, all right, that prove an error of at most `risk`."""
    return math.ceil(math.log(as_level(delta, "delta")) / math.log1p(-as_level(risk, "max-error")))


def learn_then_test(curve: ValueCurve, risk: float, delta: float = 0.05) -> float:
    """Lowest threshold that is proven to keep the error among the answers.

    With probability 1 - delta over the labelled cases, the share of mistakes among the
    answers to new cases is at most `risk`. Thresholds at up to 100 steps of coverage are tested
    one after the other, from cautious to bold, by exact binomial tests at level delta; the
    last before the first failure is returned (fixed sequence).

    References
    ----------
    Angelopoulos, Bates, Candes, Jordan and Lei, Learn then Test (2021).
    """
    _check_counts(curve)
    least = rows_needed(risk, delta)
    if curve.n_items < least:
        raise NotEstimableError(
            f"to promise at most {risk:g} mistakes among the answers takes {least} labelled cases "
            f"even if all are right; there are {curve.n_items}"
        )
    first = _first_step(curve, risk, delta)
    if not _is_proven(curve, first, risk, delta):
        raise UnmetError(
            f"at most {risk:g} mistakes among the answers cannot be promised: of the "
            f"{curve.items[first]} surest cases {curve.wrong[first]} are wrong; "
            + _best_promise(curve, risk, delta)
        )
    wanted = np.linspace(curve.items[first], curve.n_items, _STEPS)
    steps = np.unique(np.searchsorted(curve.items, wanted.round()))
    failed = np.flatnonzero(~_is_proven(curve, steps, risk, delta))
    last = int(failed[0]) if failed.size else len(steps)
    return float(curve.thresholds[steps[last - 1]])


def _first_step(curve: ValueCurve, risk: float, delta: float) -> int:
    """Position of the threshold that is tested first."""
    items = min(_FIRST * rows_needed(risk, delta), curve.n_items)
    return int(np.searchsorted(curve.items, items))


def _is_proven(curve: ValueCurve, steps: Any, risk: float, delta: float) -> Any:
    return stats.binom.cdf(curve.wrong[steps], curve.items[steps], risk) <= delta


def _best_promise(curve: ValueCurve, risk: float, delta: float) -> str:
    """The least risk, to a whole per mille, whose first test would succeed."""
    for permille in range(math.floor(1000 * risk) + 1, 1000):
        better = permille / 1000
        if _is_proven(curve, _first_step(curve, better, delta), better, delta):
            return f"the least that can be promised is {better:g}"
    return "no share below 1 can be promised"


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
    return float(stats.binom.sf(outcomes.right - 1, outcomes.answered, limit))


def _check_counts(curve: ValueCurve) -> None:
    if curve.is_weighted:
        raise ObjectiveError(
            "guarantees count cases: they hold for unweighted labels drawn at random only"
        )
