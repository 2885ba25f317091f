"""How many questions: the count that nothing can go below, chords, and posterior bisection, alone and beside votes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from askpoint.elicitation.counting import chord_count, least_questions
from askpoint.elicitation.families import diagonal_questionnaire
from askpoint.elicitation.metrics import diagonal_metric
from askpoint.elicitation.respondents import (
    ExactRespondent,
    FlippingRespondent,
    MajorityRespondent,
)
from askpoint.measures.inputs import FloatArray
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.multiclass_elicitation.printed import law_of_labels
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph
from askpoint.reports.words import count, plural, round_share

__all__ = ["POSTERIOR", "POSTERIOR_CLASSES", "QUESTIONS"]

_TOLERANCE = 0.01
_LEVEL = 0.9
_BUDGETS = (14, 30, 45, 60, 70)
_VOTES = (1, 5)
_TURNED = 0.15
_TIMES = (1.0, 1.5, 2.0, 2.5)
"""Answers next to the least number, for each number of classes."""


def _question_cells(quick: bool) -> list[Configuration]:
    return [
        {"classes": k, "tolerance": _TOLERANCE, "metrics": 20 if quick else 200}
        for k in ((2, 3, 4) if quick else range(2, 11))
    ]


def _count_questions(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Chords until each error is within the tolerance: of random weights, and of the worst."""
    del data
    k = cell["classes"]
    y, proba = _sample_cases(k, 1000, rng)
    tolerance = 2 * cell["tolerance"] / (k - 1)
    random = [rng.dirichlet(np.ones(k)) for _ in range(cell["metrics"])]
    worst = [(np.eye(k)[i] + 1e-9) / (1 + k * 1e-9) for i in range(k)]
    rows = []
    for kind, metrics in (("random", random), ("one class is all", worst)):
        for a in metrics:
            oracle = ExactRespondent(diagonal_metric(a))
            found = diagonal_questionnaire(y, proba, tolerance=tolerance).ask(oracle)
            error = float(np.abs(found.weights - a).max())
            rows.append({"kind": kind, "questions": found.n_queries, "error": error})
    return rows


def _question_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    lines = []
    for (k,), part in rows.group_by("classes", maintain_order=True):
        n = int(str(k))
        worst = {
            kind: part.filter(pl.col("kind") == kind)["error"].to_numpy().max()
            for kind in ("random", "one class is all")
        }
        least, chords = least_questions(n, _TOLERANCE), chord_count(n, _TOLERANCE)
        lines.append(
            (
                str(n),
                str(least),
                str(chords),
                str(part["questions"].to_numpy().max()),
                f"{chords / least:.2f}",
                *(f"{error:.4f}" for error in worst.values()),
                str(_least_noisy(n)),
            )
        )
    yield Grid(
        f"Questions until no weight is off by more than {_TOLERANCE}",
        (
            "classes",
            "at least",
            "chords, at most",
            "chords asked",
            "ratio",
            "greatest error",
            "greatest, one class is all",
            "at least, 15% turned",
        ),
        tuple(lines),
        f"At least: whatever is asked. {count(rows['metrics'][0])} random metrics for each number of classes, "
        "and those in which one class weighs all, which are the worst. The last column: answers of which "
        "15% are turned round, for nine metrics in ten.",
    )
    yield Paragraph(
        "The paper conjectures that its bounds on the number of questions are tight, and leaves that for the "
        "future. For class weights they are, up to a constant, as the tolerance shrinks: the proof is in the "
        "documentation, under “How many questions it takes”. The constant is not: in table 2 its search asks "
        "four times as many as chords."
    )


def _posterior_cells(quick: bool) -> list[Configuration]:
    return [
        {"flips": flips, "block": block, "metrics": 3 if quick else 20}
        for flips in (0.05, 0.15)
        for block in range(1 if quick else 5)
    ]


