"""Tables of the simulation."""

from __future__ import annotations

import itertools

from askpoint.arena.answers.answer import CrowdAnswer
from askpoint.arena.answers.over_seeds import ArmLine, CurveLine
from askpoint.arena.answers.rematch import rematch_lines
from askpoint.arena.game.designs import DESIGNS
from askpoint.arena.simulation.experiment import EXAMINATIONS, SeedFigure
from askpoint.measures.intervals import Interval
from askpoint.reports.document import Figure as Headline, Grid
from askpoint.reports.words import amount, share, share_range
from askpoint.unknowns.severity_comparison import SeverityComparison, SeverityShares

__all__ = [
    "arm_name",
    "cost_grid",
    "curve_grid",
    "figure_headline",
    "figure_text",
    "findings_grid",
    "rematch_grid",
    "severity_grid",
    "uneven_grid",
    "within",
]

_OVER_SEEDS = "In brackets: 95% intervals over seeds."


def arm_name(name: str) -> str:
    """Return an arm's name as a reader knows it."""
    if name in EXAMINATIONS:
        return f"{name} examination"
    kind, _, number = name.partition(" ")
    return f"{number} {DESIGNS[int(number)].title}" if kind == "design" else f"the {name}"


def figure_text(
    figure: SeedFigure, *, least: float | None = None, most: float | None = None
) -> str:
    """Write a figure with its interval."""
    if figure.value is None:
        return "none"
    if figure.interval is None:
        return _short(figure.value)
    lower, upper = within(figure.interval, least, most)
    return f"{_short(figure.value)} ({_short(lower)} to {_short(upper)})"


def figure_headline(
    name: str, figure: SeedFigure, *, least: float = 0, most: float | None = None
) -> Headline:
    """Write a figure in large type, its interval below."""
    value, _, between = figure_text(figure, least=least, most=most).partition(" (")
    return Headline(name, value, between.removesuffix(")"))


def within(interval: Interval, least: float | None = None, most: float | None = None) -> Interval:
    """Cut an interval where the number that it is of cannot be."""
    lower, upper = interval
    return Interval(
        lower if least is None else max(lower, least), upper if most is None else min(upper, most)
    )


def _short(value: float) -> str:
    return "0" if abs(value) < 1e-9 else amount(value)


def findings_grid(lines: tuple[ArmLine, ...]) -> Grid:
    """What each arm finds in 100 cases."""
    return Grid(
        "Found in 100 cases judged",
        ("", "sought errors", "unknown unknowns", "rewarded errors of the other kind"),
        tuple(
            (
                arm_name(line.name),
                figure_text(line.errors, least=0),
                figure_text(line.unknown, least=0),
                figure_text(line.others, least=0),
            )
            for line in lines
        ),
        "Cases inspected for examinations, cases submitted for the others: two denominators, and "
        f"no share of anything else. Each design has those above it, too. {_OVER_SEEDS}",
    )


def cost_grid(lines: tuple[ArmLine, ...]) -> Grid:
    """What an unknown unknown costs in each arm, and what it is like."""
    return Grid(
        "What an unknown unknown costs, and what it is like",
        ("", "cents each", "cents, copies counted", "mean severity", "islands found"),
        tuple(
            (
                arm_name(line.name),
                figure_text(line.cents, least=0),
                figure_text(line.cents_with_copies, least=0),
                figure_text(line.severity, least=0),
                figure_text(line.topics, least=0),
            )
            for line in lines
        ),
        "All that was paid, to players and judges. A case submitted again with a small change "
        f"counts once in the first column. Severity is of all sought errors, 0 to 1000. {_OVER_SEEDS}",
    )


def uneven_grid(third: ArmLine, fourth: ArmLine) -> Grid:
    """Designs 3 and 4 where grave errors are hard to find."""
    return Grid(
        "Where grave errors take four times the effort of mild ones",
        ("", "mean severity", "unknown unknowns per 100", "cents each"),
        tuple(
            (
                arm_name(line.name),
                figure_text(line.severity, least=0),
                figure_text(line.unknown, least=0),
                figure_text(line.cents, least=0),
            )
            for line in (third, fourth)
        ),
        _OVER_SEEDS,
    )


def severity_grid(comparison: SeverityComparison) -> Grid:
    """Figure 4 as a table."""
    edges = comparison.edges
    names = [f"{low:g} to {high:g}" for low, high in itertools.pairwise(edges)]

    def row(method: SeverityShares) -> tuple[str, ...]:
        cells: list[str]
        if method.shares is None or method.intervals is None:
            cells = ["none"] * len(names)
        else:
            pairs = zip(method.shares, method.intervals, strict=True)
            cells = [f"{share(value)} ({share_range(ends)})" for value, ends in pairs]
        return (f"{method.name}, {method.n_distinct} errors", *cells)

    return Grid(
        "How severe the errors are that each method finds",
        ("", *names),
        (row(comparison.first), row(comparison.second)),
        "Shares of each method's errors, copies counted once, all seeds together.",
    )


def curve_grid(lines: tuple[CurveLine, ...]) -> Grid:
    """Figure 5 as a table."""
    return Grid(
        "Area under the ROC curve, by cases learned from",
        ("", *(f"{size} cases" for size in lines[0].sizes), "seeds"),
        tuple(
            (
                line.name,
                *(figure_text(area, least=0, most=1) for area in line.areas),
                str(line.n_seeds[-1]),
            )
            for line in lines
        ),
        "The examination is of five times as many cases as players submit, as few of them are of the "
        f"sought class. none: too few to learn from, or to test on. {_OVER_SEEDS}",
    )


def rematch_grid(answer: CrowdAnswer) -> Grid:
    """Before and after the model has learned."""
    return Grid(
        "Before and after the model learned from one campaign",
        ("", "before", "after", "difference"),
        tuple(
            (
                line.name,
                figure_text(line.before, least=0),
                figure_text(line.after, least=0),
                figure_text(line.change),
            )
            for line in rematch_lines(answer)
        ),
        f"New cases on both sides, and the same luck. {_OVER_SEEDS}",
    )
