"""The tables and pictures of the main job's answer."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.baselines import Baseline
from askpoint.measures.intervals import Interval, clopper_pearson
from askpoint.reports.document import Block, Grid, Notice, Picture
from askpoint.reports.value.thresholds import format_threshold
from askpoint.reports.value.tomorrow import cases_text, cost_text, cost_unit
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
_TO = "\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}"


def baselines_blocks(answer: ValueAnswer) -> Iterator[Block]:
    """Yield what the threshold and simpler policies do to 1,000 cases, and what that costs."""
    rows, check = [], answer.question.check_in_money
    for baseline in answer.baselines:
        total = baseline.outcomes.total / 1000
        asked = amount(baseline.outcomes.asked / total)
        wrong = (baseline.outcomes.wrong + baseline.people_wrong) / total
        if baseline.name == "threshold" and answer.coverage_interval is not None:
            ends = (1 - answer.coverage_interval.upper, 1 - answer.coverage_interval.lower)
            asked += _brackets(*ends)
        cost = _in_checks(answer, baseline) if answer.is_priced else None
        mistakes = amount(wrong)
        if baseline.outcomes.answered:
            mistakes += _brackets(*_share_wrong(answer, wrong / 1000))
        worth = _NOTHING if cost is None else amount(cost * (check or 1))
        rows.append((policy_title(baseline), asked, mistakes, worth))
    yield Grid(
        "Per 1,000 cases",
        ("policy", "to review", "mistakes", f"cost, {cost_unit(answer)}"),
        tuple(rows),
        _unit_note(answer),
    )
    policies = {baseline.name: baseline for baseline in answer.baselines}
    default, threshold = policies["default"], policies["threshold"]
    # where a price is stated, every policy has a cost
    if answer.question.objective.states_price and (default.cost or 0) < (threshold.cost or 0):
        yield Notice(f"At your price it is cheaper to {policy_title(default)} without a model.")


def _brackets(low: float, high: float) -> str:
    return "" if low == high else f" ({amount(1000 * low)}{_TO}{amount(1000 * high)})"


def _share_wrong(answer: ValueAnswer, share_wrong: float) -> Interval:
    n = answer.n_effective
    return clopper_pearson(min(share_wrong, 1.0) * n, n, answer.question.level)


def _in_checks(answer: ValueAnswer, baseline: Baseline) -> float | None:
    """Cost per 1,000 cases, where a check costs 1."""
    if baseline.cost is None:
        return None
    if answer.unit == "money" and answer.rate is not None:
        total = baseline.outcomes.total / 1000
        wrong = answer.rate.checks_per_mistake * baseline.outcomes.wrong
        return (baseline.outcomes.asked + wrong) / total
    one = _one_check(answer)
    return None if not one else baseline.cost / one


def _one_check(answer: ValueAnswer) -> float:
    """What a check costs in the unit of the baselines."""
    if answer.people is not None:
        return answer.people.check_price
    if answer.question.objective.costs is None:
        return 1.0
    everybody = next(part for part in answer.baselines if part.name == "ask_all")
    return (everybody.cost or 0.0) / 1000


def _unit_note(answer: ValueAnswer) -> str:
    held = (
        f"In brackets: {round_share(answer.question.level)} intervals, for a policy fixed before. "
    )
    if not answer.is_priced:
        return f"{held}Your limit says nothing of what a mistake costs here, so no cost is shown."
    if answer.people is not None:
        said = (
            "Mistakes of the model and of people; the cost is in checks: 1 is what one check costs."
        )
    elif answer.question.check_in_money is not None:
        said = "The cost of checks and mistakes at your prices."
    elif answer.question.objective.costs is not None:
        unit = answer.unit
        said = f"Cost in checks; by your file asking costs {amount(_one_check(answer))} {unit} a case on average."
    elif answer.question.objective.states_price:
        said = "Cost in checks: each case in review counts 1, each mistake at its price."
    else:
        said = "Cost in checks: each case in review counts 1, each mistake at the price that this choice implies."
    return f"{held}{said} Less is better."


def value_picture(answer: ValueAnswer) -> Iterator[Block]:
    """Yield the value curve of the rows."""
    if answer.point is None:
        return
    parts = [
        f"At {_checks(point)} checks per mistake {share(1 - point.outcomes.coverage)} of the cases go to review"
        for point in answer.prices
    ]
    yield Picture(
        "Checks that the best threshold for each price saves on 1,000 cases, compared with reviewing all; on "
        "these rows, in hindsight. The upper limit would be to ask exactly when it is wrong.",
        " ".join(
            [
                "A curve that falls as mistakes cost more.",
                *([f"{'; '.join(parts)}."] if parts else []),
            ]
        ),
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
        told = answer.n_effective * outcomes.answered / outcomes.total
        risk = outcomes.risk or 0.0
        interval = clopper_pearson(min(risk * told, told), told, answer.question.level)
        rows.append((share(outcomes.coverage), threshold, share(risk), share_range(interval)))
    by_costs = answer.question.objective.costs is not None
    down_to = "down to an expected saving of" if by_costs else "down to confidence"
    yield Grid(
        "The surest cases first",
        ("answered", down_to, "mistakes among answers", round_share(answer.question.level)),
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
        "For a calibrated model, 90% confidence means 90% right." if (answer.is_probability) else ""
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
    fitted = any(line.is_cross_fitted for line in answer.groups)
    return Grid(
        "Mistakes need not be spread evenly",
        (
            "group",
            "cases",
            "to review",
            "mistakes among answers",
            round_share(answer.question.level),
            "p",
        ),
        rows,
        f"{_difference_text(answer)} Intervals and p-values hold for all groups at once."
        + (f" {_NOTHING} is shown where no answered case has a label." if unknown else "")
        + (
            " Mistakes: each case is judged at a threshold chosen without it (ten folds)."
            if fitted
            else ""
        ),
    )


def _difference_text(answer: ValueAnswer) -> str:
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
    """Return what to expect of each model of a log."""
    priced = any(
        model.tomorrow is not None and model.tomorrow.best.cost_per_1000 is not None
        for _, model in answer.models
    )
    rows, notes = [], []
    for name, model in answer.models:
        if model.tomorrow is None:
            rows.append((name, *[_NOTHING] * (5 if priced else 4)))
            if model.refusal is not None:
                notes.append(f"{name}: {refusal_text(model.refusal)}.")
            continue
        best, n = model.tomorrow.best, model.n_effective
        right = model.curve.accuracy
        known = clopper_pearson(min(right * n, n), n, model.question.level)
        row = (
            name,
            f"{share(right)} ({share_range(known)})",
            format_threshold(model, best.threshold),
            cases_text(best.asked),
            cases_text(best.mistakes),
        )
        cost = _NOTHING if best.cost_per_1000 is None else cost_text(best.cost_per_1000)
        rows.append((*row, cost) if priced else row)
    columns = ("model", "right, of all", "threshold", "to review", "mistakes")
    return Grid(
        "Of the next 1,000 cases, each model at its own threshold",
        (*columns, "cost, checks") if priced else columns,
        tuple(rows),
        " ".join(["In brackets: between these numbers 95% of the time.", *notes]),
    )