def _ask_noisily(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Errors after so many answers, of the same metrics: posterior bisection, and chords with votes."""
    del data
    law = law_of_labels(3, 1000)
    y = np.array([*range(3), *(rng.choice(3, p=p) for p in law[3:])])
    flips = cell["flips"]
    rows: list[dict[str, Any]] = []
    for _ in range(cell["metrics"]):
        a = rng.dirichlet(np.ones(3))
        oracle = FlippingRespondent(ExactRespondent(diagonal_metric(a)), flips, rng)
        rows += _bisect(y, law, a, oracle, flips, _BUDGETS, rng)
        for votes in _VOTES:
            majority = MajorityRespondent(oracle, votes)
            found = diagonal_questionnaire(y, law).ask(majority)
            method = "chords" if votes == 1 else f"chords, {votes} votes"
            rows.append(_row(method, majority.n_asked, found.weights, a, None))
    return rows


def _bisect(
    y: Any,
    proba: FloatArray,
    a: FloatArray,
    oracle: FlippingRespondent,
    flips: float,
    budgets: Sequence[int],
    rng: np.random.Generator,
) -> Iterator[dict[str, Any]]:
    """Yield a row of posterior bisection after each number of answers."""
    asking = diagonal_questionnaire(
        y,
        proba,
        method="posterior",
        tolerance=1e-6,
        rng=rng,
        flips=flips,
        n_questions=max(budgets),
    )
    while (question := asking.question) is not None:
        asking.answer(oracle.prefers(question.first, question.second))
        if len(asking.log) in budgets:
            found = asking.estimate
            bounds = np.array(found.interval)
            inside = float(np.mean((bounds[:, 0] <= a) & (a <= bounds[:, 1])))
            yield _row("posterior bisection", len(asking.log), found.weights, a, inside)


def _row(
    method: str, answers: int, weights: FloatArray, truth: FloatArray, inside: float | None
) -> dict[str, Any]:
    error = float(np.abs(weights - truth).max())
    return {"method": method, "answers": answers, "error": error, "inside": inside}


def _posterior_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    means = rows.group_by("flips", "method", "answers", maintain_order=True).agg(
        pl.len().alias("n"),
        pl.col("error").median().alias("middle"),
        pl.col("error").quantile(_LEVEL, "linear").alias("p90"),
        pl.col("error").max().alias("most"),
        pl.col("inside").mean(),
    )
    for (flips,), part in means.sort("flips", "method", "answers").group_by(
        "flips", maintain_order=True
    ):
        turned = float(str(flips))
        yield Grid(
            f"Greatest error of three class weights, {round_share(turned)} of the answers turned round",
            ("", "answers", "median", "90% below", "greatest", "in its interval", "at least"),
            tuple(
                (
                    line["method"],
                    count(line["answers"]),
                    f"{line['middle']:.4f}",
                    f"{line['p90']:.4f}",
                    f"{line['most']:.4f}",
                    "–" if line["inside"] is None else round_share(round(line["inside"], 2)),
                    count(_least(line["p90"], turned)),
                )
                for line in part.iter_rows(named=True)
            ),
            f"{count(part['n'][0])} metrics. At least: answers without which nothing comes as near in nine of ten. "
            "Its interval: of 90% for each weight.",
        )
    yield Paragraph(
        "Posterior bisection is told how many answers are turned round; votes are not, and need not be. "
        "Metrics are uniform on the simplex, as its prior is and as the lower bound counts them."
    )


def _class_cells(quick: bool) -> list[Configuration]:
    return [
        {"classes": k, "flips": _TURNED, "metric": metric}
        for k in ((2, 3, 4) if quick else range(2, 11))
        for metric in range(2 if quick else 20)
    ]


def _bisect_classes(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Errors of posterior bisection after multiples of the least number of answers, of one metric."""
    del data
    k = cell["classes"]
    y, proba = _sample_cases(k, 1000, rng)
    a = rng.dirichlet(np.ones(k))
    oracle = FlippingRespondent(ExactRespondent(diagonal_metric(a)), cell["flips"], rng)
    budgets = {math.ceil(times * _least_noisy(k)): times for times in _TIMES}
    rows = [
        {"times": budgets[row["answers"]], **row}
        for row in _bisect(y, proba, a, oracle, cell["flips"], tuple(budgets), rng)
    ]
    # it ends early where it is sure to a millionth: then more answers are not asked
    return rows + [{**rows[-1], "times": times} for times in _TIMES[len(rows) :]]


def _class_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    lines = []
    for (k,), part in rows.group_by("classes", maintain_order=True):
        of_times = [part.filter(pl.col("times") == times)["error"].to_numpy() for times in _TIMES]
        shares = [float(np.mean(errors <= _TOLERANCE)) for errors in of_times]
        lines.append(
            (
                str(k),
                str(_least_noisy(int(str(k)))),
                *(round_share(round(within, 2)) for within in shares),
                f"{np.quantile(of_times[-1], _LEVEL):.4f}",
                round_share(round(float(np.mean(part["inside"].to_numpy())), 2)),
            )
        )
    yield Grid(
        f"Posterior bisection, {round_share(_TURNED)} of the answers turned round: metrics within {_TOLERANCE}",
        (
            "classes",
            "answers at least",
            *(f"after {times:g} times that" for times in _TIMES),
            f"90% below, after {_TIMES[-1]:g} times",
            "in its interval",
        ),
        tuple(lines),
        f"{plural(rows['metric'].n_unique(), 'random metric', 'random metrics')} for each number of classes. At least: "
        f"answers without which no way of asking is within {_TOLERANCE} for nine metrics in ten.",
    )


def _least_noisy(k: int) -> int:
    return least_questions(k, _TOLERANCE, flips=_TURNED, failure=1 - _LEVEL)


def _least(error: float, flips: float) -> int:
    return least_questions(3, error, flips=flips, failure=1 - _LEVEL)


def _sample_cases(k: int, n: int, rng: np.random.Generator) -> tuple[Any, FloatArray]:
    proba = rng.dirichlet(np.ones(k), n)
    return np.array([*range(k), *(rng.choice(k, p=p) for p in proba[k:])]), proba


QUESTIONS = PaperTable(
    name="questions",
    title="How many questions: a lower bound, and chords",
    cells=_question_cells,
    work=_count_questions,
    blocks=_question_blocks,
)
POSTERIOR = PaperTable(
    name="posterior",
    title="Answers turned round: posterior bisection beside votes",
    cells=_posterior_cells,
    work=_ask_noisily,
    blocks=_posterior_blocks,
)
POSTERIOR_CLASSES = PaperTable(
    name="posterior-classes",
    title="Answers turned round: posterior bisection beside the lower bound",
    cells=_class_cells,
    work=_bisect_classes,
    blocks=_class_blocks,
)
