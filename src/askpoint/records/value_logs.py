"""Logs of predictions for `askpoint value`: read as named, looked through, or counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from askpoint.errors import AskpointError, InputError, LogError, UnknownColumnError
from askpoint.measures.log_columns import find_columns
from askpoint.records.addresses import is_address
from askpoint.records.logs import read_log
from askpoint.records.partitioned_logs import find_parts, is_one_file
from askpoint.records.predictions import PredictionLog
from askpoint.records.table import Table
from askpoint.records.tables import open_table
from askpoint.records.unchanged_files import refuse_changed

if TYPE_CHECKING:
    from askpoint.records.readers.reading import Reading
    from askpoint.records.streams import SketchedLog

__all__ = ["Count", "LogRequest", "ValueLog", "open_log", "open_reading"]

_MANY = 20_000_000  # rows that are kept at most, in about 2 GB, unless the user says so
_SMALL = 256 << 20  # bytes of several files together
_LEAST_ROW = 2  # bytes of a row of text: a character and the end of its line

Count = Callable[[Table, Mapping[str, Any]], "dict[str | None, SketchedLog]"]
"""Counts the rows of a table whose columns are known, and shows how far it is."""


@dataclass(frozen=True, kw_only=True)
class LogRequest:
    """What is known of a log before it is opened.

    Parameters
    ----------
    label : str, default="label"
        The column of true classes.
    proba, classes : tuple of str
        Columns of probabilities (a single one may be a prefix or a pattern), and their classes.
    prediction, confidence : str or None
        Columns of the model's answer.
    others : mapping of str to str or None
        Columns of further things: group, model, weight, propensity, people, cluster, time.
    labels : tuple of str
        Files of proposed cases, filled in.
    measure : str
        Confidence measure.
    sketch : bool or None
        Whether the cases are only counted; None: where there are many.
    counted_by : str or None
        The option by which rows are counted elsewhere, or their counts kept.
    """

    label: str = "label"
    proba: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    prediction: str | None = None
    confidence: str | None = None
    others: Mapping[str, str | None] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    measure: str = "max_probability"
    sketch: bool | None = None
    counted_by: str | None = None

    def columns_of(self, table: Table) -> dict[str, Any]:
        """Return which column is what, where columns are named or go by their usual names."""
        has_label = self.label != "label" or "label" in table.columns or self.labels
        columns: dict[str, Any] = {
            "label": self.label if has_label else None,
            "proba": self.proba[0] if len(self.proba) == 1 else list(self.proba) or None,
            "prediction": self.prediction,
            "confidence": self.confidence,
            **self.others,
        }
        find_columns(table.columns, **columns)
        return columns | {"classes": list(self.classes) or None}


class ValueLog(NamedTuple):
    """A log that is open.

    Attributes
    ----------
    table : Table
        Its cells.
    records : PredictionLog, or dict of SketchedLog
        Its cases, or their counts by model.
    reading : Reading or None
        What it was read as, where it was looked through.
    """

    table: Table
    records: PredictionLog | dict[str | None, SketchedLog]
    reading: Reading | None = None

    @property
    def is_counted(self) -> bool:
        """Whether the cases are only counted."""
        return not isinstance(self.records, PredictionLog)


def open_log(source: Any, request: LogRequest, count: Count) -> ValueLog:
    """Open a log once, and read or count it.

    Columns that are named, or go by their usual names, are read as they are. Any other file, and one
    without a label of the usual name, is looked through as by `askpoint FILE`.

    Raises
    ------
    AskpointError
        If neither way makes sense of it; of two reasons the one that says more.
    """
    with refuse_changed(_files_of(source)):
        return _open(source, request, count)


def _files_of(source: Any) -> list[Path]:
    """Return the files that a log consists of; none where it is a dataframe, an address or not there."""
    if not isinstance(source, str | Path) or is_address(source):
        return []
    if is_one_file(source):
        return [Path(source)]
    try:
        found = find_parts(source)
    except LogError:
        return []
    return [] if found is None else found[1]


def _open(source: Any, request: LogRequest, count: Count) -> ValueLog:
    is_understood = bool(request.proba) or not (isinstance(source, str) and is_one_file(source))
    plain, fault = None, None
    try:
        table = open_table(source)
        columns = request.columns_of(table)
        is_understood = True
        plain = ValueLog(table, _read(table, columns, request, count))
        is_frame = not isinstance(source, str | Path)
        if request.counted_by or plain.is_counted or is_frame or columns["label"] is not None:
            return plain
    except AskpointError as error:
        if request.counted_by or not _is_small(source):
            raise
        is_understood |= isinstance(error, UnknownColumnError)
        fault = error
    try:
        return open_reading(_look_through(source, request), request, count)
    except AskpointError as error:
        if plain is not None:
            return plain
        raise (fault if is_understood and fault is not None else error) from None


def open_reading(reading: Reading, request: LogRequest, count: Count) -> ValueLog:
    """Return the log of a file that was looked through.

    Raises
    ------
    InputError
        If its rows were to be counted elsewhere.
    """
    if request.counted_by is not None:
        raise InputError(
            f"{request.counted_by} is for files that `askpoint value` reads as they are"
        )
    frame, classes = reading.frame, reading.classes
    proba = [name for name in (f"proba_{label}" for label in classes) if name in frame]
    columns = {
        "label": "label" if "label" in frame or request.labels else None,
        "proba": proba or None,
        "classes": classes or None,
        "prediction": None if proba else "prediction",
        "confidence": None if proba else "confidence",
        **request.others,
        **({"model": "system"} if len(reading.systems) > 1 else {}),
    }
    table = open_table(frame)
    return ValueLog(table, _read(table, columns, request, count), reading)


def _look_through(source: str, request: LogRequest) -> Reading:
    from askpoint.records.readers.reading import Choices
    from askpoint.records.readers.registry import read_files

    choices = Choices(
        kind="predictions",
        label=None if request.label == "label" else request.label,
        proba=request.proba,
        classes=request.classes,
        prediction=request.prediction,
        confidence=request.confidence,
    )
    reading = read_files([source], choices)
    if (doubt := reading.open_doubt) is not None:
        raise LogError(f"{doubt.what} (settled by {doubt.option}, an option of `askpoint FILE`)")
    return reading


def _read(
    table: Table, columns: Mapping[str, Any], request: LogRequest, count: Count
) -> PredictionLog | dict[str | None, SketchedLog]:
    """Read a log, or count it if it is long."""
    is_sketched = _is_long(table) if request.sketch is None else request.sketch
    if not is_sketched and request.counted_by is None:
        return _read_exactly(table, columns, request)
    if request.labels:
        raise InputError("labels are filled in to a log that is read exactly (--exact)")
    if request.sketch is False:
        raise InputError(
            f"{request.counted_by} counts the rows, and --exact keeps them: add one of them"
        )
    return count(table, columns)


def _read_exactly(table: Table, columns: Mapping[str, Any], request: LogRequest) -> PredictionLog:
    if not request.labels:
        return read_log(table, need_labels=False, **columns)
    from askpoint.records.proposals import read_filled_in, with_labels, with_proposed

    files = [read_filled_in(path, columns["label"]) for path in request.labels]
    frame = with_labels(table.read(table.columns), columns["label"], files)
    return with_proposed(read_log(frame, **columns), files, measure=request.measure)


def _is_long(table: Table) -> bool:
    """Say whether a log has too many rows to keep; short text files are not counted for it."""
    files = [part.path for part in table.parts or (table,)]
    if table.path is None and not table.parts and table.lazy is None:
        return False  # a dataframe is in memory already
    if all(path is not None and path.suffix in (".csv", ".jsonl", ".ndjson") for path in files):
        n_bytes = sum(path.stat().st_size for path in files if path is not None)
        if n_bytes <= _LEAST_ROW * _MANY:
            return False
    return table.n_rows() > _MANY


def _is_small(source: Any) -> bool:
    """Say whether several files are few enough to be looked through, which holds them all."""
    if not isinstance(source, str | Path) or is_address(source):
        return False
    if is_one_file(source):
        return True
    try:
        found = find_parts(source)
    except LogError:
        return True
    return found is None or sum(file.stat().st_size for file in found[1]) <= _SMALL
