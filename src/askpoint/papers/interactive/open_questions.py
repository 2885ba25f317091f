"""The paper's open questions (section 5), as small experiments by naive Bayes: classes, other information, learning again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from askpoint.measures.confidence import confidence_scores
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.interactive.nominal_sets import NominalSet, folds, nominal_set
from askpoint.papers.interactive.stand_ins import stand_in_posteriors
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph
from askpoint.value.curve import ValueCurve

__all__ = ["QUESTIONS"]

_SETS = ("car", "german", "nursery", "segment", "splice", "vehicle", "waveform-21")
_RHO = 0.2
_CLASSES = (2, 3, 5, 9, 13, 26)
_RARE = (0.5, 0.3, 0.1, 0.03)


def _class_cells(quick: bool) -> list[Configuration]:
    draws = 1 if quick else 10
    many = [
        {"kind": "classes", "level": k, "draw": draw} for k in _CLASSES for draw in range(draws)
    ]
    rare = [{"kind": "rare", "level": s, "draw": draw} for s in _RARE for draw in range(draws)]
    return [*many, *rare]


def _class_work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Merge the 26 letters into fewer classes, or make one of two rare; 4,000 rows either way."""
    letters = nominal_set(data, "letter")
    if cell["kind"] == "classes":
        rows = rng.choice(len(letters.y), 4000, replace=False)
        k = int(cell["level"])
        y = (rng.permutation(26) % k)[letters.y]
    else:
        k = 2
        y = (rng.permutation(26) % 2)[letters.y]
        n_rare = round(4000 * cell["level"])
        rows = np.concatenate(
            [
                rng.choice(np.flatnonzero(y == c), n, replace=False)
                for c, n in ((0, 4000 - n_rare), (1, n_rare))
            ]
        )
    drawn = NominalSet(letters.codes[rows], letters.n_values, y[rows], k)
    fold = folds(drawn.y, "letter", int(cell["draw"]))
    train, test = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
    p_train, p_test = stand_in_posteriors("NB", drawn, train, test, rng)
    right = [p.argmax(axis=1) == drawn.y[part] for p, part in ((p_train, train), (p_test, test))]
    curve = ValueCurve.from_outcomes(right[0], confidence_scores(p_train))
    profit = _profit(right[1], confidence_scores(p_test) >= curve.threshold(1 / _RHO - 1))
    return [{"accuracy": float(right[1].mean()), **profit}]


def _profit(right: BoolArray, answered: BoolArray) -> dict[str, float]:
    return {
        "profit": float((right & answered).mean() + (1 - _RHO) * (~answered).mean()),
        "asked": float((~answered).mean()),
    }


def _class_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    base = pl.max_horizontal(pl.col("accuracy"), pl.lit(1 - _RHO))
    best = 1 - _RHO * (1 - pl.col("accuracy"))
    gains = (
        rows.with_columns(
            gain=pl.col("profit") - base, closed=(pl.col("profit") - base) / (best - base)
        )
        .group_by("kind", "level", maintain_order=True)
        .agg(pl.col("accuracy", "asked", "profit", "gain", "closed").mean())
    )
    for kind, title in (("classes", "Number of classes"), ("rare", "Share of the rarer of two")):
        yield Grid(
            f"{title}: letter, naive Bayes, EP at rho = {_RHO}",
            (title.lower(), "accuracy", "asked", "EP", "above the better end", "of the gap closed"),
            tuple(
                (
                    f"{line['level']:g}",
                    *(
                        f"{line[name]:.3f}"
                        for name in ("accuracy", "asked", "profit", "gain", "closed")
                    ),
                )
                for line in gains.filter(pl.col("kind") == kind).iter_rows(named=True)
            ),
        )
    yield Paragraph(
        "The better end: answering all, or asking all. The gap: from there to asking exactly where the "
        "classifier errs. Letters are merged at random into classes; thresholds come from training rows."
    )


def _external_cells(quick: bool) -> list[Configuration]:
    names = ("vehicle",) if quick else _SETS
    return [{"data": name, "fold": fold} for name in names for fold in range(5)]


