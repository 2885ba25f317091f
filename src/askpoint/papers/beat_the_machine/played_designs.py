"""Figures 4 and 5 from the simulated crowd, with all five designs and more than two classes."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from askpoint.arena.answers.contest import Contest, digit_contest
from askpoint.arena.answers.seed import CrowdPlan, play_seed
from askpoint.arena.game.terms import Sought
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.outcome import WayOutcome
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.learning_curves import LearningDisplay
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.paper import PaperTable
from askpoint.records.cases import digit_cases
from askpoint.reports.document import Block, Grid, Notice, Paragraph, Picture
from askpoint.reports.words import amount, count, share
from askpoint.unknowns.severity_comparison import BUCKETS

__all__ = ["DESIGNS_PLAYED", "MULTI_CLASS"]

_BUCKET_NAMES = [f"{low}-{high}" for low, high in itertools.pairwise(BUCKETS)]
_CASES = 500  # in each arm, as in the paper
_PRECISION = 0.4  # as calibrated on digits: design 4 brings about the paper's 27 in 100


def _cells(quick: bool, contest: str, designs: tuple[int, ...]) -> list[Configuration]:
    return [
        {
            "contest": contest,
            "designs": list(designs),
            "draw": draw,
            "cases": 60 if quick else _CASES,
            "precision": _PRECISION,
        }
        for draw in range(1 if quick else 6)
    ]


def _three_kinds() -> Contest:
    """Digits as three classes: 0 to 4, 5 or 6 or 8, and 7 or 9, which the model never saw as such."""
    two = digit_contest(digit_cases())
    kinds = [
        truth if truth == "low" else "seven or nine" if topic[0] in "79" else "five, six or eight"
        for truth, topic in zip(two.cases.truths, two.cases.topics, strict=True)
    ]
    # of the third class a few are learned, or no model could name it, and a few are of known kinds
    u = np.random.default_rng(0).random(len(kinds))
    roles = [
        role if kind != "seven or nine" or at > 0.1 else "train" if at < 0.05 else "known"
        for kind, at, role in zip(kinds, u, two.cases.roles, strict=True)
    ]
    cases = two.cases._replace(truths=tuple(kinds), roles=tuple(roles))
    return replace(two, cases=cases, sought=Sought("seven or nine", "low"))


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    del data
    contest = digit_contest(digit_cases()) if cell["contest"] == "digits" else _three_kinds()
    plan = CrowdPlan(
        tuple(cell["designs"]),
        cell["cases"],
        extras=cell["contest"] == "digits",
        rematch=False,
        folds=5,
    )
    habits = Habits(search_precision=cell["precision"])
    played = play_seed(contest, plan, habits, int(rng.integers(2**31)))
    rows = [_arm(name, outcome) for name, outcome in played.arms.items()]
    for curve in played.curves:
        rows += [
            {"arm": curve.name, "size": point.size, "area": point.auc} for point in curve.points
        ]
    return rows


def _arm(name: str, outcome: WayOutcome) -> dict[str, Any]:
    buckets = np.histogram(outcome.severities, BUCKETS)[0]
    return {
        "arm": name,
        "judged": outcome.n_cases,
        "errors": outcome.n_errors,
        "unknown": outcome.n_unknown,
        "distinct": outcome.n_distinct,
        "others": outcome.majority,
        "cents": outcome.cents,
        **dict(zip(_BUCKET_NAMES, buckets.tolist(), strict=True)),
    }


def _arms(rows: pl.DataFrame) -> Iterator[dict[str, Any]]:
    sums = [
        pl.col(name).sum()
        for name in ("judged", "errors", "unknown", "distinct", "others", "cents", *_BUCKET_NAMES)
    ]
    arms = rows.drop_nulls("judged").group_by("arm", maintain_order=True).agg(sums)
    return arms.iter_rows(named=True)


def _is_whole(rows: pl.DataFrame) -> bool:
    """Tell whether each arm had as many cases as the paper's."""
    return bool((rows["cases"] == _CASES).all())


def _findings_grid(rows: pl.DataFrame, title: str) -> Grid:
    return Grid(
        title,
        (
            "",
            "cases judged",
            "sought errors per 100",
            "unknown unknowns per 100",
            "other errors rewarded per 100",
            "cents per unknown unknown",
        ),
        tuple(
            (
                line["arm"],
                count(line["judged"]),
                *(
                    f"{100 * line[name] / line['judged']:.2f}"
                    for name in ("errors", "unknown", "others")
                ),
                amount(line["cents"] / line["distinct"]) if line["distinct"] else "none found",
            )
            for line in _arms(rows)
        ),
        "Cases inspected by the examinations, submitted by players: two denominators. All seeds together; "
        "intervals over seeds: askpoint simulate.",
    )


