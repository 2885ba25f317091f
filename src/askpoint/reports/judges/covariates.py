"""Covariates of the items in words: who leans to items of a kind, and which columns to name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.covariates import CovariateFindings
from askpoint.judges.gold.covariate_leans import CovariateLean
from askpoint.measures.intervals import Interval
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.judges.lead import list_names
from askpoint.reports.objects import as_json
from askpoint.reports.words import plural, probability, round_share

__all__ = ["covariates_blocks", "covariates_lead", "covariates_object"]

_SHOWN = 3  # judges that lean, on the first screen
_MOST_ROWS = 20


def covariates_lead(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield who leans, and which columns explain where the votes are wrong."""
    found = answer.covariates
    if found is None:
        return
    for one in found.leans:
        for is_more in (True, False):
            judges = [judge for judge in one.leaning if (one.judges[judge] > 0) == is_more]
            if judges:
                yield Notice(_lean_words(answer.label, one, judges, is_more))
    for name, p in found.explaining.items():
        yield Notice(
            f"{name} explains where these votes are wrong (p\N{NO-BREAK SPACE}{probability(p)}): --covariate {name} uses it."
        )


def _lean_words(label: str, one: CovariateLean, judges: Sequence[str], is_more: bool) -> str:
    """Say in one sentence which judges lean one way, those who lean most first."""
    judges = sorted(judges, key=lambda judge: -abs(one.judges[judge]))
    named = [f"{judge} ({_lean_points(one, judge)})" for judge in judges[:_SHOWN]]
    who = list_names([*named, *[""] * (len(judges) - len(named))], _SHOWN)
    than = "elsewhere" if one.elsewhere == "elsewhere" else f"of {one.covariate} {one.elsewhere}"
    return (
        f"Leaning: of items of {one.covariate} {one.there} {who} {'say' if len(judges) > 1 else 'says'} {label} "
        f"{'more' if is_more else 'less'} often than {than}, beyond the difference that people see."
    )


def _lean_points(one: CovariateLean, judge: str) -> str:
    low, high = sorted(abs(end) for end in one.interval_of(judge))
    return f"{_points(abs(one.judges[judge]))} points, {_points(low)} to {_points(high)}"


def _points(value: float) -> str:
    return f"{100 * value:.0f}"


def covariates_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield whether covariates are used, and by how much each judge leans."""
    found = answer.covariates
    if found is None or not found.names:
        return
    names = ", ".join(found.names)
    if not answer.is_labelled:
        yield Paragraph(f"Covariates: {names}. Labels by people show what they are worth.")
        return
    yield Paragraph(
        f"Covariates: {names}. With them the share of {answer.label} is known better, so they are used."
        if found.is_used
        else f"Covariates: {names}. The share of {answer.label} is known no better with them, so they are not "
        "used."
    )
    if found.missing:
        told = ", ".join(
            f"{name} of {plural(n, 'item', 'items')}" for name, n in found.missing.items()
        )
        yield Paragraph(f"No value: {told}. These count as items of a kind of their own.")
    if not found.leans:
        yield Paragraph("Who leans is not known: it takes 5 labels of items of each kind.")
        return
    yield _table(answer, found)


def _table(answer: JudgesAnswer, found: CovariateFindings) -> Grid:
    judges = answer.sketch.judges[:6]
    rows = [
        (
            one.covariate,
            one.there,
            one.elsewhere,
            f"{_format_signed(one.difference)} ({_range(one.interval)})",
            *(
                "" if judge not in one.judges
                else _format_signed(one.judges[judge]) + ("*" if judge in one.leaning else "")
                for judge in judges
            ),
        )
        for one in found.leans[:_MOST_ROWS]
    ]  # fmt: skip
    left = len(answer.sketch.judges) - len(judges)
    return Grid(
        "Who leans to items of a kind",
        ("covariate", "of these", "besides these", f"{answer.label} by people", *judges),
        tuple(rows),
        f"In percentage points. By people: how much commoner {answer.label} is there, from labels and votes. By "
        "judge: how much more often than that the judge says so. *: that is not 0, with the intervals of all "
        f"rows together at {round_share(answer.question.level)}."
        + (f" {plural(left, 'more judge', 'more judges')}: --json." if left > 0 else ""),
    )


def _format_signed(value: float) -> str:
    text = _points(abs(value))
    return "0" if text == "0" else f"{'+' if value > 0 else chr(0x2212)}{text}"


def _range(interval: Interval) -> str:
    return f"{_format_signed(interval.lower)} to {_format_signed(interval.upper)}"


def covariates_object(answer: JudgesAnswer) -> dict[str, Any] | None:
    """Return the same as JSON."""
    found = answer.covariates
    if found is None:
        return None
    return {
        "names": list(found.names),
        "missing": dict(found.missing),
        "is_used": found.is_used,
        "explaining": dict(found.explaining),
        "leans": [
            {
                "covariate": one.covariate,
                "there": one.there,
                "elsewhere": one.elsewhere,
                "difference": one.difference,
                "interval": as_json(one.interval),
                "judges": dict(one.judges),
                "leaning": list(one.leaning),
            }
            for one in found.leans
        ],
    }
