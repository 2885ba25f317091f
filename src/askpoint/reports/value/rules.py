"""One object per rule: what it is, and what it asks, gets wrong and costs, each with interval and n."""

from __future__ import annotations

from typing import Any

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.baselines import Baseline
from askpoint.measures.intervals import Interval
from askpoint.reports.objects import as_json
from askpoint.reports.value.thresholds import threshold_number
from askpoint.value.posterior.prospects import Expected
from askpoint.value.posterior.recommendation import Recommendation

__all__ = ["expected_figures", "expected_rule", "hindsight_rule"]


def expected_rule(
    answer: ValueAnswer, name: str, rule: Recommendation, asking: float | None
) -> dict[str, Any]:
    """Return what a rule brings of new cases; it saves against what `asking` about all 1,000 costs."""
    return {
        "rule": {"name": name, "threshold": threshold_number(answer, rule.threshold)},
        **expected_figures(answer, rule, asking),
    }


def expected_figures(
    answer: ValueAnswer, rule: Recommendation, asking: float | None
) -> dict[str, Any]:
    """Return the three figures of a rule."""
    return {
        "asked": _share(rule.asked, answer.n_items),
        "mistakes": _share(rule.mistakes, answer.n_labelled),
        "cost": _cost(rule, asking, answer.n_labelled),
    }


def hindsight_rule(answer: ValueAnswer) -> dict[str, Any]:
    """Return what the best threshold in hindsight does to the rows themselves."""
    point, intervals = answer.point, answer.intervals
    if point is None or intervals is None:
        return dict.fromkeys(("rule", "asked", "mistakes", "cost"))
    ours = next(part for part in answer.baselines if part.name == "threshold")
    asking = next(part for part in answer.baselines if part.name == "ask_all")
    covered = answer.coverage_interval
    outcomes = point.outcomes
    cost = None
    if ours.cost is not None:
        cost = {
            "per_1000": ours.cost,
            "unit": answer.unit,
            "saved_per_1000": None if asking.cost is None else asking.cost - ours.cost,
            "interval": as_json(_cost_interval(answer, ours)),
            "n": answer.n_effective,
        }
    return {
        "rule": {"name": "hindsight", "threshold": threshold_number(answer, point.threshold)},
        "asked": {
            "share": 1 - answer.coverage,
            "rows": answer.asked,
            "interval": None if covered is None else [1 - covered.upper, 1 - covered.lower],
            "n": answer.n_items,
        },
        "mistakes": {
            "share": outcomes.wrong / outcomes.total,
            "interval": as_json(intervals.wrong),
            "n": answer.n_effective,
        },
        "cost": cost,
    }


def _cost_interval(answer: ValueAnswer, ours: Baseline) -> Interval | None:
    """Cost in checks is what value leaves of one check per case."""
    if answer.unit != "checks" or answer.rate is None or answer.intervals is None:
        return None
    if ours.people_wrong or answer.question.objective.costs is not None:
        return None
    low, high = answer.intervals.value
    return Interval(1000 * (1 - high), 1000 * (1 - low))


def _share(expected: Expected, n: int) -> dict[str, Any]:
    return {"share": expected.mean, "interval": [expected.low, expected.high], "n": n}


def _cost(rule: Recommendation, asking: float | None, n: int) -> dict[str, Any] | None:
    cost = rule.cost_per_1000
    if cost is None:
        return None
    return {
        "per_1000": cost.mean,
        "unit": "checks",
        "saved_per_1000": None if asking is None else asking - cost.mean,
        "interval": [cost.low, cost.high],
        "n": n,
    }
