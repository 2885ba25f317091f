"""What the background process does, by the kind of job, but for what only the demo or a provider needs."""

from __future__ import annotations

from askpoint.server.extensions import load
from askpoint.server.jobs.kinds import job_kinds

__all__ = ["WORKS"]

WORKS = {
    kind: load(job.function)
    for kind, job in job_kinds().items()
    if kind not in ("seed", "stream", "payout")
}
