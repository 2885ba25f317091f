"""Answering from one confidence to another, where answering the surest cases does not pay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.measures.inputs import FloatArray
from askpoint.value.posterior.price import Price
from askpoint.value.posterior.prospects import Expected, Prospects, new_cases_of
from askpoint.value.posterior.recommendation import SURE, Recommendation, expectation_of

__all__ = ["IntervalRule", "find_interval_rule"]

_NEXT = 1000


@dataclass(frozen=True)
class IntervalRule:
    """Answer where `low` <= confidence < `high`, and what to expect of 1,000 new cases.

    `asked` and `mistakes` are shares, `cost_per_1000` is in checks; `cheaper` is the probability
    that this costs less than the threshold beside which it is offered, `saving_per_1000` the mean.
    """

    low: float
    high: float
    asked: Expected
    mistakes: Expected
    cost_per_1000: Expected
    cheaper: float
    saving_per_1000: float


def find_interval_rule(
    found: Prospects, best: Recommendation, price: Price, rng: np.random.Generator
) -> IntervalRule | None:
    """Return the rule that answers one stretch of confidence; None unless it is likely better.

    The stretch has the greatest expected gain of all (Kadane's algorithm); it is offered where it
    costs less than the threshold `best` with probability .9.
    """
    if best.reason in ("no labels", "few labels"):
        return None
    asking = price.asking(len(found.mass))
    checks = price.checks.reshape(-1, 1)
    gain = found.mass * (asking.mean(axis=0) - price.mean_checks * (1 - found.right))
    first, behind = _greatest_run(gain)
    if behind == len(gain) or first == behind:
        return None
    drawn = found.mass * (asking - checks * (1 - found.right_draws))
    step = int(np.searchsorted(found.thresholds, best.threshold))
    more = drawn[:, first:behind].sum(axis=1) - drawn[:, step:].sum(axis=1)
    cheaper = float((more > 0).mean())
    if cheaper < SURE:
        return None
    mass = found.mass[first:behind]
    wrong = (1 - found.right_draws[:, first:behind]) @ mass
    share = float(1 - mass.sum())
    asked, mistaken = new_cases_of(found, share, wrong, _NEXT, rng)
    whole: FloatArray = np.broadcast_to(asking * found.mass, drawn.shape).sum(axis=1)
    spent_asking = whole - np.broadcast_to(asking, drawn.shape)[:, first:behind] @ mass
    each = spent_asking / share
    cost = each * asked + price.checks * mistaken
    mean = float((spent_asking + price.checks * wrong).mean())
    return IntervalRule(
        float(found.thresholds[first]),
        float(found.thresholds[behind]),
        expectation_of(share, asked / _NEXT),
        expectation_of(float(wrong.mean()), mistaken / _NEXT),
        expectation_of(1000 * mean, 1000 * cost / _NEXT),
        cheaper,
        1000 * float(more.mean()),
    )


def _greatest_run(gain: FloatArray) -> tuple[int, int]:
    """First place and that behind the last of the consecutive places with the greatest sum."""
    sums = np.append(0.0, np.cumsum(gain))
    least = np.minimum.accumulate(sums)
    behind = int(np.argmax(sums - least))
    first = int(np.argmin(sums[: behind + 1]))
    return first, behind