def _severities(lines: Sequence[dict[str, Any]], whole: bool) -> Grid:
    return Grid(
        "Figure 4: how severe the errors are",
        ("", "errors", *_BUCKET_NAMES),
        tuple(
            (
                line["arm"],
                count(line["errors"]),
                *(share(line[name] / line["errors"]) for name in _BUCKET_NAMES),
            )
            for line in lines
            if line["errors"]
        ),
        "Share of each way's errors by severity, 1000 being a model that was certain."
        + (
            " The paper: of the players' errors 25% in the severest bucket, of stratified examination's hardly any."
            if whole
            else ""
        ),
    )


def _bars(lines: Sequence[dict[str, Any]], axes: Any) -> None:
    chosen = [
        line for line in lines if line["arm"] in ("stratified", "design 4") and line["errors"]
    ]
    for place, line in enumerate(chosen):
        heights = [line[name] / line["errors"] for name in _BUCKET_NAMES]
        at = np.arange(len(heights)) + 0.4 * (place - (len(chosen) - 1) / 2)
        axes.bar(at, heights, 0.38, label=line["arm"])
    axes.set_xticks(np.arange(len(_BUCKET_NAMES)), _BUCKET_NAMES)
    axes.set(xlabel="severity", ylabel="share of its errors", axisbelow=True)
    name_beside(axes)


def _blocks(rows: pl.DataFrame) -> Iterator[Block]:
    lines = list(_arms(rows))
    yield _findings_grid(
        rows, "The five designs, each with those before it, and three examinations"
    )
    whole = _is_whole(rows)
    printed = (
        "The paper measures design 4 alone: over 25 and 27 sought errors in 100 submitted cases, beside 16 "
        "and 9 in 100 of stratified examination."
        if whole
        else f"The paper's numbers are of {_CASES} cases: they stand beside a run of as many."
    )
    yield Paragraph(
        f"{printed} Design 2 invites looking through what the model flags, "
        "design 3 turns such cases away. The players are simulated: mechanisms, no evidence about people."
    )
    yield _severities(lines, whole)
    severe = {
        line["arm"]: line[_BUCKET_NAMES[-1]] / line["errors"] for line in lines if line["errors"]
    }
    said = ", ".join(f"{name} {share(found)}" for name, found in severe.items())
    yield Picture("Figure 4, drawn", f"Severest quarter: {said}.", functools.partial(_bars, lines))
    curves = (
        rows.drop_nulls("area")
        .group_by("arm", "size", maintain_order=True)
        .agg(pl.col("area").mean(), pl.len().alias("draws"))
    )
    if len(curves):
        yield from _learning_blocks(curves)
    else:
        yield Notice(
            "Figure 5 is missing: too few cases of the sought class were found to learn from; run it "
            "without --quick."
        )


def _learning_blocks(curves: pl.DataFrame) -> Iterator[Block]:
    sizes = sorted(curves["size"].unique().to_list())
    parts = {str(name): part for (name,), part in curves.group_by("arm", maintain_order=True)}
    found = {
        name: dict(zip(part["size"].to_list(), part["area"].to_list(), strict=True))
        for name, part in parts.items()
    }
    yield Grid(
        "Figure 5: area under the ROC curve, by cases learned from",
        ("", *map(count, sizes)),
        tuple(
            (name, *(f"{line[size]:.3f}" if size in line else "–" for size in sizes))
            for name, line in found.items()
        ),
        "Means over seeds; – where too few of the sought class were found to learn from.",
    )

    last = ", ".join(f"{name} {list(line.values())[-1]:.2f}" for name, line in found.items())
    areas = {name: [(n, area, None) for n, area in line.items()] for name, line in found.items()}
    yield Picture(
        "Figure 5, drawn",
        f"At the most cases: {last}.",
        LearningDisplay(areas).plot,
    )


def _multi_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    yield _findings_grid(
        rows, "Three classes: find a seven or a nine that the model takes for 0 to 4"
    )
    yield _severities(list(_arms(rows)), _is_whole(rows))
    yield Paragraph(
        "The paper's multi-class challenge: 'submit a job description that people would file under A but the "
        "model under B'. What is sought is one cell of the confusion matrix; cases that the model puts "
        "elsewhere are turned away, and severity is measured against the costs of three classes."
    )


def _all_cells(quick: bool) -> list[Configuration]:
    return _cells(quick, "digits", (1, 2, 3, 4, 5))


def _multi_cells(quick: bool) -> list[Configuration]:
    return _cells(quick, "three kinds of digits", (3, 4, 5))


DESIGNS_PLAYED = PaperTable(
    name="designs",
    title="Figures 4 and 5, all five designs, simulated",
    cells=_all_cells,
    work=_work,
    blocks=_blocks,
)
MULTI_CLASS = PaperTable(
    name="multi-class",
    title="The multi-class challenge, simulated",
    cells=_multi_cells,
    work=_work,
    blocks=_multi_blocks,
)
