"""The tables and pictures of the main job's answer."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from askpoint.answers.value.answer import ValueAnswer
from askpoint.reports.document import Block, Grid, Notice, Picture
from askpoint.reports.verdicts import policy_title, refusal_text
from askpoint.reports.words import (
    amount,
    count,
    probability,
    round_share,
    share,
    share_range,
    threshold_text,
)
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import OperatingPoint
from askpoint.value.reliability import reliability_bins

__all__ = [
    "baselines_blocks",
    "groups_table",
    "models_table",
    "surest_blocks",
    "value_picture",
]

_NOTHING = "–"


def baselines_blocks(answer: ValueAnswer) -> Iterator[Block]:
    """Yield what the threshold and simpler policies do to 1,000 cases, and what that costs."""
    money = answer.unit == "money"
    heading = "worth" if money else "cost" if answer.people is None else "cost, in mistakes"
    rows = []
    for baseline in answer.baselines:
        total = baseline.outcomes.total / 1000
        asked, wrong = (
            baseline.outcomes.asked / total,
            (baseline.outcomes.wrong + baseline.people_wrong) / total,
        )
        cost = baseline.cost if answer.is_priced else None
        worth = _NOTHING if cost is None else amount(-cost if money else cost)
        rows.append((policy_title(baseline), amount(asked), amount(wrong), worth))
    yield Grid(
        "Per 1,000 cases", ("policy", "asked", "mistakes", heading), tuple(rows), _unit_note(answer)
    )
    policies = {baseline.name: baseline for baseline in answer.baselines}
    default, threshold = policies["default"], policies["threshold"]
    # where a price is stated, every policy has a cost
    if answer.question.objective.states_price and (default.cost or 0) < (threshold.cost or 0):
        yield Notice(
            f"To {policy_title(default)}, without a model, would be the better policy on these cases: at your "
            "price this model is of no use."
        )


def _unit_note(answer: ValueAnswer) -> str:
    if not answer.is_priced:
        return "Your limit says nothing of what a mistake costs here, so no cost is shown."
    if answer.unit == "money":
        return "Worth in your money; below zero is a loss. More is better."
    if answer.people is not None:
        return "Mistakes of the model and of people; the cost includes the work. Less is better."
    if answer.unit != "checks":
        return f"Cost in {answer.unit}, by your file. Less is better."
    price = (
        "at its price" if answer.question.objective.states_price else "at the price that follows"
    )
    return f"Cost in checks: each case asked counts 1, each mistake {price}. Less is better."


def value_picture(answer: ValueAnswer) -> Iterator[Block]:
    """Yield the value curve of the rows."""
    if answer.point is None:
        return
    parts = [
        f"At {_checks(point)} checks a mistake {share(1 - point.outcomes.coverage)} of the cases are asked"
        for point in answer.prices
    ]
    yield Picture(
        "Value per case of these rows at the best threshold for every price, in hindsight: 0 is the "
        "worth of asking always, the upper limit that of asking exactly when wrong.",
        f"A curve that falls as mistakes cost more. {'; '.join(parts)}.",
        _draw("ValueCurveDisplay", answer, default_share=_default_share(answer)),
    )


def _checks(point: OperatingPoint) -> str:
    return "" if point.rate is None else amount(point.rate.checks_per_mistake)


def _default_share(answer: ValueAnswer) -> float:
    shares = {b.name: b.outcomes.right / b.outcomes.total for b in answer.baselines}
    return shares["default"]


def surest_blocks(answer: ValueAnswer) -> Iterator[Block]:
    """Yield risk and coverage, and whether confidence means what it says."""
    curve = answer.curve
    answered = curve.right + curve.wrong
    parts = (0.25, 0.5, 0.75, 0.9, 1.0)
    rows = []
    for k in dict.fromkeys(
        int(answered.searchsorted(p * answered[-1] * (1 - 1e-12))) for p in parts
    ):
        outcomes = curve.outcomes(float(curve.thresholds[k]))
        threshold = _threshold(curve, float(curve.thresholds[k]))
        rows.append((share(outcomes.coverage), threshold, _share_or_nothing(outcomes.risk)))
    by_costs = answer.question.objective.costs is not None
    down_to = "down to an expected saving of" if by_costs else "down to confidence"
    yield Grid(
        "The surest cases first",
        ("answered", down_to, "mistakes among answers"),
        tuple(rows),
        f"Averaged over all shares answered: AURC {amount(curve.aurc)} (mistakes among the answers), "
        f"AUGRC {amount(curve.augrc)} (among all cases); less is better.",
    )
    yield Picture(
        "Mistakes among the answers when only the surest cases are answered.",
        "; ".join(f"{row[0]} answered, {row[2]} of the answers wrong" for row in rows) + ".",
        _draw("RiskCoverageDisplay", answer),
    )
    if not by_costs:
        yield from _reliability(answer)


def _reliability(answer: ValueAnswer) -> Iterator[Block]:
    bins = reliability_bins(answer.curve, n=answer.n_effective)
    rows = tuple(
        (
            share(part.confidence) if answer.is_probability else amount(part.confidence),
            count(part.n_items),
            share(part.right),
            share_range(part.interval),
        )
        for part in bins
    )
    note = (
        "Well calibrated, a confidence is the share of right answers."
        if (answer.is_probability)
        else ""
    )
    yield Grid(
        "How often it is right, from the surest tenth to the least sure",
        ("mean confidence", "labelled cases", "right", round_share(answer.question.level)),
        rows,
        note,
    )
    yield Picture(
        "Share of right answers at each confidence"
        + ("; on the dotted line confidence means what it says." if answer.is_probability else "."),
        "; ".join(f"at {row[0]} {row[2]} are right" for row in rows) + ".",
        _draw("ReliabilityDisplay", answer, is_probability=answer.is_probability),
    )


def _threshold(curve: ValueCurve, threshold: float) -> str:
    k = int((curve.thresholds >= threshold).sum())  # the first that is not answered
    below = float(curve.thresholds[k]) if k < len(curve.thresholds) else -float("inf")
    return threshold_text(threshold, below)


def _draw(name: str, answer: ValueAnswer, **settings: Any) -> Any:
    def draw(ax: Any) -> object:
        displays = importlib.import_module("askpoint.displays.value")  # only pages need matplotlib
        point = answer.point
        if point is not None:  # the dot belongs on the curve, which is that of the labelled cases
            outcomes = answer.curve.outcomes(point.threshold)
            point = OperatingPoint(point.threshold, outcomes, point.rate)
        return getattr(displays, name)(answer.curve, point, **settings).plot(ax)

    return draw


def _share_or_nothing(value: float | None) -> str:
    return _NOTHING if value is None else share(value)


def groups_table(answer: ValueAnswer) -> Grid:
    """Return what the common threshold does to each group."""
    rows = tuple(
        (
            "(none)" if line.name is None else line.name,
            count(line.n_items),
            share(1 - line.coverage),
            _share_or_nothing(line.risk),
            _NOTHING if line.risk_interval is None else share_range(line.risk_interval),
            _NOTHING if line.p_value is None else probability(line.p_value),
        )
        for line in answer.groups
    )
    unknown = any(line.risk is None for line in answer.groups)
    return Grid(
        "Mistakes need not be spread evenly",
        (
            "group",
            "cases",
            "asked",
            "mistakes among answers",
            round_share(answer.question.level),
            "p",
        ),
        rows,
        f"{_shown_to_differ(answer)} Intervals and p-values hold for all groups at once."
        + (f" {_NOTHING} stands where no answered case has a label." if unknown else ""),
    )


def _shown_to_differ(answer: ValueAnswer) -> str:
    rest = 1 - answer.question.level
    shown = [
        "(none)" if line.name is None else line.name
        for line in answer.groups
        if line.p_value is not None and line.p_value <= rest
    ]
    if not shown:
        return "No group is shown to differ from the others (p: against all others together, Holm)."
    return f"Shown to differ from the others: {', '.join(shown)} (p: against all others together, Holm)."


def models_table(answer: ValueAnswer) -> Grid:
    """Return how the models of a log compare."""
    priced = answer.question.objective.states_price
    money = answer.unit == "money"
    rows, notes = [], []
    for name, model in answer.models:
        if model.point is None:
            rows.append((name, *[_NOTHING] * (5 if priced else 4)))
            if model.refusal is not None:
                notes.append(f"{name}: {refusal_text(model.refusal)}.")
            continue
        outcomes = model.point.outcomes
        row = (
            name,
            share(model.curve.accuracy),
            share(1 - model.coverage),
            _share_or_nothing(outcomes.risk),
            amount(1000 * outcomes.wrong / outcomes.total),
        )
        cost = model.baselines[0].cost or 0.0
        rows.append((*row, amount(-cost if money else cost)) if priced else row)
    columns = ("model", "accuracy", "asked", "mistakes among answers", "mistakes per 1,000")
    heading = "worth per 1,000" if money else f"cost per 1,000, {answer.unit}"
    return Grid(
        "Each at its own best threshold",
        (*columns, heading) if priced else columns,
        tuple(rows),
        " ".join(notes),
    )
