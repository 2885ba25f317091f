"""Columns of several models and people, read as the rungs of a ladder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray, as_classes, as_probabilities
from askpoint.measures.log_columns import find_columns, order_classes, second_class
from askpoint.records.cells import as_numbers
from askpoint.records.logs import codes_of
from askpoint.records.rung_orientation import find_class_of_column
from askpoint.records.tables import open_table
from askpoint.records.texts import Names, as_names, class_names
from askpoint.value.ladder.outputs import (
    MOST_RUNGS,
    RungOutputs,
    log_answers,
    log_probabilities,
    share_right,
)

__all__ = ["LadderLog", "LadderReader", "RungColumns", "RungRequest", "read_ladder"]

_Kind = Literal["probabilities", "confidence", "answer"]


class RungRequest(NamedTuple):
    """A rung as it is named: its columns as text, the price of a call, and how long it takes.

    `columns` are those of probabilities (names with commas, a prefix or a pattern; a single one means the second class), or
    PREDICTION+CONFIDENCE, or one column of answers without a confidence, as of a person.
    """

    name: str
    columns: str
    price: float
    seconds: float | None = None


class RungColumns(NamedTuple):
    """Where the output of a rung stands.

    `columns` are in the order of the classes, or the one whose class is `second`, or prediction and confidence. `right`
    is how often a rung without a confidence is right.
    """

    name: str
    kind: _Kind
    columns: tuple[str, ...]
    second: int = 1
    right: float | None = None


@dataclass(frozen=True)
class LadderReader:
    """How the columns of the rungs become probabilities of the classes.

    Parameters
    ----------
    classes : tuple of str
        Names of the classes.
    rungs : tuple of RungColumns
        In their order.
    """

    classes: tuple[str, ...]
    rungs: tuple[RungColumns, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for a policy."""
        rungs = [rung._asdict() | {"columns": list(rung.columns)} for rung in self.rungs]
        return {"classes": list(self.classes), "rungs": rungs}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> LadderReader:
        """Return the reader that `to_dict` wrote."""
        rungs = (
            RungColumns(**rung | {"columns": tuple(rung["columns"])}) for rung in plain["rungs"]
        )
        return cls(tuple(plain["classes"]), tuple(rungs))

    def read(self, frame: pl.DataFrame) -> RungOutputs:
        """Read what the rungs said; a rung whose columns are missing, or empty in a row, was not called.

        Raises
        ------
        LogError
            If a row has a part of a rung's columns only.
        InputError
            If probabilities are none.
        """
        k, n = len(self.classes), frame.height
        log_p, seen = np.zeros((len(self.rungs), n, k)), np.zeros((len(self.rungs), n), np.bool_)
        for place, rung in enumerate(self.rungs):
            if not any(name in frame.columns for name in rung.columns):
                continue
            given = _find_filled_rows(frame, rung)
            seen[place] = given
            if given.any():
                log_p[place, given] = self._log_likelihood(frame.filter(pl.Series(given)), rung)
        return RungOutputs(log_p, seen)

    def _log_likelihood(self, frame: pl.DataFrame, rung: RungColumns) -> FloatArray:
        k = len(self.classes)
        if rung.kind == "answer":
            codes = codes_of(as_names(frame[rung.columns[0]]), self.classes, rung.columns[0])
            return log_answers(codes, rung.right if rung.right is not None else 0.5, k)
        if rung.kind == "confidence":
            codes = codes_of(as_names(frame[rung.columns[0]]), self.classes, rung.columns[0])
            sure = as_numbers(frame[rung.columns[1]])
            if not ((sure >= 0) & (sure <= 1)).all():
                raise InputError(
                    f"the confidence of a rung must be a probability, between 0 and 1; the column {rung.columns[1]!r} "
                    f"goes from {sure.min():g} to {sure.max():g}"
                )
            proba = np.repeat(((1 - sure) / (k - 1))[:, None], k, axis=1)
            proba[np.arange(len(codes)), codes] = sure
            return log_probabilities(proba)
        if len(rung.columns) == 1:
            scores = as_probabilities(as_numbers(frame[rung.columns[0]]))
            return log_probabilities(scores if rung.second == 1 else scores[:, ::-1])
        columns = [as_numbers(frame[name]).astype(np.float64) for name in rung.columns]
        return log_probabilities(as_probabilities(np.column_stack(columns)))


