"""What a deployment stands on: callers' jobs committed together, durable before any of them hears of it."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any, Self

from askpoint.errors import InputError
from askpoint.live.documents import PolicyDocument
from askpoint.records.stores.archive import DAY
from askpoint.records.stores.commit_queue import CommitJob, CommitQueue
from askpoint.records.stores.database import BrokenOffError, StoreReader
from askpoint.records.stores.jobs import CallJob, DecideJob, run_jobs
from askpoint.records.stores.places import SIGNING, Place

__all__ = ["CommitLog", "PolicyLog"]

_LOGGER = logging.getLogger("askpoint")


class CommitLog:
    """A place in which jobs of all threads are committed together, and what is committed can be read.

    Parameters
    ----------
    found : Place
        Its database, and who reads and writes the tables there.
    """

    def __init__(self, found: Place) -> None:
        self.name, self._database, self._ledger, self._archive, self._signing = found
        weakref.finalize(self, self._database.close)
        self._queue = CommitQueue(self._commit)
        self._process, self._local = os.getpid(), threading.local()
        self._day = 0  # until which, in microseconds, days that are over are files

    def close(self) -> None:
        """Let go of the files; what was decided stays."""
        with self._queue.turn:
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _do(self, job: CommitJob) -> Any:
        if (
            self._process != os.getpid()
        ):  # a fork: nobody else's jobs, and no lock of another thread
            self._queue, self._process = CommitQueue(self._commit), os.getpid()
        return self._queue.do(job)

    def _within(self, call: Callable[[int], Any]) -> Any:
        """Do something within a commit; it hears what time it is."""
        return self._do(CallJob(lambda _, now: call(now)))

    def _commit(self, jobs: list[CommitJob]) -> None:
        """Do what callers want in one transaction; again, if a server went away within it."""
        while True:
            try:
                self._commit_once(jobs)
            except BrokenOffError:
                for job in jobs:
                    job.error = job.result = None
            else:
                return

    def _commit_once(self, jobs: list[CommitJob]) -> None:
        """Do it in one transaction, durable before any of them hears of it."""
        with self._database.writing():
            transaction = self._begin(jobs)
            # not before the lock is held: whoever waited for it would seem to have a clock that goes back
            now = time.time_ns() // 1000
            if not self._day and self._archive is not None:
                self._archive.settle(self._database)
            run_jobs(jobs, transaction, now)
            if not self._ledger.end(transaction) and all(
                isinstance(job, DecideJob) for job in jobs
            ):
                self._database.roll_back()  # all were known: nothing to write
        self._ledger.keep(transaction)
        if transaction.last_at >= self._day:
            try:
                self._write_archive()
            except Exception as error:  # noqa: BLE001  # what was committed is: nobody is told otherwise
                _LOGGER.warning("%s: days that are over are no files yet (%s)", self.name, error)

    def _begin(self, jobs: list[CommitJob]) -> Any:
        """Return a transaction for some jobs."""
        del jobs
        return self._ledger.begin()

    def _write_archive(self) -> None:
        standing = self._ledger.standing
        if self._archive is None or standing is None:
            return
        self._day = (standing.last_at // DAY + 1) * DAY
        more = True
        while more:
            with self._database.writing():
                self._archive.settle(self._database)
                more = self._archive.write_day(self._database, standing.last_at)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[StoreReader]:
        """What is committed as of one moment."""
        with self._one_at_a_time(), self._database.reading() as reader:
            yield reader

    @contextlib.contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """In memory there is one connection for all threads."""
        if not self._database.is_memory or getattr(self._local, "reads", False):
            yield
            return
        with self._queue.turn:
            self._local.reads = True
            try:
                yield
            finally:
                self._local.reads = False


class PolicyLog(CommitLog):
    """One of a policy that decides cases."""

    @property
    def document(self) -> PolicyDocument:
        """With what it opened."""
        document: PolicyDocument = self._ledger.document
        return document

    @property
    def has_secret(self) -> bool:
        """Whether it holds the secret that draws audits; a copy for a stranger does not."""
        return bool(self._ledger.secret)

    def check_secret(self) -> None:
        """Refuse to decide where there is no secret.

        Raises
        ------
        InputError
            If this is a copy without it.
        """
        if not self.has_secret:
            raise InputError(
                f"{self.name} holds no secret.key, without which no audit can be drawn; decide where the "
                "policy was deployed"
            )

    def archive(self) -> None:
        """Write the days that are over as Parquet files; a service does it by itself once a day."""
        with self._queue.turn:
            self._write_archive()

    def _known_key(self) -> bytes:
        if not self._signing:
            raise InputError(
                f"{self.name} holds no {SIGNING}, which signs heads; sign where it was deployed"
            )
        return self._signing
