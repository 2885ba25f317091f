"""A cost matrix for new cases: what a wrong answer costs, learned by the class that is decided."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.answers.value.class_limits import draws_on
from askpoint.answers.value.model_cases import ModelCases
from askpoint.errors import CostsError, NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.records.predictions import PredictionLog
from askpoint.value.cost_curves import decisions_and_savings
from askpoint.value.posterior.price import Price, draw_costs
from askpoint.value.posterior.prospects import Expected, Prospects, from_above
from askpoint.value.posterior.recommendation import Recommendation, at_threshold, by_price

__all__ = ["by_costs_of_classes"]

_LEAST_MISTAKES = 3  # from which to learn what a mistake is, of several
_NEXT = 1000
_RARE = 0.01  # a class decided more rarely may cost what it will


def by_costs_of_classes(
    case: ModelCases, costs: CostMatrix, found: Prospects, rng: np.random.Generator
) -> list[Recommendation]:
    """The threshold of least expected cost, asking everybody and asking nobody.

    Costs are in checks: what asking costs on average.
    """
    log = case.log
    if log is None or costs.reject_cost is None or log.proba is None:
        raise CostsError("a cost matrix looks at the cases and needs a reject cost")
    ordered = costs.reorder(log.classes)
    decided = decisions_and_savings(log.proba, ordered)[0]
    hit = decided[log.labelled] == log.label
    gain = np.zeros((len(found.right_draws), len(found.mass)))
    squares = np.zeros(len(found.mass))
    asking = 0.0
    uncertain = draw_costs(ordered, len(gain), rng)
    factor, common = uncertain or (np.ones((len(gain), 1)), np.ones(len(gain)))
    correct = np.diag(ordered.cost)
    for code in range(len(log.classes)):
        rows = decided == code
        share = float(case.places.mass[rows].sum() / case.places.mass.sum())
        if not share:
            continue
        mass, right = draws_on(case, found, rows, hit, rng)
        blame = _blame(log, decided, code, ordered, share, rng, len(gain))
        # in checks: what asking costs stays as it is
        more = (blame * factor) @ (ordered.cost[:, code] - correct) * common
        wrong, asked_wrong = blame @ correct + more, blame @ ordered.reject_costs
        own, asked_own = ordered.cost[code, code], ordered.reject_costs[code]
        ask = right * asked_own + (1 - right) * asked_wrong[:, None]
        answer = right * own + (1 - right) * wrong[:, None]
        gain += mass * (ask - answer)
        squares += mass * (right * own**2 + (1 - right) * (wrong**2)[:, None]).mean(axis=0)
        asking += float((mass * ask).sum(axis=1).mean())
    check = asking if asking > 0 else 1.0
    worth = gain / check / np.maximum(found.mass, np.finfo(np.float64).tiny)
    # a group's cost answered is 1 - worth, of which a posterior of rightness says 1 - right
    priced = replace(found, right=worth.mean(axis=0), right_draws=worth, labels=None)
    one = Price(1.0)
    last = len(found.mass)
    best = by_price(priced, one, rng)
    step = int(np.searchsorted(found.thresholds, best.threshold))
    variance = from_above(squares / check**2) + found.asked

    def recommendation_at(k: int) -> Recommendation:
        """What one posterior says of costs, and the other of cases."""
        cost, cases = at_threshold(priced, k, one, rng), at_threshold(found, k, one, rng)
        drawn = found.asked[k] + priced.wrong_draws[:, k]
        spread = np.sqrt(np.maximum(variance[k] - drawn.mean() ** 2, 0) / _NEXT)
        spent = 1000 * (drawn + spread * rng.standard_normal(len(drawn)))
        low, high = np.quantile(spent, [0.025, 0.975]).tolist()
        return replace(
            cost,
            asked=cases.asked,
            mistakes=cases.mistakes,
            risk=cases.risk,
            cost_per_1000=Expected(1000 * float(drawn.mean()), max(low, 0.0), high),
            checks=None,
        )

    return [recommendation_at(k) for k in (step, last, 0)]


def _blame(
    log: PredictionLog,
    decided: IntArray,
    code: int,
    costs: CostMatrix,
    share: float,
    rng: np.random.Generator,
    n_draws: int,
) -> FloatArray:
    """Draws of what the truth is where the model wrongly decides for a class."""
    k = len(log.classes)
    others = np.flatnonzero(np.arange(k) != code)
    blame = np.zeros((n_draws, k))
    mistaken = log.label[(decided[log.labelled] == code) & (log.label != code)]
    counts = np.bincount(mistaken, minlength=k)[others]
    alike = np.ptp(costs.cost[others, code]) == 0 and np.ptp(costs.reject_costs[others]) == 0
    if k > 2 and not alike and share >= _RARE and counts.sum() < _LEAST_MISTAKES:
        raise NotEstimableError(
            f"the costs of a mistake differ by the true class, and of the answers "
            f"{log.classes[code]!r} only {counts.sum()} labelled ones are wrong: too few to say which "
            "mistakes they are; label more of them, or give one price (--rho)"
        )
    blame[:, others] = rng.dirichlet(counts + 1 / max(k - 1, 1), n_draws)
    return blame
