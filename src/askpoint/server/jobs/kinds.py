"""The kinds of jobs: the core's, and those of wings and plugins."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from askpoint.server.extensions import JobKind, load, server_parts

__all__ = ["CORE_JOBS", "functions_of", "job_kinds", "kinds_of"]

CORE_JOBS = {
    "agent": JobKind(lane="models", function="askpoint.server.demo_agent:act"),
    "contents": JobKind(
        lane="computing", function="askpoint.server.deployments.archiving:delete_contents"
    ),
    "clear": JobKind(lane="moves", function="askpoint.server.deleted_bytes:clear_deleted_bytes"),
    "regions": JobKind(
        lane="computing", function="askpoint.server.deployments.audit_rates:look_for_regions"
    ),
    "renew": JobKind(lane="computing", function="askpoint.server.deployments.renewal:renew"),
    "report": JobKind(lane="logs", function="askpoint.server.reports.uploads:make_log_report"),
    "stream": JobKind(lane="models", function="askpoint.server.demo_stream:send_cases"),
}
"""By kind."""


@functools.cache
def job_kinds() -> Mapping[str, JobKind]:
    """Return all kinds of jobs by name."""
    kinds = dict(CORE_JOBS)
    for parts in server_parts():
        kinds |= parts.jobs
    return kinds


def kinds_of(lane: str) -> tuple[str, ...]:
    """Return the kinds of jobs of a lane."""
    return tuple(kind for kind, job in job_kinds().items() if job.lane == lane)


def functions_of(lane: str) -> dict[str, Callable[[str], None]]:
    """Return what does the jobs of a lane, by kind."""
    return {kind: load(job.function) for kind, job in job_kinds().items() if job.lane == lane}
