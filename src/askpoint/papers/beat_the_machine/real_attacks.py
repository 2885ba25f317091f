"""Figures 1, 4 and 5 from real attacks by people, and three rounds of a model against people."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from askpoint.displays.direct_labels import name_beside
from askpoint.displays.learning_curves import LearningDisplay
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph, Picture
from askpoint.reports.words import count, share
from askpoint.unknowns.case_costs import decision_cost
from askpoint.unknowns.examination import ExaminationDesign, draw_examination
from askpoint.unknowns.learning import CaseSet, learning_curves, text_model
from askpoint.unknowns.quadrants import QUADRANTS, item_quadrants
from askpoint.unknowns.retraining import retrain
from askpoint.unknowns.severity import severities
from askpoint.unknowns.severity_comparison import BUCKETS

__all__ = ["ATTACKS", "ROUNDS", "sample_posts"]

_NAMES = ("hate", "normal")
_COSTS = CostMatrix.zero_one(_NAMES)
_BUCKET_NAMES = [f"{low}-{high}" for low, high in itertools.pairwise(BUCKETS)]
_RARE = 0.05  # share of hate in the stream that is examined
_ROUNDS = ("5", "6", "7")


def sample_posts(data: Data, rng: np.random.Generator) -> tuple[Any, Any, Any, Any]:
    """HateXplain: half of its posts to learn from, the other half a stream in which hate is rare."""
    posts = (
        data.frame("hatexplain")
        .filter(pl.col("label").is_in(["normal", "hatespeech"]))
        .unique("text", keep="first", maintain_order=True)
    )
    text = posts["text"].to_numpy()
    label = np.where(posts["label"].to_numpy() == "normal", "normal", "hate")
    rows = rng.permutation(len(text))
    train, stream = np.array_split(rows, 2)
    hate, normal = (stream[label[stream] == name] for name in _NAMES)
    kept = np.concatenate([normal, hate[: round(_RARE / (1 - _RARE) * len(normal))]])
    return text[train], label[train], text[kept], label[kept]


def _attacks(data: Data) -> pl.DataFrame:
    """Texts that people wrote against a model, round by round; edits of them are left out."""
    build = data.frame("hatemoji_build").unique("text", keep="first", maintain_order=True)
    return build.filter(pl.col("set") == "original").select(
        "text",
        "round",
        label=pl.when(label="nothate").then(pl.lit("normal")).otherwise(pl.lit("hate")),
    )


def _cells(quick: bool) -> list[Configuration]:
    return [{"draw": draw, "cases": 500} for draw in range(1 if quick else 5)]


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """What one model makes of attacks and of an examination: quadrants, severities, learning curves."""
    text, label, stream, truth = sample_posts(data, rng)
    model = text_model().fit(text, label)
    attacks = _attacks(data)
    chosen = rng.permutation(len(attacks))[: cell["cases"]]
    written = attacks["text"].to_numpy()[chosen], attacks["label"].to_numpy()[chosen]
    proba = model.predict_proba(stream)
    decided = model.classes_[proba.argmax(axis=1)]
    cost = decision_cost(proba, _COSTS, decided)
    drawn = draw_examination(
        np.arange(len(stream)), cost, ExaminationDesign("stratified", n=cell["cases"]), rng
    ).items.astype(np.int64)
    examined = stream[drawn], truth[drawn]
    rows: list[dict[str, Any]] = []
    for name, (cases, truths) in (("people", written), ("examination", examined)):
        p = model.predict_proba(cases)
        decisions = model.classes_[p.argmax(axis=1)]
        quadrants = item_quadrants(p, _COSTS, decisions, truths)
        severe = severities(p, _COSTS, decisions, truths)[
            (truths == "hate") & (decisions == "normal")
        ]
        buckets = np.histogram(severe, BUCKETS)[0]
        rows.append(
            {
                "method": name,
                "judged": len(cases),
                "errors": len(severe),
                **{which: float(quadrants.counts[which]) for which in QUADRANTS},
                **dict(zip(_BUCKET_NAMES, buckets.tolist(), strict=True)),
            }
        )
    curves = learning_curves(
        CaseSet("people", written[0], written[1] == "hate"),
        CaseSet("examination", examined[0], examined[1] == "hate"),
        rng,
        folds=5,
    )
    for curve in curves:
        rows += [
            {"method": curve.name, "size": point.size, "area": point.auc} for point in curve.points
        ]
    return rows


def _blocks(rows: pl.DataFrame) -> Iterator[Block]:
    methods = rows.drop_nulls("judged").group_by("method", maintain_order=True)
    names = ("judged", "errors", *QUADRANTS, *_BUCKET_NAMES)
    sums = list(methods.agg(pl.col(name).sum() for name in names).iter_rows(named=True))
    yield Grid(
        "Figure 1, counted: where the cases lie",
        ("", "cases", *QUADRANTS),
        tuple(
            (
                line["method"],
                count(line["judged"]),
                *(share(line[which] / line["judged"]) for which in QUADRANTS),
            )
            for line in sums
        ),
        "Sure is a confidence of .75 or more. Known known: sure and right; known unknown: unsure and wrong; "
        "unknown known: unsure and right; unknown unknown: sure and wrong. People: texts that people "
        "wrote to fool another model of hate (HatemojiBuild). Examination: stratified by expected cost.",
    )
    yield Grid(
        "Figure 4: hate that passes, by severity",
        ("", "errors per 100 judged", *_BUCKET_NAMES),
        tuple(
            (
                line["method"],
                f"{100 * line['errors'] / line['judged']:.1f}",
                *(share(line[name] / max(line["errors"], 1)) for name in _BUCKET_NAMES),
            )
            for line in sums
        ),
        "The paper: 27 and 9 in 100 for hate speech, and 25% of the players' errors in the last bucket. "
        "Two denominators: submitted, and inspected.",
    )

    def bars(axes: Any) -> None:
        for place, line in enumerate(sums):
            heights = [line[name] / max(line["errors"], 1) for name in _BUCKET_NAMES]
            axes.bar(np.arange(len(heights)) + 0.4 * place, heights, 0.38, label=line["method"])
        axes.set_xticks(np.arange(len(_BUCKET_NAMES)) + 0.2, _BUCKET_NAMES)
        axes.set(xlabel="severity", ylabel="share of its errors", axisbelow=True)
        name_beside(axes)

    last = ", ".join(
        f"{line['method']} {share(line[_BUCKET_NAMES[-1]] / max(line['errors'], 1))}"
        for line in sums
    )
    yield Picture("Figure 4, drawn", f"Severest quarter: {last}.", bars)
    areas = (
        rows.drop_nulls("area")
        .group_by("method", "size", maintain_order=True)
        .agg(pl.col("area").mean())
    )
    sizes = sorted(areas["size"].unique().to_list())
    lines = {
        str(name): dict(zip(part["size"].to_list(), part["area"].to_list(), strict=True))
        for (name,), part in areas.group_by("method", maintain_order=True)
    }
    yield Grid(
        "Figure 5: area under the ROC curve, by cases learned from",
        ("", *map(count, sizes)),
        tuple(
            (name, *(f"{line[size]:.3f}" if size in line else "–" for size in sizes))
            for name, line in lines.items()
        ),
    )
    curves = {name: [(n, area, None) for n, area in line.items()] for name, line in lines.items()}
    yield Picture(
        "Figure 5, drawn",
        "; ".join(f"{name} {list(line.values())[-1]:.2f}" for name, line in lines.items()),
        LearningDisplay(curves).plot,
    )


def _round_cells(quick: bool) -> list[Configuration]:
    return [
        {"draw": draw, "method": method}
        for draw in range(1 if quick else 3)
        for method in ("plain", "capped")
    ]


def _rounds(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Learn each round's attacks, and be attacked by the next."""
    text, label, stream, truth = sample_posts(data, rng)
    attacks = _attacks(data)
    sets = {name: attacks.filter(pl.col("round") == name)[["text", "label"]] for name in _ROUNDS}
    model: Any = text_model().fit(text, label)
    rows: list[dict[str, Any]] = []
    for learned in range(len(_ROUNDS)):
        if learned:
            found = pl.concat([sets[name] for name in _ROUNDS[:learned]])
            model = retrain(
                text_model(),
                text,
                label,
                found["text"].to_numpy(),
                found["label"].to_numpy(),
                rng,
                method=cell["method"],
            )
        for name in _ROUNDS[learned:]:
            truths = sets[name]["label"].to_numpy()
            rows.append(
                _score_attacks(
                    model, learned, f"round {name}", sets[name]["text"].to_numpy(), truths
                )
            )
        rows.append(_score_attacks(model, learned, "stream", stream, truth))
    return rows


