"""Two ways of finding mistakes side by side, in words and as an object."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from askpoint.answers.examination.comparison import CompareAnswer
from askpoint.reports.document import Block, Grid, Notice, Paragraph, Picture, Section
from askpoint.reports.objects import as_json, record
from askpoint.reports.words import amount, count, plural, round_share, share, share_range
from askpoint.unknowns.severity_comparison import SeverityShares

__all__ = ["compare_object", "compare_sections"]


def compare_sections(answer: CompareAnswer) -> tuple[Section, ...]:
    """Return the sections on a comparison, for the report on an examination."""
    one, two = answer.question.names
    return (
        Section(f"{one} and {two}: how severe is what they find?", tuple(_severities(answer))),
        Section(f"{one} and {two}: can it be learned?", tuple(_learning_blocks(answer))),
    )


def _severities(answer: CompareAnswer) -> Iterator[Block]:
    compared = answer.severities
    methods = (compared.first, compared.second)
    for method in methods:
        if method.shares is None:
            yield Notice(f"Not estimable: {method.reason}.")
        yield Paragraph(_in_words(method, compared.unit, grouped=answer.grouped))
    yield Paragraph(
        "The rates have different denominators: only an examination says how common mistakes are. "
        + (
            "Near-duplicates count once."
            if answer.grouped
            else "Near-duplicates count each: a column of texts groups them."
        )
        + ("" if answer.question.case_costs else " What a case cost to judge was not stated."),
        options="" if answer.grouped else "Name the column with --text.",
    )
    ranges = [f"{low:g} to {high:g}" for low, high in itertools.pairwise(compared.edges)]
    rows = tuple((method.name, *_shares(method)) for method in methods)
    yield Grid("Share of its mistakes by severity", ("", *ranges), rows)
    yield Picture(
        "Share of each method's mistakes by severity.",
        "; ".join(f"{row[0]}: {', '.join(row[1:])}" for row in rows),
        lambda ax: _severities_picture(answer, ax),
    )
    if compared.difference is not None and compared.difference_interval is not None:
        lower, upper = compared.difference_interval
        yield Paragraph(
            f"Share of its mistakes that are of the severest quarter, {compared.first.name} less "
            f"{compared.second.name}: {100 * compared.difference:+.1f} percentage points "
            f"({100 * lower:+.1f} to {100 * upper:+.1f}, {round_share(answer.question.level)})."
        )


def _in_words(method: SeverityShares, unit: str, *, grouped: bool) -> str:
    distinct = f" ({count(method.n_distinct)} without near-duplicates)" if grouped else ""
    text = (
        f"{method.name}: {plural(method.n_errors, 'mistake', 'mistakes')}{distinct} in "
        f"{count(method.n_judged)} {method.judged}, {share(method.rate)} "
        f"({share_range(method.rate_interval)})"
    )
    if method.cost_per_error is not None:
        text += f"; one cost {amount(method.cost_per_error)} {unit}".rstrip()
        if method.cost_per_severe is not None:
            text += (
                f", one of the severest quarter {amount(method.cost_per_severe)} {unit}".rstrip()
            )
    return f"{text}."


def _shares(method: SeverityShares) -> list[str]:
    if method.shares is None or method.intervals is None:
        return ["not estimable"] * 4
    return [
        f"{share(value)} ({share_range(interval)})"
        for value, interval in zip(method.shares, method.intervals, strict=True)
    ]


def _severities_picture(answer: CompareAnswer, ax: Any) -> None:
    from askpoint.displays.severities import SeveritiesDisplay

    SeveritiesDisplay(answer.severities).plot(ax)


def _learning_blocks(answer: CompareAnswer) -> Iterator[Block]:
    if answer.curves is None:
        yield Notice(f"Not estimable: {answer.reason}.")
        return
    sizes = [point.size for point in answer.curves[0].points]
    rows = tuple(
        (
            curve.name,
            *(
                "not estimable" if point.auc is None else amount(point.auc)
                for point in curve.points
            ),
        )
        for curve in answer.curves
    )
    yield Grid(
        "Area under the ROC curve, by cases to learn from",
        ("", *map(count, sizes)),
        rows,
        "Within a set by cross-validation, with near-duplicates on one side. High within and low "
        "across means that the two find different parts of the problem.",
    )
    for reason in dict.fromkeys(p.reason for c in answer.curves for p in c.points if p.auc is None):
        yield Notice(f"Not estimable: {reason}.")
    if any(point.auc is not None for curve in answer.curves for point in curve.points):
        yield Picture(
            "How well is learned from what each found, and from one to the other.",
            "; ".join(f"{row[0]}: {', '.join(row[1:])}" for row in rows),
            lambda ax: _learning_picture(answer, ax),
        )


def _learning_picture(answer: CompareAnswer, ax: Any) -> None:
    from askpoint.displays.learning_curves import LearningDisplay

    LearningDisplay.from_curves(answer.curves or ()).plot(ax)


def compare_object(answer: CompareAnswer) -> dict[str, Any]:
    """Return a comparison as JSON holds it."""
    compared, curves = answer.severities, answer.curves
    reasons = {} if curves is not None else {"curves": answer.reason}
    if compared.difference is None:
        why = compared.first.reason or compared.second.reason
        reasons |= dict.fromkeys(("difference", "difference_interval"), why)
    return {
        "edges": list(compared.edges),
        "methods": [_method(method) for method in (compared.first, compared.second)],
        **record(compared, "difference", "difference_interval", "unit"),
        "near_duplicates_grouped": answer.grouped,
        "curves": as_json(curves),
        "reasons": reasons,
    }


def _method(method: SeverityShares) -> dict[str, Any]:
    return record(
        method,
        "name",
        "n_judged",
        "judged",
        "n_errors",
        "n_distinct",
        "rate",
        "rate_interval",
        "shares",
        "intervals",
        "cost_per_error",
        "cost_per_severe",
        why=method.reason or "no cost of a case was stated, or no mistake is that severe",
    )
