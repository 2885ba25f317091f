"""Have a log worked on by a process made for it, and bound that."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.errors import InputError
from askpoint.live.documents import PolicyDocument
from askpoint.records.predictions import PredictionLog
from askpoint.records.stored_logs import unpack_log
from askpoint.server.classifiers.processes import surroundings
from askpoint.server.logs.opening import Opened, Opens
from askpoint.server.logs.questions import ReportQuestion

__all__ = ["LOG_ENDINGS", "MOST_FILE", "open_from", "read_file", "run_task"]

LOG_ENDINGS = (".csv", ".parquet", ".jsonl", ".ndjson")

MOST_FILE = 5_000_000
"""Bytes of a log that is read while somebody waits for the page."""

_SOON = 25  # seconds of a processor, while somebody waits
_WAIT, _TURN = 45.0, 10.0  # seconds in all, and for a turn: a proxy waits for 70
_turn = threading.BoundedSemaphore(1)  # in each process that answers requests
_TOO_MUCH = (
    "it could not be read to its end: it takes more memory or time than is given to a log, or is not a file "
    "of its kind; upload fewer rows or columns, or use the command line on your own machine"
)


def run_task(
    given: dict[str, Any],
    folder: Path,
    seconds: int,
    wait: float,
    stage: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Let a process work in a folder that holds the log; return what it found.

    Parameters
    ----------
    given : dict
        The ``task`` of `askpoint.server.logs.process`, the ``name`` of the file, and what that task wants.
    folder : Path
        Of this task alone.
    seconds : int
        Of a processor, at most.
    wait : float
        Seconds in all.
    stage : callable
        Told each stage of the work.

    Raises
    ------
    InputError
        What is wrong with the log, or that it took too much.
    """
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "askpoint.server.logs.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**surroundings(os.environ), "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"},
        cwd=folder,
    )
    assert process.stdin is not None  # noqa: S101 - for the types
    assert process.stdout is not None  # noqa: S101
    ends = threading.Timer(wait, process.kill)
    ends.start()
    said: dict[str, Any] = {}
    try:
        with contextlib.suppress(BrokenPipeError):
            told = {**given, "folder": str(folder), "seconds": seconds}
            process.stdin.write(json.dumps(told).encode())
            process.stdin.close()
        for line in process.stdout:
            said = json.loads(line)
            if "stage" in said:
                stage(said["stage"])
    finally:
        ends.cancel()
        process.kill()
        process.wait()
        process.stdout.close()
    if "done" not in said:
        problem = str(said.get("problem", _TOO_MUCH))
        raise InputError(problem.replace(f"{folder}{os.sep}", "").replace(str(folder), ""))
    return dict(said["done"])


@contextlib.contextmanager
def _one_at_a_time() -> Any:
    """Hold this process's turn: somebody waits, and a log takes memory."""
    if not _turn.acquire(timeout=_TURN):
        raise InputError("another log is being read just now: try again in a moment")
    try:
        with tempfile.TemporaryDirectory(prefix="askpoint-") as folder:
            yield Path(folder)
    finally:
        _turn.release()


def _place_file(file: Any, folder: Path) -> str:
    """Write a file that was sent under a name that says what it is, and nothing else."""
    ending = Path(file.name.lower()).suffix
    if ending not in LOG_ENDINGS:
        raise InputError(f"a log's name ends in {', '.join(LOG_ENDINGS)}; got {file.name[-80:]!r}")
    if file.size > MOST_FILE:
        raise InputError(
            f"a file has at most {MOST_FILE:,} bytes here, and {file.name[-80:]} has {file.size:,}; upload "
            "the newest part of the log, or all of it at Report on a log, and deploy from there"
        )
    file.seek(0)
    (folder / f"log{ending}").write_bytes(file.read())
    return f"log{ending}"


def read_file(file: Any) -> PredictionLog:
    """Return labels, probabilities and ids of a log that was sent.

    Raises
    ------
    InputError
        As `askpoint elicit` refuses logs; or if it is too large, or takes too long.
    """
    with _one_at_a_time() as folder:
        name = _place_file(file, folder)
        found = run_task({"task": "read", "name": name}, folder, _SOON, _WAIT)
        return unpack_log((folder / "kept.parquet").read_bytes(), found["classes"])


def open_from(
    file: Any,
    classes: list[str] | None,
    model: dict[str, Any],
    *,
    kept: bool,
    random: bool,
    asked: ReportQuestion,
) -> Opens:
    """Return what chooses policies from a log that was sent, or from the Parquet that was `kept` of one.

    `asked` names volume, money and the column of a log's groups. What is returned raises `InputError` as `askpoint deploy`
    refuses logs and terms; or if the log is too large, or takes too long.
    """

    def opens(question: OpeningQuestion, policy: str, secret_hash: str) -> Opened:
        with _one_at_a_time() as folder:
            if kept:
                name = "kept.parquet"
                (folder / name).write_bytes(file)
            else:
                name = _place_file(file, folder)
            given = {
                "task": "open",
                "name": name,
                "kept": kept,
                "classes": classes,
                "model": model,
                "question": asdict(question),
                "policy": policy,
                "hash": secret_hash,
                "random": random,
                "asked": asked.to_json(),
            }
            found = run_task(given, folder, _SOON, _WAIT)
        return Opened(PolicyDocument.from_json(found["document"]), found["told"])

    return opens