@dataclass(frozen=True, eq=False)
class LadderLog:
    """A log of several rungs, read.

    Parameters
    ----------
    reader : LadderReader
        How it was read.
    outputs : RungOutputs
        What the rungs said.
    labelled : ndarray of bool of shape (n_items,)
        Which rows have a label.
    label : ndarray of int of shape (n_items,)
        Positions of the labels among the classes, 0 where there is none.
    requests : tuple of RungRequest
        The rungs as they were named.
    notes : tuple of str
        Which class a column was taken for, where only the labels say it.
    """

    reader: LadderReader
    outputs: RungOutputs
    labelled: BoolArray
    label: IntArray
    requests: tuple[RungRequest, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def n_items(self) -> int:
        """Number of rows."""
        return len(self.labelled)

    @property
    def n_labelled(self) -> int:
        """Number of rows with a label."""
        return int(self.labelled.sum())


def read_ladder(
    source: Any,
    rungs: Sequence[RungRequest],
    *,
    label: str = "label",
    classes: Sequence[str] | None = None,
) -> LadderLog:
    """Read a log with a column, or columns, for each rung of a ladder.

    Parameters
    ----------
    source : str, path or dataframe
        As for `read_log`. Where a rung's cells are empty it was not called.
    rungs : sequence of RungRequest
        Models, judges and people who err; 2 to 5, or 1.
    label : str, default="label"
        The true class; may be empty.
    classes : sequence of str, optional
        The classes in the order that is wanted.

    Returns
    -------
    LadderLog

    Raises
    ------
    InputError
        If a rung has no price, or two have one name, or there are more than five.
    UnknownColumnError
        If a column does not exist.
    LogError
        If no row has a label, or columns contradict each other.
    """
    _check(rungs)
    table = open_table(source)
    if label not in table.columns:
        raise UnknownColumnError(label, table.columns)
    kinds = [_kind_of(rung, table.columns) for rung in rungs]
    wanted = dict.fromkeys([label, *(name for kind in kinds for name in kind.columns)])
    frame = table.read(list(wanted))
    labels = as_names(frame[label])
    kinds = [_answers_or_probability(frame, kind, labels) for kind in kinds]
    if not labels.names:
        raise LogError(f"no row has a label: the column {label!r} is empty; label some rows")
    reader = LadderReader(*_find_columns(frame, kinds, labels, classes))
    code = np.zeros(frame.height, dtype=np.int64)
    code[labels.given] = codes_of(labels, reader.classes, label)
    reader, notes = _orient_rungs(frame, reader, labels.given, code, are_stated=classes is not None)
    reader = _with_rates(frame, reader, labels.given, code)
    return LadderLog(reader, reader.read(frame), labels.given, code, tuple(rungs), notes)


def _check(rungs: Sequence[RungRequest]) -> None:
    if len(rungs) > MOST_RUNGS:
        raise InputError(
            f"a ladder has at most {MOST_RUNGS} rungs; got {len(rungs)}. Leave out those that cost "
            "about as much as another."
        )
    names = [rung.name for rung in rungs]
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise InputError(f"two rungs are called {twice!r}; give each a name of its own")
    for rung in rungs:
        if (
            rung.name in {"answer", "ask", "call", "hold"}
            or "+" in rung.name
            or not rung.name.strip()
        ):
            raise InputError(
                f"a rung must have a name that is not an action and has no + in it; got {rung.name!r}"
            )
        for what, value in (("price", rung.price), ("time", rung.seconds)):
            if value is not None and not (np.isfinite(value) and value >= 0):
                raise InputError(
                    f"the {what} of the rung {rung.name!r} must be a finite number, 0 or more; got {value:g}"
                )


def _kind_of(rung: RungRequest, names: Sequence[str]) -> RungColumns:
    """Find the columns of a rung; whether a single one holds answers is seen later."""
    if rung.columns not in names and "+" in rung.columns:
        prediction, _, confidence = rung.columns.partition("+")
        for name in (prediction, confidence):
            if name not in names:
                raise UnknownColumnError(name, names)
        return RungColumns(rung.name, "confidence", (prediction, confidence))
    texts = rung.columns.split(",") if "," in rung.columns else rung.columns
    found = find_columns(names, label=None, proba=texts)
    return RungColumns(rung.name, "probabilities", found.proba)


def _answers_or_probability(frame: pl.DataFrame, rung: RungColumns, labels: Names) -> RungColumns:
    """Tell a single column of answers from one of probabilities: of numbers that are not all classes."""
    if rung.kind != "probabilities" or len(rung.columns) > 1:
        return rung
    said = as_names(frame[rung.columns[0]]).names
    if None not in class_codes(said, labels.names):
        return rung._replace(kind="answer")
    try:
        for text in said:
            float(text)
    except ValueError:
        return rung._replace(kind="answer")
    return rung


def _find_columns(
    frame: pl.DataFrame,
    rungs: Iterable[RungColumns],
    labels: Names,
    classes: Sequence[str] | None,
) -> tuple[tuple[str, ...], tuple[RungColumns, ...]]:
    """Find the classes, and the order of the columns of each rung."""
    rungs = list(rungs)
    texts = [labels.names]
    texts += [
        as_names(frame[rung.columns[0]]).names for rung in rungs if rung.kind != "probabilities"
    ]
    seen = class_names([name for names in texts for name in names])
    names = None if classes is None else tuple(str(name) for name in as_classes(classes))
    ordered = []
    for rung in sorted(rungs, key=lambda rung: -len(rung.columns)):
        if rung.kind != "probabilities":
            continue
        if len(rung.columns) == 1:
            found, position = second_class(rung.columns[0], None, seen, names)
            rung = rung._replace(second=position)
        else:
            found, order = order_classes(rung.columns, seen, classes)
            if (
                names is not None and classes is None
            ):  # another rung named them: the same, in its order
                codes = class_codes(names, found)
                if None in codes or len(found) != len(names):
                    raise LogError(
                        f"the rung {rung.name!r} has columns for the classes {', '.join(found)}, and another rung for "
                        f"{', '.join(names)}; name them with --classes"
                    )
                found, order = names, [code for code in codes if code is not None]
            rung = rung._replace(columns=tuple(rung.columns[i] for i in order))
        names = found
        ordered.append(rung)
    if names is None:
        names = seen
    if len(names) < 2:
        raise LogError(
            f"only one class occurs, {names[0]!r}; a ladder decides between at least two: name them with --classes"
        )
    by_name = {rung.name: rung for rung in ordered}
    return names, tuple(by_name.get(rung.name, rung) for rung in rungs)


def _orient_rungs(
    frame: pl.DataFrame,
    reader: LadderReader,
    labelled: BoolArray,
    label: IntArray,
    *,
    are_stated: bool,
) -> tuple[LadderReader, tuple[str, ...]]:
    """Find which class each single column of probabilities is for."""
    rungs, notes = [], []
    for rung in reader.rungs:
        if rung.kind == "probabilities" and len(rung.columns) == 1:
            known = _find_filled_rows(frame, rung) & labelled
            numbers = as_numbers(frame[rung.columns[0]].filter(pl.Series(known)))
            second, note = find_class_of_column(
                rung.columns[0],
                numbers,
                label[known] == rung.second,
                reader.classes,
                rung.second,
                are_stated=are_stated,
            )
            rung = rung._replace(second=second)
            notes += [note] if note else []
        rungs.append(rung)
    return LadderReader(reader.classes, tuple(rungs)), tuple(notes)


def _with_rates(
    frame: pl.DataFrame, reader: LadderReader, labelled: BoolArray, label: IntArray
) -> LadderReader:
    """Learn from the labels how often rungs without a confidence are right."""
    rungs = []
    for rung in reader.rungs:
        if rung.kind == "answer":
            answers = as_names(frame[rung.columns[0]])
            code = np.zeros(frame.height, dtype=np.int64)
            code[answers.given] = codes_of(answers, reader.classes, rung.columns[0])
            both = answers.given & labelled
            rung = rung._replace(right=share_right(code[both] == label[both]))
        rungs.append(rung)
    return LadderReader(reader.classes, tuple(rungs))


def _find_filled_rows(frame: pl.DataFrame, rung: RungColumns) -> BoolArray:
    for name in rung.columns:
        if name not in frame.columns:
            raise UnknownColumnError(name, frame.columns)
    full = np.column_stack([_find_filled(frame[name]) for name in rung.columns])
    given = np.asarray(full.all(axis=1))
    partly = np.flatnonzero(full.any(axis=1) & ~given)
    if partly.size:
        raise LogError(
            f"the rung {rung.name!r} has {', '.join(rung.columns)} only in part in row {partly[0]}; fill all of "
            "them, or none where it was not called"
        )
    return given


def _find_filled(column: pl.Series) -> BoolArray:
    filled = column.is_not_null()
    if column.dtype == pl.String:
        filled &= column.fill_null("") != ""
    elif column.dtype.is_float():
        filled &= ~column.fill_null(0.0).is_nan()
    return filled.to_numpy()
