"""Group commit: threads hand in jobs, and one of them commits all that wait for it and the others."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from askpoint.errors import StoreError

__all__ = ["CommitJob", "CommitQueue"]

_MOST = 5000  # rows of a commit, more or less


class CommitJob:
    """Something to be done within a commit.

    Parameters
    ----------
    size : int
        Its rows, about.
    """

    def __init__(self, size: int = 1) -> None:
        self.size = size
        self.is_done = self.leads = False
        self.error: BaseException | None = None
        self.result: Any = None
        self.woken = threading.Lock()
        self.woken.acquire()

    def finish(self, error: BaseException | None = None) -> None:
        """Say that it is committed, or why it is not."""
        self.error, self.is_done = self.error or error, True
        self.woken.release()


class CommitQueue:
    """Jobs that wait for the next commit.

    No thread of its own: who comes while nobody commits leads, and does it for all that wait by then. Others
    come while the disk is busy, and are the next commit together; the first of them leads it. Whoever does not
    lead sleeps until its job is done: 40 threads that each took a lock in turn would spend their time on that.

    Parameters
    ----------
    commit : callable
        Takes jobs in their order, and gives each its result or its own error; what it raises is the error of
        all of them.
    """

    def __init__(self, commit: Callable[[list[CommitJob]], None]) -> None:
        self._commit = commit
        self._waiting: deque[CommitJob] = deque()
        self._guard, self._is_led = threading.Lock(), False
        self.turn = threading.Lock()

    def do(self, job: CommitJob) -> Any:
        """Return the result of a job once it is committed."""
        with self._guard:
            self._waiting.append(job)
            leads, self._is_led = not self._is_led, True
        if leads or self._wait(job):
            try:
                with self.turn:
                    self._commit_waiting(job)
            finally:
                self._leave(job)
        if job.error is not None:
            raise job.error
        return job.result

    def _wait(self, job: CommitJob) -> bool:
        """Sleep until a job is done, or is to lead."""
        try:
            job.woken.acquire()
        except BaseException:  # Ctrl-C: nobody else may wait for this one
            with self._guard:
                self._drop(job)
            if job.leads:
                self._leave(job)
            raise
        return job.leads

    def _drop(self, job: CommitJob) -> None:
        with contextlib.suppress(ValueError):
            self._waiting.remove(job)

    def _leave(self, job: CommitJob) -> None:
        """Let the first that waits lead, if any does."""
        with self._guard:
            if not job.is_done:  # interrupted before its turn
                self._drop(job)
            self._is_led = bool(self._waiting)
            if self._is_led:
                self._waiting[0].leads = True
                self._waiting[0].woken.release()

    def _commit_waiting(self, own: CommitJob) -> None:
        """Commit until the own job is among what was committed."""
        while not own.is_done:
            jobs: list[CommitJob] = []
            error: BaseException | None = None
            try:
                rows = 0
                while self._waiting and rows < _MOST:
                    jobs.append(self._waiting.popleft())
                    rows += jobs[-1].size
                self._commit(jobs)
            except Exception as failure:  # noqa: BLE001  # each caller hears it
                error = failure
            except BaseException:
                error = StoreError(
                    "the commit was interrupted: nothing of it was decided; send it again"
                )
                raise
            finally:
                for job in jobs:
                    job.finish(error)
