"""The main job's answer as one JSON object; what is undefined is null, with a reason."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from askpoint.measures.intervals import Interval
from askpoint.measures.outcomes import Outcomes
from askpoint.reports.value_answer import GroupLine, ValueAnswer, ValueQuestion
from askpoint.reports.value_models import comparison_object
from askpoint.reports.value_people import people_object

__all__ = ["value_object"]


def value_object(answer: ValueAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint value --json`` prints.

    Parameters
    ----------
    answer : ValueAnswer
        What `answer_value` returned.

    Returns
    -------
    dict
        Only numbers, texts, lists, dicts and None; ``reasons`` says why a key is None.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.records.logs import read_log
    >>> from askpoint.reports.value_answer import ValueQuestion, answer_value
    >>> from askpoint.reports.value_json import value_object
    >>> log = read_log(pl.DataFrame({"label": [1, 0], "proba": [0.9, 0.2]}))
    >>> value_object(answer_value(log, ValueQuestion()))["checks_per_mistake"]
    20.0
    """
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
        "accuracy": answer.curve.accuracy,
        "objective": _objective(answer.question),
    }
    names = (
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
    )
    content |= dict.fromkeys(names)
    reasons: dict[str, str] = {}
    point = answer.point
    if point is None:
        content["accuracy"] = None
        reasons = dict.fromkeys(("accuracy", *names), str(answer.refusal))
    else:
        content |= {
            "coverage": answer.coverage,
            "asked": answer.asked,
            "accepted_error": point.outcomes.risk,
            "threshold": _threshold(point.threshold),
            "baselines": [
                {
                    "name": b.name,
                    **_outcomes(b.outcomes),
                    "cost_per_1000": b.cost,
                    "unit": answer.unit,
                    "people_wrong": b.people_wrong,
                }
                for b in answer.baselines
            ],
            "interval": _intervals(answer),
        }
        if point.rate is None:
            why = "no finite price of a mistake makes this threshold the best"
            reasons |= dict.fromkeys(
                ("omega", "rho", "checks_per_mistake", "value", "expected_profit"), why
            )
        else:
            content |= {
                "omega": point.rate.omega,
                "rho": point.rate.rho,
                "checks_per_mistake": point.rate.checks_per_mistake,
                "value": point.value,
                "expected_profit": point.expected_profit,
            }
        if not math.isfinite(point.threshold):
            reasons["threshold"] = "infinite: the model should never answer alone"
        if point.outcomes.risk is None:
            reasons["accepted_error"] = "nothing is answered"
    content["guarantee"] = _guarantee(answer)
    content["better_than_asking"] = _better_than_asking(answer)
    content["people"] = None if answer.people is None else people_object(answer.people)
    content["selection"] = _selection(answer)
    if answer.guarantee is None:
        reasons["guarantee"] = "none was asked for: --max-error with --guarantee"
    if answer.p_value is None:
        reasons["better_than_asking"] = (
            "tested only at a stated price, where something is answered, on unweighted rows"
        )
    if answer.people is None:
        reasons["people"] = "taken to be always right: --check-price says otherwise"
    content["groups"] = [_group(line) for line in answer.groups]
    content["reasons"] = reasons
    return content


def _objective(question: ValueQuestion) -> dict[str, Any]:
    if question.costs is not None:
        return {"name": "Costs", "unit": question.costs.unit, "assumed": False}
    if question.prices is not None:
        return {"name": "Prices", **dataclasses.asdict(question.prices), "assumed": False}
    if question.check_price is not None:
        return {
            "name": "ErringPeople",
            "check_price": question.check_price,
            "people_right": question.people_right,
            "assumed": False,
        }
    if question.objective is None:
        return {"name": "CheckCost", "rho": 1 / 20, "assumed": True}
    fields = {
        field.name: getattr(question.objective, field.name)
        for field in dataclasses.fields(question.objective)  # type: ignore[arg-type]
    }
    return {"name": type(question.objective).__name__, **fields, "assumed": False}


def _outcomes(outcomes: Outcomes) -> dict[str, float]:
    return {"right": outcomes.right, "wrong": outcomes.wrong, "asked": outcomes.asked}


def _pair(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.lower, interval.upper]


def _intervals(answer: ValueAnswer) -> dict[str, Any] | None:
    if answer.intervals is None:
        return None
    has_rate = answer.rate is not None
    return {
        "level": answer.question.level,
        "kind": "exact, for a threshold fixed beforehand",
        "coverage": _pair(answer.coverage_interval),
        "accepted_error": _pair(answer.intervals.risk),
        "value": _pair(answer.intervals.value) if has_rate else None,
        "expected_profit": _pair(answer.intervals.expected_profit) if has_rate else None,
        "band_half_width": answer.band,
    }


def _threshold(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _guarantee(answer: ValueAnswer) -> dict[str, Any] | None:
    promise = answer.guarantee
    if promise is None:
        return None
    return {
        "risk": promise.risk,
        "delta": promise.delta,
        "threshold": _threshold(promise.point.threshold),
        "coverage": promise.coverage,
        "accepted_error": promise.point.outcomes.risk,
        "price_in_coverage": promise.price,
        "unguarded": {
            "threshold": _threshold(promise.unguarded.threshold),
            "coverage": promise.unguarded_coverage,
            "accepted_error": promise.unguarded.outcomes.risk,
        },
    }


def _better_than_asking(answer: ValueAnswer) -> dict[str, Any] | None:
    if answer.p_value is None:
        return None
    return {"p_value": answer.p_value, "threshold_chosen_on_the_same_rows": True}


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
    risk = None if line.outcomes is None else line.outcomes.risk
    return {
        "group": line.name,
        "n_items": line.n_items,
        "n_unlabelled": line.n_items - line.n_labelled,
        "coverage": line.coverage,
        "accepted_error": risk,
        "interval": None if line.intervals is None else _pair(line.intervals.risk),
    }
