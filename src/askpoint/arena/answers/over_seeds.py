"""What the simulation shows over all seeds: figures with intervals, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askpoint.arena.answers.answer import CrowdAnswer
from askpoint.arena.answers.seed import BTM
from askpoint.arena.simulation.experiment import (
    SeedFigure,
    difference_of_ratios,
    mean_figure,
    ratio_figure,
)
from askpoint.arena.simulation.outcome import WayOutcome
from askpoint.unknowns.severity_comparison import (
    ErrorsFound,
    SeverityComparison,
    compare_severities,
)

__all__ = [
    "ArmLine",
    "CurveLine",
    "arm_line",
    "arm_lines",
    "cost_step",
    "curve_lines",
    "falls",
    "severity_comparison",
    "severity_gain",
    "times_stratified",
]


@dataclass(frozen=True, kw_only=True)
class ArmLine:
    """One arm over all seeds.

    Parameters
    ----------
    name : str
        The arm.
    errors, unknown : Figure
        Errors of the sought kind, and unknown unknowns among them, per 100 cases judged.
    cents : Figure
        All that was paid for each unknown unknown, copies counted once.
    cents_with_copies : Figure
        The same with every copy counted.
    others : Figure
        Rewarded errors of the other direction per 100 cases judged.
    other_share : Figure
        Their share of all rewarded errors.
    severity : Figure
        Mean severity of the errors found.
    topics : Figure
        Islands on which unknown unknowns were found.
    """

    name: str
    errors: SeedFigure
    unknown: SeedFigure
    cents: SeedFigure
    cents_with_copies: SeedFigure
    others: SeedFigure
    other_share: SeedFigure
    severity: SeedFigure
    topics: SeedFigure


@dataclass(frozen=True)
class CurveLine:
    """A learning curve over all seeds in which it could be estimated.

    Parameters
    ----------
    name : str
        As in `askpoint.unknowns.learning.LearningCurve`.
    sizes : tuple of int
        Training sizes.
    areas : tuple of Figure
        Mean area under the ROC curve for each size.
    n_seeds : tuple of int
        Seeds behind each.
    less : Figure
        Within Beat the Machine less this curve, at the greatest size, seed by seed.
    """

    name: str
    sizes: tuple[int, ...]
    areas: tuple[SeedFigure, ...]
    n_seeds: tuple[int, ...]
    less: SeedFigure


def arm_line(name: str, outcomes: Sequence[WayOutcome]) -> ArmLine:
    """Sum up one arm."""
    majority = [float(outcome.majority) for outcome in outcomes]
    return ArmLine(
        name=name,
        errors=mean_figure([100 * outcome.n_errors / outcome.n_cases for outcome in outcomes]),
        unknown=mean_figure([100 * outcome.n_unknown / outcome.n_cases for outcome in outcomes]),
        cents=ratio_figure(*_costs(outcomes)),
        cents_with_copies=ratio_figure(
            [outcome.cents for outcome in outcomes], [outcome.n_unknown for outcome in outcomes]
        ),
        others=mean_figure([100 * outcome.majority / outcome.n_cases for outcome in outcomes]),
        other_share=ratio_figure(
            majority, [outcome.majority + outcome.n_errors for outcome in outcomes]
        ),
        severity=ratio_figure(*_severities(outcomes)),
        topics=mean_figure([len(outcome.topics) for outcome in outcomes]),
    )


def arm_lines(answer: CrowdAnswer) -> tuple[ArmLine, ...]:
    """Sum up every arm."""
    return tuple(arm_line(name, answer.outcomes(name)) for name in answer.results[0].arms)


def cost_step(answer: CrowdAnswer, earlier: int, later: int) -> SeedFigure:
    """Cents per unknown unknown under a design less those under an earlier one."""
    one, two = (_costs(answer.outcomes(f"design {design}")) for design in (later, earlier))
    return difference_of_ratios(one, two)


def falls(figure: SeedFigure) -> bool:
    """Tell whether a difference lies below 0 with its whole interval."""
    return figure.interval is not None and figure.interval.upper < 0


def times_stratified(answer: CrowdAnswer) -> SeedFigure:
    """How many times as many unknown unknowns per case the last design finds."""
    one, two = (answer.outcomes(arm) for arm in (answer.plan.last, "stratified"))
    return ratio_figure(
        [outcome.n_unknown / outcome.n_cases for outcome in one],
        [outcome.n_unknown / outcome.n_cases for outcome in two],
    )


def severity_gain(answer: CrowdAnswer) -> tuple[ArmLine, ArmLine, SeedFigure] | None:
    """Designs 3 and 4 where grave errors are hard to find, and the difference of severity."""
    if not answer.plan.extras:
        return None
    third, fourth = (
        [result.uneven[name] for result in answer.results] for name in ("design 3", "design 4")
    )
    gain = difference_of_ratios(_severities(fourth), _severities(third))
    return arm_line("design 3", third), arm_line("design 4", fourth), gain


def severity_comparison(answer: CrowdAnswer) -> SeverityComparison:
    """Figure 4: the last design beside stratified examination, all seeds together."""
    played, examined = (
        _count_errors(name, answer.outcomes(arm), judged)
        for name, arm, judged in (
            (BTM, answer.plan.last, "cases submitted"),
            ("stratified examination", "stratified", "cases inspected"),
        )
    )
    return compare_severities(played, examined)


def curve_lines(answer: CrowdAnswer) -> tuple[CurveLine, ...]:
    """Figure 5 over all seeds."""
    if not answer.plan.extras:
        return ()
    own = [result.curves[0].points[-1].auc for result in answer.results]
    lines = []
    for i, curve in enumerate(answer.results[0].curves):
        sizes = tuple(point.size for point in curve.points)
        areas = [
            [result.curves[i].points[j].auc for result in answer.results] for j in range(len(sizes))
        ]
        estimable = [[area for area in row if area is not None] for row in areas]
        less = [
            a - b for a, b in zip(own, areas[-1], strict=True) if a is not None and b is not None
        ]
        lines.append(
            CurveLine(
                curve.name,
                sizes,
                tuple(mean_figure(row) if row else SeedFigure(None, None) for row in estimable),
                tuple(len(row) for row in estimable),
                mean_figure(less) if less else SeedFigure(None, None),
            )
        )
    return tuple(lines)


def _costs(outcomes: Sequence[WayOutcome]) -> tuple[list[float], list[float]]:
    return [outcome.cents for outcome in outcomes], [
        float(outcome.n_distinct) for outcome in outcomes
    ]


def _severities(outcomes: Sequence[WayOutcome]) -> tuple[list[float], list[float]]:
    return (
        [float(outcome.severities.sum()) for outcome in outcomes],
        [float(outcome.n_errors) for outcome in outcomes],
    )


def _count_errors(name: str, outcomes: Sequence[WayOutcome], judged: str) -> ErrorsFound:
    groups = [
        f"{seed}/{row}" for seed, outcome in enumerate(outcomes) for row in outcome.origins.tolist()
    ]
    return ErrorsFound(
        name,
        np.concatenate([outcome.severities for outcome in outcomes]),
        sum(outcome.n_cases for outcome in outcomes),
        judged,
        cost=sum(outcome.cents for outcome in outcomes),
        unit="cents",
        groups=groups,
    )
