"""The process that works on somebody's log: apart from the server, with limits, and no secret.

It reads a file that may be made to fill a memory or to keep a reader busy. So it runs in a folder of its
own, with the variables of a model's process, and is ended when it takes too long or too much.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.errors import AskpointError, InputError
from askpoint.records.stored_logs import pack_log
from askpoint.server.logs.questions import ReportQuestion
from askpoint.server.logs.reading import read_plain
from askpoint.server.logs.stored_rows import log_of_frame

__all__ = ["TASKS"]

_MEMORY = 4_000_000_000  # bytes of addresses, of which libraries take a half
_WRITTEN = 50_000_000  # bytes of a file
_MOST_SHARES = 10_000_000  # probabilities that the server's own process takes


def _report(given: dict[str, Any]) -> dict[str, Any]:
    """Write the page and what is kept of the log; return the rest, as JSON."""
    from askpoint.server.logs.reporting import make_report  # it draws; the others need not

    return make_report(given, Path(), lambda stage: _say({"stage": stage}))


def _read(given: dict[str, Any]) -> dict[str, Any]:
    """Write labels, probabilities and ids of a log, and return its classes."""
    log = read_plain(Path(given["name"]), None)
    if log.n_items * len(log.classes) > _MOST_SHARES:
        raise InputError(
            f"a log that is read here has at most {_MOST_SHARES:,} probabilities, and this one has "
            f"{log.n_items:,} rows of {len(log.classes)}; upload its newest rows"
        )
    Path("kept.parquet").write_bytes(pack_log(log))
    return {"classes": list(log.classes)}


def _open(given: dict[str, Any]) -> dict[str, Any]:
    """Choose a policy from a log, or from what a report kept of one."""
    from askpoint.server.logs.opening import open_policy

    path, asked = Path(given["name"]), ReportQuestion(**given["asked"])
    if given["kept"]:
        log = log_of_frame(pl.read_parquet(path), given["classes"])
    else:
        log = read_plain(path, given["classes"], asked.by or None)
    model = {**given["model"], "classes": list(log.classes)}
    if log.proba is None:
        model["measure"] = "max_probability"
    question = OpeningQuestion(**given["question"])
    opened = open_policy(
        log,
        question,
        model,
        given["policy"],
        given["hash"],
        labels_are_random=given["random"],
        asked=asked,
    )
    return {"document": opened.document.to_json(), "told": opened.told}


TASKS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "report": _report,
    "read": _read,
    "open": _open,
}
"""What it does, by name; each is given JSON and returns JSON."""


def _say(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - to the process that waits for it


def _main() -> None:
    given = json.load(sys.stdin)
    for kind, most in (
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_CPU, int(given["seconds"])),
        (resource.RLIMIT_FSIZE, _WRITTEN),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    os.chdir(given["folder"])
    try:
        _say({"done": TASKS[given["task"]](given)})
    except AskpointError as error:
        _say({"problem": str(error)})
    except MemoryError:
        _say(
            {"problem": "it takes more memory than is given to a log; upload fewer rows or columns"}
        )


if __name__ == "__main__":
    _main()
