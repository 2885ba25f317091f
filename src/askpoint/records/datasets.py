"""Real data that scikit-learn ships, with honest predictions: the demo's input."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import InputError
from askpoint.records.softmax_regression import fit_softmax

__all__ = ["digits_images", "digits_log", "digits_reviews"]

_LEARNED = 400  # the first so many digits of the file are learned from, the others are read
_PARTS = {"upper": slice(0, 4), "middle": slice(2, 6), "lower": slice(4, 8)}


def digits_log(*, negatives: bool = False) -> pl.DataFrame:
    """What a logistic regression says of 1,397 handwritten digits: id, label and probabilities.

    It learned from the first 400 of the file, which other people wrote than most of the others.

    Parameters
    ----------
    negatives : bool, default=False
        Whether it is shown the pictures with ink and paper exchanged, which it never saw: then it is
        often sure, and wrong.

    Returns
    -------
    polars.DataFrame

    References
    ----------
    Optical Recognition of Handwritten Digits, UCI repository, as shipped with scikit-learn.
    """
    images, truth = _digits()
    flat = images.reshape(len(images), -1)
    model = fit_softmax(flat[:_LEARNED], truth[:_LEARNED], C=100, max_iter=1000)
    shown = 1 - flat[_LEARNED:] if negatives else flat[_LEARNED:]
    proba = model.predict_proba(shown).round(6)
    columns = {f"proba_{name}": proba[:, j] for j, name in enumerate(model.classes)}
    ids = np.arange(_LEARNED + 1, len(truth) + 1)
    return pl.DataFrame({"id": ids, "label": truth[_LEARNED:].tolist(), **columns})


def digits_reviews(log: pl.DataFrame) -> pl.DataFrame:
    """What three reviewers say of the answers of `digits_log`: right or wrong, and what is true.

    Each reviewer is a logistic regression that sees half of the rows of a picture.
    """
    images, truth = _digits()
    proba = log.select("^proba_.*$")
    names = np.array([column.removeprefix("proba_") for column in proba.columns], dtype=object)
    said = names[proba.to_numpy().argmax(axis=1)]
    votes: dict[str, Any] = {"task": [f"digit {i}" for i in log["id"]]}
    rows = log["id"].to_numpy() - 1
    for name, part in _PARTS.items():
        seen = images[:, part].reshape(len(images), -1)
        model = fit_softmax(seen[:_LEARNED], truth[:_LEARNED], C=0.5, max_iter=500)
        votes[name] = _verdicts(model.predict(seen[rows]), said)
    return pl.DataFrame(votes | {"truth": _verdicts(truth[rows], said)})


def digits_images(ids: Sequence[int]) -> list[Any]:
    """The pictures of some digits, 8 x 8, from 0 (paper) to 1 (ink)."""
    images, _ = _digits()
    return [images[i - 1] for i in ids]


def _digits() -> tuple[Any, Any]:
    package = importlib.util.find_spec("sklearn")
    if package is None or not package.submodule_search_locations:
        raise InputError("the digits are those of scikit-learn: pip install scikit-learn")
    file = Path(package.submodule_search_locations[0], "datasets", "data", "digits.csv.gz")
    data = np.loadtxt(
        file, delimiter=","
    )  # as load_digits does, but without the rest of the package
    return data[:, :-1].reshape(-1, 8, 8) / 16, data[:, -1].astype(int).astype(str).astype(object)


def _verdicts(read: Any, said: Any) -> list[str]:
    return ["right" if same else "wrong" for same in read == said]
