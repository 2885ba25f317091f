"""Figure 5 on documents: whether low areas come from learning by examination, or from short texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from askpoint.measures.cost_matrix import CostMatrix
from askpoint.papers.beat_the_machine.real_attacks import sample_posts
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph
from askpoint.reports.words import count
from askpoint.unknowns.case_costs import decision_cost
from askpoint.unknowns.examination import ExaminationDesign, draw_examination
from askpoint.unknowns.learning import CaseSet, learning_curves, text_model

__all__ = ["DOCUMENTS"]

_NAMES = ("sought", "other")
_COSTS = CostMatrix.zero_one(_NAMES)
_TEXTS = ("Reuters, grain: whole documents", "Reuters, grain: first 20 words", "HateXplain: posts")
_WORDS = 20
_SIZES = (40, 100, 200, 300, 400)


def _cells(quick: bool) -> list[Configuration]:
    return [
        {"texts": texts, "draw": draw, "cases": 500}
        for texts in (_TEXTS[:1] if quick else _TEXTS)
        for draw in range(1 if quick else 5)
    ]


def _load_texts(name: str, rng: np.random.Generator, data: Data) -> tuple[Any, Any, Any, Any]:
    """Return texts and labels to learn from, and a stream to examine."""
    if name == _TEXTS[2]:
        text, label, stream, truth = sample_posts(data, rng)
        named = (np.where(part == "hate", *_NAMES) for part in (label, truth))
        return text, next(named), stream, next(named)
    documents = data.frame("reuters_grain").unique("text", keep="first", maintain_order=True)
    text = documents["text"].to_numpy()
    if name == _TEXTS[1]:
        text = np.array([" ".join(one.split()[:_WORDS]) for one in text], dtype=object)
    label = np.where(documents["label"].to_numpy() == "grain", *_NAMES)
    train, stream = np.array_split(rng.permutation(len(text)), 2)
    return text[train], label[train], text[stream], label[stream]


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Areas of models that learn the class from examined cases: by cost, and drawn at random."""
    text, label, stream, truth = _load_texts(cell["texts"], rng, data)
    model = text_model().fit(text, label)
    proba = model.predict_proba(stream)
    columns = [model.classes_.tolist().index(name) for name in _NAMES]
    proba = proba[:, columns]
    decided = np.array(_NAMES)[proba.argmax(axis=1)]
    drawn = draw_examination(
        np.arange(len(stream)),
        decision_cost(proba, _COSTS, decided),
        ExaminationDesign("stratified", n=cell["cases"]),
        rng,
    ).items.astype(np.int64)
    random = rng.permutation(len(stream))[: cell["cases"]]
    by_cost, at_random = (
        CaseSet(name, stream[items], truth[items] == "sought")
        for name, items in (("stratified examination", drawn), ("random examination", random))
    )
    curves = learning_curves(by_cost, at_random, rng, sizes=_SIZES, folds=5)
    return [
        {"method": curve.name, "size": point.size, "area": point.auc}
        for curve in curves[:2]
        for point in curve.points
    ]


def _blocks(rows: pl.DataFrame) -> Iterator[Block]:
    # an examination by cost may find fewer cases that differ than are to be learned from
    means = (
        rows.drop_nulls("area")
        .group_by("texts", "method", "size", maintain_order=True)
        .agg(
            pl.col("area").mean(),
            pl.col("area").min().alias("least"),
            pl.col("area").max().alias("most"),
        )
    )
    sizes = sorted(means["size"].unique().to_list())
    lines = []
    for (texts, method), part in means.group_by("texts", "method", maintain_order=True):
        of = {line["size"]: line for line in part.iter_rows(named=True)}
        last = of[max(of)]
        lines.append(
            (
                f"{texts}, {method}",
                *(f"{of[size]['area']:.3f}" if size in of else "–" for size in sizes),
                f"{last['least']:.3f} to {last['most']:.3f}",
            )
        )
    yield Grid(
        "Figure 5 on documents: area under the ROC curve, by cases learned from",
        ("", *map(count, sizes), "last, by draw"),
        tuple(lines),
        "A model of words learns one half; cases of the other half are examined, and a second model learns the "
        "class from these alone, tested on those of them that it did not see. –: so many cases were not found, or not tested.",
    )
    yield Paragraph(
        "The paper's figure 5 is of web pages. Where documents are long and speak of one thing, learning from "
        "examination tells the class apart; from short posts examined by cost it hardly does, and somewhat where "
        "they are drawn at random."
    )


DOCUMENTS = PaperTable(
    name="documents",
    title="Figure 5 on documents",
    cells=_cells,
    work=_work,
    blocks=_blocks,
    data=("reuters_grain", "hatexplain"),
)
