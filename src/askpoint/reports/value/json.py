"""The main job's answer as one JSON object; what is undefined is null, with a reason."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from askpoint.answers.value.answer import GroupLine, ValueAnswer
from askpoint.answers.value.question import ValueQuestion
from askpoint.measures.outcomes import Outcomes
from askpoint.reports.objects import as_json
from askpoint.reports.value.accounts import accounts_object
from askpoint.reports.value.days import days_object
from askpoint.reports.value.guarantee import guarantee_object
from askpoint.reports.value.in_use import in_use_object
from askpoint.reports.value.models import comparison_object
from askpoint.reports.value.people import people_object
from askpoint.reports.value.tomorrow import tomorrow_object, tomorrow_reasons
from askpoint.reports.verdicts import policy_title, refusal_text

__all__ = ["value_object"]

_VERDICT = (
    "accuracy",
    "omega",
    "rho",
    "checks_per_mistake",
    "threshold",
    "value",
    "expected_profit",
    "coverage",
    "asked",
    "accepted_error",
    "baselines",
    "interval",
    "money",
)


def value_object(answer: ValueAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint value --json`` prints."""
    content = _one_model(answer)
    content["models"] = [{"model": name, **_one_model(part)} for name, part in answer.models]
    content["comparison"] = (
        None if answer.comparison is None else comparison_object(answer.comparison)
    )
    if answer.comparison is None:
        content["reasons"]["comparison"] = (
            "models are compared at prices: it takes two with a verdict, no cost matrix and people "
            "who do not err"
        )
    return content


def _one_model(answer: ValueAnswer) -> dict[str, Any]:
    content: dict[str, Any] = {
        "n_items": answer.n_items,
        "n_unlabelled": answer.n_unlabelled,
        "classes": list(answer.classes),
        "objective": _objective(answer.question),
        **dict.fromkeys(_VERDICT),
    }
    refused = None if answer.refusal is None else f"no verdict: {refusal_text(answer.refusal)}"
    rows = dict.fromkeys(_VERDICT)
    if refused is not None:
        reasons = dict.fromkeys(_VERDICT, refused)
    elif answer.point is None:
        reasons = dict.fromkeys(_VERDICT, str(answer.unmet))
    else:
        rows |= _verdict(answer)
        reasons = _reasons(answer)
    content |= rows
    row_reasons = {f"on_these_rows.{key}": why for key, why in reasons.items()}
    content |= {"decided": False, "threshold": None, "expected": None}
    content |= dict.fromkeys(("next_labels", "at_other_prices"))
    content["on_these_rows"] = {
        "n_items": answer.n_items,
        "n_labelled": answer.n_labelled,
        **rows,
    }
    if answer.tomorrow is not None:
        content |= tomorrow_object(answer.tomorrow)
        reasons.pop("threshold", None)
        reasons |= tomorrow_reasons(answer.tomorrow)
    else:
        keys = ("threshold", "expected", "next_labels", "at_other_prices")
        reasons |= dict.fromkeys(keys, f"ask people about every case; {refused}")
    reasons |= row_reasons
    content["worst_case"] = None if answer.worst is None else asdict(answer.worst)
    if answer.worst is None:
        reasons["worst_case"] = "told where labels are missing at some confidences"
    content["in_use"] = None if answer.in_use is None else in_use_object(answer.in_use)
    if answer.in_use is None:
        reasons["in_use"] = "no threshold in use was named: --threshold or --since"
    content["selection"] = _selection(answer)
    if answer.selection is None:
        reasons["selection"] = "every case has a label"
    promises = {
        "guarantee": (
            None if answer.guarantee is None else guarantee_object(answer.guarantee),
            "none was asked for: --max-error with --guarantee",
        ),
        "accounts": (
            None if answer.accounts is None else accounts_object(answer.accounts),
            "a sketch does not keep classes",
        ),
        "days": (
            None if answer.days is None else days_object(answer.days),
            "no capacity of days was asked for: --ask-at-most with --per day",
        ),
        "better_than_asking": (
            None
            if answer.p_value is None
            else {"p_value": answer.p_value, "threshold_chosen_on_the_same_rows": True},
            "tested only at a stated price, where something is answered, on unweighted rows",
        ),
        "people": (
            None if answer.people is None else people_object(answer.people),
            "taken to be always right: --check-price says otherwise",
        ),
    }
    for key, (part, why) in promises.items():
        content[key] = part
        if part is None:
            reasons[key] = why if refused is None else refused
    content["groups"] = [_group(line) for line in answer.groups]
    content["reasons"] = reasons
    return content


