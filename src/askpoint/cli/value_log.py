"""The log that ``askpoint value`` reads: columns that are named, or looked for in any table."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.bringing import brought
from askpoint.cli.columns import names_of, probability_columns
from askpoint.cli.engine_options import counted, counting, source_to_count
from askpoint.errors import AskpointError, InputError, LogError, UnknownColumnError
from askpoint.measures.log_columns import find_columns
from askpoint.records.addresses import is_address
from askpoint.records.logs import read_log
from askpoint.records.parts import find_parts, is_one_file
from askpoint.records.predictions import PredictionLog
from askpoint.records.proposals import read_filled_in, with_labels, with_proposed
from askpoint.records.readers.reading import Choices, Reading
from askpoint.records.readers.registry import read_files
from askpoint.records.streams import SketchedLog, sketch_log
from askpoint.records.tables import open_table
from askpoint.reports.readings import reading_line

__all__ = ["ValueLog", "read_value_log"]

_MANY = 20_000_000  # rows that are kept at most, in about 2 GB, unless the user says so
_SMALL = 256 << 20  # bytes of several files together
_PARTS = ("group", "model", "weight", "propensity", "people", "cluster", "time")

ValueLog = PredictionLog | dict[str | None, SketchedLog]


def read_value_log(log: str, options: dict[str, Any]) -> tuple[Any, ValueLog, Reading | None]:
    """Return a table, its records, and what the file was read as where it was looked through.

    Columns that were named, or go by their usual names, are read as they are; any other file is
    looked through as by `askpoint FILE`.
    """
    given, columns, records = brought(), None, None
    is_counted = counted(options)
    if given is not None:
        if is_counted is not None:
            raise InputError(f"{is_counted} is for files that `askpoint value` reads as they are")
        return _of_reading(given.reading, options)
    if is_counted is not None:
        source = source_to_count(log, options)
        return source, _counted(source, _named_columns(source, options), options), None
    fault: AskpointError | None = None
    try:
        columns = _named_columns(log, options)
        records = _records(log, columns, options)
    except AskpointError as error:
        fault = error
    # without a label that goes by that name, there may be one by another
    if records is not None and (
        columns is None or columns["label"] is not None or not isinstance(records, PredictionLog)
    ):
        return log, records, None
    if fault is not None and not _is_small(log):
        raise fault
    try:
        reading = _looked_through(log, options)
        found = _of_reading(reading, options)
    except AskpointError as error:
        if records is not None:
            return log, records, None
        is_plain = columns is not None or options["proba"] is not None
        is_plain = is_plain or isinstance(fault, UnknownColumnError) or not is_one_file(log)
        raise (fault if is_plain and fault is not None else error) from None
    click.echo(reading_line(reading), err=options["as_json"])
    for doubt in reading.doubts:
        click.echo(f"  {doubt.what}", err=options["as_json"])
    return found


def _is_small(log: str) -> bool:
    """Say whether several files are few enough to be looked through, which holds them all."""
    if is_address(log):
        return False
    if is_one_file(log):
        return True
    try:
        found = find_parts(log)
    except LogError:
        return True
    return found is None or sum(file.stat().st_size for file in found[1]) <= _SMALL


def _looked_through(log: str, options: dict[str, Any]) -> Reading:
    choices = Choices(
        kind="predictions",
        label=None if options["label"] == "label" else options["label"],
        proba=tuple(names_of(options["proba"]) or ()),
        classes=tuple(names_of(options["classes"]) or ()),
        prediction=options["prediction"],
        confidence=options["confidence"],
    )
    reading = read_files([log], choices)
    if (doubt := reading.open_doubt) is not None:
        raise LogError(f"{doubt.what} (settled by {doubt.option}, an option of `askpoint FILE`)")
    return reading


def _named_columns(log: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Return which column is what, where columns were named or go by their usual names."""
    table = open_table(log)
    has_label = options["label"] != "label" or "label" in table.columns or options["labels"]
    columns = {
        "label": options["label"] if has_label else None,
        "proba": probability_columns(options["proba"]),
        "prediction": options["prediction"],
        "confidence": options["confidence"],
        **{name: options[name] for name in _PARTS},
    }
    find_columns(table.columns, **columns)
    return columns | {"classes": names_of(options["classes"])}


def _of_reading(reading: Reading, options: dict[str, Any]) -> tuple[Any, ValueLog, Reading]:
    """Return the table of a reading, and its records."""
    frame, classes = reading.frame, reading.classes
    proba = [name for name in (f"proba_{label}" for label in classes) if name in frame]
    columns = {
        "label": "label" if "label" in frame or options["labels"] else None,
        "proba": proba or None,
        "classes": classes or None,
        "prediction": None if proba else "prediction",
        "confidence": None if proba else "confidence",
        **{name: options[name] for name in _PARTS},
        **({"model": "system"} if len(reading.systems) > 1 else {}),
    }
    return frame, _records(frame, columns, options), reading


def _records(source: Any, columns: dict[str, Any], options: dict[str, Any]) -> ValueLog:
    """Read a log, or count it if it is long."""
    table = open_table(source)
    is_long = isinstance(source, str) and table.n_rows() > _MANY
    if not (is_long if options["sketch"] is None else options["sketch"]):
        found = [read_filled_in(path, columns["label"]) for path in options["labels"]]
        if not found:
            return read_log(source, need_labels=False, **columns)
        frame = with_labels(table.read(table.columns), columns["label"], found)
        return with_proposed(read_log(frame, **columns), found, measure=options["measure"])
    return _counted(source, columns, options)


def _counted(source: Any, columns: dict[str, Any], options: dict[str, Any]) -> ValueLog:
    """Count a log without keeping its rows."""
    if options["labels"]:
        raise InputError("labels are filled in to a log that is read exactly (--exact)")
    if options["sketch"] is False:
        raise InputError(
            f"{counted(options)} counts the rows, and --exact keeps them: state one of them"
        )
    table = open_table(source)
    total = None if options["engine"] is not None else table.n_rows()
    with counting("counting cases", total, options) as (progress, cache):
        return sketch_log(
            table, measure=options["measure"], progress=progress, cache=cache, **columns
        )
