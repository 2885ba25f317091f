"""From a classifier's probabilities to its value curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError
from askpoint.measures.confidence import ConfidenceMeasure, confidence_scores
from askpoint.measures.inputs import (
    as_classes,
    as_codes,
    as_probabilities,
    as_same_length,
    as_weights,
)
from askpoint.measures.missing import distinct_labels
from askpoint.value.curve import ValueCurve
from askpoint.value.labelled_cases import LabelledCases

__all__ = ["value_curve"]


def value_curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    confidence: ConfidenceMeasure = "max_probability",
    sample_weight: ArrayLike | None = None,
) -> ValueCurve:
    """Value curve of a classifier that predicts the most probable class.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        True labels, none missing.
    y_proba : array-like of shape (n_items, n_classes) or (n_items,)
        Predicted probabilities; one column means the second of two classes. A dataframe whose
        columns are named by the classes, also after a common prefix such as ``proba_``, may have
        them in any order.
    classes : sequence of length n_classes, optional
        The classes in the order of the columns; by default the sorted labels of `y_true`.
    confidence : str or callable, default="max_probability"
        A name among `askpoint.measures.confidence_measures.CONFIDENCE_MEASURES`, or a function.
    sample_weight : array-like of shape (n_items,), optional
        Positive weights.

    Returns
    -------
    ValueCurve

    Raises
    ------
    InputError
        If labels, classes and probabilities do not fit together.

    Examples
    --------
    >>> from askpoint.value.probabilities import value_curve
    >>> curve = value_curve(["a", "b", "b"], [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
    >>> curve.threshold(3.0), round(curve.value(3.0), 3)
    (0.8, 0.667)
    """
    labels = np.asarray(y_true)
    if not labels.size:
        raise InputError("there is no labelled item; give at least one")
    p = as_probabilities(y_proba, n_classes=None if classes is None else len(classes))
    as_same_length(labels, p, ("labels", "probabilities"))
    names = as_classes(_infer_classes(labels, p.shape[1]) if classes is None else classes)
    frame: Any = y_proba
    if nw.dependencies.is_into_dataframe(frame):
        p = p[:, _column_order(nw.from_native(frame, eager_only=True).columns, names)]
    truth = as_codes(labels, names)
    predicted = (p[:, 1] > p[:, 0]).astype(np.int64) if len(names) == 2 else p.argmax(axis=1)
    score = confidence_scores(p, confidence)
    weight = as_weights(sample_weight, len(p))
    cases = LabelledCases(names, truth, predicted, score, weight)
    return ValueCurve.from_cases(cases)


def _infer_classes(labels: NDArray[Any], n_classes: int) -> list[Any]:
    classes = distinct_labels(labels)
    if len(classes) != n_classes:
        raise InputError(
            f"the labels hold {len(classes)} class{'es' * (len(classes) > 1)} but there are {n_classes} "
            "columns of probabilities; name the classes in the order of the columns (classes=...)"
        )
    return classes


def _column_order(columns: Sequence[Any], classes: Sequence[Any]) -> list[int]:
    """Which column holds each class: by its name, or by its place where no name is a class."""
    places = list(range(len(classes)))
    texts, wanted = [str(name) for name in columns], [str(name) for name in classes]
    one_column = len(texts) != len(wanted)
    # what pandas and polars call the columns of an array
    if one_column or list(columns) == places or texts == [f"column_{k}" for k in places]:
        return places
    for found in (texts, _after_common_prefix(texts)):
        if set(found) == set(wanted):
            return [found.index(name) for name in wanted]
    matching = set(wanted) & {*texts, *_after_common_prefix(texts)}
    if matching:
        raise InputError(
            f"the columns {', '.join(texts)} name some of the classes {', '.join(wanted)}, but not "
            "all; name each column by its class, or give y_proba.to_numpy() in the order of classes"
        )
    return places


def _after_common_prefix(texts: list[str]) -> list[str]:
    """The names after their common prefix, up to its last separator."""
    shared = 0
    while len({text[: shared + 1] for text in texts}) == 1 and shared < len(min(texts, key=len)):
        shared += 1
    prefix = texts[0][:shared]
    cut = max(prefix.rfind(separator) for separator in "_-. :/") + 1
    return [text[cut:] for text in texts]