def _external_work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Ask by the confidence, or by a second model of whether the answer will be right."""
    from sklearn.linear_model import LogisticRegression

    prepared = nominal_set(data, cell["data"])
    fold = folds(prepared.y, cell["data"], 0)
    train, test = np.flatnonzero(fold != cell["fold"]), np.flatnonzero(fold == cell["fold"])
    p_seen, p_test = stand_in_posteriors("NB", prepared, train, test, rng)
    near_test = stand_in_posteriors("IBk", prepared, train, test, rng)[1]
    p_out, near_out = np.empty_like(p_seen), np.empty_like(p_seen)
    inner = folds(prepared.y[train], cell["data"], 1)
    for number in range(5):  # predictions of rows that their model has not seen
        part = train[inner != number], train[inner == number]
        p_out[inner == number] = stand_in_posteriors("NB", prepared, *part, rng)[1]
        near_out[inner == number] = stand_in_posteriors("IBk", prepared, *part, rng)[1]
    y_train, y_test = prepared.y[train], prepared.y[test]
    right_test = p_test.argmax(axis=1) == y_test
    right_out = p_out.argmax(axis=1) == y_train
    seen, unseen = _clues(p_out, near_out), _clues(p_test, near_test)
    second = LogisticRegression(max_iter=1000).fit(seen, right_out)
    ways = {
        "training rows": (p_seen.argmax(axis=1) == y_train, p_seen.max(axis=1), p_test.max(axis=1)),
        "rows held out": (right_out, p_out.max(axis=1), p_test.max(axis=1)),
        "second model": (right_out, *(second.predict_proba(x)[:, 1] for x in (seen, unseen))),
    }
    rows = []
    for way, (right, phi, phi_test) in ways.items():
        curve = ValueCurve.from_outcomes(right, phi)
        answered = phi_test >= curve.threshold(1 / _RHO - 1)
        rows.append(
            {"way": way, "accuracy": float(right_test.mean()), **_profit(right_test, answered)}
        )
    return rows


def _clues(p: FloatArray, near: FloatArray) -> FloatArray:
    """What a second model learns from: the confidence, and whether the neighbours agree."""
    ordered = np.sort(p, axis=1)
    label = p.argmax(axis=1)
    top = ordered[:, -1].clip(1e-6, 1 - 1e-6)
    classes = label[:, None] == np.arange(p.shape[1])
    agreed = np.take_along_axis(near, label[:, None], axis=1)
    return np.column_stack([np.log(top / (1 - top)), top - ordered[:, -2], agreed, classes])


def _external_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    found = rows.group_by("data", "way", maintain_order=True).agg(
        pl.col("accuracy", "profit", "asked").mean()
    )
    wide = found.pivot(
        "way", index=["data", "accuracy"], values=["profit", "asked"], maintain_order=True
    )
    ways = ("training rows", "rows held out", "second model")
    lines = [
        (line["data"], line["accuracy"], *(line[f"profit_{way}"] for way in ways))
        for line in wide.iter_rows(named=True)
    ]
    means = np.mean([line[1:] for line in lines], axis=0)
    yield Grid(
        f"EP at rho = {_RHO}, naive Bayes, by what the threshold was chosen on",
        ("", "accuracy", *ways),
        tuple(
            (str(name), *(f"{x:.4f}" for x in numbers))
            for name, *numbers in (*lines, ("mean", *means))
        ),
        "Training rows: as in the paper. Rows held out: confidences by models that have not seen the row. "
        "Second model: a logistic regression of being right, on held-out rows, from confidence, margin, class, "
        "and the share of nearest neighbours with the predicted class.",
    )


def _learning_cells(quick: bool) -> list[Configuration]:
    names = ("vehicle",) if quick else _SETS
    return [{"data": name, "draw": draw} for name in names for draw in range(2 if quick else 10)]


_WAYS = ("never", "asked rows", "asked rows, weighted", "all rows")
_EXPLORED = 0.1


def _learning_work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Stream the rows in ten parts; those asked are learned from, with and without their chance."""
    prepared = nominal_set(data, cell["data"])
    order = rng.permutation(len(prepared.y))
    n_first = max(len(order) // 20, 30)
    first, stream = order[:n_first], np.array_split(order[n_first:], 10)
    explored = rng.random(len(order)) < _EXPLORED
    return [{"way": way, **_learn_stream(prepared, first, stream, explored, way)} for way in _WAYS]


def _learn_stream(
    prepared: NominalSet, first: IntArray, stream: Sequence[IntArray], explored: BoolArray, way: str
) -> dict[str, float]:
    known, weight = first, np.ones(len(first))
    parts: list[dict[str, float]] = []
    accuracy = 0.0
    for part in stream:
        p = _fit_weighted_bayes(prepared, known, weight, part)
        right = p.argmax(axis=1) == prepared.y[part]
        accuracy = float(right.mean())
        sure = p.max(axis=1) >= 1 - _RHO
        looked = (
            explored[part] if way == "asked rows, weighted" else np.zeros(len(part), dtype=bool)
        )
        answered = sure & ~looked
        parts.append(_profit(right, answered))
        if way != "never":
            new = part if way == "all rows" else part[~answered]
            chance = np.where(sure, _EXPLORED, 1.0)
            gained = 1 / chance[~answered] if way == "asked rows, weighted" else np.ones(len(new))
            known, weight = np.concatenate([known, new]), np.concatenate([weight, gained])
    means = {name: float(np.mean([one[name] for one in parts])) for name in parts[0]}
    return {"last_accuracy": accuracy, **means}


def _fit_weighted_bayes(
    prepared: NominalSet, known: IntArray, weight: FloatArray, cases: IntArray
) -> FloatArray:
    from sklearn.naive_bayes import CategoricalNB

    model: Any = CategoricalNB(alpha=1, min_categories=prepared.n_values)
    model.fit(prepared.codes[known], prepared.y[known], sample_weight=weight)
    p = np.zeros((len(cases), prepared.n_classes))
    p[:, model.classes_] = model.predict_proba(prepared.codes[cases])
    return p


def _learning_blocks(rows: pl.DataFrame) -> Iterator[Block]:
    found = rows.group_by("data", "way", maintain_order=True).agg(
        pl.col("profit", "asked", "last_accuracy").mean()
    )
    for name, title in (
        ("profit", f"EP at rho = {_RHO} over the stream"),
        ("asked", "Share asked"),
        ("last_accuracy", "Accuracy of the last model"),
    ):
        wide = found.pivot("way", index="data", values=name, maintain_order=True)
        lines = list(wide.iter_rows())
        means = np.mean([line[1:] for line in lines], axis=0)
        yield Grid(
            f"{title}, by what is learned from",
            ("", *_WAYS),
            tuple(
                (str(one), *(f"{x:.4f}" for x in numbers))
                for one, *numbers in (*lines, ("mean", *means))
            ),
        )
    yield Paragraph(
        f"Naive Bayes from 5% of the rows; the rest come in ten parts, and who is less sure than {1 - _RHO:g} "
        f"is asked. Weighted: a tenth of the sure ones is asked too, at the same price, and weighs ten times. "
        "All rows: the labels of all, which asking does not bring."
    )


QUESTIONS = (
    PaperTable(
        name="classes",
        title="Open question: the number of classes, and how common they are",
        cells=_class_cells,
        work=_class_work,
        blocks=_class_blocks,
        data=("letter",),
    ),
    PaperTable(
        name="external",
        title="Open question: other information in the decision whom to ask",
        cells=_external_cells,
        work=_external_work,
        blocks=_external_blocks,
        data=_SETS,
    ),
    PaperTable(
        name="learning",
        title="Open question: learning again from what was asked",
        cells=_learning_cells,
        work=_learning_work,
        blocks=_learning_blocks,
        data=_SETS,
    ),
)
