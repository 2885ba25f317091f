"""Appendix E: linear-fractional metrics, which the paper prints no table of."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from askpoint.elicitation.families import fraction_questionnaire
from askpoint.elicitation.metrics import LinearFractionalMetric
from askpoint.elicitation.respondents import ExactRespondent
from askpoint.elicitation.rules import CostRule
from askpoint.elicitation.samples import Sample
from askpoint.measures.inputs import FloatArray
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.multiclass_elicitation.printed import METHODS
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph
from askpoint.reports.words import count

__all__ = ["LINEAR_FRACTIONAL"]


def _cells(quick: bool) -> list[Configuration]:
    return [
        {"classes": k, "method": method, "draw": draw, "tolerance": 0.01 if quick else 0.001}
        for k in ((2,) if quick else (2, 3, 4))
        for method in METHODS
        for draw in range(2 if quick or method == "paper" else 20)
    ]


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Share of pairs among 300 outcomes that the elicited metric puts in the right order."""
    del data
    k = cell["classes"]
    y, proba = _sample_cases(k, 1000, rng)
    sample = Sample.of(y, proba)
    gains = (rng.normal(size=(k, k)) + rng.uniform(0, 3) * np.eye(k) for _ in range(300))
    points = [sample.confusion(CostRule.of(gain)) for gain in gains]
    top = np.diag(rng.uniform(0.3, 1, k))
    metric = LinearFractionalMetric(top, top + rng.uniform(0.6, 1, (k, k)))
    elicited = fraction_questionnaire(
        y, proba, method=cell["method"], tolerance=cell["tolerance"]
    ).ask(ExactRespondent(metric))
    truth, score = (np.array([f(point) for point in points]) for f in (metric, elicited.score))
    i, j = np.array(list(itertools.combinations(range(300), 2))).T
    concordant = float(np.mean((truth[i] > truth[j]) == (score[i] > score[j])))
    return [{"questions": elicited.n_queries, "in_order": concordant}]


def _sample_cases(k: int, n: int, rng: np.random.Generator) -> tuple[Any, FloatArray]:
    proba = rng.dirichlet(np.ones(k), n)
    return np.array([*range(k), *(rng.choice(k, p=p) for p in proba[k:])]), proba


def _blocks(rows: pl.DataFrame) -> Iterator[Block]:
    means = rows.group_by("classes", "method", maintain_order=True).agg(
        pl.len().alias("metrics"),
        pl.col("questions").max(),
        pl.col("in_order").min().alias("least"),
        pl.col("in_order").median().alias("middle"),
    )
    yield Grid(
        "Pairs of outcomes in the right order",
        ("classes and method", "metrics", "questions", "least", "median"),
        tuple(
            (
                f"{line['classes']}, {line['method']}",
                count(line["metrics"]),
                count(line["questions"]),
                f"{line['least']:.4f}",
                f"{line['middle']:.4f}",
            )
            for line in means.iter_rows(named=True)
        ),
        "Random metrics that fall with every mistake, 1,000 cases.",
    )
    yield Paragraph(
        "The paper prints no table of these; it promises twice the questions of a linear metric. Its "
        "appendix E is not at hand: 'paper' is a reconstruction of it."
    )


LINEAR_FRACTIONAL = PaperTable(
    name="linear-fractional",
    title="Appendix E: linear-fractional metrics",
    cells=_cells,
    work=_work,
    blocks=_blocks,
)
