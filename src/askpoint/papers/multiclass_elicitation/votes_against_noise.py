"""Noise and finite samples, with majority voting: what the paper leaves to future work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from askpoint.elicitation.families import diagonal_questionnaire
from askpoint.elicitation.metrics import diagonal_metric
from askpoint.elicitation.respondents import (
    Answer,
    ExactRespondent,
    FlippingRespondent,
    MajorityRespondent,
)
from askpoint.measures.inputs import FloatArray
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.multiclass_elicitation.printed import METHODS, law_of_labels
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph
from askpoint.reports.words import count, round_share, share

__all__ = ["NOISE", "spoilt_share"]

_VOTES = (1, 5, 9)
_TURNED = 0.15


def _cells(quick: bool) -> list[Configuration]:
    return [
        {
            "flips": flips,
            "votes": votes,
            "cases": cases,
            "method": method,
            "block": block,
            "metrics": 10 if quick else 100,
        }
        for method in METHODS
        for cases in ("law", "1,000")
        for flips in (0.0, 0.05, _TURNED)
        for votes in _VOTES
        # as many metrics as a 90th percentile needs, where the table that is published takes them
        for block in range(10 if (method, cases) == ("chord", "1,000") and not quick else 1)
    ]


class _Checked:
    """Passes on a majority's answers, and counts those that are wrong."""

    def __init__(self, majority: MajorityRespondent, exact: ExactRespondent) -> None:
        self.n_wrong = self.n_questions = 0
        self._majority, self._exact = majority, exact

    def prefers(self, first: FloatArray, second: FloatArray) -> Answer:
        said = self._majority.prefers(first, second)
        self.n_questions += 1
        self.n_wrong += said != self._exact.prefers(first, second)
        return said


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Errors of random metrics with answers turned round at random, and majorities against that."""
    del data
    law = law_of_labels(3, 1000)
    y: Any = law
    if cell["cases"] != "law":
        y = np.array([*range(3), *(rng.choice(3, p=p) for p in law[3:])])
    settings: dict[str, Any] = {"short": True} if cell["method"] == "paper" else {}
    rows = []
    for _ in range(cell["metrics"]):
        a = rng.dirichlet(np.ones(3) * 3)
        exact = ExactRespondent(diagonal_metric(a))
        majority = MajorityRespondent(FlippingRespondent(exact, cell["flips"], rng), cell["votes"])
        oracle = _Checked(majority, exact)
        elicited = diagonal_questionnaire(y, law, method=cell["method"], **settings).ask(oracle)
        rows.append(
            {
                "error": float(np.abs(elicited.weights - a).max()),
                "questions": oracle.n_questions,
                "answers": majority.n_asked,
                "wrong": oracle.n_wrong,
            }
        )
    return rows


def _blocks(rows: pl.DataFrame) -> Iterator[Block]:
    means = rows.group_by("method", "cases", "flips", "votes", maintain_order=True).agg(
        pl.len().alias("metrics"),
        pl.col("answers").mean(),
        (pl.col("wrong") > 0).mean().alias("spoilt"),
        pl.col("error").median().alias("middle"),
        pl.col("error").quantile(0.9, "linear").alias("p90"),
        pl.col("error").filter(pl.col("wrong") == 0).max().alias("clean"),
    )
    for (method, cases), part in means.group_by("method", "cases", maintain_order=True):
        by = "the paper's search" if method == "paper" else "chords"
        on = "the law of table 2 itself" if cases == "law" else f"{cases} cases drawn from the law"
        yield Grid(
            f"Greatest error of three class weights, by {by}, on {on}",
            (
                "turned round",
                "votes",
                "answers",
                "majority wrong",
                "median",
                "90% below",
                "greatest without",
            ),
            tuple(
                (
                    round_share(line["flips"]),
                    str(line["votes"]),
                    count(line["answers"]),
                    share(line["spoilt"]),
                    f"{line['middle']:.4f}",
                    f"{line['p90']:.4f}",
                    "–" if line["clean"] is None else f"{line['clean']:.4f}",
                )
                for line in part.iter_rows(named=True)
            ),
            f"{count(part['metrics'][0])} metrics in each row. Votes: how often each question is put; the "
            "majority counts. Majority wrong: elicitations in which some question's was; without: the greatest "
            "error of all others.",
        )
    yield Paragraph(
        "The paper leaves answers that are wrong at random to future work, by majority voting. This is "
        "that experiment; nothing is printed to lay beside it."
    )
    five, nine = (spoilt_share(votes, 14) for votes in (5, 9))
    yield Paragraph(
        "Why five votes do not tame the tail at 15%: their majority is wrong in "
        f"{share(_wrong_majority(5))} of the questions, so {share(five)} of all elicitations of 14 "
        "questions hold a wrong answer, and the 90th percentile lies among those. Nine votes leave "
        f"{share(nine)}, less than a tenth, and the percentile falls to that of a clean run. "
        "Two classes take 7 questions, of which five votes spoil "
        f"{share(spoilt_share(5, 7))}: with a hundred metrics their percentile may come out at .008."
    )


def _wrong_majority(votes: int) -> float:
    return float(stats.binom.sf(votes // 2, votes, _TURNED))


def spoilt_share(votes: int, questions: int) -> float:
    """Share of elicitations with a wrong majority in some question, at 15% turned answers."""
    return float(1 - (1 - _wrong_majority(votes)) ** questions)


NOISE = PaperTable(
    name="noise",
    title="Noise and finite samples, with votes",
    cells=_cells,
    work=_work,
    blocks=_blocks,
)
