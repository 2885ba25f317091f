"""Logs that people upload, and the reports that are made of them in the background."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
from django.db import transaction
from django.utils import timezone

from askpoint.errors import InputError, RuleError
from askpoint.records.logs import read_log
from askpoint.records.predictions import PredictionLog
from askpoint.server.accounts.models import User
from askpoint.server.classifiers.processes import surroundings
from askpoint.server.deployments.models import LogReport
from askpoint.server.jobs.services import add_job
from askpoint.server.journal.services import note

__all__ = ["MOST_LOG", "delete_report", "keep_upload", "log_of", "make_log_report"]

MOST_LOG = 7_500_000
"""Bytes of an uploaded log; a request has at most 8 MB."""

_MOST_REPORTS = 30  # of one owner
_MOST_WAITING = 3
_SECONDS = 200.0
_STALE = timedelta(minutes=15)
_TOO_MUCH = (
    "it could not be read to its end: it takes more memory or time than a report may, or is no file of "
    "its kind; bring fewer rows or columns, or use `askpoint value` on your own machine"
)


def keep_upload(
    owner: User, name: str, content: bytes, aim: str, limit: float, *, random: bool
) -> LogReport:
    """Keep a log until its report is made, and queue that.

    Raises
    ------
    InputError
        If it is too large, or empty.
    RuleError
        ``too-many``, if the owner has too many reports, or too many that wait.
    """
    if not 0 < len(content) <= MOST_LOG:
        raise InputError(
            f"a log has 1 to {MOST_LOG:,} bytes, and {name[-80:]} has {len(content):,}; bring its newest "
            "rows, only the columns that are needed, or Parquet, which is smaller"
        )
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        mine = LogReport.objects.filter(owner=owner)
        if mine.count() >= _MOST_REPORTS:
            raise RuleError(
                "too-many", f"you have {_MOST_REPORTS} reports: delete one that you need no more"
            )
        waiting = mine.filter(page="", problem="", made__gt=timezone.now() - _STALE)
        if waiting.count() >= _MOST_WAITING:
            raise RuleError(
                "too-many",
                f"{_MOST_WAITING} of your logs wait for their reports: wait for one of them",
            )
        row = LogReport.objects.create(
            id=secrets.token_hex(8),
            owner=owner,
            name=_plain_name(name),
            aim=aim,
            limit=limit,
            random=random,
            sent=content,
            made=timezone.now(),
        )
        note("log uploaded", about=row.name)
        add_job("report", row.pk)
    return row


def _plain_name(name: str) -> str:
    """A name that is a file's and nothing else: its ending says what the file is."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", Path(name).name).lstrip(".-")[-80:] or "log"


@transaction.atomic
def delete_report(row: LogReport) -> None:
    """Delete a report, and all that is kept of its log."""
    note("report deleted", about=row.name)
    row.delete()


def make_log_report(key: str) -> None:
    """Make the report of a log that was uploaded; what the log held beside numbers and labels is deleted."""
    row = LogReport.objects.filter(pk=key, page="", problem="").first()
    if row is None or row.sent is None:
        return
    with tempfile.TemporaryDirectory(prefix="askpoint-") as name:
        folder = Path(name)
        (folder / row.name).write_bytes(row.sent)
        found = _run(row, folder)
        mine = LogReport.objects.filter(pk=key)
        if "done" not in found:
            mine.update(sent=None, problem=found.get("problem", _TOO_MUCH)[:2000])
            return
        kept = folder / "kept.parquet"
        said = found["done"]
        mine.update(
            sent=None,
            page=(folder / "page.html").read_text("utf-8"),
            kept=kept.read_bytes() if kept.exists() else None,
            told=said["told"],
            classes=said["classes"],
            rows=said["rows"],
            labelled=said["labelled"],
        )


def _run(row: LogReport, folder: Path) -> dict[str, Any]:
    """Let the process work, and note how far it is; return its last word."""
    given = {"folder": str(folder), "name": row.name, "aim": row.aim, "limit": row.limit}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "askpoint.server.deployments.log_reports"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**surroundings(os.environ), "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"},
        cwd=folder,
    )
    ends = threading.Timer(_SECONDS, process.kill)
    ends.start()
    said: dict[str, Any] = {}
    try:
        with contextlib.suppress(BrokenPipeError):
            _pipe(process.stdin).write(json.dumps({**given, "random": row.random}).encode())
            _pipe(process.stdin).close()
        for line in _pipe(process.stdout):
            said = json.loads(line)
            if "stage" in said:
                LogReport.objects.filter(pk=row.pk).update(stage=said["stage"])
    finally:
        ends.cancel()
        process.kill()
        process.wait()
        _pipe(process.stdout).close()
    return said


def _pipe(found: Any) -> Any:
    return found


def log_of(row: LogReport) -> PredictionLog:
    """Return what is kept of a report's log, from which a policy can be chosen.

    Raises
    ------
    InputError
        If nothing is: the log held several models.
    """
    if row.kept is None:
        raise InputError(
            "this log holds several models, and a policy decides for one: upload the log of that one"
        )
    frame = pl.read_parquet(io.BytesIO(bytes(row.kept)))
    proba = [f"proba_{i}" for i in range(len(row.classes))]
    scored = "proba_0" in frame.columns
    return read_log(
        frame,
        proba=proba if scored else None,
        classes=row.classes,
        prediction=None if scored else "prediction",
        confidence=None if scored else "confidence",
        propensity="propensity" if "propensity" in frame.columns else None,
    )
