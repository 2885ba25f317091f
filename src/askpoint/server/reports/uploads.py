"""Logs that people upload, and the reports that are made of them in the background."""

from __future__ import annotations

import os
import re
import secrets
import tempfile
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from askpoint.errors import InputError, RuleError
from askpoint.server.accounts.models import User
from askpoint.server.accounts.seats import organised_workspaces
from askpoint.server.deployments.models import LogReport
from askpoint.server.jobs.services import add_job
from askpoint.server.journal.services import note
from askpoint.server.logs.questions import ReportQuestion
from askpoint.server.logs.running import run_task

__all__ = ["delete_report", "find_report", "keep_upload", "make_log_report", "tidy_uploads"]

_MOST_REPORTS = 30  # of one owner
_LONGEST_HEADLINE = 300
_MOST_WAITING = 3
_SECONDS = 100  # of a processor
_WAIT = 200.0
_STALE = timedelta(minutes=15)
_EXPIRED = timedelta(days=1)


def keep_upload(
    workspace: str, owner: User, file: Any, question: ReportQuestion, *, random: bool
) -> LogReport:
    """Keep a log until its report is made, and queue that.

    Parameters
    ----------
    workspace : str
    owner : User
    file : UploadedFile
        On the disk, where it is large: then it is moved.
    question : ReportQuestion
        What is asked of it.
    random : bool
        Whether the owner says that labels do not hang on confidence.

    Raises
    ------
    InputError
        If it is too large, or empty.
    RuleError
        ``too-many``, if the owner has too many reports, or too many that wait.
    """
    most = settings.ASKPOINT.most_log
    if not 0 < file.size <= most:
        raise InputError(
            f"a log has 1 to {most:,} bytes here, and {file.name[-80:]} has {file.size:,}; upload its "
            "newest rows, only the columns that are needed, or Parquet, which is smaller; or use `askpoint value` on "
            "your own machine"
        )
    key = secrets.token_hex(8)
    try:
        with transaction.atomic():
            _check_room(workspace, owner)
            row = LogReport.objects.create(
                id=key,
                workspace_id=workspace,
                owner=owner,
                name=_plain_name(file.name),
                question=question.to_json(),
                random=random,
                made=timezone.now(),
            )
            _place(file, _path(key))
            note("log uploaded", workspace=workspace, about=row.name)
            add_job("report", row.pk)
    except BaseException:
        _path(key).unlink(missing_ok=True)
        raise
    return row


def _check_room(workspace: str, owner: User) -> None:
    User.objects.select_for_update().get(pk=owner.pk)
    mine = LogReport.within(workspace).filter(owner=owner)
    if mine.count() >= _MOST_REPORTS:
        raise RuleError(
            "too-many", f"you have {_MOST_REPORTS} reports: delete one that you no longer need"
        )
    waiting = mine.filter(page="", problem="", made__gt=timezone.now() - _STALE)
    if waiting.count() >= _MOST_WAITING:
        raise RuleError(
            "too-many", f"{_MOST_WAITING} of your logs wait for their reports: wait for one of them"
        )


def _path(key: str) -> Path:
    """Return where a log waits."""
    return Path(settings.ASKPOINT.uploads) / key


def _place(file: Any, path: Path) -> None:
    if hasattr(file, "temporary_file_path"):
        os.replace(file.temporary_file_path(), path)
        return
    with path.open("wb") as out:
        for part in file.chunks():
            out.write(part)


def _plain_name(name: str) -> str:
    """A name that is a file's and nothing else: its ending says what the file is."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", Path(name).name).lstrip(".-")[-80:] or "log"


def find_report(key: str, owner: User) -> LogReport | None:
    """Return a report of somebody's who still has a seat in its workspace."""
    rows = LogReport.objects.filter(pk=key, owner=owner, workspace__in=organised_workspaces(owner))
    found: LogReport | None = rows.select_related("workspace").first()
    return found


def delete_report(row: LogReport) -> None:
    """Delete a report, and all that is kept of its log."""
    with transaction.atomic():
        note("report deleted", workspace=row.workspace_id, about=row.name)
        LogReport.objects.filter(pk=row.pk).delete()
    _path(row.pk).unlink(missing_ok=True)


def make_log_report(key: str) -> None:
    """Make the report of a log that was uploaded; then the log is deleted, beside numbers and labels."""
    mine = LogReport.objects.filter(pk=key)
    row = mine.filter(page="", problem="").first()
    if row is None:
        _path(key).unlink(missing_ok=True)
        return
    if not _path(key).exists():
        mine.update(problem="the file is not here any more: upload it again")
        return
    with tempfile.TemporaryDirectory(prefix="askpoint-") as name:
        folder = Path(name)
        (folder / row.name).symlink_to(_path(key))
        given = {"task": "report", "name": row.name, "question": row.question}
        try:
            said = run_task(
                {**given, "random": row.random},
                folder,
                _SECONDS,
                _WAIT,
                lambda stage: mine.update(stage=stage),
            )
        except InputError as error:
            mine.update(problem=str(error)[:2000])
        else:
            kept = folder / "kept.parquet"
            mine.update(
                page=(folder / "page.html").read_text("utf-8"),
                kept=kept.read_bytes() if kept.exists() else None,
                headline=said["headline"][:_LONGEST_HEADLINE],
                told=said["told"],
                classes=said["classes"],
                rows=said["rows"],
                labelled=said["labelled"],
                checks=said["checks"],
            )
    _path(key).unlink(missing_ok=True)


def tidy_uploads() -> int:
    """Delete the files of which nobody waits for a report, and give up reports that never came; how many."""
    waiting = LogReport.objects.filter(page="", problem="")
    late = waiting.filter(made__lt=timezone.now() - _EXPIRED)
    late.update(problem="it was not made within a day: upload the log again")
    wanted = set(waiting.values_list("pk", flat=True))
    old, count = time.time() - _EXPIRED.total_seconds(), 0
    for path in Path(settings.ASKPOINT.uploads).iterdir():
        with suppress(FileNotFoundError):  # it was being moved, or another process was quicker
            if path.name not in wanted and path.stat().st_mtime < old:
                path.unlink()
                count += 1
    return count