def _score_attacks(
    model: Any, learned: int, against: str, texts: Any, truths: Any
) -> dict[str, Any]:
    p = model.predict_proba(texts)
    decisions = model.classes_[p.argmax(axis=1)]
    quadrants = item_quadrants(p, _COSTS, decisions, truths)
    return {
        "learned": learned,
        "against": against,
        "cases": len(texts),
        "wrong": float((decisions != truths).mean()),
        "passes": float(((decisions == "normal") & (truths == "hate")).mean()),
        "unknown_unknowns": float(quadrants.counts["unknown unknown"]) / len(texts),
    }


_LEARNED = ("none", "5", "5 and 6")
_HOW = {"plain": "as if it were any text", "capped": "its weight at most a fifth"}


def _round_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    means = rows.group_by("method", "learned", "against", maintain_order=True).agg(
        pl.col("cases").first(),
        pl.col("wrong").mean(),
        pl.col("passes").mean(),
        pl.col("unknown_unknowns").mean(),
    )
    for (method,), part in means.sort("method", descending=True).group_by(
        "method", maintain_order=True
    ):
        yield Grid(
            f"Model against people: each round learned, {_HOW[str(method)]}, the next one faced",
            ("faced", "rounds learned", "cases", "wrong", "hate that passes", "unknown unknowns"),
            tuple(
                (
                    line["against"],
                    _LEARNED[line["learned"]],
                    count(line["cases"]),
                    share(line["wrong"]),
                    share(line["passes"]),
                    share(line["unknown_unknowns"]),
                )
                for line in part.sort("against", "learned").iter_rows(named=True)
            ),
            "Rounds 5, 6 and 7 of HatemojiBuild; each round's people attacked a model that had learned the "
            "rounds before, though not this one. Stream: HateXplain's other posts, 5% hate.",
        )
    yield Paragraph(
        "The paper leaves open how to learn from what was found. Learning it helps against the next round and "
        "costs on the stream, where such texts are not what comes."
    )


_NEEDS = ("hatexplain", "hatemoji_build")
ATTACKS = PaperTable(
    name="attacks",
    title="Figures 1, 4 and 5 from real attacks by people",
    cells=_cells,
    work=_work,
    blocks=_blocks,
    data=_NEEDS,
)
ROUNDS = PaperTable(
    name="rounds",
    title="Model against people, in rounds",
    cells=_round_cells,
    work=_rounds,
    blocks=_round_blocks,
    data=_NEEDS,
)