def _verdict(answer: ValueAnswer) -> dict[str, Any]:
    point, intervals = answer.point, answer.intervals
    if point is None or intervals is None:
        return {}
    rate = point.rate
    return {
        "accuracy": answer.curve.accuracy,
        "omega": None if rate is None else rate.omega,
        "rho": None if rate is None else rate.rho,
        "checks_per_mistake": None if rate is None else rate.checks_per_mistake,
        "threshold": point.threshold if math.isfinite(point.threshold) else None,
        "value": point.value,
        "expected_profit": point.expected_profit,
        "coverage": answer.coverage,
        "asked": answer.asked,
        "accepted_error": point.outcomes.risk,
        "baselines": [
            {
                "name": baseline.name,
                "title": policy_title(baseline),
                **_outcomes(baseline.outcomes),
                "cost_per_1000": baseline.cost,
                "unit": answer.unit,
                "people_wrong": baseline.people_wrong,
            }
            for baseline in answer.baselines
        ],
        "interval": {
            "level": answer.question.level,
            "kind": "for a threshold fixed beforehand",
            "coverage": as_json(answer.coverage_interval),
            "accepted_error": as_json(intervals.risk),
            "value": None if rate is None else as_json(intervals.value),
            "expected_profit": None if rate is None else as_json(intervals.expected_profit),
            "band_half_width": answer.band,
        },
        "money": _money(answer),
    }


def _reasons(answer: ValueAnswer) -> dict[str, str]:
    reasons: dict[str, str] = {}
    if answer.rate is None:
        why = (
            "the costs of this model's answers amount to no one price of a mistake"
            if answer.question.objective.costs is not None
            else "no finite price of a mistake makes this threshold the best"
        )
        priced = ("omega", "rho", "checks_per_mistake", "value", "expected_profit")
        reasons |= dict.fromkeys((*priced, "interval.value", "interval.expected_profit"), why)
        if answer.unit == "checks":
            reasons["baselines.cost_per_1000"] = why
    if answer.asked == answer.n_items:
        reasons["threshold"] = "infinite: the model answers nothing alone"
        reasons |= dict.fromkeys(
            ("accepted_error", "interval.accepted_error"), "nothing is answered"
        )
    if answer.band is None:
        reasons["interval.band_half_width"] = "the rows are weighted; the band is for equal ones"
    if answer.unit != "money":
        reasons["money"] = "no prices were stated"
    return reasons


def _money(answer: ValueAnswer) -> dict[str, float] | None:
    """What each policy is worth on all cases of the log."""
    if answer.unit != "money":
        return None
    return {b.name: -(b.cost or 0.0) * answer.mass / 1000 for b in answer.baselines}


def _objective(question: ValueQuestion) -> dict[str, Any]:
    objective = question.objective
    return {"name": objective.name, **objective.stated, "assumed": question.is_assumed}


def _outcomes(outcomes: Outcomes) -> dict[str, float]:
    return {"right": outcomes.right, "wrong": outcomes.wrong, "asked": outcomes.asked}


def _selection(answer: ValueAnswer) -> dict[str, Any] | None:
    selection = answer.selection
    if selection is None:
        return None
    return {
        "is_selective": selection.is_selective,
        "distance": selection.distance,
        "p_value": selection.p_value,
        "labelled_share_by_tenth": selection.shares.tolist(),
    }


def _group(line: GroupLine) -> dict[str, Any]:
    reasons = {}
    if line.name is None:
        reasons["group"] = "these rows name no group"
    if line.risk is None:
        why = "nothing is answered" if not line.coverage else "no answered case has a label"
        reasons |= dict.fromkeys(("accepted_error", "interval"), why)
    elif line.risk_interval is None:
        reasons["interval"] = "too few labels speak for the cases that were hardly ever labelled"
    if line.p_value is None:
        reasons["p_value"] = "no other group to compare with has answered cases with labels"
    return {
        "group": line.name,
        "n_items": line.n_items,
        "n_unlabelled": line.n_items - line.n_labelled,
        "coverage": line.coverage,
        "accepted_error": line.risk,
        "interval": as_json(line.risk_interval),
        "p_value": line.p_value,
        "reasons": reasons,
    }
