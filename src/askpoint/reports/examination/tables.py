"""Tables and pictures of an examination: bins, quadrants, severities, regions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from askpoint.answers.examination.answer import DecisionLine, ExaminationAnswer
from askpoint.answers.examination.regions_answer import RegionsAnswer, ReleasesAnswer
from askpoint.measures.inputs import FloatArray
from askpoint.reports.document import Block, Grid, Notice, Paragraph, Picture
from askpoint.reports.words import (
    amount,
    count,
    plural,
    probability,
    round_share,
    share,
    share_range,
)
from askpoint.unknowns.findings import Findings
from askpoint.unknowns.population import PopulationEstimate
from askpoint.unknowns.quadrants import QUADRANTS, Quadrants
from askpoint.unknowns.severity_comparison import BUCKETS
from askpoint.unknowns.unknown_knowns import Releases

__all__ = [
    "bins_blocks",
    "decisions_grid",
    "quadrants_blocks",
    "regions_blocks",
    "releases_blocks",
    "severity_counts",
    "with_range",
]

_NOTHING = "–"
_MOST_DECISIONS = 20
_MEANINGS = {
    "known known": ("sure", "little"),
    "known unknown": ("unsure", "much"),
    "unknown known": ("unsure", "little"),
    "unknown unknown": ("sure", "much"),
}


def with_range(estimate: PopulationEstimate, say: Callable[[float], str]) -> str:
    """Write an estimate with its interval."""
    lower, upper = estimate.interval
    return f"{say(estimate.value)} ({say(lower)} to {say(upper)})"


def bins_blocks(answer: ExaminationAnswer) -> Iterator[Block]:
    """Yield what was found in each bin beside what the model thinks of it."""
    findings = answer.findings
    level = round_share(findings.level)
    rows = tuple(
        (
            f"{_edge(part.low, findings)} to {_edge(part.high, findings)}",
            count(part.n_cases),
            count(part.n_judged),
            count(part.mistakes),
            _NOTHING if part.estimated is None else amount(part.estimated),
            _NOTHING if part.actual is None else amount(part.actual.value),
            _NOTHING if part.actual is None else " to ".join(map(amount, part.actual.interval)),
            {True: "yes", False: "no", None: _NOTHING}[part.calibrated],
        )
        for part in findings.bins
    )
    yield Grid(
        "By estimated cost, from where the model is surest",
        ("estimated cost", "cases", "judged", "wrong", "thought", "found", level, "agree"),
        rows,
        "Thought: the mean cost of the judged cases by the model's own probabilities; found: by "
        "the judges, with its interval. They agree where what is thought lies inside it.",
    )
    known = [part.calibrated for part in findings.bins if part.calibrated is not None]
    yield Paragraph(
        f"The model's own estimate holds in {sum(known)} of the {plural(len(known), 'bin', 'bins')} "
        "that were judged."
    )
    yield Picture(
        "Mean cost in each bin: what the model thinks, and what judges found.",
        "; ".join(f"{row[0]}: thought {row[4]}, found {row[5]}" for row in rows if row[2] != "0"),
        lambda ax: _bins_picture(findings, answer.costs.unit, ax),
    )


def _edge(value: float, findings: Findings) -> str:
    edges = findings.examination.edges
    is_nothing = abs(value) < 1e-3 * (edges[-1] - edges[0])
    return amount(0.0 if is_nothing else value)


def _bins_picture(findings: Findings, unit: str, ax: Any) -> None:
    from askpoint.displays.examination import BinsDisplay  # matplotlib only where a page is made

    BinsDisplay(findings.bins, unit).plot(ax)


def quadrants_blocks(
    quadrants: Quadrants, severities: FloatArray, n_mistakes: int, note: str
) -> Iterator[Block]:
    """Yield the four quadrants, and how wrongly sure the mistakes are."""
    total = sum(quadrants.counts.values())
    rows = tuple(
        (
            f"{name}s",
            *_MEANINGS[name],
            count(quadrants.counts[name]),
            share(quadrants.counts[name] / total),
            amount(quadrants.costs[name]),
        )
        for name in QUADRANTS
    )
    unit = f", {quadrants.bounds.unit}" if quadrants.bounds.unit else ""
    yield Grid(
        "The four quadrants",
        ("", "the model is", "it costs", "cases", "share", f"cost{unit}"),
        rows,
        note,
    )
    yield Picture(
        "The four quadrants; the areas are the shares of the cases.",
        "; ".join(f"{row[0]}: {row[3]} cases" for row in rows),
        lambda ax: _quadrants_picture(quadrants, ax),
    )
    if n_mistakes:
        yield Grid(
            "How wrongly sure",
            ("severity", *(f"{a} to {b}" for a, b in itertools.pairwise(BUCKETS))),
            (("mistakes", *map(count, severity_counts(severities, n_mistakes))),),
            "1,000: the model was certain, and wrong. 0: it knew that it could not tell.",
        )


def _quadrants_picture(quadrants: Quadrants, ax: Any) -> None:
    from askpoint.displays.examination import QuadrantsDisplay

    QuadrantsDisplay(quadrants).plot(ax)


def decisions_grid(lines: Sequence[DecisionLine], level: float) -> Grid:
    """Return which decisions are wrong though the model is sure, the worst first."""
    rest = len(lines) - _MOST_DECISIONS
    more = f" {plural(rest, 'more is', 'more are')} not shown." if rest > 0 else ""
    return Grid(
        "By what it decided",
        ("decided", "cases", "wrong", "confident but wrong", "share", round_share(level)),
        tuple(
            (
                line.decision,
                count(line.cases),
                count(line.wrong),
                count(line.surely_wrong),
                share(line.surely_wrong / line.cases),
                share_range(line.interval),
            )
            for line in lines[:_MOST_DECISIONS]
        ),
        f"The intervals hold for all decisions at once.{more}",
    )


def severity_counts(severities: FloatArray, n_mistakes: int) -> list[int]:
    """Count the mistakes in each bucket of severity."""
    above = severities[severities > 0]
    bucket = np.searchsorted(BUCKETS[1:-1], above, side="right")
    counts: list[int] = np.bincount(bucket, minlength=len(BUCKETS) - 1).tolist()
    counts[0] += n_mistakes - len(above)
    return counts


def regions_blocks(answer: RegionsAnswer) -> Iterator[Block]:
    """Yield the regions where the model is sure and wrong, or why none is known."""
    found = answer.found
    if found is None:
        yield Notice(f"No region was sought: {answer.reason}.")
        return
    halves = (
        f"One half, {plural(found.n_search, 'case', 'cases')}, suggested "
        f"{plural(found.n_found, 'region', 'regions')} in {', '.join(answer.sought_in)}; the other, "
        f"{plural(found.n_confirm, 'case', 'cases')}, confirmed {count(len(found.confirmed))}. "
        f"Where there is none, one is reported at most in {round_share(found.alpha)} of such "
        "searches."
    )
    if not found.confirmed:
        yield Paragraph(f"No region was confirmed. {halves}")
        return
    yield Grid(
        "Where mistakes are more frequent than the model knows",
        ("region", "of all", "wrong", "expected", "severity", "p"),
        tuple(
            (
                region.name,
                share(region.share),
                f"{count(region.n_mistakes)} of {count(region.n_cases)}",
                amount(region.expected),
                _NOTHING if region.severity is None else amount(region.severity),
                probability(region.p_value),
            )
            for region in found.confirmed
        ),
        f"{halves} Wrong: in the half that confirms. Expected: mistakes among as many other cases "
        "with the same decision on which the model is as sure.",
    )
    for region in found.confirmed:
        cost = with_range(region.cost, amount)
        terms = f"; there more often: {', '.join(region.terms)}" if region.terms else ""
        yield Paragraph(
            f"{region.name}: {with_range(region.mistakes, share)} wrong; a case costs {cost}, the "
            f"model thinks {amount(region.estimated)}{terms}."
        )


def releases_blocks(answer: ReleasesAnswer) -> Iterator[Block]:
    """Yield the regions of unsure cases that need no check, or why none is known."""
    found = answer.found
    if found is None:
        yield Notice(f"No region was sought: {answer.reason}.")
        return
    halves = (
        f"One half of the unsure cases, {count(found.n_search)}, suggested "
        f"{plural(found.n_found, 'region', 'regions')}. The other, {count(found.n_certify)}, certified "
        f"{count(len(found.certified))}. Chance that any of them breaks the limit: at most "
        f"{round_share(found.alpha)}, as long as new cases look like these and labels do not depend on "
        "what is right."
    )
    plain = "A lower threshold alone saves nothing: even the surest of the unsure cases break the limit."
    if found.plain_bound is not None:
        plain = (
            f"A lower threshold alone, without regions, saves {count(_checks(found.n_plain, found))} checks per "
            f"1,000 cases: ask only above an estimated cost of {amount(found.plain_bound)} instead of "
            f"{amount(found.unsure_above)}."
        )
    if not found.certified:
        yield Paragraph(
            f"No region is certified with at most {share(found.limit)} of mistakes. {plain} {halves}"
        )
        return
    yield Paragraph(
        f"{count(found.n_released)} of {plural(found.n_unsure, 'unsure case', 'unsure cases')} need no "
        f"check: the model is unsure there, and yet at most {share(found.limit)} of its decisions "
        f"are wrong. That saves {count(_checks(found.n_released, found))} checks per 1,000 cases. {plain}",
        lead=True,
    )
    yield Grid(
        "Regions that need no check",
        ("region", "of the unsure", "wrong", "wrong, share", "p"),
        tuple(
            (
                release.name,
                share(release.share),
                f"{count(release.n_mistakes)} of {count(release.n_cases)}",
                with_range(release.mistakes, share),
                probability(release.p_value),
            )
            for release in found.certified
        ),
        f"{halves} Wrong: in the half that certifies.",
    )


def _checks(n: int, found: Releases) -> float:
    return 1000 * n / found.n_cases
