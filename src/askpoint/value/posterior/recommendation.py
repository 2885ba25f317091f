"""The answer about tomorrow: a threshold, what to expect of it, and whether that is decided."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy import special

from askpoint.errors import InputError, ObjectiveError
from askpoint.measures.inputs import FloatArray
from askpoint.value.objectives import Objective
from askpoint.value.posterior.price import Price
from askpoint.value.posterior.prospects import Expected, Prospects, new_cases

__all__ = [
    "FEWEST",
    "SURE",
    "AskedLabels",
    "Recommendation",
    "at_threshold",
    "by_capacities",
    "by_capacity",
    "by_error",
    "by_f_beta",
    "by_price",
    "expectation_of",
    "reason_of_labels",
    "recommend",
    "recommend_at_limit",
]

SURE = 0.9
"""A verdict is decided where each alternative costs at least as much with this probability."""
FEWEST = 10
"""With fewer labels nothing is decided."""
_TESTED = 0.8  # with this probability the labels alone must say that answering all costs more
_PRACTICALLY_NONE = 0.01
_NEXT = 1000
_ANY = 20.0  # a price that nobody sees


class AskedLabels(NamedTuple):
    """Labels among the cases that a threshold asks about, and how many of them are wrong."""

    n: float
    wrong: float


@dataclass(frozen=True)
class Recommendation:
    """A threshold and what to expect of new cases; answer where confidence >= threshold.

    `asked` and `mistakes` are shares of new cases, `cost_per_1000` is in checks. `kept` is the
    probability that a constraint holds, `reason` why nothing is decided: "no labels", "few labels"
    (fewer than 10), "close" where an alternative may be as good or the constraint may break, or
    "untested" where the labels of the cases asked, `asked_labels`, do not tell whether answering
    them is as good; None where it is decided.
    """

    threshold: float
    decided: bool
    reason: str | None
    asked: Expected
    mistakes: Expected
    risk: Expected | None
    cost_per_1000: Expected | None
    cheaper_than_asking: float | None
    cheaper_than_answering: float | None
    saving_per_1000: float | None
    kept: float | None
    checks: float | None
    asked_labels: AskedLabels | None = None


def recommend(
    found: Prospects, objective: Objective, rng: np.random.Generator, *, n_new: int = _NEXT
) -> Recommendation:
    """The recommendation for an objective that needs no classes."""
    if objective.rate is not None:
        return by_price(found, Price(objective.rate.checks_per_mistake), rng, n_new=n_new)
    if objective.recall_weight is not None:
        return by_f_beta(found, objective.recall_weight, rng, n_new=n_new)
    if objective.capacity is not None:
        return by_capacity(found, objective.share_of(int(found.n_cases)), rng, n_new=n_new)
    if objective.error_limit is not None and not objective.is_promised:
        return by_error(found, objective.error_limit, rng, n_new=n_new)
    raise ObjectiveError(
        f"{objective} is not answered from the posterior of all cases; classes have posteriors of "
        "their own, and guarantees count cases"
    )


def by_price(
    found: Prospects, price: Price, rng: np.random.Generator, *, n_new: int = _NEXT
) -> Recommendation:
    """Least expected cost; decided against sending every case to review and answering all."""
    if price.checks.size not in (1, len(found.right_draws)):
        raise InputError(
            f"give one price, or one for each of {len(found.right_draws)} draws; got "
            f"{price.checks.size}"
        )
    step = _cheapest(found, price) if found.n_labelled else len(found.mass)
    return at_threshold(found, step, price, rng, n_new=n_new)


def _cheapest(found: Prospects, price: Price) -> int:
    asking = _cost_of_asking(found, price).mean(axis=0)
    cost = asking + price.mean_checks * found.wrong
    # of equal ones that which asks more, as in hindsight
    return len(cost) - 1 - int(np.argmin(cost[::-1]))


def _cost_of_asking(found: Prospects, price: Price) -> FloatArray:
    """Cost of the cases asked at each threshold, in checks per case; of each draw or of all."""
    one = price.asking(len(found.mass)) * found.mass
    return np.concatenate([np.zeros((len(one), 1)), np.cumsum(one, axis=1)], axis=1)


def at_threshold(
    found: Prospects,
    step: int,
    price: Price,
    rng: np.random.Generator,
    *,
    n_new: int = _NEXT,
) -> Recommendation:
    """What to expect at a threshold, by its position, at a price."""
    asking = _cost_of_asking(found, price)
    n_draws, last = len(found.right_draws), len(found.mass)

    def cost(k: int) -> FloatArray:
        """Cost per case of each draw at a threshold, in checks."""
        return np.asarray(asking[:, k] + price.checks * found.wrong_draws[:, k])

    lost = np.broadcast_to(price.checks, n_draws) @ found.wrong_draws / n_draws
    rivals = {0, last} - {step}
    between = _between(found, asking.mean(axis=0) + lost)
    if step in (0, last) and between is not None:
        rivals.add(between)
    ours = cost(step)
    settled = all(float((cost(rival) >= ours).mean()) >= SURE for rival in rivals)
    worth_asking = float(asking.mean(axis=0)[step]) / max(float(found.asked[step]), 1e-12)
    seen = _labels_below(found, step)
    reason = None if settled else "close"
    if settled and seen is not None and not _is_tested(seen, worth_asking / price.mean_checks):
        reason = "untested"

    asked, wrong = new_cases(found, step, n_new, rng)
    share = found.asked[step]
    one = asking[:, step] / share if share > 0 else np.zeros(1)
    spent = one * asked + price.checks * wrong
    mean = float(ours.mean())
    expected_cost = expectation_of(1000 * mean, 1000 * spent / n_new)
    best_end = min(float(cost(0).mean()), float(cost(last).mean()))
    return _recommend(
        found, step, asked / n_new, wrong / n_new, reason,
        cost=expected_cost,
        asking=float((ours < cost(last)).mean()),
        answering=float((ours < cost(0)).mean()),
        saving=1000 * (best_end - mean),
        checks=price.mean_checks,
        asked_labels=seen,
    )  # fmt: skip


def _labels_below(found: Prospects, step: int) -> AskedLabels | None:
    """Labels below a threshold that asks about some cases."""
    if not step or found.labels is None or found.labels_wrong is None:
        return None
    return AskedLabels(float(found.labels[:step].sum()), float(found.labels_wrong[:step].sum()))


def _is_tested(seen: AskedLabels, rate: float) -> bool:
    """Whether labels alone say that mistakes among the cases asked exceed a rate (Jeffreys)."""
    right = max(seen.n - seen.wrong, 0.0)
    return bool(special.betaincc(seen.wrong + 0.5, right + 0.5, min(rate, 1.0)) >= _TESTED)


def _between(found: Prospects, cost: FloatArray) -> int | None:
    """The best threshold that neither asks practically all cases nor practically none."""
    inside = np.flatnonzero(
        (found.asked >= _PRACTICALLY_NONE) & (found.asked <= 1 - _PRACTICALLY_NONE)
    )
    return int(inside[np.argmin(cost[inside])]) if inside.size else None


def by_f_beta(
    found: Prospects, beta: float, rng: np.random.Generator, *, n_new: int = _NEXT
) -> Recommendation:
    """Greatest expected F_beta; decided where both ends score no more with probability .9."""
    answered = 1 - found.asked

    def score(wrong: FloatArray) -> FloatArray:
        return np.asarray((answered - wrong) / (beta * beta + answered))

    step = int(np.argmax(score(found.wrong))) if found.n_labelled else len(found.mass)
    draws = score(found.wrong_draws)
    rivals = {0, len(found.mass)} - {step}
    settled = all(float((draws[:, k] <= draws[:, step]).mean()) >= SURE for k in rivals)
    asked, wrong = new_cases(found, step, n_new, rng)
    reason = None if settled else "close"
    return _recommend(found, step, asked / n_new, wrong / n_new, reason)


def by_capacity(
    found: Prospects, limit: float, rng: np.random.Generator, *, n_new: int = _NEXT
) -> Recommendation:
    """Fewest mistakes with at most this share of new cases asked in the long run.

    It asks the most that keeps the limit with probability .9, for the share of cases at each
    confidence is known from those seen only.
    """
    return _within_capacity(found, limit, _draw_asked(found, rng), rng, n_new)


def by_capacities(
    found: Prospects, limits: Sequence[float], rng: np.random.Generator, *, n_new: int = _NEXT
) -> list[Recommendation]:
    """What `by_capacity` says of each of several limits, by the same draws."""
    asked = _draw_asked(found, rng)
    return [_within_capacity(found, limit, asked, deepcopy(rng), n_new) for limit in limits]


def _draw_asked(found: Prospects, rng: np.random.Generator) -> FloatArray:
    """Draw the share of cases below each threshold in the long run; a draw a row."""
    expected = found.asked * found.n_cases
    shape = len(found.right_draws), len(expected)
    return rng.beta(expected + 0.5, found.n_cases - expected + 0.5, shape)


def _within_capacity(
    found: Prospects, limit: float, asked: FloatArray, rng: np.random.Generator, n_new: int
) -> Recommendation:
    if not 0 <= limit <= 1:
        raise ObjectiveError(f"a capacity is a share of cases from 0 to 1; got {limit}")
    holds = (asked <= limit).mean(axis=0)
    holds[0], holds[-1] = 1.0, float(limit == 1)
    step = int(np.flatnonzero(holds >= SURE)[-1])
    return _recommend_within(found, step, float(holds[step]), rng, n_new, settled=True)


def by_error(
    found: Prospects, risk: float, rng: np.random.Generator, *, n_new: int = _NEXT
) -> Recommendation:
    """Most cases answered with at most this share of mistakes among the answers.

    The boldest threshold that keeps it with probability .9; where there is none, the boldest that
    keeps it in expectation, and nothing is decided unless no threshold is likely to.
    """
    answered = 1 - found.asked
    holds = (found.wrong_draws <= risk * answered).mean(axis=0)
    last = len(found.mass)
    sure = int(np.flatnonzero(holds >= SURE)[0])  # asking everybody keeps any limit
    likely = int(np.flatnonzero(found.wrong <= risk * answered)[0])
    step = (sure if sure < last else likely) if found.n_labelled else last
    settled = step == sure and (step < last or float(holds[:-1].max()) <= 1 - SURE)
    return _recommend_within(found, step, float(holds[step]), rng, n_new, settled=settled)


def _recommend_within(
    found: Prospects, step: int, kept: float, rng: np.random.Generator, n_new: int, *, settled: bool
) -> Recommendation:
    asked, wrong = new_cases(found, step, n_new, rng)
    reason = None if settled else "close"
    return _recommend(found, step, asked / n_new, wrong / n_new, reason, kept=kept)


def _recommend(
    found: Prospects,
    step: int,
    asked: FloatArray,
    wrong: FloatArray,
    reason: str | None,
    *,
    cost: Expected | None = None,
    asking: float | None = None,
    answering: float | None = None,
    saving: float | None = None,
    kept: float | None = None,
    checks: float | None = None,
    asked_labels: AskedLabels | None = None,
) -> Recommendation:
    reason = reason_of_labels(found.n_labelled) or reason
    share, lost = float(found.asked[step]), float(found.wrong_draws[:, step].mean())
    risk = None
    if step < len(found.mass):
        rates = found.wrong_draws[:, step] / (1 - share)
        risk = expectation_of(lost / (1 - share), rates)
    return Recommendation(
        threshold=float(found.thresholds[step]),
        decided=reason is None,
        reason=reason,
        asked=expectation_of(share, asked),
        mistakes=expectation_of(lost, wrong),
        risk=risk,
        cost_per_1000=cost,
        cheaper_than_asking=asking,
        cheaper_than_answering=answering,
        saving_per_1000=saving,
        kept=kept,
        checks=checks,
        asked_labels=asked_labels,
    )


def recommend_at_limit(
    found: Prospects, step: int, kept: float | None, rng: np.random.Generator, *, settled: bool
) -> Recommendation:
    """What to expect at a threshold that a limit chose; no price says what it costs."""
    said = at_threshold(found, step, Price(_ANY), rng)
    reason = reason_of_labels(found.n_labelled) or (None if settled else "close")
    return replace(
        said,
        decided=reason is None,
        reason=reason,
        cost_per_1000=None,
        cheaper_than_asking=None,
        cheaper_than_answering=None,
        saving_per_1000=None,
        kept=kept,
        checks=None,
        asked_labels=None,
    )


def reason_of_labels(n_labelled: float) -> str | None:
    """Return why so few labels decide nothing; None where they may."""
    if not n_labelled:
        return "no labels"
    return "few labels" if n_labelled < FEWEST else None


def expectation_of(mean: float, draws: FloatArray) -> Expected:
    """Return a mean with the middle 95% of draws."""
    low = np.quantile(draws, 0.025, method="lower")
    high = np.quantile(draws, 0.975, method="higher")
    return Expected(mean, float(low), float(high))
