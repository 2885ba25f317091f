"""One reader of prediction logs for all commands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, cast

import numpy as np
import polars as pl

from askpoint.errors import LogError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.inputs import (
    FloatArray,
    IntArray,
    as_classes,
    as_finite,
    as_probabilities,
    as_weights,
)
from askpoint.measures.log_columns import Columns, find_columns, order_classes, second_class
from askpoint.records.cells import (
    as_clusters,
    as_days,
    as_ids,
    as_numbers,
    as_parts,
    as_propensity,
    check_one_row_per_case,
    least_propensity,
)
from askpoint.records.predictions import Answers, PredictionLog
from askpoint.records.tables import open_table
from askpoint.records.texts import Names, as_names, class_names

__all__ = ["codes_of", "log_of_rows", "name_classes", "read_log", "scores_of"]


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
    people: str | None = None,
    cluster: str | None = None,
    time: str | None = None,
    need_labels: bool = True,
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
    people : str, optional
        What the person who looked at a case answered; empty where nobody looked.
    cluster : str, optional
        Which cases belong together: a user, a template, a conversation.
    time : str, optional
        When a case came: dates, or dates with times.
    need_labels : bool, default=True
        Whether a column of labels that is empty is refused.

    Returns
    -------
    PredictionLog

    Raises
    ------
    UnknownColumnError
        If a column does not exist; the nearest is suggested.
    LogError
        If the file cannot be read or columns contradict each other.
    InputError
        If probabilities lie outside [0, 1] or do not sum to 1, weights are not positive, or a
        score is missing.

    Notes
    -----
    Errors number the rows from 0, without the header. A column called prediction beside
    probabilities must agree with them, even if it is not named: a model that decides otherwise
    than by the largest probability needs `prediction` and `confidence`. If `proba` is named
    alone, it is not looked at.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.records.logs import read_log
    >>> log = read_log(pl.DataFrame({"label": [0, 1, None], "proba": [0.1, 0.8, 0.5]}))
    >>> log.classes, log.label, log.prediction
    (('0', '1'), array([0, 1], dtype=int32), array([0, 1, 0], dtype=int32))
    """
    if isinstance(classes, str):
        raise LogError(f"classes must be a list of names; got the text {classes!r}")
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
        people=people,
        cluster=cluster,
        time=time,
    )
    return log_of_rows(table.read(columns.wanted), columns, classes, is_part=not need_labels)


def log_of_rows(
    frame: pl.DataFrame,
    columns: Columns,
    classes: Sequence[object] | None,
    *,
    is_part: bool = False,
) -> PredictionLog:
    """Check and convert rows whose columns are known."""
    group, model, weight, propensity, people, cluster, time = columns[-7:]
    labels = _labels(frame, columns.label)
    if columns.label is not None and not labels.names and not is_part:
        raise LogError(
            f"no row has a label: the column {columns.label!r} is empty; label some rows"
        )
    answers = None if columns.prediction is None else _answers(frame[columns.prediction])
    looked = None if people is None else as_names(frame[people])
    spoken = [found.names for found in (labels, answers, looked) if found is not None]
    seen = class_names(chain.from_iterable(spoken))
    names, scores = _classes_and_scores(frame, columns, seen, classes)
    given = None if answers is None else codes_of(answers, names, f"{columns.prediction}")
    models = None if model is None else as_parts(frame[model])
    if models is not None and None in models.names:
        row = int((models.codes == models.names.index(None)).argmax())
        raise LogError(f"the column {model!r} must name a model in every row; row {row} has none")
    ids = np.arange(frame.height) if columns.id is None else as_ids(frame[columns.id])
    if columns.id is not None:
        check_one_row_per_case(frame[columns.id], models)
    return PredictionLog(
        classes=names,
        prediction=_prediction(scores, given, names, columns),
        proba=scores,
        confidence=None if columns.confidence is None else _confidence(frame[columns.confidence]),
        labelled=labels.given,
        label=codes_of(labels, names, f"{columns.label}"),
        ids=ids,
        group=None if group is None else as_parts(frame[group]),
        model=models,
        weight=None if weight is None else as_weights(as_numbers(frame[weight]), frame.height),
        propensity=None if propensity is None else as_propensity(frame[propensity], labels.given),
        least_propensity=None if propensity is None else least_propensity(frame[propensity]),
        people=None
        if looked is None
        else Answers(looked.given, codes_of(looked, names, f"{people}")),
        cluster=None if cluster is None else as_clusters(frame[cluster]),
        days=None if time is None else as_days(frame[time]),
    )


