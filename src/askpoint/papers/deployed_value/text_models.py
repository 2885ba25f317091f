"""Value curves of real models of texts: what calibration changes, and what it does not."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import polars as pl

from askpoint.displays.models import ModelsDisplay
from askpoint.measures.inputs import BoolArray, FloatArray
from askpoint.papers.data_files import Data
from askpoint.papers.grid import Configuration, Rows
from askpoint.papers.paper import PaperTable
from askpoint.reports.document import Block, Grid, Paragraph, Picture
from askpoint.reports.words import count, share
from askpoint.value.calibration_error import discrimination, expected_calibration_error
from askpoint.value.curve import ValueCurve

__all__ = ["VALUE_CURVES"]

_OMEGAS = (0.0, 1.0, 4.0, 9.0, 19.0, 49.0)
_BINS = 10


def _logistic(**settings: Any) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000, **settings)


def _bayes() -> Any:
    from sklearn.naive_bayes import MultinomialNB

    return MultinomialNB()


def _machine() -> Any:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import LinearSVC

    return CalibratedClassifierCV(LinearSVC())


def _forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(50, min_samples_leaf=2, random_state=0)


_MODELS: dict[str, Callable[[], Any]] = {
    "logistic regression": functools.partial(_logistic, C=10.0),
    "naive Bayes": _bayes,
    "linear SVM, scores calibrated": _machine,
    "random forest": _forest,
}


def _cells(quick: bool) -> list[Configuration]:
    return [
        {"data": name, "model": model, "split": split}
        for name in (("sms_spam",) if quick else ("sms_spam", "davidson"))
        for split in range(1 if quick else 3)
        for model in _MODELS
    ]


def _work(cell: Configuration, rng: np.random.Generator, *, data: Data) -> Rows:
    """Learn on a half, choose thresholds on a quarter, state values on the other quarter."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline

    frame = data.frame(cell["data"]).unique("text", keep="first", maintain_order=True)
    text, label = frame["text"].to_numpy(), frame["label"].to_numpy()
    rows = rng.permutation(len(text))
    parts = np.split(rows, [len(rows) // 2, 3 * len(rows) // 4])
    words = TfidfVectorizer(sublinear_tf=True, min_df=2)
    model = make_pipeline(words, _MODELS[cell["model"]]()).fit(text[parts[0]], label[parts[0]])

    def answer_part(part: Any) -> tuple[BoolArray, FloatArray]:
        proba = model.predict_proba(text[part])
        return model.classes_[proba.argmax(axis=1)] == label[part], proba.max(axis=1)

    return _facts(answer_part(parts[1]), answer_part(parts[2]), len(model.classes_))


def _facts(
    validation: tuple[BoolArray, FloatArray], test: tuple[BoolArray, FloatArray], k: int
) -> Rows:
    right, confidence = test
    chosen, hindsight = ValueCurve.from_outcomes(*validation), ValueCurve.from_outcomes(*test)
    cubed = 1 / k + (1 - 1 / k) * ((confidence - 1 / k) / (1 - 1 / k)) ** 3  # rises with confidence
    same = ValueCurve.from_outcomes(right, cubed)
    rows: list[tuple[str, float | None, float]] = [
        ("accuracy", None, hindsight.accuracy),
        ("calibration error", None, expected_calibration_error(right, confidence)),
        ("calibration error, cubed", None, expected_calibration_error(right, cubed)),
        ("discrimination", None, discrimination(confidence)),
        ("cases", None, float(len(right))),
    ]
    for omega in _OMEGAS:
        outcomes = hindsight.outcomes(chosen.threshold(omega))
        rows += [
            ("value", omega, outcomes.value(omega)),
            ("value in hindsight", omega, hindsight.value(omega)),
            ("value in hindsight, cubed", omega, same.value(omega)),
            ("share answered", omega, outcomes.coverage),
        ]
    edges = np.linspace(0, 1, _BINS + 1)
    shares = np.histogram(confidence, edges)[0] / len(confidence)
    rows += [
        ("share of confidences", low, found) for low, found in zip(edges, shares, strict=False)
    ]
    steps = hindsight.hull
    for what, counts in (("hull, right", hindsight.right), ("hull, wrong", hindsight.wrong)):
        rows += [(what, float(hindsight.thresholds[i]), float(counts[i])) for i in steps[1:]]
    return [{"what": what, "at": at, "found": float(found)} for what, at, found in rows]


def _blocks(rows: pl.DataFrame) -> Iterator[Block]:
    for (name,), part in rows.group_by("data", maintain_order=True):
        yield from _of_data(str(name), part)
    cubed = _means(rows, "value in hindsight, cubed", "at")
    as_is = _means(rows, "value in hindsight", "at")
    moved = float(np.abs(np.subtract(cubed, as_is)).max())
    errors = [
        float(np.mean(_means(rows, what)))
        for what in ("calibration error", "calibration error, cubed")
    ]
    yield Paragraph(
        "The poster: calibration does not affect value where the threshold is tuned. Every confidence "
        "put through a rising function (its distance from a guess, cubed) raises the mean calibration "
        f"error from {errors[0]:.3f} to {errors[1]:.3f}; the values at the best thresholds differ by {moved:g}."
    )


def _of_data(name: str, rows: pl.DataFrame) -> Iterator[Block]:
    models = rows["model"].unique(maintain_order=True).to_list()
    of = {model: rows.filter(pl.col("model") == model) for model in models}
    whole = ("accuracy", "calibration error", "discrimination")
    yield Grid(
        f"{name}: what confidences say of themselves",
        ("", *whole, "value at omega 19", "share answered"),
        tuple(
            (
                model,
                *(f"{_means(of[model], what)[0]:.4f}" for what in whole),
                f"{_at(of[model], 'value', 19):.4f}",
                share(_at(of[model], "share answered", 19)),
            )
            for model in models
        ),
        "Means over splits. Learned on a half of the texts (words by TF-IDF), thresholds chosen on a "
        f"quarter, stated on the other ({count(_means(rows, 'cases')[0])} texts).",
    )
    yield Grid(
        f"{name}: value per case by omega, thresholds chosen on other cases",
        ("", *(f"{omega:g}" for omega in _OMEGAS)),
        tuple(
            (model, *(f"{_at(of[model], 'value', omega):.4f}" for omega in _OMEGAS))
            for model in models
        ),
    )
    curves = {model: _curve(part) for model, part in of.items()}
    first = ", ".join(f"{model} {curve.value(19.0):.3f}" for model, curve in curves.items())
    yield Picture(
        f"{name}: value curves, one split, best threshold of its test cases",
        f"Value at 20 checks for a mistake: {first}.",
        lambda axes: ModelsDisplay(curves).plot(axes),
    )
    yield Grid(
        f"{name}: how confidences are distributed",
        ("", *(f"{low / _BINS:.1f}" for low in range(_BINS // 3, _BINS))),
        tuple(
            (
                model,
                *(
                    share(_at(of[model], "share of confidences", low / _BINS))
                    for low in range(_BINS // 3, _BINS)
                ),
            )
            for model in models
        ),
        "Shares of the test cases from each confidence to the next.",
    )


def _curve(rows: pl.DataFrame) -> ValueCurve:
    """The first split's hull as a curve, which has the same values."""
    one = rows.filter(pl.col("split") == rows["split"].min())
    steps = {what: one.filter(pl.col("what") == what) for what in ("hull, right", "hull, wrong")}
    right, wrong = (
        np.append(0, part["found"].to_numpy()).astype(np.int64) for part in steps.values()
    )
    thresholds = np.append(np.inf, steps["hull, right"]["at"].to_numpy())
    return ValueCurve(thresholds, right, wrong, right + wrong)


def _means(rows: pl.DataFrame, what: str, *by: str) -> list[float]:
    chosen = rows.filter(pl.col("what") == what)
    keys = [*by, *(() if by else ("what",))]
    return chosen.group_by(keys, maintain_order=True).agg(pl.col("found").mean())["found"].to_list()


def _at(rows: pl.DataFrame, what: str, at: float) -> float:
    chosen = rows.filter(pl.col("what") == what, (pl.col("at") - at).abs() < 1e-9)
    return float(np.mean(chosen["found"].to_numpy()))


VALUE_CURVES = PaperTable(
    name="value-curves",
    title="Value curves of four models of texts",
    cells=_cells,
    work=_work,
    blocks=_blocks,
    data=("sms_spam", "davidson"),
)
