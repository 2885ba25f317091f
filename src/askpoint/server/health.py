"""Is the server well: its database, its models, its background work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Min
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from askpoint.errors import ModelError
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.processes import box_of, socket_path, trouble_of
from askpoint.server.classifiers.scorer_sockets import talk
from askpoint.server.jobs.kinds import kinds_of
from askpoint.server.jobs.lanes import LANES
from askpoint.server.jobs.models import Beat, Job
from askpoint.server.jobs.services import unheld

__all__ = [
    "JobsHealth",
    "LaneHealth",
    "ModelHealth",
    "jobs_health",
    "model_health",
    "tell_health",
    "tell_ready",
]

_SOON = 0.3  # seconds: a process that runs answers in one of these
_LATE, _TOO_LATE = timedelta(minutes=1), timedelta(minutes=15)
_SILENT = timedelta(minutes=1)
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class ModelHealth:
    """How a model's process is.

    Parameters
    ----------
    runs : bool
        Whether it can be asked.
    trouble : str
        Why not, as its supervisor knows; also empty while it starts.
    answered : int
        Cases, or batches of them, since it was started.
    faults : dict of str to int
        What there was instead of an answer, by its kind.
    last : str
        What came last: ``answered``, a kind of fault, or nothing yet.
    sandbox : str
        What the box around it is made of; empty where there is none.
    """

    runs: bool
    trouble: str
    answered: int
    faults: dict[str, int]
    last: str
    sandbox: str = ""

    @property
    def is_well(self) -> bool:
        """Whether it runs, and its last word was an answer, if there was one."""
        return self.runs and self.last in ("", "answered")


def model_health(classifier: Classifier) -> ModelHealth:
    """Ask a model's process how it is."""
    name, folder = str(classifier.pk), settings.ASKPOINT.sockets
    try:
        found = talk(socket_path(folder, name), {"health": True}, _SOON)
    except ModelError:
        return ModelHealth(
            runs=False, trouble=trouble_of(folder, name), answered=0, faults={}, last=""
        )
    counts = dict(found["counts"])
    answered = counts.pop("answered", 0)
    return ModelHealth(
        runs=True,
        trouble="",
        answered=answered,
        faults=counts,
        last=found["last"] or "",
        sandbox=box_of(folder, name),
    )


@dataclass(frozen=True)
class LaneHealth:
    """How one lane of the background work is.

    Parameters
    ----------
    name : str
        As in `askpoint.server.jobs.lanes.LANES`.
    waiting : int
        Jobs that are due, and that nobody is at.
    oldest : timedelta
        How long the oldest of them has been due.
    busy : timedelta, optional
        How long somebody has been at a job of it.
    """

    name: str
    waiting: int
    oldest: timedelta
    busy: timedelta | None

    @property
    def late(self) -> timedelta:
        """How long nothing has gone on: jobs that wait their turn behind one that is done are not late."""
        return timedelta(0) if self.busy is not None else self.oldest

    @property
    def said(self) -> str:
        """Its line."""
        at = "" if self.busy is None else f"one is done for {self.busy.total_seconds():.0f} s, "
        return f"{self.name}: {at}{self.waiting} wait, the oldest for {self.oldest.total_seconds():.0f} s"


@dataclass(frozen=True)
class JobsHealth:
    """How the background work is.

    Parameters
    ----------
    lanes : tuple of LaneHealth
        Those with something to do.
    given_up : int
        Jobs that failed for the last time within a day.
    silent : bool
        Whether the background process was not seen for a minute.
    """

    lanes: tuple[LaneHealth, ...]
    given_up: int
    silent: bool

    @property
    def waiting(self) -> int:
        """Jobs that are due, and that nobody is at."""
        return sum(lane.waiting for lane in self.lanes)

    @property
    def oldest(self) -> timedelta:
        """How long the oldest of them has been due."""
        return max((lane.oldest for lane in self.lanes), default=timedelta(0))

    @property
    def late(self) -> timedelta:
        """How long nothing has gone on in some lane."""
        return max((lane.late for lane in self.lanes), default=timedelta(0))

    @property
    def is_well(self) -> bool:
        """Whether every lane goes on."""
        return self.late < _LATE

    @property
    def trouble(self) -> str:
        """Why people should not be let in; empty where the work is being done."""
        if self.silent:
            return "the background process is not there"
        minutes = self.late // timedelta(minutes=1)
        return f"jobs wait, the oldest for {minutes} minutes" if self.late >= _TOO_LATE else ""


def jobs_health() -> JobsHealth:
    """Look at the jobs."""
    now = timezone.now()
    failed = Job.objects.filter(done__gt=now - _DAY).exclude(error="")
    silent = not Beat.objects.filter(at__gte=now - _SILENT).exists()
    lanes = [_lane_health(name, kinds_of(name), now) for name in LANES]
    found = tuple(one for one in lanes if one.waiting or one.busy is not None)
    return JobsHealth(found, failed.count(), silent)


def _lane_health(name: str, kinds: Sequence[str], now: datetime) -> LaneHealth:
    due = unheld(now).filter(kind__in=kinds)
    held = Job.objects.filter(kind__in=kinds, done=None, until__gt=now, error="")
    begun = held.aggregate(first=Min("begun"))["first"]
    busy = None if begun is None else max(now - begun, timedelta(0))
    first = due.aggregate(first=Min("due"))["first"]
    return LaneHealth(name, due.count(), timedelta(0) if first is None else now - first, busy)


@require_GET
def tell_health(request: HttpRequest) -> HttpResponse:
    """Say that the server answers, and how its models and jobs are; no name of any."""
    del request
    models = [model_health(row) for row in Classifier.objects.all()]
    jobs, n_well = jobs_health(), sum(model.is_well for model in models)
    well = jobs.is_well and n_well == len(models)
    lines = [
        "ok" if well else "ok, but not all is well",
        "database: answers",
        f"models: {n_well} of {len(models)} answer",
        f"jobs: {jobs.waiting} wait, the oldest for {jobs.oldest.total_seconds():.0f} s",
        f"jobs given up within a day: {jobs.given_up}",
        *(lane.said for lane in jobs.lanes),
        f"models in a sandbox: {sum(bool(model.sandbox) for model in models)} ({_sandbox_mode()})",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain")


def _sandbox_mode() -> str:
    return f"--model-sandbox {settings.ASKPOINT.model_sandbox}"


@require_GET
def tell_ready(request: HttpRequest) -> HttpResponse:
    """Say whether people can be let in: tables as this version wants them, and work being done."""
    del request
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        problem = "the tables are of another version"
    else:
        problem = jobs_health().trouble
    words = f"not ready: {problem}\n" if problem else "ready\n"
    return HttpResponse(words, content_type="text/plain", status=503 if problem else 200)
