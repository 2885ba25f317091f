"""The main job's answer in words, tables and pictures."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from typing import Any

from askpoint.measures.outcomes import Outcomes
from askpoint.reports.document import Block, Document, Grid, Notice, Paragraph, Picture, Section
from askpoint.reports.value_answer import ASSUMED_CHECKS, ValueAnswer
from askpoint.reports.value_guarantee import guarantee_blocks
from askpoint.reports.value_models import comparison_blocks
from askpoint.reports.value_people import people_blocks, people_price
from askpoint.reports.words import (
    amount,
    count,
    plural,
    probability,
    share,
    share_range,
    threshold_text,
)
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import AskAtMost, FBeta, MaxError, MinPrecision, MinRecall
from askpoint.value.selection import LabelSelection

__all__ = ["value_document", "value_sections"]

_FEW_LABELS = 100


def value_document(answer: ValueAnswer, name: str) -> Document:
    """Return the report on one log.

    Parameters
    ----------
    answer : ValueAnswer
        What `answer_value` returned.
    name : str
        Name of the log.

    Returns
    -------
    Document

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.records.logs import read_log
    >>> from askpoint.reports.value_answer import ValueQuestion, answer_value
    >>> from askpoint.reports.value_words import value_document
    >>> log = read_log(pl.DataFrame({"label": [1, 0], "proba": [0.9, 0.2]}))
    >>> value_document(answer_value(log, ValueQuestion()), "two cases").title
    'Which decisions may the model take alone? two cases'
    """
    return Document(
        f"Which decisions may the model take alone? {name}",
        value_sections(answer),
        f"{plural(answer.n_items, 'case', 'cases')}, {count(answer.n_labelled)} with a label. "
        "Made by askpoint; nothing left this machine.",
    )


def value_sections(answer: ValueAnswer, *, prefix: str = "") -> tuple[Section, ...]:
    """Return the report's sections, for a page that holds several.

    Parameters
    ----------
    answer : ValueAnswer
        What `answer_value` returned.
    prefix : str, default=""
        Put before each section's title.

    Returns
    -------
    tuple of Section
    """
    sections = [Section("The answer", tuple(_verdict(answer)))]
    if answer.guarantee is not None:
        sections.append(
            Section("What is promised of new cases", guarantee_blocks(answer.guarantee))
        )
    if answer.people is not None:
        sections.append(Section("People err, too", tuple(people_blocks(answer.people))))
    if answer.point is not None:
        sections.append(Section("Compared with not having to choose", tuple(_baselines(answer))))
        if answer.prices:
            sections.append(Section("If a mistake cost more, or less", tuple(_prices(answer))))
        sections.append(Section("How sure the model is, and how right", tuple(_pictures(answer))))
    if answer.groups:
        sections.append(Section("Group by group, at the same threshold", (_groups(answer),)))
    if answer.models:
        sections.append(Section("Model by model", tuple(_models(answer))))
    sections.append(Section("How far to trust these numbers", tuple(_trust(answer))))
    return tuple(Section(prefix + section.title, section.blocks) for section in sections)


def _verdict(answer: ValueAnswer) -> Iterator[Block]:
    if answer.point is None:
        yield Notice(f"No verdict: {answer.refusal}.")
        if answer.selection is not None:
            yield _labelled_shares(answer.selection)
        return
    point, intervals = answer.point, answer.intervals
    if answer.models:
        yield Paragraph(f"Of {len(answer.models)} models the best is {answer.models[0][0]!r}.")
    answered = answer.n_items - answer.asked
    if answered == 0:
        lead = (
            "The model should not decide alone at any confidence: at this price its mistakes cost "
            "more than asking people."
        )
    else:
        where = (
            "wherever its expected cost is below that of asking by at least "
            if answer.question.costs is not None
            else "where its confidence is at least "
        )
        lead = (
            f"Let the model decide alone {where}{threshold_text(point.threshold, answer.below)}. It then "
            f"decides {count(answered)} of {plural(answer.n_items, 'case', 'cases')} "
            f"({share(answer.coverage)}) and leaves {count(answer.asked)} to people."
        )
        if answer.asked == 0:
            lead = (
                f"Let the model decide all {plural(answer.n_items, 'case', 'cases')}: "
                "asking people is not worth its price."
            )
    yield Paragraph(lead, lead=True)
    risk = point.outcomes.risk
    if risk is not None and intervals is not None and intervals.risk is not None:
        yield Paragraph(
            f"Of what it decides, {share(risk)} is wrong (95 %: {share_range(intervals.risk)}); "
            f"per 1,000 cases {amount(1000 * point.outcomes.wrong / point.outcomes.total)} "
            "mistakes pass. If it decided everything, "
            f"{share(1 - answer.curve.accuracy)} would be wrong."
        )
        labelled = _labelled_answers(answer)
        if labelled < _FEW_LABELS and answer.n_unlabelled:
            yield Notice(
                f"Only {count(labelled)} of the {count(answered)} decided cases have a label: "
                f"up to {share(intervals.risk.upper)} of them may be wrong. Label more of them."
            )
    yield Paragraph(_price(answer))
    if answered:
        yield Picture(
            "1,000 cases: filled, decided right; red, decided wrong; empty, left to people.",
            _icons_in_words(point.outcomes),
            _draw_outcomes(point.outcomes),
            (6.4, 2.7),
        )


def _labelled_answers(answer: ValueAnswer) -> int:
    """Number of labelled cases that the model decides."""
    curve, point = answer.curve, answer.point
    if point is None:
        return 0
    return int(curve.items[(curve.thresholds >= point.threshold).sum() - 1])


def _labelled_shares(selection: LabelSelection) -> Grid:
    rows = tuple((str(i + 1), share(part)) for i, part in enumerate(selection.shares))
    return Grid(
        "Where the labels are",
        ("tenth of the cases, from the least sure", "with a label"),
        rows,
        "From labels like these nobody can tell how often the model is wrong where it is sure.",
    )


def _price(answer: ValueAnswer) -> str:
    question, rate = answer.question, answer.rate
    if answer.people is not None:
        return people_price(answer.people)
    if rate is None:
        if question.costs is not None:
            return (
                "The costs are those of the file; the model makes no mistake to compare them with."
            )
        return f"{_constraint(answer)} Within it, answering more would cost nothing yet."
    worth = f"one mistake is worth {amount(rate.checks_per_mistake)} checks"
    if question.prices is not None:
        return f"From your prices: {worth} (omega {amount(rate.omega)}, rho {amount(rate.rho)})."
    if question.costs is not None:
        return (
            f"From your costs, on average: {worth}. The model takes the decision that is expected "
            "to cost least."
        )
    if question.objective is None:
        return (
            f"You stated no price, so {ASSUMED_CHECKS} checks were taken to be worth one mistake. "
            "State yours: --rho 0.05 says that a check costs a twentieth of a mistake."
        )
    constraint = _constraint(answer)
    if constraint:
        return f"{constraint} That amounts to saying that {worth}: its shadow price."
    return (
        f"At your price {worth} (omega {amount(rate.omega)}, rho {amount(rate.rho)}); were the "
        f"confidences calibrated, the threshold would be {amount(rate.calibrated_threshold)}."
    )


def _constraint(answer: ValueAnswer) -> str:
    objective = answer.question.objective
    if isinstance(objective, AskAtMost):
        limit = share(objective.limit) if objective.limit < 1 else count(objective.limit)
        return f"You asked for at most {limit} of the cases to go to people."
    if isinstance(objective, MaxError):
        return f"You asked for at most {share(objective.risk)} mistakes among the answers."
    if isinstance(objective, MinRecall):
        return (
            f"You asked that at least {share(objective.level)} of {objective.label!r} are not "
            "lost (asked cases count as found)."
        )
    if isinstance(objective, MinPrecision):
        return (
            f"You asked that answers {objective.label!r} are right at least "
            f"{share(objective.level)} of the time."
        )
    if isinstance(objective, FBeta):
        return f"You asked for the greatest F with beta {amount(objective.beta)}."
    return ""


def _icons_in_words(outcomes: Outcomes) -> str:
    total = outcomes.total / 1000
    return (
        f"Of 1,000 cases the model decides {outcomes.right / total:.0f} right and "
        f"{outcomes.wrong / total:.0f} wrong, and leaves {outcomes.asked / total:.0f} to people."
    )


def _baselines(answer: ValueAnswer) -> Iterator[Block]:
    heading = "cost" if answer.unit == "checks" else f"cost, {answer.unit}"
    rows = []
    for baseline in answer.baselines:
        total = baseline.outcomes.total / 1000
        cost = "–" if baseline.cost is None else amount(baseline.cost)
        rows.append(
            (
                baseline.name,
                count(baseline.outcomes.asked / total),
                amount((baseline.outcomes.wrong + baseline.people_wrong) / total),
                cost,
            )
        )
    note = {
        "checks": "Cost in checks: cases asked, plus each mistake at its price. Less is better.",
        "mistakes": "Mistakes of the model and of people; cost in mistakes, the work of checks "
        "included. Less is better.",
        "money": "Cost in your money; below zero is a gain.",
    }.get(answer.unit, f"Cost in {answer.unit}, as your file has it. Less is better.")
    yield Grid("Per 1,000 cases", ("policy", "asked", "mistakes", heading), tuple(rows), note)


def _prices(answer: ValueAnswer) -> Iterator[Block]:
    rows = []
    for point in answer.prices:
        if point.rate is None:
            continue
        risk = "–" if point.outcomes.risk is None else share(point.outcomes.risk)
        rows.append(
            (
                amount(point.rate.checks_per_mistake),
                _curve_threshold(answer.curve, point.threshold),
                share(1 - point.outcomes.coverage),
                risk,
            )
        )
    yield Grid(
        "The best threshold at other prices",
        ("checks worth one mistake", "answer from", "asked", "mistakes among answers"),
        tuple(rows),
    )
    yield Picture(
        "Value per case at the best threshold for every price, between asking always (0) and "
        "asking exactly when wrong (dotted).",
        "A falling curve: " + "; ".join(f"at {row[0]} checks {row[2]} are asked" for row in rows),
        _draw("ValueCurveDisplay", answer, default=True),
    )


def _curve_threshold(curve: ValueCurve, threshold: float) -> str:
    lower = curve.thresholds[curve.thresholds < threshold]
    return threshold_text(threshold, float(lower[0]) if lower.size else -math.inf)


def _pictures(answer: ValueAnswer) -> Iterator[Block]:
    curve = answer.curve
    rows = []
    for part in (0.25, 0.5, 0.75, 0.9, 1.0):
        k = int((curve.right + curve.wrong).searchsorted(part * curve.total * (1 - 1e-12)))
        outcomes = curve.outcomes(float(curve.thresholds[k]))
        risk = "–" if outcomes.risk is None else share(outcomes.risk)
        rows.append(
            (share(outcomes.coverage), _curve_threshold(curve, float(curve.thresholds[k])), risk)
        )
    yield Grid(
        "The surest cases first",
        ("answered", "down to confidence", "mistakes among answers"),
        tuple(rows),
        f"Area under the risk-coverage curve (AURC) {amount(curve.aurc)}, generalised (AUGRC) "
        f"{amount(curve.augrc)}; less is better.",
    )
    yield Picture(
        "Mistakes among the answers when only the surest cases are answered.",
        "; ".join(f"{row[0]} answered, {row[2]} wrong" for row in rows),
        _draw("RiskCoverageDisplay", answer),
    )
    yield Picture(
        "Share of right answers at each confidence; on the dotted line confidence means what it says.",
        "The same numbers are in the table above, cumulated.",
        _draw("ReliabilityDisplay", answer),
    )


def _draw(name: str, answer: ValueAnswer, *, default: bool = False) -> Any:
    def draw(ax: Any) -> object:
        displays = importlib.import_module("askpoint.displays.value")  # only pages need matplotlib
        more = {}
        if default and answer.baselines:
            baseline = answer.baselines[3].outcomes
            more = {"default_share": baseline.right / baseline.total}
        return getattr(displays, name)(answer.curve, answer.point, **more).plot(ax)

    return draw


def _draw_outcomes(outcomes: Outcomes) -> Any:
    def draw(ax: Any) -> object:
        from askpoint.displays.outcomes import OutcomesDisplay

        return OutcomesDisplay(outcomes).plot(ax)

    return draw


def _groups(answer: ValueAnswer) -> Block:
    rows = []
    for line in answer.groups:
        risk = interval = "–"
        if line.outcomes is not None and line.outcomes.risk is not None:
            risk = share(line.outcomes.risk)
            if line.intervals is not None and line.intervals.risk is not None:
                interval = share_range(line.intervals.risk)
        name = "(none)" if line.name is None else line.name
        rows.append((name, count(line.n_items), share(1 - line.coverage), risk, interval))
    return Grid(
        "Mistakes need not be spread evenly",
        ("group", "cases", "asked", "mistakes among answers", "95 %"),
        tuple(rows),
    )


def _models(answer: ValueAnswer) -> Iterator[Block]:
    rows = []
    for name, model in answer.models:
        accuracy = share(model.curve.accuracy)
        if model.point is None:
            rows.append((name, accuracy, "–", "–", "–"))
            continue
        risk = model.point.outcomes.risk
        cost = model.baselines[0].cost
        rows.append(
            (
                name,
                accuracy,
                share(1 - model.coverage),
                "–" if risk is None else share(risk),
                "–" if cost is None else amount(cost),
            )
        )
    yield Grid(
        "Each at its own best threshold",
        ("model", "accuracy", "asked", "mistakes among answers", f"cost per 1,000, {answer.unit}"),
        tuple(rows),
    )
    if answer.comparison is not None:
        yield from comparison_blocks(answer.comparison)


def _trust(answer: ValueAnswer) -> Iterator[Block]:
    n = answer.n_labelled
    yield Paragraph(
        f"The intervals are exact for a threshold that was fixed before; {plural(n, 'label', 'labels')} "
        "were used."
        + (
            ""
            if math.isclose(answer.n_effective, n)
            else f" Weights make them worth {count(answer.n_effective)} equally weighted ones."
        )
    )
    if answer.band is not None and answer.rate is not None:
        yield Paragraph(
            "The threshold was chosen on these very cases, which flatters it a little. A band that "
            f"allows for any choice: the expected profit is within {answer.band:.3f} of the "
            "figure here, with 95 % confidence, at every threshold and every price at once."
        )
    if answer.p_value is not None:
        yield Paragraph(
            "Were answering no better than asking at this price, so many right answers would have a "
            f"probability of {probability(answer.p_value)} (exact binomial test). The threshold was "
            "chosen on the same cases, so take it for a hint; new cases would make it a proof."
        )
    limited = isinstance(answer.question.objective, MaxError) and answer.point is not None
    if limited and answer.guarantee is None:
        yield Notice(
            "The limit is met on these cases; a threshold chosen this way exceeds it on new cases "
            "about every second time. --guarantee 0.05 chooses one that keeps it but for 5 %."
        )
    if n < 300:
        yield Notice(
            f"{plural(n, 'label', 'labels')} are few: rare mistakes may not have shown yet. 0 mistakes in "
            f"{n} still allow {share(1 - 0.05 ** (1 / n))}. Label more cases drawn at random."
        )
    selection = answer.selection
    if selection is None:
        yield Paragraph("Every case has a label, so nothing was selected.")
    elif answer.refusal is None and selection.is_selective:
        how = (
            "You stated that labels are random; the numbers rest on that."
            if answer.question.labels_are_random
            else "The weights of the log correct for that as far as they are right."
        )
        yield Notice(
            f"Labels are more frequent where the model is {_where(answer)}: {share(selection.shares[0])} "
            f"of the least sure tenth, {share(selection.shares[-1])} of the surest. {how}"
        )
    elif answer.refusal is None:
        yield Paragraph(
            f"{plural(answer.n_unlabelled, 'case', 'cases')} have no label; those that have one look "
            f"alike in their confidence (distance {amount(selection.distance)})."
        )


def _where(answer: ValueAnswer) -> str:
    if answer.selection is None:
        return "unsure"
    return "unsure" if answer.selection.shares[0] > answer.selection.shares[-1] else "sure"
