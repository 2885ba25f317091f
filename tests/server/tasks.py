"""What the server has done on a log by a process of its own: done in this one, where the process is not the matter."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from askpoint.errors import AskpointError, InputError
from askpoint.server.logs import process, running
from askpoint.server.reports import uploads

__all__ = ["here", "worked_here"]


def here(given, folder, *_):
    """The process's work, done in this process: JSON in, JSON out, and what is wrong in words."""
    was = Path.cwd()
    os.chdir(folder)
    try:
        said = process.TASKS[given["task"]](json.loads(json.dumps(given)))
    except AskpointError as error:
        raise InputError(str(error)) from error
    finally:
        os.chdir(was)
    return json.loads(json.dumps(said))


@contextmanager
def worked_here():
    """Start no process for a log meanwhile: it loads for a second what this one has; tests/server/test_log_reports.py starts it."""
    with patch.object(running, "run_task", here), patch.object(uploads, "run_task", here):
        yield
