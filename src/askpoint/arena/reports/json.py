"""The simulation as one JSON object; what is undefined is null, with a reason."""

from __future__ import annotations

from typing import Any

from askpoint.arena.answers.answer import CrowdAnswer
from askpoint.arena.answers.over_seeds import (
    ArmLine,
    arm_lines,
    cost_step,
    curve_lines,
    severity_comparison,
    severity_gain,
    times_stratified,
)
from askpoint.arena.answers.rematch import rematch_lines
from askpoint.arena.simulation.experiment import SeedFigure
from askpoint.unknowns.severity_comparison import SeverityShares

__all__ = ["crowd_object", "figure_object"]

_FIGURES = (
    "errors",
    "unknown",
    "cents",
    "cents_with_copies",
    "others",
    "other_share",
    "severity",
    "topics",
)


def crowd_object(answer: CrowdAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint simulate --json`` prints."""
    comparison = severity_comparison(answer)
    return {
        "contest": answer.contest.name,
        "sought": answer.contest.sought._asdict(),
        "evidence": "simulated players: mechanisms, not people",
        "seeds": [result.seed for result in answer.results],
        "n_cases": answer.plan.n_cases,
        "search_precision": answer.habits.search_precision,
        "calibrated": answer.calibrated,
        "arms": {line.name: _arm(line) for line in arm_lines(answer)},
        "unknown_unknowns_times_stratified": figure_object(times_stratified(answer)),
        "cost_steps": {
            f"design {a} to {b}": figure_object(cost_step(answer, a, b)) for a, b in answer.steps
        },
        "severity_buckets": {
            "edges": list(comparison.edges),
            "methods": [_shares(method) for method in (comparison.first, comparison.second)],
        },
        "uneven": _uneven(answer),
        "learning": [
            {
                "name": line.name,
                "sizes": list(line.sizes),
                "auc": [figure_object(area) for area in line.areas],
                "n_seeds": list(line.n_seeds),
                "within_less_this": figure_object(line.less),
            }
            for line in curve_lines(answer)
        ],
        "rematch": {
            line.name: {
                "before": figure_object(line.before),
                "after": figure_object(line.after),
                "change": figure_object(line.change),
            }
            for line in rematch_lines(answer)
        },
    }


def figure_object(figure: SeedFigure) -> dict[str, Any]:
    """Return a figure with its interval, or the reason why there is none."""
    lower, upper = (None, None) if figure.interval is None else figure.interval
    content: dict[str, Any] = {"value": figure.value, "lower": lower, "upper": upper}
    if figure.value is None:
        content["reason"] = "nothing of the kind was found in any seed"
    elif figure.interval is None:
        content["reason"] = "one seed has no interval; play more"
    return content


def _arm(line: ArmLine) -> dict[str, Any]:
    return {name: figure_object(getattr(line, name)) for name in _FIGURES}


def _shares(method: SeverityShares) -> dict[str, Any]:
    content: dict[str, Any] = {
        "name": method.name,
        "shares": None if method.shares is None else list(method.shares),
        "n_errors": method.n_distinct,
        "n_judged": method.n_judged,
        "judged": method.judged,
    }
    return content | ({"reason": method.reason} if method.reason else {})


def _uneven(answer: CrowdAnswer) -> dict[str, Any] | None:
    found = severity_gain(answer)
    if found is None:
        return None
    third, fourth, gain = found
    return {
        "design 3": _arm(third),
        "design 4": _arm(fourth),
        "severity_change": figure_object(gain),
    }