def _labels(frame: pl.DataFrame, column: str | None) -> Names:
    if column is None:
        return Names((), np.zeros(0, np.int32), np.zeros(frame.height, np.bool_))
    return as_names(frame[column])


def _answers(column: pl.Series) -> Names:
    answers = as_names(column)
    if not answers.given.all():
        row = int(answers.given.argmin())
        raise LogError(
            f"the column {column.name!r} must hold an answer in every row; row {row} has none"
        )
    return answers


def _confidence(column: pl.Series) -> FloatArray:
    return as_finite(as_numbers(column), f"the column {column.name!r}")


def name_classes(
    columns: Columns, seen: Sequence[str], classes: Sequence[object] | None
) -> tuple[tuple[str, ...], list[int]]:
    """Return the classes of a log, and where their probabilities stand."""
    if len(columns.proba) == 1:
        names, position = second_class(columns.proba[0], columns.prefix, seen, classes)
        return names, [position]
    if columns.proba:
        return order_classes(columns.proba, seen, classes)
    if classes is not None:
        return tuple(str(name) for name in as_classes(classes)), []
    if len(seen) < 2:
        raise LogError(
            f"only one class occurs, {seen[0]!r}; a classifier decides between at least "
            "two: name them with classes"
        )
    return tuple(seen), []


def _classes_and_scores(
    frame: pl.DataFrame,
    columns: Columns,
    seen: tuple[str, ...],
    classes: Sequence[object] | None,
) -> tuple[tuple[str, ...], FloatArray | None]:
    names, order = name_classes(columns, seen, classes)
    return names, scores_of(frame, columns, order) if columns.proba else None


def scores_of(frame: pl.DataFrame, columns: Columns, order: Sequence[int]) -> FloatArray:
    """Return the probabilities of the classes, which stand in the columns of that `order`."""
    if len(columns.proba) == 1:
        scores = as_probabilities(as_numbers(frame[columns.proba[0]]))
        return scores if list(order) == [1] else scores[:, ::-1]
    numbers = [as_numbers(frame[columns.proba[i]]) for i in order]
    scores = np.empty((frame.height, len(numbers)), np.result_type(*numbers), order="F")
    for i, column in enumerate(numbers):
        scores[:, i] = column
    return as_probabilities(scores)


def _prediction(
    scores: FloatArray | None, given: IntArray | None, classes: tuple[str, ...], columns: Columns
) -> IntArray:
    if scores is None:
        return cast("IntArray", given)  # find_columns demands answers or probabilities
    best, top = np.zeros(len(scores), np.int32), scores[:, 0].copy()
    for code in range(1, len(classes)):  # by columns: many times faster than argmax over rows
        np.maximum(best, (scores[:, code] > top) * np.int32(code), out=best)
        np.maximum(top, scores[:, code], out=top)
    if given is None:
        return best
    wrong = np.flatnonzero(scores[np.arange(len(scores)), given] < top)
    if wrong.size:
        row = int(wrong[0])
        raise LogError(
            f"the column {columns.prediction!r} says {classes[given[row]]!r} in row {row}, but "
            f"the most probable class is {classes[best[row]]!r} ({wrong.size} of {len(given)} "
            "rows contradict each other); name proba alone, or prediction and confidence"
        )
    return given


def codes_of(found: Names, classes: tuple[str, ...], column: str) -> IntArray:
    """Return the position of each given text among the classes; a stranger to them is refused."""
    codes = class_codes(found.names, classes)
    if None in codes:
        strange = np.array([code is None for code in codes], np.bool_)[found.codes]
        first = int(strange.argmax())
        shown = ", ".join(map(repr, classes[:10])) + (", ..." if len(classes) > 10 else "")
        raise LogError(
            f"the column {column!r} says {found.names[found.codes[first]]!r} in row "
            f"{np.flatnonzero(found.given)[first]}, which is not among the classes {shown} "
            f"({strange.sum()} of {strange.size} rows are strangers to them)"
        )
    return np.array(codes, dtype=np.int32)[found.codes]
