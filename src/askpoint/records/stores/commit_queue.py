"""Group commit: threads hand in jobs, and one of them commits all that wait for it and the others."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from askpoint.errors import StoreError

__all__ = ["CommitQueue", "Job"]

_MOST = 5000  # rows of a commit, more or less


class Job:
    """Something to be done within a commit.

    Parameters
    ----------
    size : int
        Its rows, about.
    """

    def __init__(self, size: int = 1) -> None:
        self.size = size
        self.is_done = False
        self.error: BaseException | None = None
        self.result: Any = None

    def finish(self, error: BaseException | None = None) -> None:
        """Say that it is committed, or why it is not."""
        self.error, self.is_done = self.error or error, True


class CommitQueue:
    """Jobs that wait for the next commit.

    No thread of its own: who comes while nobody commits does it for all that wait by then. Others come
    while the disk is busy, and are the next commit together.

    Parameters
    ----------
    commit : callable
        Takes jobs in their order, and gives each its result or its own error; what it raises is the error of
        all of them.
    """

    def __init__(self, commit: Callable[[list[Job]], None]) -> None:
        self._commit = commit
        self._waiting: deque[Job] = deque()
        self.turn = threading.Lock()

    def do(self, job: Job) -> Any:
        """Return the result of a job once it is committed."""
        self._waiting.append(job)
        with self.turn:
            if not job.is_done:
                self._commit_waiting(job)
        if job.error is not None:
            raise job.error
        return job.result

    def _commit_waiting(self, own: Job) -> None:
        """Commit until the own job is among what was committed."""
        while not own.is_done:
            jobs, rows = [], 0
            while self._waiting and rows < _MOST:
                jobs.append(self._waiting.popleft())
                rows += jobs[-1].size
            try:
                self._commit(jobs)
            except Exception as error:  # noqa: BLE001  # each caller hears it
                for job in jobs:
                    job.finish(error)
            except BaseException:
                for job in jobs:
                    job.finish(
                        StoreError(
                            "the commit was interrupted: nothing of it was decided; send it again"
                        )
                    )
                raise
            else:
                for job in jobs:
                    job.finish()
