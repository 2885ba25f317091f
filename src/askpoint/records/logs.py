"""One reader of prediction logs for all commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from askpoint.errors import LogError
from askpoint.measures.inputs import (
    BoolArray,
    FloatArray,
    IntArray,
    as_classes,
    as_finite,
    as_probabilities,
    as_weights,
)
from askpoint.records.columns import Columns, find_columns, order_classes, second_class
from askpoint.records.predictions import Parts, PredictionLog
from askpoint.records.tables import open_table
from askpoint.records.texts import Names, as_names, class_codes, class_names

__all__ = ["read_log"]


def read_log(
    source: Any,
    *,
    label: str | None = "label",
    proba: str | Sequence[str] | None = None,
    classes: Sequence[object] | None = None,
    prediction: str | None = None,
    confidence: str | None = None,
    group: str | None = None,
    model: str | None = None,
    weight: str | None = None,
    propensity: str | None = None,
) -> PredictionLog:
    """Read what a model said, and the labels that there are, from a file or a dataframe.

    Parameters
    ----------
    source : str, path or dataframe
        A Parquet, CSV (``.csv.gz``) or JSON-lines file, or any dataframe that narwhals takes.
        A column ``id`` names the cases; without it they are numbered from 0.
    label : str or None, default="label"
        The true class, compared as text: 1, 1.0 and "1" are one class, and so are true and
        "True". Missing and empty cells are cases without a label. None: no labels are wanted.
    proba : str or sequence of str, optional
        Columns of probabilities: their names, a prefix or a pattern with ``*``. Default:
        the columns that begin with ``proba_``, ``probability_``, ``prob_`` or (two at
        least) ``p_``, or a single one called proba, probability or prob.
        A class is called what follows the columns' common prefix up to its last separator;
        a single column stands for the class that it names, else for the second.
    classes : sequence, optional
        The classes in the order that is wanted; other names than those of the columns
        rename them in their order.
    prediction, confidence : str, optional
        The model's answer and how sure it is of it; any finite number, larger is surer.
        Default without probabilities: the columns so called. Given beside `proba`,
        `prediction` must be a most probable class and `confidence` replaces what would be
        computed from the probabilities.
    group, model : str, optional
        Columns that divide the log. With `model` the log has one row per case and model.
    weight : str, optional
        How much a row counts, above 0.
    propensity : str, optional
        Probability with which a row was chosen to be labelled, in (0, 1]; may be missing in rows
        without a label.

    Returns
    -------
    PredictionLog

    Raises
    ------
    UnknownColumnError
        If a column does not exist; the nearest is suggested.
    LogError
        If the file can not be read or columns contradict each other.
    InputError
        If probabilities lie outside [0, 1] or do not sum to 1, weights are not positive, or a
        score is missing.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.records.logs import read_log
    >>> log = read_log(pl.DataFrame({"label": [0, 1, None], "proba": [0.1, 0.8, 0.5]}))
    >>> log.classes, log.label, log.prediction
    (('0', '1'), array([0, 1], dtype=int32), array([0, 1, 0], dtype=int32))
    """
    table = open_table(source)
    columns = find_columns(
        table.columns,
        label=label,
        proba=proba,
        prediction=prediction,
        confidence=confidence,
        group=group,
        model=model,
        weight=weight,
        propensity=propensity,
    )
    frame = table.read(columns.wanted)
    labels = None if columns.label is None else as_names(frame[columns.label])
    if labels is not None and not labels.given.any():
        raise LogError(
            f"no row has a label: the column {label!r} is empty; label at least some rows"
        )
    answers = None if columns.prediction is None else _complete(frame[columns.prediction])
    names, scores = _classes_and_scores(frame, columns, labels, answers, classes)
    ids, models = _ids(frame, columns), _parts(frame, columns.model)
    if models is not None and None in models.names:
        raise LogError(f"the column {model!r} must name a model in every row")
    _check_pairs(ids, models)
    labelled = np.zeros(frame.height, np.bool_) if labels is None else labels.given
    return PredictionLog(
        names,
        _prediction(scores, answers, names, columns),
        scores,
        None if columns.confidence is None else _finite(frame[columns.confidence]),
        labelled,
        np.zeros(0, np.int32) if labels is None else _codes(labels, names, "label"),
        ids,
        _parts(frame, columns.group),
        models,
        None if weight is None else as_weights(_numbers(frame[weight]), frame.height),
        None if propensity is None else _propensity(frame[propensity], labelled),
    )


def _complete(column: pl.Series) -> Names:
    answers = as_names(column)
    if not answers.given.all():
        row = int(np.flatnonzero(~answers.given)[0])
        raise LogError(
            f"the column {column.name!r} must hold an answer in every row; row {row} has none"
        )
    return answers


def _classes_and_scores(
    frame: pl.DataFrame,
    columns: Columns,
    labels: Names | None,
    answers: Names | None,
    classes: Sequence[object] | None,
) -> tuple[tuple[str, ...], FloatArray | None]:
    found = [names for names in (labels, answers) if names is not None]
    seen = class_names(*found)
    if not columns.proba:
        if classes is not None:
            return tuple(str(name) for name in as_classes(classes)), None
        if len(seen) < 2:
            raise LogError(
                f"only one class occurs, {seen[0]!r}; a classifier decides between at least "
                "two: name them with classes"
            )
        return seen, None
    if len(columns.proba) == 1:
        single = columns.proba[0]
        names, position = second_class(single, columns.prefix, seen, classes)
        scores = as_probabilities(_numbers(frame[single]))
        return names, scores if position else np.ascontiguousarray(scores[:, ::-1])
    names, order = order_classes(columns.proba, seen, classes)
    chosen = [_numbers(frame[columns.proba[i]]) for i in order]
    kind = np.result_type(*chosen)
    scores = np.empty((frame.height, len(chosen)), kind, order="F")
    for i, numbers in enumerate(chosen):
        scores[:, i] = numbers
    return names, as_probabilities(scores)


def _numbers(column: pl.Series) -> FloatArray:
    """Return a column as floats: float32 is kept, a missing cell is NaN for the checks."""
    if column.dtype == pl.String:
        numbers = column.str.strip_chars().cast(pl.Float64, strict=False)
        failed = column.is_not_null() & numbers.is_null()
        if failed.any():
            row = int(failed.arg_max() or 0)
            raise LogError(
                f"the column {column.name!r} must hold numbers, got {column[row]!r} in row {row}"
            )
        column = numbers
    elif column.dtype == pl.Null or not column.dtype.is_float():
        if not (column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null)):
            raise LogError(f"the column {column.name!r} must hold numbers, not {column.dtype}")
        column = column.cast(pl.Float64)
    return column.to_numpy()


def _finite(column: pl.Series) -> FloatArray:
    return as_finite(_numbers(column), f"the column {column.name!r}")


def _prediction(
    scores: FloatArray | None, answers: Names | None, classes: tuple[str, ...], columns: Columns
) -> IntArray:
    given = None if answers is None else _codes(answers, classes, "prediction")
    if scores is None:
        return cast("IntArray", given)  # without probabilities find_columns demands answers
    best, top = np.zeros(len(scores), np.int32), scores[:, 0].copy()
    for code in range(1, len(classes)):  # many times faster than argmax over rows
        best[scores[:, code] > top] = code
        np.maximum(top, scores[:, code], out=top)
    if given is None:
        return best
    wrong = np.flatnonzero(np.take_along_axis(scores, given[:, None], axis=1)[:, 0] < top)
    if wrong.size:
        row = int(wrong[0])
        raise LogError(
            f"the column {columns.prediction!r} says {classes[given[row]]!r} in row {row}, but the "
            f"most probable class is {classes[best[row]]!r} ({wrong.size} of {len(given)} rows "
            "contradict each other); name proba alone, or prediction and confidence"
        )
    return given


def _codes(found: Names, classes: tuple[str, ...], name: str) -> IntArray:
    codes = class_codes(found.names, classes)
    if None in codes:
        stranger = codes.index(None)
        n_rows = int((found.codes == stranger).sum())
        shown = ", ".join(map(repr, classes[:10])) + (", ..." if len(classes) > 10 else "")
        raise LogError(
            f"the {name} {found.names[stranger]!r} is not among the classes {shown} "
            f"({n_rows} row{'s' * (n_rows > 1)})"
        )
    return np.array(codes, dtype=np.int32)[found.codes]


def _ids(frame: pl.DataFrame, columns: Columns) -> NDArray[Any]:
    if columns.id is None:
        return np.arange(frame.height)
    column = frame[columns.id]
    if column.null_count():
        raise LogError(f"the column 'id' names no case in row {column.is_null().arg_max()}")
    if not column.dtype.is_integer():
        column = column.cast(pl.String)
        numbers = column.cast(pl.Int64, strict=False)
        if not (numbers.cast(pl.String) == column).all() or numbers.null_count():
            return column.to_numpy()
        column = numbers
    return column.cast(pl.Int64).to_numpy()


def _parts(frame: pl.DataFrame, name: str | None) -> Parts | None:
    if name is None:
        return None
    names, codes, given = as_names(frame[name])
    if given.all():
        return Parts(names, codes)
    whole = np.full(len(given), len(names), np.int32)
    whole[given] = codes
    return Parts((*names, None), whole)


def _check_pairs(ids: NDArray[Any], models: Parts | None) -> None:
    pairs = {"id": ids} if models is None else {"id": ids, "model": models.codes}
    repeated = pl.DataFrame(pairs).is_duplicated()
    if repeated.any():
        row = int(repeated.arg_max() or 0)
        model = "" if models is None else f" of the model {models.names[models.codes[row]]!r}"
        raise LogError(
            f"the id {ids[row]!r}{model} occurs more than once: a log has one row per case"
            + (", or per case and model: name the column of the model" if models is None else "")
        )


def _propensity(column: pl.Series, labelled: BoolArray) -> FloatArray:
    values = as_finite(_numbers(column)[labelled], f"the column {column.name!r}")
    bad = np.flatnonzero((values <= 0) | (values > 1))
    if bad.size:
        row = int(np.flatnonzero(labelled)[bad[0]])
        raise LogError(
            f"a propensity is a probability above 0 and at most 1, got {values[bad[0]]:g} "
            f"in row {row}"
        )
    return values
