"""Tables 2 and 3: the printed rows, found again by the paper's search and by chords."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from askpoint.elicitation.families import diagonal_questionnaire, linear_questionnaire
from askpoint.elicitation.metrics import cost_metric, diagonal_metric
from askpoint.elicitation.respondents import ExactRespondent
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.multiclass_elicitation.printed import (
    METHODS,
    PRINTED_COSTS,
    PRINTED_WEIGHTS,
    Printed,
    law_of_labels,
)
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.words import count

__all__ = ["TABLE_2", "TABLE_3"]

_READING = "softmax"
_NOT_RUN = "not run"


@dataclass(frozen=True)
class _Kind:
    """One of the two tables: its rows, what asks for a row, and on how many points of the law."""

    rows: tuple[Printed, ...]
    questionnaire: Callable[..., Any]
    metric: Callable[..., Any]
    n_classes: tuple[int, ...]
    points: tuple[int, int]
    """Quick, full."""


_WEIGHTS = _Kind(
    PRINTED_WEIGHTS, diagonal_questionnaire, diagonal_metric, (3, 3, 4, 4), (1000, 4000)
)
_COSTS = _Kind(PRINTED_COSTS, linear_questionnaire, cost_metric, (3, 3, 4, 4), (200, 1000))


def _cells(
    quick: bool, *, kind: _Kind, others: tuple[tuple[str, str], ...] = ()
) -> list[Configuration]:
    n = kind.points[0 if quick else 1]
    wanted = [(_READING, method) for method in METHODS] + [*others]
    return [
        {"row": row, "reading": reading, "method": method, "points": n}
        for row in range(1, len(kind.rows) + 1)
        for reading, method in wanted
    ]


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data, kind: _Kind) -> Rows:
    del rng, data
    place = cell["row"] - 1
    printed = kind.rows[place]
    law = law_of_labels(kind.n_classes[place], cell["points"], cell["reading"])
    oracle = ExactRespondent(kind.metric(printed.truth))
    elicited = kind.questionnaire(law, law, method=cell["method"]).ask(oracle)
    return [
        {"weight": i, "true": a, "printed": b, "found": float(c), "questions": elicited.n_queries}
        for i, (a, b, c) in enumerate(
            zip(printed.truth, printed.estimate, elicited.weights, strict=True), start=1
        )
    ]


def _row_blocks(rows: pl.DataFrame, printed: tuple[Printed, ...]) -> Iterator[Block]:
    """Yield counts and errors of the rows that were run, then the weights of each."""
    run = [number for number in _numbers(printed) if len(rows.filter(pl.col("row") == number))]
    found = [tuple(_of(rows, number, method) for method in METHODS) for number in run]
    yield Grid(
        "Questions, and the greatest error of a weight",
        (
            "",
            "questions, paper",
            "its search here",
            "chords",
            "error, paper",
            "its search here",
            "chords",
        ),
        tuple(
            (
                f"row {number}",
                count(printed[number - 1].n_questions),
                *(count(part["questions"][0]) if len(part) else _NOT_RUN for part in ways),
                f"{np.abs(np.subtract(printed[number - 1].estimate, printed[number - 1].truth)).max():.4f}",
                *(_error(part) for part in ways),
            )
            for number, ways in zip(run, found, strict=True)
        ),
        "Chords are this project's method. True weights are printed with two digits, and need not "
        "have the norm 1 of estimates.",
    )
    for number, ways in zip(run, found, strict=True):
        row = printed[number - 1]
        here = [
            [f"{weight:.3f}" for weight in part["found"]] or [_NOT_RUN] * len(row.truth)
            for part in ways
        ]
        yield Grid(
            f"Row {number}: weights",
            ("", "true", "paper", "its search here", "chords"),
            tuple(
                (str(i), f"{a:.2f}", f"{b:.2f}", *weights)
                for i, (a, b, *weights) in enumerate(
                    zip(row.truth, row.estimate, *here, strict=True), start=1
                )
            ),
        )


def _numbers(printed: tuple[Printed, ...]) -> range:
    return range(1, len(printed) + 1)


def _of(rows: pl.DataFrame, number: int, method: str, reading: str = _READING) -> pl.DataFrame:
    return rows.filter(
        pl.col("row") == number, pl.col("method") == method, pl.col("reading") == reading
    ).sort("weight")


def _error(rows: pl.DataFrame) -> str:
    if not len(rows):
        return _NOT_RUN
    return f"{np.abs(rows['found'].to_numpy() - rows['true'].to_numpy()).max():.4f}"


def _weight_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    yield from _row_blocks(rows, PRINTED_WEIGHTS)
    errors = [
        _error(_of(rows, number, "paper", "as printed")).removeprefix("0") for number in range(1, 5)
    ]
    if _NOT_RUN in errors:
        yield Notice("What the printed law of the labels misses is told by all four rows.")
        return
    yield Paragraph(
        "The paper prints the law of the labels as 1 / (1 + exp(p x)). With that, normalised, the same "
        f"search errs by {', '.join(errors[:-1])} and {errors[-1]} in the four rows; with a softmax, "
        "proportional to exp(-p x), its table comes back. So the softmax was meant."
    )


def _cost_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    yield from _row_blocks(rows, PRINTED_COSTS)
    yield Paragraph(
        "The first point of the search, which the paper does not give, is here the middle of the "
        "quadrant. Row 4 as printed is itself off by .01 in three weights."
    )


TABLE_2 = PaperTable(
    name="table-2",
    title="Table 2: class weights",
    cells=functools.partial(_cells, kind=_WEIGHTS, others=(("as printed", "paper"),)),
    work=functools.partial(_work, kind=_WEIGHTS),
    blocks=_weight_blocks,
)
TABLE_3 = PaperTable(
    name="table-3",
    title="Table 3: costs of mistakes",
    cells=functools.partial(_cells, kind=_COSTS),
    work=functools.partial(_work, kind=_COSTS),
    blocks=_cost_blocks,
)
