"""The process that makes a report of somebody's log: apart from the server, with limits, and no secret.

It reads a file that may be made to fill a memory or to keep a reader busy. So it runs in a folder of its
own, with the variables of a model's process, and is ended when it takes too long or too much.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.verdict import answer_value
from askpoint.errors import AskpointError, InputError, LogError, UnknownColumnError
from askpoint.measures.log_columns import find_columns
from askpoint.records.logs import read_log
from askpoint.records.predictions import PredictionLog
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files
from askpoint.records.tables import open_table
from askpoint.reports.page import render_page
from askpoint.reports.value.document import value_document
from askpoint.server.deployments.saying import plain_sections
from askpoint.value.limits import MaxError
from askpoint.value.priced import CheckCost

__all__ = [
    "MOST_COLUMNS",
    "MOST_ROWS",
    "STAGES",
    "check_size",
    "kept_frame",
    "make_report",
    "read_given",
]

MOST_ROWS = 500_000
MOST_COLUMNS = 500

STAGES = {
    "waiting": "It waits for its turn.",
    "reading": "The file is being read.",
    "computing": "It is being computed: which threshold, and what follows from it.",
    "drawing": "The page is being drawn.",
}
"""What is said of each stage of the work, in their order."""

_DELTA = 0.05
_MEMORY = 3_000_000_000  # bytes of addresses, of which libraries take a half
_SECONDS = 100  # of a processor
_WRITTEN = 50_000_000  # bytes of a file


class _TooLargeError(InputError):
    """Before it is read."""


def read_given(path: Path) -> PredictionLog:
    """Read a log as `askpoint value` does: by its usual columns, else looked through.

    Raises
    ------
    AskpointError
        As the command does; or if there are too many rows or columns.
    """
    fault: AskpointError
    is_plain = False
    try:
        table = open_table(path)
        check_size(len(table.columns), table.n_rows())
        label = "label" if "label" in table.columns else None
        find_columns(table.columns, label=label)
        is_plain = True
        return read_log(path, label=label, need_labels=False)
    except _TooLargeError:
        raise
    except AskpointError as error:
        fault = error
    try:
        reading = read_files([str(path)], Choices(kind="predictions"))
        if (doubt := reading.open_doubt) is not None:
            raise LogError(f"{doubt.what}: name the columns in the file")
        frame = reading.frame
        check_size(frame.width, frame.height)
        proba = [name for name in (f"proba_{label}" for label in reading.classes) if name in frame]
        return read_log(
            frame,
            label="label" if "label" in frame else None,
            proba=proba or None,
            classes=reading.classes or None,
            prediction=None if proba else "prediction",
            confidence=None if proba else "confidence",
            need_labels=False,
        )
    except AskpointError as error:
        is_plain = is_plain or isinstance(fault, UnknownColumnError)
        raise (fault if is_plain else error) from None


def check_size(columns: int, rows: int) -> None:
    """Refuse a log that is too wide or too long to be read here.

    Raises
    ------
    InputError
        If it is.
    """
    if columns > MOST_COLUMNS or rows > MOST_ROWS:
        raise _TooLargeError(
            f"a log that is uploaded has at most {MOST_ROWS:,} rows and {MOST_COLUMNS} columns, and this "
            f"one has {rows:,} and {columns:,}; bring the newest rows, or use `askpoint value` on your "
            "own machine"
        )


def kept_frame(log: PredictionLog) -> pl.DataFrame:
    """Return what a policy can be chosen from: labels and what the model said, and nothing else of a case."""
    names = np.array(log.classes, dtype=object)
    label = np.full(log.n_items, None, dtype=object)
    label[log.labelled] = names[log.label]
    columns: dict[str, Any] = {"label": pl.Series(label.tolist(), dtype=pl.String)}
    if log.proba is not None:
        columns |= {f"proba_{i}": log.proba[:, i] for i in range(len(names))}
    else:
        columns |= {"prediction": names[log.prediction].tolist(), "confidence": log.confidence}
    if log.propensity is not None:
        chance = np.full(log.n_items, np.nan)
        chance[log.labelled] = log.propensity
        columns["propensity"] = pl.Series(chance).fill_nan(None)
    return pl.DataFrame(columns)


def make_report(given: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Write the page and what is kept of the log into a folder; return the rest, as JSON.

    Raises
    ------
    AskpointError
        As `askpoint value` does.
    """
    path = folder / given["name"]
    _say({"stage": "reading"})
    log = read_given(path)
    path.unlink()
    _say({"stage": "computing"})
    objective: CheckCost | MaxError = CheckCost(given["limit"])
    if given["aim"] == "promise":
        objective = MaxError(given["limit"], _DELTA)
    answer: ValueAnswer = answer_value(log, objective, labels_are_random=given["random"])
    document = value_document(answer, given["name"])
    _say({"stage": "drawing"})
    (folder / "page.html").write_text(render_page(document), "utf-8")
    if log.model is None:
        kept_frame(log).write_parquet(folder / "kept.parquet")
    return {
        "told": plain_sections(document.sections[:1]),
        "classes": list(log.classes),
        "rows": log.n_items,
        "labelled": log.n_labelled,
    }


def _say(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - to the process that waits for it


def _main() -> None:
    given = json.load(sys.stdin)
    for kind, most in (
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_CPU, _SECONDS),
        (resource.RLIMIT_FSIZE, _WRITTEN),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    folder = Path(given["folder"])
    os.chdir(folder)
    try:
        _say({"done": make_report(given, folder)})
    except AskpointError as error:
        said = str(error).replace(f"{folder}{os.sep}", "").replace(str(folder), "")
        _say({"problem": said})
    except MemoryError:
        _say({"problem": "it takes more memory than a report may; bring fewer rows or columns"})


if __name__ == "__main__":
    _main()
