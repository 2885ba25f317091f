"""The main job's answer as one JSON object: one object per rule; what is undefined is null, with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from askpoint.answers.value.answer import GroupLine, ValueAnswer
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.tomorrow import Tomorrow
from askpoint.measures.outcomes import Outcomes
from askpoint.reports.objects import as_json
from askpoint.reports.value.accounts import accounts_object
from askpoint.reports.value.rules import expected_rule, hindsight_rule
from askpoint.reports.value.surprises import SURPRISES, surprise_object
from askpoint.reports.value.thresholds import threshold_number
from askpoint.reports.value.tomorrow import cost_of_asking, expected_object
from askpoint.reports.verdicts import policy_title, refusal_words

if TYPE_CHECKING:
    from askpoint.answers.value.workload import Workload

__all__ = ["value_object"]

_FIGURES = ("rule", "asked", "mistakes", "cost")
_ON_ROWS = ("risk", "price", "value", "expected_profit", "baselines", "money")


def value_object(answer: ValueAnswer, workload: Workload | None = None) -> dict[str, Any]:
    """Return the object that ``askpoint value --json`` prints."""
    content = _one_model(answer)
    if workload is not None and answer.tomorrow is not None:
        from askpoint.reports.value.workload import workload_object

        content["recommended"]["workload"] = workload_object(answer.tomorrow, workload)
    content["models"] = [{"model": name, **_one_model(part)} for name, part in answer.models]
    content["comparison"] = None
    if answer.comparison is not None:
        from askpoint.reports.value.models import comparison_object

        content["comparison"] = comparison_object(answer.comparison)
    else:
        content["reasons"]["comparison"] = (
            "models are compared at prices: it takes two with a verdict, no cost matrix and people "
            "who do not err"
        )
    return content


def _one_model(answer: ValueAnswer) -> dict[str, Any]:
    refused = None if answer.refusal is None else f"no verdict: {refusal_words(answer.refusal)}"
    tomorrow, rows = answer.tomorrow, None if answer.point is None else answer.point
    content: dict[str, Any] = {
        "n_items": answer.n_items,
        "n_unlabelled": answer.n_unlabelled,
        "classes": list(answer.classes),
        "accuracy": None if rows is None else answer.curve.accuracy,
        "decided": False,
        "threshold": None,
        "expected": None,
    }
    if tomorrow is not None:
        best = tomorrow.best
        content["decided"] = best.decided
        content["threshold"] = threshold_number(answer, best.threshold)
        content["expected"] = expected_object(best)
    content["recommended"] = _recommendation_object(answer, tomorrow)
    content["hindsight"] = _hindsight(answer)
    ends = dict.fromkeys(("ask_all", "answer_all"), dict.fromkeys(_FIGURES))
    content |= {name: dict(end) for name, end in ends.items()}
    if tomorrow is not None:
        asking = cost_of_asking(tomorrow)
        content["ask_all"] = expected_rule(answer, "ask_all", tomorrow.ask_all, asking)
        content["answer_all"] = expected_rule(answer, "answer_all", tomorrow.answer_all, asking)
        content["answer_all"]["rule"]["threshold"] = None
    content["answer_all"]["worst_case"] = None if answer.worst is None else asdict(answer.worst)
    content["current"] = None
    if answer.in_use is not None:
        from askpoint.reports.value.current_threshold import current_rule

        content["current"] = current_rule(answer, answer.in_use)
    reasons = dict(_reasons(answer, refused))
    content["reasons"] = {path: why for path, why in reasons.items() if _is_null(content, path)}
    return content


def _recommendation_object(answer: ValueAnswer, tomorrow: Tomorrow | None) -> dict[str, Any]:
    """What is best in expectation for new cases, and what that brings."""
    figures: dict[str, Any] = dict.fromkeys(_FIGURES)
    next_labels: dict[str, Any] | None = None
    prices: list[dict[str, Any]] | None = None
    stake: dict[str, Any] | None = None
    if tomorrow is not None:
        if tomorrow.at_stake_per_1000 is not None:
            stake = {"checks_per_1000": tomorrow.at_stake_per_1000, "saved": tomorrow.saved_share}
        figures = expected_rule(answer, "recommended", tomorrow.best, cost_of_asking(tomorrow))
        if tomorrow.next_labels is not None:
            next_labels = {"n": 100, **tomorrow.next_labels._asdict()}
        prices = [
            {
                "checks_per_mistake": checks,
                "decided": each.decided,
                **expected_rule(answer, "recommended", each, tomorrow.always_at_price(checks)),
            }
            for checks, each in tomorrow.prices
        ]
    return {
        **figures,
        "objective": _objective(answer.question),
        "stake": stake,
        **surprise_object(answer),
        "next_labels": next_labels,
        "at_other_prices": prices,
        "groups": [_group(line) for line in answer.groups],
        **_by_group(answer),
        "accounts": None if answer.accounts is None else accounts_object(answer.accounts),
        "guarantee": _guarantee(answer),
        "whole_output": _whole_output(answer),
        "recall_promise": _recall_promise(answer),
        "days": _days(answer),
        "people": _people(answer),
    }


def _by_group(answer: ValueAnswer) -> dict[str, Any]:
    if answer.own_thresholds is None and not answer.group_promises:
        return {"own_thresholds": None, "group_promises": []}
    from askpoint.reports.value.own_thresholds import own_object, promise_object

    own = answer.own_thresholds
    return {
        "own_thresholds": None if own is None else own_object(answer, own),
        "group_promises": promise_object(answer, answer.group_promises),
    }


def _recall_promise(answer: ValueAnswer) -> dict[str, Any] | None:
    if answer.recall_promise is None:
        return None
    from askpoint.reports.value.recall_promise import recall_promise_object

    return recall_promise_object(answer, answer.recall_promise)


def _guarantee(answer: ValueAnswer) -> dict[str, Any] | None:
    if answer.guarantee is None:
        return None
    from askpoint.reports.value.guarantee import guarantee_object

    return guarantee_object(answer, answer.guarantee)


def _whole_output(answer: ValueAnswer) -> dict[str, Any] | None:
    if answer.whole_output is None:
        return None
    from askpoint.reports.value.whole_output import whole_output_object

    return whole_output_object(answer, answer.whole_output)


def _days(answer: ValueAnswer) -> dict[str, Any] | None:
    if answer.days is None:
        return None
    from askpoint.reports.value.daily_load import days_object

    return days_object(answer.days)


def _people(answer: ValueAnswer) -> dict[str, Any] | None:
    if answer.people is None:
        return None
    from askpoint.reports.value.people import people_object

    return people_object(answer.people)


def _hindsight(answer: ValueAnswer) -> dict[str, Any]:
    """What would have been best for the rows themselves, and what it does to them."""
    point, intervals, rate = answer.point, answer.intervals, answer.rate
    content: dict[str, Any] = {
        "n_labelled": answer.n_labelled,
        "level": answer.question.level,
        **hindsight_rule(answer),
        **dict.fromkeys(_ON_ROWS),
        "better_than_asking": None,
        "selection": _selection(answer),
    }
    if point is None or intervals is None:
        return content
    priced = None if rate is None else intervals
    return content | {
        "risk": _interval(point.outcomes.risk, as_json(intervals.risk)),
        "price": None
        if rate is None
        else {"rho": rate.rho, "checks_per_mistake": rate.checks_per_mistake},
        "value": _interval(point.value, as_json(priced and priced.value)),
        "expected_profit": _interval(
            point.expected_profit, as_json(priced and priced.expected_profit)
        )
        | {"band_half_width": answer.band},
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
        "money": _money(answer),
        "better_than_asking": None
        if answer.p_value is None
        else {"p_value": answer.p_value, "threshold_chosen_on_the_same_rows": True},
    }


def _interval(estimate: float | None, interval: list[float] | None) -> dict[str, Any]:
    return {"estimate": estimate, "interval": interval}


def _is_null(content: dict[str, Any], path: str) -> bool:
    """Say whether what a path with dots names is undefined, alone or in each of several objects."""
    part: Any = content
    for key in path.split("."):
        if isinstance(part, list):
            return all(each[key] is None for each in part)
        if part is None or key not in part:
            return False
        part = part[key]
    return part is None


def _reasons(answer: ValueAnswer, refused: str | None) -> Iterator[tuple[str, str]]:
    """Why something is null, for all that can be."""
    nothing = "nothing is answered"
    new_cases = refused or "no price of a mistake is stated"
    yield (
        "threshold",
        (
            f"send every case to review; {refused}"
            if refused
            else "infinite: send every case to review, because the model would decide practically none"
        ),
    )
    yield "expected", f"send every case to review; {refused}"
    yield "expected.risk", nothing
    for key in ("cost_per_1000", "cheaper_than_asking", "cheaper_than_answering"):
        yield f"expected.{key}", new_cases
    yield "expected.kept", "no limit is stated that new cases may break"
    for name in ("recommended", "ask_all", "answer_all"):
        for key in ("rule", "asked", "mistakes"):
            yield f"{name}.{key}", str(refused)
        yield f"{name}.cost", new_cases
        yield (
            f"{name}.rule.threshold",
            (
                "every case is answered, however unsure the model is"
                if name == "answer_all"
                else "infinite: send every case to review"
            ),
        )
        yield f"{name}.cost.saved_per_1000", new_cases
    asked_for = {
        "stake": new_cases,
        "stake.saved": "the better of sending every case to review and deciding all costs nothing",
        "next_labels": "reported at a stated price, up to 5,000 labels",
        "at_other_prices": str(refused),
        **SURPRISES,
        "misfit.high": "it reaches up to the surest case",
        "own_thresholds": "reported with --by COLUMN at one price, for labels without weights and clusters",
        "accounts": "a sketch does not keep classes",
        "guarantee": "none was asked for: --max-error with --guarantee",
        "whole_output": "none was asked for: --max-mistakes with --guarantee",
        "recall_promise": "none was asked for: --min-recall with --guarantee",
        "days": "no capacity of days was asked for: --ask-at-most N/day with --time",
        "people": "taken to be always right: --check-price says otherwise",
    }
    for key, why in asked_for.items():
        yield f"recommended.{key}", refused or why
    rows = refused or (str(answer.unmet) if answer.point is None else None)
    yield "accuracy", str(rows)
    yield "hindsight.rule.threshold", "infinite: the model answers nothing alone"
    for key in ("estimate", "interval"):
        yield f"hindsight.risk.{key}", nothing
    why = (
        "the costs of this model's answers amount to no one price of a mistake"
        if answer.question.objective.costs is not None
        else "no finite price of a mistake makes this threshold the best"
    )
    for key in ("price", "cost", "value.estimate", "value.interval", "baselines.cost_per_1000"):
        yield f"hindsight.{key}", why
    for key in ("estimate", "interval"):
        yield f"hindsight.expected_profit.{key}", why
    yield (
        "hindsight.expected_profit.band_half_width",
        ("the rows are weighted; the band is for equal ones"),
    )
    yield (
        "hindsight.cost.interval",
        "reported in checks, at one price and for people who do not err",
    )
    yield "hindsight.money", "no prices were stated"
    yield (
        "hindsight.better_than_asking",
        refused or "tested only at a stated price, where something is answered, on unweighted rows",
    )
    yield "hindsight.selection", "every case has a label"
    yield "answer_all.worst_case", "reported where labels are missing at some confidences"
    for key in (*_FIGURES, *_ON_ROWS):
        if rows is not None:
            yield f"hindsight.{key}", rows
    yield "current", "no threshold in use was named: --threshold or --since"


def _money(answer: ValueAnswer) -> dict[str, float] | None:
    """What each policy is worth on all cases of the log."""
    if answer.unit != "money":
        return None
    return {b.name: -(b.cost or 0.0) * answer.mass / 1000 for b in answer.baselines}


def _objective(question: ValueQuestion) -> dict[str, Any]:
    objective = question.objective
    told = {"name": objective.name, **objective.stated, "assumed": question.is_assumed}
    return told if question.currency is None else told | {"currency": question.currency}


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
        "p_random": selection.p_random,
        "is_balanced": answer.is_balanced,
        "labelled_share_by_tenth": selection.shares.tolist(),
    }


def _group(line: GroupLine) -> dict[str, Any]:
    reasons = {}
    if line.name is None:
        reasons["group"] = "these rows name no group"
    if line.risk is None:
        why = "nothing is answered" if not line.coverage else "no answered case has a label"
        reasons |= dict.fromkeys(("risk", "interval"), why)
    elif line.risk_interval is None:
        reasons["interval"] = "too few labels speak for the cases that were hardly ever labelled"
    if line.p_value is None:
        reasons["p_value"] = "no other group to compare with has answered cases with labels"
    return {
        "group": line.name,
        "n_items": line.n_items,
        "n_unlabelled": line.n_items - line.n_labelled,
        "coverage": line.coverage,
        "risk": line.risk,
        "cross_fitted": line.is_cross_fitted,
        "interval": as_json(line.risk_interval),
        "p_value": line.p_value,
        "reasons": reasons,
    }
